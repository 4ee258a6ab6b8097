/*
 * From two windows of one metric to a word, by a method that keeps its error rate
 * (doc/design.md, "Verdicts"). Pure. Three steps: verdict_measure() for each row,
 * verdict_family() over all rows of one family (Holm), verdict_words() to print.
 */
#ifndef WEIR_CORE_VERDICT_H
#define WEIR_CORE_VERDICT_H

#include "core/batch.h"
#include "core/metric.h"
#include "core/quantile.h"
#include "core/sameload.h"

#include <stdbool.h>
#include <stddef.h>

enum verdict_word {
	VERDICT_NONE,       /* nothing to compare: one window has no figure at all */
	VERDICT_TOO_SHORT,  /* a window is under 300 s */
	VERDICT_IDLE,       /* nothing happened in a window */
	VERDICT_TOO_LITTLE, /* too few independent samples, a burst, too much noise */
	VERDICT_TOO_FEW,    /* too few events */
	VERDICT_NO_OVERLAP, /* loads hardly overlap */
	VERDICT_FEW_RUNS,   /* fewer than three commands on a side */
	VERDICT_KERNEL,     /* two kernels do not count the same thing */
	VERDICT_CONSTANT,   /* a constant in both windows: no interval */
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_MIXED, /* the mean one way, the tail the other */
	VERDICT_LOWER,
	VERDICT_HIGHER,
	VERDICT_SMALL, /* real, but under the smallest change that matters */
	VERDICT_SAME,  /* the whole interval is inside the band */
	VERDICT_HINT,  /* clear alone, not among all comparisons */
	VERDICT_UNCLEAR,
};

/* What kind of test applies. */
enum verdict_kind {
	VERDICT_MEAN,
	VERDICT_COUNT,
	VERDICT_LOAD,  /* means at the same load */
	VERDICT_TAIL,  /* the 95th percentile of the samples */
	VERDICT_HOURS, /* means at the same hours of the day */
	VERDICT_RUNS,  /* means of whole runs, each of them one observation */
};

struct verdict {
	enum verdict_kind kind;
	enum verdict_word word;
	bool tested;              /* has a p-value: belongs to the family */
	double a, b;              /* the two figures: means, or events per exposure */
	double k1, k2;            /* VERDICT_COUNT: events */
	double change, low, high; /* fractions, 95 % interval */
	double p, adjusted;
	double ess;        /* smaller of the two */
	double more;       /* refusals: seconds still needed; 0 unknown */
	const char *lacks; /* refusals: "independent samples", "an even spread", ... */
	bool over; /* refusals: what lacks belongs to a closed window: no use waiting */
	double expected; /* VERDICT_LOAD: what A would have shown at B's load */
	bool borrowed;
	bool few_days;     /* VERDICT_HOURS: what days differ by was not looked at */
	bool between;      /* what windows of one side differ by was wider */
	size_t windows[2]; /* repeated ones and runs: how many on each side */
	enum verdict_word mean, tail; /* VERDICT_MIXED: of what */
};

#define VERDICT_TAIL_SHARE 0.95

/* Seconds that each window needs behind its settling time. */
#define VERDICT_SHORTEST   300.0

/* What is printed for all that is smaller: the tails of the distributions underflow. */
#define VERDICT_LEAST_P    1e-300

/* Smallest change that matters, and the two levels. */
#define VERDICT_DELTA      0.05
#define VERDICT_LEVEL      0.05
#define VERDICT_LEVEL_LIVE 0.01 /* while a window is open: it has been peeked at */

/* SECONDS: length of each window that was used. */
void verdict_means(struct verdict *verdict, const struct batches *a,
	const struct batches *b, const double seconds[2]);
void verdict_counts(struct verdict *verdict, const struct batches *a,
	const struct batches *b, const double seconds[2]);
void verdict_load(struct verdict *verdict, const struct load_batches *a,
	const struct load_batches *b, const double seconds[2]);

/* STEP: what one step of the histogram is, in the metric's unit. */
void verdict_tail(struct verdict *verdict,
	const struct quantile_batches *const sides[2], double step,
	const double seconds[2]);

/* Whether WORD says that something changed for the better, the worse, up or down. */
bool verdict_is_clear(enum verdict_word word);
/* Puts what the tail says to the word of the mean: the one that is clear, or MIXED. */
void verdict_join(struct verdict *mean, const struct verdict *tail);

/* Whether the load itself moved so much that a raw comparison of what depends on it
 * cannot carry a verdict (10 %, or clear and 5 %). */
bool verdict_load_differs(const struct verdict *load);

/* Adjusts the tested ones of COUNT verdicts together and gives each its word. BETTER
 * says the direction; where NEUTRAL is true for a row (load differs, or neither
 * direction is better) it is LOWER or HIGHER. */
struct verdict_row {
	struct verdict *verdict;
	enum better better;
	bool neutral;
	double level;
};
void verdict_family(const struct verdict_row *rows, size_t count);

/* "BETTER", "no clear change (-12 %..+30 % not ruled out)", "too little data (ESS 6 of
 * 10: about 25 min more)". */
void verdict_words(char *to, size_t size, const struct verdict *verdict, size_t family);

/* "-54 % (-60..-48)": the change and its 95 % interval, of one that is tested; "none in
 * A" where there is no ratio. */
void verdict_change(char *to, size_t size, const struct verdict *verdict);

/* "p 0.0031", or "p < 1e-300": below VERDICT_LEAST_P nothing is told apart. */
void verdict_p(char *to, size_t size, const struct verdict *verdict);

/* at most 8 columns, for rows of the screen: "BETTER", "unclear", "wait 4m". */
void verdict_short(char *to, size_t size, const struct verdict *verdict);

#endif
