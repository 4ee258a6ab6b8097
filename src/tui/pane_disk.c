/*
 * Pane 1: one row per disk. Queue first, because that is the question; the gauge
 * lays now over the spread of BEFORE; a verdict stands where the data carry one.
 */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/absent.h"
#include "tui/detail.h"
#include "tui/pane.h"
#include "tui/part.h"
#include "tui/rows.h"
#include "tui/table.h"
#include "tui/trend.h"

#include <string.h>

static const char *const activity[] = {"disk.read.ops", "disk.write.ops", NULL};
static const char *const sorts[] = {
	"order of discovery", "name", "queue", "bytes", "wait", "ratio", NULL};

static double higher(double a, double b)
{
	return a > b ? a : b;
}

static double ratio_key(const struct scene *scene, uint32_t subject)
{
	double a, b;
	int track = scene_find(scene, subject, "disk.queue");

	if (track < 0 || !scene_pair(scene, track, &a, &b) || a <= 0)
		return -1;
	return b / a;
}

static double key(const struct scene *scene, uint32_t subject, int sort)
{
	if (sort == 2)
		return rows_key(scene_figure(scene, subject, "disk.queue"));
	if (sort == 3)
		return rows_key(scene_sum(
			scene, subject, "disk.read.bytes", "disk.write.bytes"));
	if (sort == 4)
		return higher(rows_key(scene_figure(scene, subject, "disk.read.await")),
			rows_key(scene_figure(scene, subject, "disk.write.await")));
	return sort == 5 ? ratio_key(scene, subject) : 0;
}

static const struct row_source source = {PANE_DISK, KIND_DISK, activity, key};

static const struct stall *stall_of(const struct cell *cell)
{
	return session_stall(
		cell->scene->session, (uint32_t)cell->item, cell->scene->at);
}

/* Of a disk that completes nothing a queue that is not known is no "-". */
static void draw_queue(struct cell *cell)
{
	struct value value =
		scene_figure(cell->scene, (uint32_t)cell->item, "disk.queue");

	cell->role = CELL_KEY;
	if (value.why == WHY_NO_COMPLETION && !(value.value > 0) && stall_of(cell))
		value.why = WHY_LATE;
	cell_figure(cell, value, 1);
}

/* "BLOCKED 27s: session FAILED, gives up at 120 s", with less where there is less
 * room. False: the disk is in no stall. */
static bool draw_stall(struct cell *cell)
{
	const struct stall *stall = stall_of(cell);
	const char *word = stall ? stall_word(stall->kind) : "";
	char texts[4][160], age[24], reason[96];
	int i = 0;

	if (!stall)
		return false;
	stall_reason(stall, cell->scene->at, reason, sizeof reason);
	unit_duration(age, sizeof age, cell->scene->at - stall->from);
	/* all cut at their room, which is ample */
	(void)text_format(texts[0], sizeof *texts, "%s %s%s%s", word, age,
		*reason ? ": " : "", reason);
	(void)text_format(texts[1], sizeof *texts, "%s %s", word, age);
	(void)text_format(texts[2], sizeof *texts, "%s %jdm", word,
		(intmax_t)((cell->scene->at - stall->from) / (60 * NSEC_PER_SEC)));
	(void)text_copy(texts[3], sizeof *texts, word);
	if (cell->scene->at - stall->from < 60 * NSEC_PER_SEC)
		(void)text_copy(texts[2], sizeof *texts, word); /* no "0m" */
	while (i < 3 && (int)text_columns(texts[i]) > cell->canvas.width)
		i++;
	canvas_text(&cell->canvas, 0, 0, CELL_WORSE, texts[i]);
	return true;
}

static void draw_device(struct cell *cell)
{
	cell_metric(cell, "disk.inflight.mean", 1);
}

static void draw_limit(struct cell *cell)
{
	cell_amount(
		cell, scene_figure(cell->scene, (uint32_t)cell->item, "disk.limit"));
}

static int queue_track(const struct cell *cell)
{
	return scene_find(cell->scene, (uint32_t)cell->item, "disk.queue");
}

