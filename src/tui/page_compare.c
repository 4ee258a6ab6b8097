/*
 * The compare page: window A beside window B, row by row, worst first. Change is of the
 * means; medians and p95 show the spread; the verdict stands beside. Of the selected
 * row Enter shows the evidence.
 */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/compare.h"
#include "tui/screen.h"

#include <string.h>

enum {
	HEAD_ROWS = 6,
	FOOT_FROM =
		12,   /* rows from which on there is room for what stands below them */
	FIGURES = 48, /* columns behind the name */
	NAME_LEAST = 10,
	NAME_MOST = 60,
};

/* How a row begins: readable without colour. */
static char sign_of(const struct verdict *verdict)
{
	switch (verdict ? verdict->word : VERDICT_NONE) {
	case VERDICT_WORSE:
	case VERDICT_MIXED:
		return '!';
	case VERDICT_BETTER:
		return '+';
	case VERDICT_SAME:
	case VERDICT_SMALL:
	case VERDICT_HINT:
	case VERDICT_UNCLEAR:
		return '~';
	case VERDICT_HIGHER:
	case VERDICT_LOWER:
		return ' ';
	case VERDICT_NONE:
	case VERDICT_TOO_SHORT:
	case VERDICT_IDLE:
	case VERDICT_TOO_LITTLE:
	case VERDICT_TOO_FEW:
	case VERDICT_NO_OVERLAP:
	case VERDICT_FEW_RUNS:
	case VERDICT_KERNEL:
	case VERDICT_CONSTANT:
		break;
	}
	return '?';
}

static enum role_cell role_of(char sign)
{
	return sign == '!' ? CELL_WORSE : sign == '+' ? CELL_BETTER : CELL_PLAIN;
}

/* Two figures of a side: median and p95, or of events their number. */
static void side_text(const struct comparing *c, const struct compare_side *side,
	char *to, size_t size)
{
	char median[16], p95[16];

	if (!side->known) {
		(void)text_copy(to, size, "     -      -");
		return;
	}
	if (c->events)
		unit_number(median, sizeof median, side->num, 5);
	else
		unit_figure(median, sizeof median, c->metric, side->median,
			c->scale.factor, 5);
	unit_figure(p95, sizeof p95, c->metric, side->p95, c->scale.factor, 5);
	(void)text_format(to, size, "%6s %6s", median, c->events ? "-" : p95);
}

static void draw_row(
	const struct scene *scene, uint32_t track, struct canvas *canvas, int row)
{
	struct comparing c;
	char name[128], cut[4 * NAME_MOST + 1], left[32], right[32], ratio[16] = "-",
								     word[16] = "-";
	int room = canvas->width - FIGURES;
	char sign;

	compare_track(scene, track, &c);
	sign = sign_of(c.verdict);
	room = room < NAME_LEAST ? NAME_LEAST : room > NAME_MOST ? NAME_MOST : room;
	(void)text_format(name, sizeof name, "%s %s%s%s", scene_name(c.subject),
		c.metric->title, *c.scale.word && !c.events ? " " : "",
		c.events ? "" : c.scale.word);
	text_middle(cut, sizeof cut, name, (size_t)room);
	side_text(&c, &c.a, left, sizeof left);
	side_text(&c, &c.b, right, sizeof right);
	if (c.a.known && c.b.known && (!c.verdict || c.verdict->word != VERDICT_KERNEL))
		unit_ratio(ratio, sizeof ratio, c.a.mean, c.b.mean);
	if (c.verdict)
		verdict_short(word, sizeof word, c.verdict);
	canvas_format(canvas, (struct spot){row, 0, role_of(sign)}, "%c%s", sign, cut);
	canvas_format(canvas, (struct spot){row, room + 1, CELL_VALUE},
		" %s  %s %7s %9s", left, right, ratio, word);
	canvas_paint(canvas, row, room + FIGURES - 9, 9, role_of(sign));
	if (track == compare_selected(scene))
		canvas_paint(canvas, row, 0, canvas->width, CELL_SELECT);
}

static void draw_window(const struct scene *scene, const struct window *window,
	char letter, struct canvas *canvas, int row)
{
	struct coverage coverage;
	char from[16], length[24];
	bool open;

	if (!window) {
		canvas_format(canvas, (struct spot){row, 0, CELL_UNKNOWN},
			"%c  no %s yet", letter, letter == 'A' ? "BEFORE" : "AFTER");
		return;
	}
	open = window_runs(window, scene->session->last.at);
	coverage = session_coverage(scene->session, window->id);
	scene_clock(scene, window->from, from, sizeof from);
	unit_duration(length, sizeof length,
		window_until(window, scene->session->last.at) - window->from);
	canvas_format(canvas, (struct spot){row, 0, CELL_PLAIN},
		"%c  %s from %s, %s%s, %llu of %llu samples, %llu gaps", letter,
		window->name, from, length, open ? " and open" : "",
		(unsigned long long)coverage.seen,
		(unsigned long long)coverage.expected,
		(unsigned long long)coverage.gaps);
}

