/* The chart of one disk's queue; see tui/trend.h. Scale and time per column stand
 * still, so that two moments can be compared by eye. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/trend.h"

enum {
	LEVELS = 9, /* 1, 2-3, 4-7 ... 256 and more */
	LABEL = 5
};

/* The row of level LEVEL (1 to 9), or -1 above the canvas. */
static int row_of(const struct canvas *canvas, int level)
{
	int row = canvas->height - level;

	return level < 1 || row < 1 ? -1 : row;
}

static void draw_bar(struct canvas *canvas, int column, int digit, uint32_t code)
{
	for (int level = 1; level <= digit; level++)
		canvas_fill(canvas,
			(struct spot){row_of(canvas, level), column, CELL_GRAPH}, 1,
			code);
	if (digit >= canvas->height) /* more than there are rows for */
		canvas_fill(canvas, (struct spot){1, column, CELL_KEY}, 1, '^');
	if (digit == TREND_UNKNOWN || digit == TREND_RESET)
		canvas_fill(canvas,
			(struct spot){canvas->height - 1, column, CELL_UNKNOWN}, 1,
			digit == TREND_RESET ? 'R' : '?');
}

static void draw_scale(struct canvas *canvas)
{
	for (int level = 1; level <= LEVELS; level++)
		canvas_format(canvas, (struct spot){row_of(canvas, level), 0, CELL_DIM},
			"%4d|", 1 << (level - 1));
}

/* The line at BEFORE's p95, and the words about it. */
static void draw_before(
	const struct scene *scene, int track, struct canvas *canvas, int at)
{
	const struct summary *summary = scene_summary(scene, scene->a, track);
	const struct metric *metric = metric_at(scene->session->tracks[track].metric);
	char middle_text[16], high_text[16];
	double middle, high;
	int level = 0;

	if (!summary || !summary_quantile(summary, metric, 0.5, &middle) ||
		!summary_quantile(summary, metric, 0.95, &high))
		return;
	for (double edge = 1; edge <= high && level < LEVELS; edge *= 2)
		level++;
	if (row_of(canvas, level) > 0)
		canvas_fill(canvas,
			(struct spot){row_of(canvas, level), LABEL, CELL_WINDOW_BEFORE},
			canvas->width, '-');
	unit_number(middle_text, sizeof middle_text, middle, 5);
	unit_number(high_text, sizeof high_text, high, 5);
	canvas_format(canvas, (struct spot){0, at, CELL_HEADER},
		"  BEFORE median %s, p95 %s (---)", middle_text, high_text);
}

void chart_draw(const struct scene *scene, uint32_t disk, struct canvas *canvas)
{
	struct trend trend = {.tracks = {scene_find(scene, disk, "disk.queue"), -1},
		.scale = TREND_LOG2,
		.factor = 1};
	int columns = canvas->width - LABEL, at;

	if (trend.tracks[0] < 0 || columns < 8)
		return;
	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	at = canvas_format(canvas, (struct spot){0, 0, CELL_TITLE},
		"   queue of %s, last %ds", scene_name(&scene->session->subjects[disk]),
		trend_seconds(scene, columns));
	draw_scale(canvas);
	draw_before(scene, trend.tracks[0], canvas, at);
	for (int i = 0; i < columns; i++)
		draw_bar(canvas, canvas->width - 1 - i, trend_digit(scene, &trend, i),
			scene->view->lines ? 0x2588 : '#');
}
