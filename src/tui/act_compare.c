/* Actions on the rows of the compare page. */
#include "config.h"

#include "tui/act.h"
#include "tui/compare.h"

void act_compare_move(struct desk *desk, int step)
{
	const struct judge *judge = &desk->view->judge;
	struct scene scene;
	long at, count = (long)judge->order_count;

	if (!count)
		return;
	scene_make(&scene, desk->session, desk->view, desk->status);
	at = (long)compare_place(&scene) + step;
	at = at < 0 ? 0 : at >= count ? count - 1 : at;
	desk->view->compared = judge->order[at].track + 1;
}

void act_evidence(struct desk *desk, int key)
{
	(void)key;
	desk->view->evidence = !desk->view->evidence;
	act_compare_move(desk, 0); /* the row stays the same when the order changes */
}

static void order(struct desk *desk, bool by_device, bool clear_only)
{
	struct judge *judge = &desk->view->judge;

	judge_sort(judge, desk->session, by_device, clear_only);
	view_say(desk->view, desk->session, false, "%s, %s",
		clear_only ? "only what is clear" : "all rows",
		by_device ? "as the devices come" : "worst first");
}

void act_compare_sort(struct desk *desk, int key)
{
	const struct judge *judge = &desk->view->judge;

	(void)key;
	order(desk, !judge->by_device, judge->clear_only);
}

void act_compare_clear(struct desk *desk, int key)
{
	const struct judge *judge = &desk->view->judge;

	(void)key;
	order(desk, judge->by_device, !judge->clear_only);
}
