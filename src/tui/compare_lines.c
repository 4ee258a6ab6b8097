/*
 * Around the rows of the compare page: what was asked of the disks in A and B, which
 * devices only one of them has, and what is not the same about the host. Without these
 * a verdict is half of the truth.
 */
#include "config.h"

#include "tui/compare.h"

#include "base/text.h"
#include "core/unit.h"

#include <math.h>
#include <string.h>

/* ---- load ---- */

/* Mean of METRIC in WINDOW, summed over the disks that stand on no other. */
static bool sum_of(const struct scene *scene, const struct window *window,
	const char *metric, double *sum)
{
	bool known = false;

	for (uint32_t i = 0; i < scene->session->subject_count; i++) {
		const struct subject *subject = &scene->session->subjects[i];
		const struct summary *summary;
		double mean;

		if (subject->kind != KIND_DISK || subject->flags & SUBJECT_STACKED)
			continue;
		summary = scene_summary(scene, window, scene_find(scene, i, metric));
		if (!summary || !summary_mean(summary, &mean))
			continue;
		*sum += mean;
		known = true;
	}
	return known;
}

/* "5.12k ops/s 735 MB/s" */
static bool side_load(const struct scene *scene, const struct window *window,
	double *ops, char *to, size_t size)
{
	double bytes = 0;
	char number[16], moved[24];
	const struct metric *unit = metric_at((unsigned)metric_find("disk.read.bytes"));

	*ops = 0;
	if (!window || !sum_of(scene, window, "disk.ops", ops))
		return false;
	(void)sum_of(scene, window, "disk.read.bytes", &bytes);
	(void)sum_of(scene, window, "disk.write.bytes", &bytes);
	unit_number(number, sizeof number, *ops, 5);
	unit_value(moved, sizeof moved, unit, bytes, scene->view->units);
	return text_format(to, size, "%s ops/s %s", number, moved);
}

static bool load_differs(const struct scene *scene)
{
	const struct judgement *judgement = &scene->view->judge.judgement;

	for (size_t i = 0; i < judgement->count; i++)
		if (judgement->rows[i].load_differs)
			return true;
	return false;
}

void compare_load(const struct scene *scene, char *to, size_t size)
{
	char a[48] = "-", b[48] = "-", ratio[16];
	double ops_a, ops_b;
	bool both = side_load(scene, scene->a, &ops_a, a, sizeof a);

	both = side_load(scene, scene->b, &ops_b, b, sizeof b) && both;
	if (!both) {
		(void)text_format(to, size, "LOAD  A %s   B %s", a, b); /* fits */
		return;
	}
	unit_ratio(ratio, sizeof ratio, ops_a, ops_b);
	(void)text_format(to, size, "LOAD  A %s   B %s   %s%s", a, b, ratio,
		!judge_has(&scene->view->judge) ? ""
		: load_differs(scene) ? ": differs, queue and waits at the same load"
				      : ": near enough to judge"); /* fits */
}

/* ---- devices of one window ---- */

static bool has_figures(
	const struct scene *scene, const struct window *window, uint32_t subject)
{
	for (size_t i = 0; i < scene->session->track_count; i++)
		if (scene->session->tracks[i].subject == subject &&
			scene_summary(scene, window, (int)i))
			return true;
	return false;
}

static void add(char *to, size_t size, const char *text)
{
	size_t used = strlen(to);

	(void)text_format(to + used, size - used, "%s%s", used ? " " : "",
		text); /* cut at the edge of the screen anyway */
}

void compare_apart(const struct scene *scene, char *to, size_t size)
{
	char only_a[160] = "", only_b[160] = "";
	size_t unjudged;

	to[0] = 0;
	if (!scene->a || !scene->b)
		return;
	for (uint32_t i = 0; i < scene->session->subject_count; i++) {
		const struct subject *subject = &scene->session->subjects[i];
		bool a, b;

		if (kind_is_detail(subject->kind) || subject->kind == KIND_PEER)
			continue;
		a = has_figures(scene, scene->a, i);
		b = has_figures(scene, scene->b, i);
		if (a != b)
			add(a ? only_a : only_b, sizeof only_a, scene_name(subject));
	}
	unjudged = judge_has(&scene->view->judge)
			   ? judge_count(&scene->view->judge, JUDGE_NOT)
			   : 0;
	if (!*only_a && !*only_b && !unjudged)
		return;
	(void)text_format(to, size, "NOT COMPARED%s%s%s%s",
		*only_b ? "  not in A: " : "", only_b, *only_a ? "  not in B: " : "",
		only_a);
	if (unjudged)
		(void)text_format(to + strlen(to), size - strlen(to),
			"  %zu rows: idle, constant or too little data", unjudged);
}

/* ---- the host ---- */

struct differences {
	char text[320];
	size_t count;
};

static void add_difference(void *context, const struct fact *a, const struct fact *b)
{
	struct differences *differences = context;
	char one[160];

	if (!fact_changed(a, b) && !(a->why == WHY_ABSENT || b->why == WHY_ABSENT))
		return;
	differences->count++;
	(void)text_format(one, sizeof one, "%s%s%s %s %s > %s",
		differences->count > 1 ? "; " : "", a->kind == KIND_HOST ? "" : a->name,
		a->kind == KIND_HOST ? "" : ":", a->key, fact_text(a),
		fact_text(b)); /* its beginning will do */
	add(differences->text, sizeof differences->text, one);
}

void compare_host(const struct scene *scene, char *to, size_t size)
{
	const struct session *session = scene->session;
	struct differences differences = {"", 0};

	to[0] = 0;
	if (!scene->a || !scene->b)
		return;
	(void)facts_difference(&session->facts,
		window_until(scene->a, session->last.at),
		window_until(scene->b, session->last.at), add_difference, &differences);
	if (differences.count)
		(void)text_format(to, size, "HOST CHANGED  %zu: %s", differences.count,
			differences.text); /* cut at the edge of the screen anyway */
}
