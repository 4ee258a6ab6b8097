/* The COVERAGE line: what was sampled and what was not, since a figure is only worth
 * as much as what was seen. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/lines.h"
#include "tui/tally.h"

#include <string.h>

static const char *const gap_words[] = {
	[GAP_NONE] = "",
	[GAP_RUN] = "boot or restart",
	[GAP_MISSED] = "missed",
	[GAP_SUSPEND] = "suspend",
};

struct line {
	char text[512];
};

static void add(struct line *line, const char *text)
{
	size_t used = strlen(line->text);

	(void)text_format(line->text + used, sizeof line->text - used, "%s%s",
		used ? ", " : "", text); /* a cut one is still its beginning */
}

static void add_ticks(const struct scene *scene, struct line *line)
{
	uint64_t seen = scene->session->ticks;
	uint64_t all = seen + scene->session->missed;
	char text[96];

	if (!scene->session->missed)
		(void)text_format(text, sizeof text, "100%%: all %llu ticks",
			(unsigned long long)seen);
	else /* rounded down: 99.99 is not 100 */
		(void)text_format(text, sizeof text, "%.1f%%: %llu of %llu ticks",
			(double)(seen * 1000 / all) / 10, (unsigned long long)seen,
			(unsigned long long)all);
	add(line, text);
}

static void add_gap(const struct scene *scene, struct line *line)
{
	const struct session *session = scene->session;
	const struct gap *gap;
	char from[16], to[16], text[96];

	if (!session->gap_count)
		return;
	gap = &session->gaps[session->gap_count - 1];
	scene_clock(scene, gap->from, from, sizeof from);
	scene_clock(scene, gap->to, to, sizeof to);
	(void)text_format(
		text, sizeof text, "gap %s-%s (%s)", from, to, gap_words[gap->kind]);
	add(line, text);
}

static bool total(const struct scene *scene, const char *metric, double *sum)
{
	bool any = false;

	*sum = 0;
	for (size_t i = 0; i < scene->session->subject_count; i++) {
		struct value value = scene_figure(scene, (uint32_t)i, metric);

		if (value.why != WHY_NONE)
			continue;
		any = true;
		*sum += value.value;
	}
	return any;
}

/* What was lost counts for the whole window: a storm that is over is still a hole. */
static void add_lost(const struct scene *scene, struct line *line)
{
	char text[160], number[16];
	double lost = 0;

	for (size_t i = 0; i < scene->session->subject_count; i++) {
		int track = scene_find(scene, (uint32_t)i, "capture.lost");
		struct tally tally = {0};

		if (track >= 0)
			tally = tally_current(scene, (size_t)track);
		lost += tally.known ? tally.count : 0;
	}
	unit_number(number, sizeof number, lost, 5);
	(void)text_format(text, sizeof text, "capture lost %s%s%s", number,
		lost > 0 ? scene->current ? " in " : " in 10m" : "",
		lost > 0 && scene->current ? scene->current->name : "");
	add(line, text);
}

static void add_capture(const struct scene *scene, struct line *line)
{
	char text[96], number[16];
	double lost, cut;

	if (!total(scene, "capture.lost", &lost)) {
		add(line, "no capture");
		return;
	}
	if (lost <= 0) {
		add_lost(scene, line);
	} else {
		unit_number(number, sizeof number, lost, 5);
		(void)text_format(text, sizeof text, "capture LOSES %s/s", number);
		add(line, text);
	}
	if (!total(scene, "capture.cut", &cut) || cut <= 0)
		return;
	unit_number(number, sizeof number, cut, 5);
	(void)text_format(text, sizeof text, "%s/s cut to headers", number);
	add(line, text);
}

/* Ticks of WINDOW in which a card's frames were not counted although they were in
 * others; the worst card. What is only late, as in the tick of a mark, is in the next.
 */
static uint64_t blind_ticks(const struct scene *scene, const struct window *window)
{
	uint64_t most = 0;

	for (size_t i = 0; i < scene->session->subject_count; i++) {
		int track = scene_find(scene, (uint32_t)i, "capture.frames");
		const struct summary *summary = scene_summary(scene, window, track);
		uint64_t missing;

		if (!summary)
			continue;
		missing = summary->missing[WHY_OFF] + summary->missing[WHY_DENIED];
		most = missing > most ? missing : most;
	}
	return most;
}

static void add_blind(const struct scene *scene, struct line *line)
{
	uint64_t ticks = scene->current ? blind_ticks(scene, scene->current) : 0;
	char text[96];

	if (!ticks)
		return;
	(void)text_format(text, sizeof text, "capture BLIND in %llu %s of %s",
		(unsigned long long)ticks, ticks == 1 ? "tick" : "ticks",
		scene->current->name);
	add(line, text);
}

static void add_recorder(const struct scene *scene, struct line *line)
{
	const struct status *status = scene->status;
	char text[96], age[24];

	if (status->late) {
		(void)text_format(text, sizeof text, "%llu late",
			(unsigned long long)status->late);
		add(line, text);
	}
	if (status->unsaved > 1) {
		unit_duration(age, sizeof age, status->unsaved_for);
		(void)text_format(text, sizeof text, "%llu ticks not on disk for %s",
			(unsigned long long)status->unsaved, age);
		add(line, text);
	}
	if (*status->sources)
		add(line, status->sources);
}

static void take(const struct scene *scene, struct line *line)
{
	add_ticks(scene, line);
	add_gap(scene, line);
	add_capture(scene, line);
	add_blind(scene, line);
	add_recorder(scene, line);
}

void line_coverage_text(const struct scene *scene, char *to, size_t size)
{
	struct line line = {""};

	take(scene, &line);
	(void)text_copy(to, size, line.text); /* as above */
}

void line_coverage(const struct scene *scene, struct canvas *canvas)
{
	static const char cut[] = ".. (i)";
	struct line line = {""};
	int at = canvas_text(canvas, 0, 0, CELL_TITLE, "COVERAGE ");
	int end = canvas->width - (int)sizeof cut + 1;

	take(scene, &line);
	canvas_text(canvas, 0, at, CELL_PLAIN, line.text);
	if (at + (int)text_columns(line.text) > canvas->width && end > at)
		canvas_text(canvas, 0, end, CELL_KEY, cut);
}
