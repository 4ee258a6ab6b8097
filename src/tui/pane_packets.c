/*
 * Pane 3: bad packets. One row per class that is not zero, with direction and
 * interface; counts beside rates, no rate from fewer than five events; and for how
 * long each has been clean. Without a capture it says what is missing and shows
 * what needs no privilege.
 */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "packet/class.h"
#include "tui/pane.h"
#include "tui/tally.h"

#include <string.h>

static const char *const sorts[] = {"order of classes", "now", "count", NULL};

static void draw_name(struct cell *cell)
{
	const struct track *track = &cell->scene->session->tracks[cell->item];
	struct value now = scene_track(cell->scene, cell->item);
	bool moving = now.why == WHY_NONE && now.value > 0;
	unsigned direction;
	int class = metric_packet_class(track->metric, &direction);
	bool bad = class < 0 || packet_classes[class].sense == CLASS_BAD;
	enum role_cell role = moving && bad ? CELL_WORSE : CELL_PLAIN;
	char name[160];

	tally_name(cell->scene, cell->item, name, sizeof name, cell->canvas.width - 1);
	canvas_text(&cell->canvas, 0, 0, role, moving && bad ? "!" : " ");
	canvas_text(&cell->canvas, 0, 1, role, name);
}

static void draw_now(struct cell *cell)
{
	cell_figure(cell, scene_track(cell->scene, cell->item), 1);
}

static void draw_count(struct cell *cell)
{
	struct tally tally = tally_current(cell->scene, cell->item);
	struct value value = {.value = tally.count, .why = WHY_NONE};

	if (!tally.known)
		value.why = WHY_FIRST;
	cell_amount(cell, value);
}

static void head_count(const struct scene *scene, char *head, size_t size, int columns)
{
	(void)columns;
	/* a longer name is cut: the ribbon has it whole */
	if (scene->current)
		(void)text_format(head, size, "in %.6s", scene->current->name);
	else
		(void)text_copy(head, size, "last 10m");
}

static void draw_window(struct cell *cell, const struct window *window)
{
	struct tally tally = tally_window(cell->scene, window, cell->item);
	char text[32];

	if (!window)
		return;
	if (tally.known)
		tally_text(&tally, text, sizeof text);
	else
		(void)text_format(text, sizeof text, "no %s", role_word(window->role));
	cell_right(cell, text);
}

static void draw_before(struct cell *cell)
{
	draw_window(cell, cell->scene->a);
}

static void draw_after(struct cell *cell)
{
	draw_window(cell, cell->scene->b);
}

/* No ratio here: of few events it would say nothing. */
static void draw_verdict(struct cell *cell)
{
	const struct verdict *verdict = scene_verdict(cell->scene, (int)cell->item);

	if (verdict && verdict->word >= VERDICT_BETTER)
		cell_verdict(cell, (int)cell->item, "");
	else if (verdict && verdict->word == VERDICT_TOO_FEW)
		cell_right(cell, "few");
}

/* Per million wire segments: the exposure that offloads cannot distort. */
static void draw_million(struct cell *cell)
{
	const struct scene *scene = cell->scene;
	const struct track *track = &scene->session->tracks[cell->item];
	struct tally count = tally_current(scene, cell->item), segments;
	unsigned direction;
	int of = scene_find(scene, track->subject, "capture.segments");

	if (of < 0 || metric_packet_class(track->metric, &direction) < 0)
		return;
	segments = tally_current(scene, (size_t)of);
	if (count.known && segments.known && segments.count >= 1)
		cell_figure(cell,
			(struct value){.value = count.count / segments.count * 1e6}, 1);
}

static void draw_last(struct cell *cell)
{
	const struct scene *scene = cell->scene;
	nsec last = scene->session->tracks[cell->item].last_event;
	char text[32], ago[24];

	if (last > scene->at) {
		(void)text_copy(text, sizeof text, "later");
	} else if (scene->at - last < 60 * NSEC_PER_SEC) {
		unit_duration(ago, sizeof ago, scene->at - last);
		(void)text_format(text, sizeof text, "%s ago", ago); /* fits */
	} else {
		scene_clock(scene, last, text, sizeof text);
	}
	cell_right(cell, text);
}

/* Only time that was seen counts: a gap starts it anew. */
static void draw_clean(struct cell *cell)
{
	const struct scene *scene = cell->scene;
	nsec last = scene->session->tracks[cell->item].last_event;
	char text[32];

	if (scene_track(scene, cell->item).why != WHY_NONE || last > scene->at) {
		cell_figure(cell, (struct value){.why = WHY_LATE}, 1);
		return;
	}
	if (scene->seen_since > last && scene->seen_since <= scene->at)
		last = scene->seen_since;
	unit_duration(text, sizeof text, scene->at - last);
	cell_right(cell, text);
}