static void draw_slope(struct cell *cell)
{
	canvas_text(&cell->canvas, 0, 0, CELL_GRAPH,
		trend_slope(cell->scene, queue_track(cell)));
}

/* The highest sample of the window that is shown, else of the last tick. */
static void draw_max(struct cell *cell)
{
	const struct scene *scene = cell->scene;
	int track = scene_find(scene, (uint32_t)cell->item, "disk.queue.max");
	const struct summary *summary = scene_summary(scene, scene->current, track);
	struct value value = {.why = WHY_ABSENT};

	if (summary)
		value = (struct value){.value = summary->highest};
	else if (track >= 0)
		value = scene_track(scene, (size_t)track);
	/* the kernel took back what was in flight: no sample can tell */
	if (!summary && stall_of(cell) && stall_of(cell)->kind != STALL_SILENT)
		value.why = WHY_LATE;
	cell_amount(cell, value);
}

static void draw_trend(struct cell *cell)
{
	struct trend trend = {
		.tracks = {queue_track(cell), -1}, .scale = TREND_LOG2, .factor = 1};

	if (draw_stall(cell))
		return;
	if (scene_figure(cell->scene, (uint32_t)cell->item, "disk.queue").why ==
		WHY_OFF) {
		canvas_text(&cell->canvas, 0, 0, CELL_DIM,
			cell->canvas.width < 14 ? "acct. off" : "accounting off");
		return;
	}
	trend_draw(cell->scene, &trend, &cell->canvas);
}

static void draw_gauge(struct cell *cell)
{
	gauge_draw(cell->scene, queue_track(cell), &cell->canvas);
}

static void draw_verdict(struct cell *cell)
{
	cell_verdict(cell, queue_track(cell), "");
}

static void head_verdict(
	const struct scene *scene, char *head, size_t size, int columns)
{
	(void)columns;
	(void)text_copy(
		head, size, judge_has(&scene->view->judge) ? "change" : "ratio");
}

static double byte_factor(const struct scene *scene)
{
	static const double factors[] = {1e-6, 1.0 / 1048576, 8e-6};

	return factors[scene->view->units];
}

static void byte_head(const struct scene *scene, char *head, size_t size, char way)
{
	static const char *const words[] = {" MB/s", "MiB/s", " Mb/s"};

	/* six characters */
	(void)text_format(head, size, "%c%s", way, words[scene->view->units]);
}

static void head_read(const struct scene *scene, char *head, size_t size, int columns)
{
	(void)columns;
	byte_head(scene, head, size, 'r');
}

static void head_write(const struct scene *scene, char *head, size_t size, int columns)
{
	(void)columns;
	byte_head(scene, head, size, 'w');
}

static void draw_read(struct cell *cell)
{
	cell_metric(cell, "disk.read.bytes", byte_factor(cell->scene));
}

static void draw_write(struct cell *cell)
{
	cell_metric(cell, "disk.write.bytes", byte_factor(cell->scene));
}

static void draw_read_ops(struct cell *cell)
{
	cell_metric(cell, "disk.read.ops", 1);
}

static void draw_write_ops(struct cell *cell)
{
	cell_metric(cell, "disk.write.ops", 1);
}

static void draw_read_wait(struct cell *cell)
{
	cell_metric(cell, "disk.read.await", 1e3);
}

static void draw_write_wait(struct cell *cell)
{
	cell_metric(cell, "disk.write.await", 1e3);
}

static void head_trend(const struct scene *scene, char *head, size_t size, int columns)
{
	(void)text_format(head, size, "%s%ds%s", columns < 8 ? "" : "last ",
		trend_seconds(scene, columns), columns < 16 ? "" : " (log2)");
}

static void head_gauge(const struct scene *scene, char *head, size_t size, int columns)
{
	(void)scene;
	(void)text_copy(head, size,
		columns >= 22   ? "BEFORE [p5 |med p95]"
		: columns >= 12 ? "BEFORE 5|95"
				: "BEFORE");
}

