/*
 * Small pictures in plain characters: digit trends, the slope sign, and the gauge
 * that lays "now" over the spread of BEFORE. They survive copy and paste.
 */
#ifndef WEIR_TUI_TREND_H
#define WEIR_TUI_TREND_H

#include "tui/scene.h"

/* Fixed scales: the picture of one moment never changes because of another. */
enum trend_scale {
	TREND_LOG2,  /* 0 below 1, then 1 = 1, 2 = 2-3, 3 = 4-7 ... 9 = 256 and more */
	TREND_TENTH, /* tenths of FULL */
	TREND_LOG10, /* the number of zeros: 6 = millions, 9 = thousand millions */
};

struct trend {
	int tracks[2]; /* the higher of both; -1 for none */
	enum trend_scale scale;
	double full;   /* of TREND_TENTH */
	double factor; /* of the values, before scaling */
};

enum {
	TREND_NOTHING = -1, /* before the first tick, or no device */
	TREND_UNKNOWN = -2,
	TREND_RESET = -3
};
/* Digit 0 to 9 of one character, counted from the right, or one of the above. */
int trend_digit(const struct scene *scene, const struct trend *trend, int from_right);

/* Fills the whole width: the newest at the right, one character per 2 s (or per
 * tick, if ticks are longer). '?' where there is no figure, 'R' at a reset. */
void trend_draw(
	const struct scene *scene, const struct trend *trend, struct canvas *canvas);
/* Seconds that a trend of COLUMNS shows. */
int trend_seconds(const struct scene *scene, int columns);

/* "^^" more than doubled, "^", "=", "v", "vv": the last 15 ticks against the 15
 * before; "" where there are too few figures. */
const char *trend_slope(const struct scene *scene, int track);

/* `..[..|...]...*..`: p5, median, p95 of the window A, and NOW. The scale is the
 * row's own. */
void gauge_draw(const struct scene *scene, int track, struct canvas *canvas);

/* The queue of one disk as bars, one row per power of two; the line of BEFORE's p95
 * across. For tall terminals and the zoomed pane. */
void chart_draw(const struct scene *scene, uint32_t disk, struct canvas *canvas);

#endif
