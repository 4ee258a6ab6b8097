/*
 * Pane 2: one row per network interface, in bits, with the counters that say that
 * frames were lost on the way in or out. The title names the busiest core: a core
 * full of softirq looks like a slow network.
 */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/absent.h"
#include "tui/pane.h"
#include "tui/part.h"
#include "tui/rows.h"
#include "tui/table.h"
#include "tui/trend.h"

#include <string.h>

static const char *const activity[] = {"net.rx.bytes", "net.tx.bytes", NULL};
static const char *const sorts[] = {
	"order of discovery", "name", "received", "sent", "errors and drops", NULL};

static struct value errors(const struct scene *scene, uint32_t subject)
{
	return scene_sum(scene, subject, "net.rx.errors", "net.tx.errors");
}

static struct value drops(const struct scene *scene, uint32_t subject)
{
	return scene_sum(scene, subject, "net.rx.dropped", "net.tx.dropped");
}

static double key(const struct scene *scene, uint32_t subject, int sort)
{
	if (sort == 2)
		return rows_key(scene_figure(scene, subject, "net.rx.bytes"));
	if (sort == 3)
		return rows_key(scene_figure(scene, subject, "net.tx.bytes"));
	return rows_key(errors(scene, subject)) + rows_key(drops(scene, subject));
}

static const struct row_source source = {PANE_NET, KIND_NIC, activity, key};

/* Bits, unless the person asked for 1024s: those are bytes. */
static double factor(const struct scene *scene)
{
	return scene->view->units == UNITS_IEC_BYTES ? 1.0 / 1048576 : 8;
}

static void head(const struct scene *scene, char *to, size_t size, const char *way)
{
	(void)text_format(to, size, "%s %s", way, /* at most eight characters */
		scene->view->units == UNITS_IEC_BYTES ? "MiB/s" : "b/s");
}

static void head_rx(const struct scene *scene, char *to, size_t size, int columns)
{
	(void)columns;
	head(scene, to, size, "rx");
}

static void head_tx(const struct scene *scene, char *to, size_t size, int columns)
{
	(void)columns;
	head(scene, to, size, "tx");
}

static struct value figure(const struct cell *cell, const char *metric)
{
	return scene_figure(cell->scene, (uint32_t)cell->item, metric);
}

static void draw_rx(struct cell *cell)
{
	cell_figure(cell, figure(cell, "net.rx.bytes"), factor(cell->scene));
}

static void draw_tx(struct cell *cell)
{
	cell_figure(cell, figure(cell, "net.tx.bytes"), factor(cell->scene));
}

static void draw_rx_packets(struct cell *cell)
{
	cell_figure(cell, figure(cell, "net.rx.packets"), 1);
}

static void draw_tx_packets(struct cell *cell)
{
	cell_figure(cell, figure(cell, "net.tx.packets"), 1);
}

/* Bits per second of the line, 0 where it is not known. */
static double speed(const struct cell *cell)
{
	struct value value = figure(cell, "net.speed");

	return value.why == WHY_NONE && value.value > 0 ? value.value : 0;
}

static void draw_line(struct cell *cell)
{
	struct value rx = figure(cell, "net.rx.bytes"),
		     tx = figure(cell, "net.tx.bytes");
	struct value link = figure(cell, "net.link");
	double full = speed(cell),
	       most = rows_key(rx) > rows_key(tx) ? rows_key(rx) : rows_key(tx);
	char text[16];

	if (link.why == WHY_NONE && link.value < 0.5) {
		cell_right(cell, "down");
		return;
	}
	if (full <= 0 || most < 0) {
		cell_figure(cell, (struct value){.why = WHY_UNSUPPORTED}, 1);
		return;
	}
	(void)text_format(text, sizeof text, "%.0f%%", most * 800 / full);
	cell_right(cell, text);
}

static void draw_trend(struct cell *cell)
{
	struct trend trend = {.scale = TREND_TENTH, .factor = 8};

	trend.tracks[0] = scene_find(cell->scene, (uint32_t)cell->item, "net.rx.bytes");
	trend.tracks[1] = scene_find(cell->scene, (uint32_t)cell->item, "net.tx.bytes");
	trend.full = speed(cell);
	if (trend.full <= 0)
		trend.scale = TREND_LOG10;
	trend_draw(cell->scene, &trend, &cell->canvas);
}

/* The direction that carried more in BEFORE, or carries more now. */
static int busier(const struct cell *cell, const char **way)
{
	const struct scene *scene = cell->scene;
	int rx = scene_find(scene, (uint32_t)cell->item, "net.rx.bytes");
	int tx = scene_find(scene, (uint32_t)cell->item, "net.tx.bytes");
	const struct summary *in = scene_summary(scene, scene->a, rx);
	const struct summary *out = scene_summary(scene, scene->a, tx);
	double of_in = 0, of_out = 0;

	if (in && out)
		(void)(summary_mean(in, &of_in) && summary_mean(out, &of_out));
	*way = of_out > of_in ? "tx" : "rx";
	return of_out > of_in ? tx : rx;
}

