/*
 * Line 2: the answer. Without a recorded BEFORE it says how to get one; with one it
 * counts the verdicts, or says how long they still need, and names the rows that
 * moved most, as "3.1 > 1.2 (1/2.6)".
 */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/lines.h"
#include "tui/trend.h"

#include <math.h>
#include <string.h>

enum {
	BEST = 8 /* rows that a wide line may name */
};

/* Metrics that the line may name, and the least value that is worth naming. */
static const struct {
	const char *metric;
	double least;
} named[] = {
	{"disk.queue", 0.2},
	{"disk.read.await", 0.0005},
	{"disk.write.await", 0.0005},
	{"net.rx.bytes", 125000},
	{"net.tx.bytes", 125000},
	{"tcp.retrans", 0.05},
};

struct moved {
	size_t track;
	double a, b, size; /* size: how many times, as a logarithm */
};

static double least_of(unsigned metric)
{
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (!strcmp(metric_at(metric)->id, named[i].metric))
			return named[i].least;
	return -1;
}

static void keep_best(struct moved *best, int *count, const struct moved *moved)
{
	int at = *count < BEST ? (*count)++ : BEST - 1;

	if (*count == BEST && at == BEST - 1 && best[at].size >= moved->size &&
		best[at].track)
		return;
	for (; at && best[at - 1].size < moved->size; at--)
		best[at] = best[at - 1];
	best[at] = *moved;
}

static int find_moved(const struct scene *scene, struct moved *best)
{
	int count = 0;

	memset(best, 0, BEST * sizeof *best);
	for (size_t i = 0; i < scene->session->track_count; i++) {
		double least = least_of(scene->session->tracks[i].metric);
		struct moved moved = {.track = i};

		if (least < 0 || !scene_pair(scene, (int)i, &moved.a, &moved.b) ||
			(moved.a < least && moved.b < least))
			continue;
		/* a start from nothing counts as from the least worth naming */
		moved.size = fabs(
			log(fmax(moved.b, least / 10) / fmax(moved.a, least / 10)));
		keep_best(best, &count, &moved);
	}
	return count;
}

/* A queue that more than doubled in half a minute. */
static bool is_growing(const struct scene *scene, size_t track)
{
	return !strcmp(metric_at(scene->session->tracks[track].metric)->id,
		       "disk.queue") &&
	       !strcmp(trend_slope(scene, (int)track), "^^");
}

static void moved_text(
	const struct scene *scene, const struct moved *moved, char *to, size_t size)
{
	const struct track *track = &scene->session->tracks[moved->track];
	const struct subject *subject = &scene->session->subjects[track->subject];
	const struct metric *metric = metric_at(track->metric);
	enum unit_system units =
		metric->kind == KIND_NIC && scene->view->units != UNITS_IEC_BYTES
			? UNITS_SI_BITS
			: scene->view->units;
	struct unit_scale scale = unit_scale(metric, fmax(moved->a, moved->b), units);
	char before[16], after[16], ratio[16], name[32];
	size_t used;

	text_middle(name, sizeof name,
		subject->kind == KIND_HOST ? "" : scene_name(subject), 20);
	unit_number(before, sizeof before, moved->a * scale.factor, 5);
	unit_number(after, sizeof after, moved->b * scale.factor, 5);
	unit_ratio(ratio, sizeof ratio, moved->a, moved->b);
	(void)text_format(to, size, "%s%s%s %s > %s%s%s", name, *name ? " " : "",
		metric->title, before, after, *scale.word ? " " : "", scale.word);
	used = strlen(to);
	if (strcmp(ratio, "-") != 0) /* from nothing: there is no ratio */
		(void)text_format(to + used, size - used, " (%s)", ratio);
	if (is_growing(scene, moved->track)) {
		used = strlen(to);
		(void)text_format(to + used, size - used, " GROWING");
	}
}

/* "BEFORE open for 4m10s: c begins the change": what to do next. */
static void open_text(const struct scene *scene, char *to, size_t size)
{
	const struct window *open =
		windows_open(&scene->session->windows, scene->session->last.at);
	char length[24];

	to[0] = 0;
	if (!open || open->role == ROLE_AFTER || open->from > scene->at)
		return;
	unit_duration(length, sizeof length, scene->at - open->from);
	(void)text_format(to, size, "%s open for %s%s", open->name, length,
		open->role == ROLE_BEFORE   ? ", c begins the change"
		: open->role == ROLE_CHANGE ? ", a begins AFTER"
					    : "");
}

