/*
 * The inside of make-session: a session from the figures of an export.
 */
#ifndef WEIR_TESTS_MAKE_SESSION_H
#define WEIR_TESTS_MAKE_SESSION_H

#include "store/store.h"

/* One metric of one subject: its counters, and what the CSV says of it in this tick. */
struct line {
	const struct metric *metric;
	uint32_t subject, num, den; /* DEN: UINT32_MAX where there is none */
	bool given;                 /* in this tick */
	double value;
	uint8_t why;
};

struct row {
	double time, value;
	char kind[16], device[SUBJECT_NAME], metric[64], number[40], why[24];
};

struct maker {
	struct store *store;
	struct catalog catalog;
	struct reading *readings;
	size_t reading_room;
	double *moved; /* by series: in this tick; NaN: nobody said so yet */
	size_t moved_room;
	struct line *lines;
	size_t line_count, line_room;
	double clock[SOURCES_MAX]; /* seconds of session time at which each read last */
	double seconds[SOURCES_MAX]; /* since its reading before */
	double carry[SOURCES_MAX];   /* what was too little to move a counter */
	struct tick tick;
	struct tick_encoder encoder;
	struct buffer bytes;
	struct row *rows; /* of one time */
	size_t row_count, row_room;
	double first;    /* wall clock of the first rows, seconds */
	double lead;     /* seconds from the tick that was put before them; or 0 */
	double interval; /* seconds */
	size_t ticks, unknown;
	struct fault fault;
};

/* The line of ROW, made if it is new; null: of no metric that weir knows. */
struct line *line_of(struct maker *maker, const struct row *row);
uint8_t why_of(const char *word);

/* Sets the clocks of all sources for the tick at AT (seconds): how much the first rate
 * of each source moves, in whole units, says when it is read, so that the quotient is
 * the figure. */
void set_clocks(struct maker *maker, double at);

/* Moves the counters so that the figures of the lines come out. */
void move_counters(struct maker *maker);

#endif