static void draw_gauge(struct cell *cell)
{
	const char *way;

	gauge_draw(cell->scene, busier(cell, &way), &cell->canvas);
}

static void draw_verdict(struct cell *cell)
{
	const char *way;
	int track = busier(cell, &way);
	char before[8];

	(void)text_format(before, sizeof before, "%s ", way); /* "rx " */
	cell_verdict(cell, track, before);
}

static void draw_errors(struct cell *cell)
{
	cell_figure(cell, errors(cell->scene, (uint32_t)cell->item), 1);
}

static void draw_drops(struct cell *cell)
{
	cell_figure(cell, drops(cell->scene, (uint32_t)cell->item), 1);
}

static void head_trend(const struct scene *scene, char *to, size_t size, int columns)
{
	(void)text_format(to, size, "%s%ds%s", columns < 8 ? "" : "last ",
		trend_seconds(scene, columns), columns < 20 ? "" : " tenths");
}

/* clang-format off */
static const struct column columns[] = {
	{NULL,       "",       12, 28, 100,   0, rows_name},
	{head_rx,    "",        9,  0, 100,   0, draw_rx},
	{head_tx,    "",        9,  0, 100,   0, draw_tx},
	{NULL,       "line",    5,  0,  50,   0, draw_line},
	{head_trend, "",       10, 75,  20,   0, draw_trend},
	{NULL,       "",       13, 28,  30,   0, draw_gauge},
	{NULL,       "",        9,  0,  35,   0, draw_verdict},
	{NULL,       "rx pkt/s", 9, 0,   2, 120, draw_rx_packets},
	{NULL,       "tx pkt/s", 9, 0,   1, 120, draw_tx_packets},
	{NULL,       "err/s",   6,  0,  41,   0, draw_errors},
	{NULL,       "drop/s",  7,  0,  40,   0, draw_drops},
};
/* clang-format on */

enum {
	COLUMN_GAUGE = 5
};

static int column_start(const struct table *table, int column)
{
	int at = 0;

	for (int i = 0; i < column; i++)
		at += table->widths[i];
	return at;
}

/* Over the gauge and ratio, whose meaning stands in the pane above. */
static void draw_core(
	const struct table *table, const struct scene *scene, struct canvas *canvas)
{
	int host = session_find_subject(scene->session, KIND_HOST, "host");
	int room = table->widths[COLUMN_GAUGE] + table->widths[COLUMN_GAUGE + 1] - 1;
	struct canvas at =
		canvas_part(canvas, 0, column_start(table, COLUMN_GAUGE) + 1, 1, room);
	struct value share, core, softirq;
	char text[64];

	if (host < 0 || room < 12)
		return;
	share = scene_figure(scene, (uint32_t)host, "cpu.busiest");
	core = scene_figure(scene, (uint32_t)host, "cpu.busiest.core");
	softirq = scene_figure(scene, (uint32_t)host, "cpu.busiest.softirq");
	if (share.why != WHY_NONE || core.why != WHY_NONE || softirq.why != WHY_NONE)
		return;
	/* fits, whatever the numbers */
	(void)text_format(text, sizeof text, "%score %.0f%% cpu%.0f, softirq %.0f",
		room > 36 ? "busiest " : "", share.value * 100, core.value,
		softirq.value * 100);
	if ((int)strlen(text) > room)
		(void)text_format(text, sizeof text, "cpu%.0f %.0f%%, softirq %.0f",
			core.value, share.value * 100, softirq.value * 100);
	canvas_text(&at, 0, 0, CELL_HEADER, text);
}

static int wants(const struct scene *scene)
{
	return rows_wants(&source, scene);
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

/* What else could stand in this pane. */
static const char *const absent[] = {"packets", "nichw", "iscsi", "fc", "peers", NULL};

static void draw(const struct scene *scene, struct canvas *canvas)
{
	struct table table = {columns, sizeof columns / sizeof *columns, {0}};
	struct canvas cards = *canvas;
	struct rows rows;
	char title[32];

	if (scene->view->zoom && scene->view->focus == PANE_NET) {
		cards = absent_draw(
			absent, scene, &cards, rows_wants(&source, scene) + 1);
		cards = part_draw(
			&part_counters, scene, &cards, rows_wants(&source, scene) + 1);
		cards = part_draw(&part_transports, scene, &cards,
			rows_wants(&source, scene) + 1);
		cards = part_draw(
			&part_peers, scene, &cards, rows_wants(&source, scene) + 1);
	}
	canvas = &cards;
	rows_of(&source, scene, &rows);
	table_fit(columns, table.count, canvas->width, rows_longest(scene, &rows),
		table.widths);
	if (canvas->height == 1 && rows.count) {
		table_row(&table, scene, canvas, 0, rows.items[0]);
		return;
	}
	rows_title(scene, PANE_NET, "NET", title, sizeof title);
	table_head(&table, scene, canvas, title);
	draw_core(&table, scene, canvas);
	rows_draw(&source, &table, scene, &rows, canvas);
}

const struct pane pane_net = {"NET", wants, count_rows, draw, sorts, subject};