/* "5 WORSE 1 BETTER 5 same 2 not compared, so far" */
static void draw_result(const struct scene *scene, struct canvas *canvas, int row)
{
	const struct judge *judge = &scene->view->judge;
	nsec last = scene->session->last.at;
	size_t counts[JUDGE_GROUPS];
	char mixed[24] = "";
	bool open = scene->b &&
		    (window_runs(scene->b, last) || window_runs(scene->a, last));

	for (size_t i = 0; i < JUDGE_GROUPS; i++)
		counts[i] = judge_count(judge, (enum judge_group)i);
	if (!judge_has(judge)) {
		canvas_text(canvas, row, 0, CELL_DIM,
			"RESULT   nothing could be tested yet: figures only");
		return;
	}
	if (counts[JUDGE_MIXED])
		(void)text_format(mixed, sizeof mixed, "  %zu MIXED",
			counts[JUDGE_MIXED]); /* fits */
	canvas_format(canvas,
		(struct spot){row, 0, counts[JUDGE_WORSE] ? CELL_WORSE : CELL_PLAIN},
		"RESULT%s   %zu WORSE%s  %zu BETTER  %zu HIGHER or LOWER  %zu SAME  "
		"%zu unclear",
		open ? " so far" : "", counts[JUDGE_WORSE], mixed, counts[JUDGE_BETTER],
		counts[JUDGE_MOVED], counts[JUDGE_SAME], counts[JUDGE_UNCLEAR]);
}

static void draw_list(const struct scene *scene, struct canvas *canvas)
{
	const struct judge *judge = &scene->view->judge;
	size_t height = canvas->height > 0 ? (size_t)canvas->height : 0;
	size_t at = compare_place(scene);
	size_t first = at >= height && height ? at - height + 1 : 0;

	if (!judge->order_count)
		canvas_text(canvas, 0, 0, CELL_DIM,
			judge->clear_only ? "  nothing is clear; f shows all rows"
			: scene->a && scene->b
				? "  nothing was recorded in these windows"
				: "  nothing to compare yet: it takes both windows");
	for (size_t i = first; i < judge->order_count && i - first < height; i++)
		draw_row(scene, judge->order[i].track, canvas, (int)(i - first));
}

/* Devices of one side only, and what changed on the host. Returns how many rows it
 * took.
 */
static int draw_foot(const struct scene *scene, struct canvas *canvas, int height)
{
	char lines[2][400];
	int count = 0;

	compare_apart(scene, lines[0], sizeof *lines);
	compare_host(scene, lines[1], sizeof *lines);
	for (int i = 0; i < 2; i++)
		count += height >= FOOT_FROM && *lines[i];
	for (int i = 0, row = canvas->height - count; count && i < 2; i++)
		if (*lines[i])
			canvas_line(canvas, row++, CELL_PLAIN, lines[i]);
	return count;
}

static void draw_head(const struct scene *scene, struct canvas *canvas)
{
	const struct judge *judge = &scene->view->judge;
	int room = canvas->width - FIGURES;
	char load[200];

	room = room < NAME_LEAST ? NAME_LEAST : room > NAME_MOST ? NAME_MOST : room;
	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_format(canvas, (struct spot){0, 0, CELL_TITLE},
		"COMPARE  B to A, %s%s: change of the means, median and p95",
		judge->by_device ? "by device" : "worst first",
		judge->clear_only ? ", clear ones" : "");
	draw_window(scene, scene->a, 'A', canvas, 1);
	draw_window(scene, scene->b, 'B', canvas, 2);
	compare_load(scene, load, sizeof load);
	canvas_line(canvas, 3, CELL_PLAIN, load);
	draw_result(scene, canvas, 4);
	canvas_fill(canvas, (struct spot){5, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_text(canvas, 5, room + 1, CELL_HEADER,
		"  A med  A p95   B med  B p95  change   verdict");
}

void page_compare(const struct scene *scene, struct canvas *canvas)
{
	int height = canvas->height - HEAD_ROWS;
	int rows = evidence_rows(scene);
	int below = scene->view->evidence && height > rows ? rows : 0;
	struct canvas list, foot;

	draw_head(scene, canvas);
	if (below) {
		foot = canvas_part(
			canvas, canvas->height - below, 0, below, canvas->width);
		evidence_draw(scene, &foot);
	} else {
		below = draw_foot(scene, canvas, height);
	}
	list = canvas_part(canvas, HEAD_ROWS, 0, height - below, canvas->width);
	draw_list(scene, &list);
}