/* clang-format off */
static const struct column columns[] = {
	{NULL,       "",       12, 28, 100,   0, rows_name},
	{NULL,       "queue",   6,  0, 100,   0, draw_queue},
	{NULL,       "limit",   6,  0,   4, 100, draw_limit},
	{NULL,       "at dev",  7,  0,   3, 100, draw_device},
	{NULL,       "",        3,  0,  50,   0, draw_slope},
	{NULL,       "max",     5,  0,  40,   0, draw_max},
	{head_trend, "",       10, 75,  20,   0, draw_trend},
	{head_gauge, "",       13, 28,  30,   0, draw_gauge},
	{head_verdict, "",      7,  0,  35,   0, draw_verdict},
	{head_read,  "",        7,  0,  13,   0, draw_read},
	{head_write, "",        7,  0,  12,   0, draw_write},
	{NULL,       "r/s",     6,  0,   2, 120, draw_read_ops},
	{NULL,       "w/s",     6,  0,   1, 120, draw_write_ops},
	{NULL,       "r ms",    5,  0,  11,   0, draw_read_wait},
	{NULL,       "w ms",    5,  0,  10,   0, draw_write_wait},
};
/* clang-format on */

static int wants(const struct scene *scene)
{
	return rows_wants(&source, scene) + part_wants(&part_mounts, scene);
}

static size_t count_rows(const struct scene *scene, size_t *hidden)
{
	return rows_count(&source, scene, hidden);
}

static bool subject(
	const struct scene *scene, size_t index, uint32_t *of, unsigned *metric)
{
	*metric = METRIC_NONE;
	return rows_subject(&source, scene, index, of);
}

/* Rows that are left over, as in the zoomed pane, show the selected disk: how it is
 * reached, and its queue. */
static void draw_selected(
	const struct scene *scene, const struct rows *rows, struct canvas *canvas)
{
	size_t selected = (size_t)scene->view->panes[PANE_DISK].selected;
	int used = (int)rows->count + 1 + (rows->gone > 0), left;
	struct canvas rest, part;

	if (selected >= rows->count || used >= canvas->height ||
		scene->view->focus != PANE_DISK)
		return;
	rest = canvas_part(canvas, used, 0, canvas->height - used, canvas->width);
	if (rest.height >= 6) {
		left = rest.height - 2 < 10 ? rest.height - 2 : 10;
		part = canvas_part(&rest, rest.height - left, 0, left, rest.width);
		chart_draw(scene, rows->items[selected], &part);
		rest = canvas_part(&rest, 0, 0, rest.height - left, rest.width);
	}
	(void)detail_draw(scene, rows->items[selected], &rest);
}

/* What else could stand in this pane. */
static const char *const absent[] = {"mounts", "shares", NULL};

static void draw(const struct scene *scene, struct canvas *canvas)
{
	struct table table = {columns, sizeof columns / sizeof *columns, {0}};
	int above = rows_wants(&source, scene) + 1;
	struct canvas disks = *canvas;
	struct rows rows;
	char title[32];

	if (scene->view->zoom && scene->view->focus == PANE_DISK) {
		above += part_wants(&part_mounts, scene);
		disks = absent_draw(absent, scene, &disks, above);
		disks = part_draw(&part_calls, scene, &disks, above);
		disks = part_draw(&part_connections, scene, &disks, above);
		above -= part_wants(&part_mounts, scene);
	}
	disks = part_draw(&part_mounts, scene, &disks, above);
	canvas = &disks;
	rows_of(&source, scene, &rows);
	table_fit(columns, table.count, canvas->width, rows_longest(scene, &rows),
		table.widths);
	if (canvas->height == 1 && rows.count) {
		table_row(&table, scene, canvas, 0, rows.items[0]);
		return;
	}
	rows_title(scene, PANE_DISK, "DISK", title, sizeof title);
	table_head(&table, scene, canvas, title);
	rows_draw(&source, &table, scene, &rows, canvas);
	draw_selected(scene, &rows, canvas);
}

const struct pane pane_disk = {"DISK", wants, count_rows, draw, sorts, subject};
