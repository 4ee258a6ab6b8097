/*
 * The explain page: every figure of the selected row, where it comes from, how it
 * is made, and how it can mislead. All of it is read from the metric table.
 */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "packet/class.h"
#include "tui/detail.h"
#include "tui/explain.h"
#include "tui/lines.h"
#include "tui/pane.h"
#include "tui/screen.h"

#include <string.h>

/* Writes lines one below the other, the first SKIP of them above the canvas. */
struct paper {
	struct explain_lines lines; /* first: found again from it */
	struct canvas *canvas;
	int row;
};

static void put(struct paper *paper, enum role_cell role, int indent, const char *text)
{
	int width = paper->canvas->width - indent;

	while (*text) {
		size_t length = strlen(text);
		char line[512];

		if (width > 0 && length > (size_t)width) {
			for (length = (size_t)width; length && text[length] != ' ';)
				length--;
			length = length ? length : (size_t)width;
		}
		length = length < sizeof line ? length : sizeof line - 1;
		memcpy(line, text, length);
		line[length] = 0;
		canvas_text(paper->canvas, paper->row++, indent, role, line);
		text += length;
		text += *text == ' ';
	}
}

static void put_value(struct paper *paper, const struct scene *scene, size_t track)
{
	const struct metric *metric = metric_at(scene->session->tracks[track].metric);
	const struct summary *before = scene_summary(scene, scene->a, (int)track);
	struct value now = scene_track(scene, track);
	char value[48], line[256], average[48] = "";
	double mean;

	unit_value(value, sizeof value, metric, now.value, scene->view->units);
	if (now.why != WHY_NONE)
		(void)text_format(
			value, sizeof value, "? (%s)", why_word((enum why)now.why));
	if (before && summary_mean(before, &mean)) {
		unit_value(average, sizeof average, metric, mean, scene->view->units);
	}
	(void)text_format(line, sizeof line, "%s: %s%s%s   %s", metric->title, value,
		*average ? ", BEFORE mean " : "", average, metric->id);
	put(paper, CELL_KEY, 0, line);
	if (metric_is_of_kernel(metric)) {
		(void)text_format(line, sizeof line,
			"counted by %s: never compared with another kernel",
			session_kernel(scene->session, scene->at)); /* fits */
		put(paper, CELL_PLAIN, 4, line);
	}
}

static void put_making(struct paper *paper, const struct metric *metric)
{
	static const char *const forms[] = {
		[METRIC_RATE] = "growth per second of",
		[METRIC_RATIO] = "growth of",
		[METRIC_SUM] = "growth per second of",
		[METRIC_GAUGE] = "state of",
		[METRIC_QUEUE] = "growth per second, or samples, of",
	};
	char line[256];
	bool two = metric_has_den(metric);

	(void)text_format(line, sizeof line, "made of: %s %s%s%s", forms[metric->form],
		raw_id(metric->num),
		!two                           ? ""
		: metric->form == METRIC_RATIO ? " per growth of "
					       : " and ",
		two ? raw_id(metric->den) : "");
	put(paper, CELL_PLAIN, 4, line);
}

static void put_labelled(struct paper *paper, const char *label, const char *text)
{
	char line[1024];

	if (!text || !*text)
		return;
	(void)text_format(line, sizeof line, "%s: %s", label, text);
	put(paper, CELL_PLAIN, 4, line);
}

static void put_line(struct explain_lines *lines, const char *text)
{
	put((struct paper *)(void *)lines, CELL_PLAIN, 4, text);
}

static void explain(struct paper *paper, const struct scene *scene, size_t track)
{
	unsigned number = scene->session->tracks[track].metric, direction;
	const struct metric *metric = metric_at(number);
	int class = metric_packet_class(number, &direction);

	put_value(paper, scene, track);
	if (class >= 0) {
		put_labelled(paper, "means", packet_classes[class].means);
		put_labelled(paper, "look at", packet_classes[class].todo);
		put_labelled(paper, "harmless", packet_classes[class].harmless);
		explain_peers(scene, track, &paper->lines);
		return;
	}
	put_labelled(paper, "from", metric->where);
	put_making(paper, metric);
	put_labelled(paper, "trap", metric->trap);
}

/* How often the queue is looked at: it depends on what the disks do, and on how many
 * there are. */
