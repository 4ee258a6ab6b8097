/* Puts the blocks onto the canvas; see the header. */
#include "config.h"

#include "tui/screen.h"

#include "tui/events.h"
#include "tui/layout.h"
#include "tui/lines.h"
#include "tui/pane.h"
#include "tui/trend.h"

static void draw_pane(
	const struct scene *scene, struct canvas *canvas, enum pane_id pane)
{
	panes[pane]->draw(scene, canvas);
}

static void draw_block(const struct scene *scene, struct canvas *canvas, int block)
{
	static void (*const lines[BLOCK_COUNT])(
		const struct scene *, struct canvas *) = {
		[BLOCK_STATUS] = line_status,
		[BLOCK_VERDICT] = line_verdict,
		[BLOCK_RIBBON] = ribbon_draw,
		[BLOCK_COVERAGE] = line_coverage,
		[BLOCK_KEYS] = line_keys,
	};
	static const int panes_of[BLOCK_COUNT] = {
		[BLOCK_DISK] = PANE_DISK,
		[BLOCK_NET] = PANE_NET,
		[BLOCK_PACKETS] = PANE_PACKETS,
		[BLOCK_EVENTS] = PANE_EVENTS,
	};

	if (lines[block])
		lines[block](scene, canvas);
	else
		draw_pane(scene, canvas, (enum pane_id)panes_of[block]);
}

enum {
	CHART_FROM = 44, /* rows of a terminal that is tall enough for a chart */
	CHART_ROWS = 10
};

/* The chart stands below the disks; what is below moves down. */
static void draw_chart(
	const struct scene *scene, struct canvas *canvas, struct layout *layout)
{
	int top = layout->top[BLOCK_DISK] + layout->height[BLOCK_DISK];
	struct canvas part = canvas_part(canvas, top, 0, CHART_ROWS, canvas->width);
	uint32_t disk;
	unsigned metric;

	if (panes[PANE_DISK]->subject(scene,
		    (size_t)scene->view->panes[PANE_DISK].selected, &disk, &metric))
		chart_draw(scene, disk, &part);
	for (int i = BLOCK_DISK + 1; i < BLOCK_COUNT; i++)
		layout->top[i] += CHART_ROWS;
}

static void draw_blocks(const struct scene *scene, struct canvas *canvas)
{
	struct layout layout;
	int wants[PANE_COUNT];
	bool chart = canvas->height >= CHART_FROM && !scene->view->zoom;

	for (int i = 0; i < PANE_COUNT; i++)
		wants[i] = panes[i]->wants(scene);
	layout_make(&layout, canvas->height - (chart ? CHART_ROWS : 0), wants,
		scene->view->zoom ? scene->view->focus : -1);
	if (chart)
		draw_chart(scene, canvas, &layout);
	for (int i = 0; i < BLOCK_COUNT; i++) {
		struct canvas part = canvas_part(
			canvas, layout.top[i], 0, layout.height[i], canvas->width);

		if (part.height)
			draw_block(scene, &part, i);
	}
	if (!layout.height[BLOCK_KEYS] && line_keys_speaks(scene)) {
		struct canvas last =
			canvas_part(canvas, canvas->height - 1, 0, 1, canvas->width);

		canvas_clear(&last);
		line_keys(scene, &last);
	}
}

void page_events(const struct scene *scene, struct canvas *canvas)
{
	struct canvas rest =
		canvas_part(canvas, 1, 0, canvas->height - 1, canvas->width);
	size_t hidden, unread, count = events_count(scene, &hidden, &unread);

	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_format(canvas, (struct spot){0, 0, CELL_TITLE},
		"ALL EVENTS  %zu, %zu unread, %zu hidden by the filter", count, unread,
		hidden);
	events_draw(scene, (size_t)scene->view->scroll, &rest);
}

/* A page leaves line 2 and the last line: a pause or trouble must stay visible. */
static void draw_page(const struct scene *scene, struct canvas *canvas)
{
	static void (*const pages[])(const struct scene *, struct canvas *) = {
		[PAGE_HELP] = page_help,
		[PAGE_COMPARE] = page_compare,
		[PAGE_EXPLAIN] = page_explain,
		[PAGE_EVENTS] = page_events,
		[PAGE_DIGEST] = page_digest,
		[PAGE_WINDOWS] = page_windows,
	};
	bool small = canvas->height < 4;
	struct canvas top = canvas_part(canvas, 0, 0, 1, canvas->width);
	struct canvas last =
		canvas_part(canvas, canvas->height - 1, 0, 1, canvas->width);
	struct canvas page = canvas_part(canvas, small ? 0 : 1, 0,
		canvas->height - (small ? 0 : 2), canvas->width);

	pages[scene->view->page](scene, &page);
	if (small)
		return;
	if (scene->view->paused || *scene->status->trouble)
		line_verdict(scene, &top);
	else
		line_status(scene, &top);
	line_keys(scene, &last);
}

void screen_draw(const struct session *session, const struct view *view,
	const struct status *status, struct canvas *canvas)
{
	struct scene scene;

	canvas_clear(canvas);
	scene_make(&scene, session, view, status);
	if (view->page != PAGE_NONE)
		draw_page(&scene, canvas);
	else
		draw_blocks(&scene, canvas);
	notice_draw(&scene, canvas);
}
