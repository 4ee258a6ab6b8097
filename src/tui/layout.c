/* Sharing out the rows; see the header. */
#include "config.h"

#include "tui/layout.h"

static const int pane_blocks[PANE_COUNT] = {
	[PANE_DISK] = BLOCK_DISK,
	[PANE_NET] = BLOCK_NET,
	[PANE_PACKETS] = BLOCK_PACKETS,
	[PANE_EVENTS] = BLOCK_EVENTS,
};

/* The first rows in the order in which they are given out: what stands first is
 * the last to leave a small terminal. The whole table needs 24 rows; a pane's first
 * row is a line without a title, its second one makes it a title and a row. */
static const unsigned char first[] = {BLOCK_VERDICT, BLOCK_PACKETS, BLOCK_COVERAGE,
	BLOCK_DISK, BLOCK_STATUS, BLOCK_DISK, BLOCK_DISK, BLOCK_NET, BLOCK_RIBBON,
	BLOCK_PACKETS, BLOCK_DISK, BLOCK_EVENTS, BLOCK_NET, BLOCK_DISK, BLOCK_RIBBON,
	BLOCK_EVENTS, BLOCK_KEYS, BLOCK_DISK, BLOCK_PACKETS, BLOCK_NET, BLOCK_EVENTS,
	BLOCK_DISK, BLOCK_PACKETS, BLOCK_EVENTS};

/* Then in turn, while a pane has more to show. */
static const unsigned char turns[] = {
	BLOCK_DISK, BLOCK_NET, BLOCK_DISK, BLOCK_PACKETS, BLOCK_EVENTS, BLOCK_PACKETS};

static bool give(struct layout *layout, const int *most, int block, int *left)
{
	if (!*left || layout->height[block] >= most[block])
		return false;
	layout->height[block]++;
	(*left)--;
	return true;
}

static void share(struct layout *layout, const int *most, int left)
{
	bool any = true;

	for (unsigned i = 0; i < sizeof first; i++)
		(void)give(layout, most, first[i], &left);
	while (left && any) {
		any = false;
		for (unsigned i = 0; i < sizeof turns; i++)
			any |= give(layout, most, turns[i], &left);
	}
	/* what nobody needs is blank at the end of the last pane */
	if (layout->height[BLOCK_EVENTS] > 1)
		layout->height[BLOCK_EVENTS] += left;
}

/* The zoomed pane, and around it the lines that say what is being looked at. */
static void zoomed(struct layout *layout, int rows, int block)
{
	static const unsigned char around[] = {
		BLOCK_VERDICT, BLOCK_STATUS, BLOCK_COVERAGE, BLOCK_KEYS, BLOCK_RIBBON};

	layout->height[block] = 1;
	rows--;
	for (unsigned i = 0; i < sizeof around && rows > 2; i++, rows--)
		layout->height[around[i]] = 1;
	layout->height[block] += rows;
}

void layout_make(struct layout *layout, int rows, const int wants[PANE_COUNT], int zoom)
{
	int most[BLOCK_COUNT] = {[BLOCK_STATUS] = 1,
		[BLOCK_VERDICT] = 1,
		[BLOCK_RIBBON] = 2,
		[BLOCK_COVERAGE] = 1,
		[BLOCK_KEYS] = 1};
	int at = 0;

	*layout = (struct layout){.top = {0}};
	for (int i = 0; i < PANE_COUNT; i++)
		most[pane_blocks[i]] = wants[i] + 1;
	if (zoom >= 0)
		zoomed(layout, rows, pane_blocks[zoom]);
	else
		share(layout, most, rows);
	for (int i = 0; i < BLOCK_COUNT; i++) {
		layout->top[i] = at;
		at += layout->height[i];
	}
}
