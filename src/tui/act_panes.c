/* Actions on panes and their rows. */
#include "config.h"

#include "tui/act.h"
#include "tui/events.h"
#include "tui/pane.h"

enum {
	PAGE_ROWS = 10,
	FAR = 1000000
};

void act_focus(struct desk *desk, int key)
{
	struct view *view = desk->view;
	int pane = key == '\t' ? (view->focus + 1) % PANE_COUNT : key - '1';

	if (view->focus == pane && key != '\t')
		pane = -1; /* the same digit again lets go */
	view->focus = pane;
	if (pane < 0)
		view->zoom = false;
}

void act_all(struct desk *desk, int key)
{
	(void)key;
	desk->view->focus = -1;
	desk->view->zoom = false;
	desk->view->page = PAGE_NONE;
}

void act_zoom(struct desk *desk, int key)
{
	(void)key;
	if (desk->view->focus < 0)
		desk->view->focus = PANE_DISK;
	desk->view->zoom = !desk->view->zoom;
}

static int focused(struct desk *desk)
{
	if (desk->view->focus < 0)
		desk->view->focus = PANE_DISK;
	return desk->view->focus;
}

void act_sort(struct desk *desk, int key)
{
	int pane = focused(desk);
	struct pane_view *view = &desk->view->panes[pane];

	(void)key;
	view->sort++;
	if (!panes[pane]->sorts[view->sort])
		view->sort = 0;
	view_say(desk->view, desk->session, false, "%s: sorted by %s",
		panes[pane]->name, panes[pane]->sorts[view->sort]);
}

void act_invert(struct desk *desk, int key)
{
	struct pane_view *view = &desk->view->panes[focused(desk)];

	(void)key;
	view->invert = !view->invert;
}

void act_filter(struct desk *desk, int key)
{
	(void)key;
	(void)focused(desk);
	prompt_open(desk->view, PROMPT_FILTER);
}

static int step_of(int key)
{
	static const int steps[] = {
		[TUI_UP - TUI_UP] = -1,
		[TUI_DOWN - TUI_UP] = 1,
		[TUI_PAGE_UP - TUI_UP] = -PAGE_ROWS,
		[TUI_PAGE_DOWN - TUI_UP] = PAGE_ROWS,
		[TUI_HOME - TUI_UP] = -FAR,
		[TUI_END - TUI_UP] = FAR,
	};

	return steps[key - TUI_UP];
}

static int clamp(int value, int most)
{
	if (value > most)
		value = most;
	return value < 0 ? 0 : value;
}

void act_move(struct desk *desk, int key)
{
	struct view *view = desk->view;
	struct scene scene;
	size_t hidden;
	int step = step_of(key), rows;

	if (view->page == PAGE_WINDOWS) {
		act_select(desk, step);
		return;
	}
	if (view->page == PAGE_COMPARE) {
		act_compare_move(desk, step);
		return;
	}
	if (view->page != PAGE_NONE) {
		view->scroll = clamp(view->scroll + step, 10000);
		return;
	}
	scene_make(&scene, desk->session, view, desk->status);
	rows = (int)panes[focused(desk)]->rows(&scene, &hidden);
	view->panes[view->focus].selected =
		clamp(view->panes[view->focus].selected + step, rows - 1);
}