/* clang-format off */
static const struct column columns[] = {
	{NULL,       "",          26, 44, 100,   0, draw_name},
	{NULL,       "now/s",      6,  0, 100,   0, draw_now},
	{head_count, "",          10,  0,  60,   0, draw_count},
	{NULL,       "BEFORE",    11,  0,  30,   0, draw_before},
	{NULL,       "AFTER",     11,  0,  40,   0, draw_after},
	{NULL,       "v BEFORE",   9, 0,  20, 100, draw_verdict},
	{NULL,       "per 1M seg", 11, 0,  10, 110, draw_million},
	{NULL,       "last seen", 10,  0,  35,   0, draw_last},
	{NULL,       "clean",      6,  0,  50,   0, draw_clean},
};
/* clang-format on */

/* The line below the rows: what was judged, or why nothing is. */
static bool state_line(const struct scene *scene, char *text, size_t size)
{
	char judged[200];
	enum why why;

	if (!tally_captures(scene, &why)) {
		(void)text_format(text, size, /* cut at the edge anyway */
			"  no capture (%s): NIC and host counters only, frames are not "
			"judged",
			*scene->status->sources ? scene->status->sources
			: why == WHY_ABSENT     ? "off"
						: why_word(why));
		return true;
	}
	tally_judged(scene, judged, sizeof judged);
	(void)text_format(text, size, "  checksums judged: %s", judged);
	return *judged;
}

static int wants(const struct scene *scene)
{
	struct rows rows;
	char text[280];

	tally_rows(scene, &rows);
	return (rows.count ? (int)rows.count : 1) +
	       state_line(scene, text, sizeof text);
}

static size_t count_rows(const struct scene *scene, size_t *hidden)
{
	struct rows rows;

	tally_rows(scene, &rows);
	*hidden = rows.hidden;
	return rows.count;
}

static bool subject(
	const struct scene *scene, size_t index, uint32_t *of, unsigned *metric)
{
	struct rows rows;

	tally_rows(scene, &rows);
	if (index >= rows.count)
		return false;
	*of = scene->session->tracks[rows.items[index]].subject;
	*metric = scene->session->tracks[rows.items[index]].metric;
	return true;
}

static void draw_nothing(const struct scene *scene, struct canvas *canvas, int row)
{
	char seen[24];

	unit_duration(seen, sizeof seen, scene->at - scene->seen_since);
	canvas_format(canvas, (struct spot){row, 0, CELL_PLAIN},
		"  nothing bad counted in the %s seen without a gap", seen);
}

/* Without a title: the first row that moves, else that nothing does. */
static void draw_one(const struct scene *scene, const struct table *table,
	const struct rows *rows, struct canvas *canvas)
{
	size_t show = 0;

	for (size_t i = rows->count; i--;) {
		struct value now = scene_track(scene, rows->items[i]);

		if (now.why == WHY_NONE && now.value > 0)
			show = i;
	}
	if (rows->count)
		table_row(table, scene, canvas, 0, rows->items[show]);
	else
		draw_nothing(scene, canvas, 0);
}

static void draw_rows(const struct table *table, const struct scene *scene,
	const struct rows *rows, struct canvas *canvas)
{
	char state[280];
	bool line = state_line(scene, state, sizeof state);
	int shown = canvas->height - 1, used;
	size_t top;

	line = line && (shown > 1 || !rows->count);
	shown -= line;
	top = rows_top(scene, PANE_PACKETS, rows->count, shown);
	for (used = 0; used < shown && top + (size_t)used < rows->count; used++) {
		size_t at = top + (size_t)used;

		table_row(table, scene, canvas, used + 1, rows->items[at]);
		rows_select(scene, PANE_PACKETS, at, canvas, used + 1);
	}
	if (!rows->count && shown > 0)
		draw_nothing(scene, canvas, ++used);
	if (line)
		canvas_line(canvas, used + 1, CELL_DIM, state);
}

static void draw(const struct scene *scene, struct canvas *canvas)
{
	struct table table = {columns, sizeof columns / sizeof *columns, {0}};
	struct rows rows;
	char title[48];
	size_t more;

	tally_rows(scene, &rows);
	table_fit(columns, table.count, canvas->width, 44, table.widths);
	if (canvas->height == 1) {
		draw_one(scene, &table, &rows, canvas);
		return;
	}
	more = (int)rows.count > canvas->height - 2
		       ? rows.count - (size_t)(canvas->height - 2)
		       : 0;
	rows_title(scene, PANE_PACKETS, "BAD PACKETS", title, sizeof title);
	table_head(&table, scene, canvas, title);
	if (more && canvas->height > 2)
		canvas_format(
			canvas, (struct spot){0, 15, CELL_HEADER}, "+%zu rows", more);
	draw_rows(&table, scene, &rows, canvas);
}

const struct pane pane_packets = {
	"BAD PACKETS", wants, count_rows, draw, sorts, subject};