static void put_sampling(struct paper *paper, const struct scene *scene)
{
	int interval = metric_find("sampler.interval");

	for (size_t i = 0; i < scene->session->track_count; i++) {
		const struct track *track = &scene->session->tracks[i];
		struct value now = scene_track(scene, i);
		char every[48], line[96];

		if (track->metric != (unsigned)interval || now.why != WHY_NONE)
			continue;
		unit_value(every, sizeof every, metric_at(track->metric), now.value,
			scene->view->units);
		(void)text_format(line, sizeof line, "every %s now", every);
		put_labelled(paper, "sampled", line);
	}
}

static void explain_subject(struct paper *paper, const struct scene *scene,
	uint32_t subject, unsigned metric)
{
	const struct subject *of = &scene->session->subjects[subject];
	char line[512];

	(void)text_format(line, sizeof line, "%s %s%s%s  %s", kind_word(of->kind),
		of->name, *of->label ? " = " : "", of->label, of->detail);
	put(paper, CELL_TITLE, 0, line);
	put_labelled(paper, "identity", of->id);
	if (of->kind == KIND_DISK) {
		detail_disk(scene, subject, line, sizeof line);
		put_labelled(paper, "path", line);
	}
	if (of->kind == KIND_DISK)
		put_sampling(paper, scene);
	for (size_t i = 0; i < scene->session->track_count; i++) {
		const struct track *track = &scene->session->tracks[i];
		unsigned direction;

		if (track->subject != subject)
			continue;
		if (metric == METRIC_NONE
				? metric_packet_class(track->metric, &direction) < 0
				: track->metric == metric)
			explain(paper, scene, i);
	}
}

/* A figure of weir itself in its unit, summed over the subjects that have it. */
static void add_own(const struct scene *scene, const char *id, const char *name,
	char *to, size_t size)
{
	int metric = metric_find(id);
	double sum = 0;
	bool known = false;
	char value[32];

	for (size_t i = 0; metric >= 0 && i < scene->session->track_count; i++) {
		struct value now = scene_track(scene, i);

		if (scene->session->tracks[i].metric != (unsigned)metric ||
			now.why != WHY_NONE)
			continue;
		sum += now.value;
		known = true;
	}
	if (!known)
		return;
	unit_value(value, sizeof value, metric_at((unsigned)metric), sum,
		scene->view->units);
	size -= strlen(to);
	(void)text_format(to + strlen(to), size, "%s%s%s", *to ? ", " : "", name,
		value); /* fits */
}

/* What was seen, whole, since line COVERAGE may have no room for it, and what weir
 * itself takes. */
static void explain_weir(struct paper *paper, const struct scene *scene)
{
	char line[600] = "";

	line_coverage_text(scene, line, sizeof line);
	put(paper, CELL_TITLE, 0, "weir itself");
	put_labelled(paper, "coverage", line);
	line[0] = 0;
	add_own(scene, "weir.cpu", "recorder ", line, sizeof line);
	add_own(scene, "capture.cpu", "capture ", line, sizeof line);
	put_labelled(paper, "takes of a core", line);
	line[0] = 0;
	add_own(scene, "weir.memory", "", line, sizeof line);
	put_labelled(paper, "memory of the recorder", line);
}

void page_explain(const struct scene *scene, struct canvas *canvas)
{
	const struct pane *pane =
		panes[scene->view->focus < 0 ? PANE_DISK : scene->view->focus];
	const struct pane_view *view =
		&scene->view->panes[scene->view->focus < 0 ? PANE_DISK
							   : scene->view->focus];
	struct canvas rest =
		canvas_part(canvas, 1, 0, canvas->height - 1, canvas->width);
	struct paper paper = {{put_line}, &rest, -scene->view->scroll};
	uint32_t subject;
	unsigned metric;

	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_format(canvas, (struct spot){0, 0, CELL_TITLE},
		"WHAT THESE FIGURES ARE   Up and Down scroll, q goes back");
	explain_weir(&paper, scene);
	if (pane->subject &&
		pane->subject(scene, (size_t)view->selected, &subject, &metric))
		explain_subject(&paper, scene, subject, metric);
	else
		put(&paper, CELL_DIM, 2, "no row is selected");
}