/* " so far, 3 WORSE 1 BETTER 5 same", or " (verdict in 4m10s)", or, where a closed
 * window is what lacks, " (BEFORE under 5m: no verdict)". */
static void judged_text(const struct scene *scene, char *to, size_t size)
{
	static const char *const names[JUDGE_GROUPS] = {[JUDGE_WORSE] = "WORSE",
		[JUDGE_MIXED] = "MIXED",
		[JUDGE_BETTER] = "BETTER",
		[JUDGE_MOVED] = "higher or lower",
		[JUDGE_SAME] = "same",
		[JUDGE_UNCLEAR] = "unclear"};
	const struct judge *judge = &scene->view->judge;
	const char *lacks;
	size_t used = strlen(to);
	char length[24];
	double wait;

	if (!scene->b)
		return;
	if (!judge_has(judge)) {
		lacks = judge_lacks(judge, scene->session, &wait);
		unit_duration(length, sizeof length, (nsec)ceil(wait) * NSEC_PER_SEC);
		if (lacks)
			(void)text_format(to + used, size - used,
				" (%s under 5m: no verdict)", lacks);
		else if (wait > 0)
			(void)text_format(
				to + used, size - used, " (verdict in %s)", length);
		return;
	}
	if (window_runs(scene->b, scene->session->last.at))
		(void)text_format(to + used, size - used, " so far,");
	for (size_t i = 0; i < JUDGE_GROUPS; i++) {
		size_t count = judge_count(judge, (enum judge_group)i);

		used = strlen(to);
		if (count && names[i])
			(void)text_format(
				to + used, size - used, " %zu %s", count, names[i]);
	}
}

static void compare_text(const struct scene *scene, char *to, size_t size, int columns)
{
	struct moved best[BEST];
	int count = find_moved(scene, best);
	size_t used;

	used = strlen(to);
	(void)text_format(to + used, size - used, "%s%s v %s", used ? ".  " : "",
		scene->b ? scene->b->name : "now", scene->a->name);
	judged_text(scene, to, size);
	used = strlen(to);
	(void)text_format(to + used, size - used, ": %s",
		count ? "" : "nothing that both have moved yet");
	for (int i = 0; i < count; i++) {
		char text[128];

		moved_text(scene, &best[i], text, sizeof text);
		used = strlen(to);
		if (i && (int)(text_columns(to) + text_columns(text)) + 2 > columns)
			break;
		(void)text_format(to + used, size - used, "%s%s", i ? ", " : "", text);
	}
}

static void verdict(const struct scene *scene, char *to, size_t size, int columns)
{
	open_text(scene, to, size);
	if (!scene->a && !*to)
		(void)text_copy(to, size,
			"No BEFORE yet: b starts it, B takes the last 10 minutes");
	else if (scene->comparable)
		compare_text(scene, to, size, columns);
}

void line_verdict_text(const struct scene *scene, char *to, size_t size, int columns)
{
	verdict(scene, to, size, columns);
}

static void paused_text(const struct scene *scene, char *to, size_t size)
{
	char clock[16], behind[24];

	scene_clock(scene, scene->at, clock, sizeof clock);
	unit_duration(behind, sizeof behind, scene->session->last.at - scene->at);
	if (scene->view->replay)
		(void)text_format(to, size,
			"REPLAY at %s, %s before the end. t T step, [ ] marks, g time",
			clock, behind);
	else
		(void)text_format(to, size,
			"PAUSED at %s, %s behind, recording continues. . = live", clock,
			behind);
}

static void banner(struct canvas *canvas, enum role_cell role, const char *text)
{
	canvas_fill(canvas, (struct spot){0, 0, role}, canvas->width, ' ');
	canvas_line(canvas, 0, role, text);
}

void line_verdict(const struct scene *scene, struct canvas *canvas)
{
	char text[512] = "";

	if (*scene->status->trouble) {
		banner(canvas, CELL_ALERT, scene->status->trouble);
		return;
	}
	if (scene->view->paused) {
		paused_text(scene, text, sizeof text);
		banner(canvas, CELL_PAUSED, text);
		return;
	}
	verdict(scene, text, sizeof text, canvas->width);
	canvas_line(canvas, 0, CELL_KEY, text);
}
