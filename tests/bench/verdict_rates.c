/*
 * How often weir's verdict on the mean is wrong, and how often it finds a change:
 * simulated autocorrelated series, without a change and with one.
 * Usage: verdict_rates [REPETITIONS]     default 400; prints two tables, and one
 * of windows that were looked at while they grew. With a row and
 * a column (from 1) behind it only that cell of the first one, with its 95 % interval.
 */
#include "config.h"

#include "../unit/series.h"
#include "base/scan.h"
#include "core/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	LONGEST = 14400,
	WARM_UP = 2000,
	LOOKS_BEFORE = 3600,
	LOOKS_AFTER = 7200,
	LOOKS_EVERY = 300
};

/* Each makes the next value of a series with mean (about) 1. */
static double z, slow, backlog;
static int phase_left;
static bool on;

static double ar(double rho)
{
	z = rho * z + sqrt(1 - rho * rho) * series_normal();
	return z;
}

static double independent(void)
{
	return exp(series_normal() - 0.5);
}

static double ar5(void)
{
	return exp(ar(0.5) - 0.5);
}

static double ar9(void)
{
	return exp(ar(0.9) - 0.5);
}

static double ar9_gaussian(void)
{
	return 1 + 0.25 * ar(0.9);
}

static double ar97(void)
{
	return exp(ar(0.97) - 0.5);
}

/* On for 60 s and off for 20 s on average, idle is 0. */
static double on_off(void)
{
	if (phase_left-- <= 0) {
		on = !on;
		phase_left = (int)(-log(series_uniform()) * (on ? 60 : 20));
	}
	return on ? 4.0 / 3 * exp(0.5 * series_normal() - 0.125) : 0;
}

/* Pareto with exponent 2.5 on the ranks of an AR 0.9 series. */
static double pareto(void)
{
	double u = erfc(ar(0.9) / sqrt(2.0)) / 2;

	return 0.6 * pow(u, -1 / 2.5);
}

/* Queue of a single server at 80 %, ten steps a tick. */
static double single_server(void)
{
	double sum = 0;

	for (int i = 0; i < 10; i++) {
		double u = series_uniform();

		if (u < 0.4)
			backlog++;
		else if (u < 0.9 && backlog > 0)
			backlog--;
		sum += backlog;
	}
	return sum / 10 / 4;
}

/* A slow part that short windows cannot show, with white noise. */
static double slow_and_white(void)
{
	slow = 0.99 * slow + sqrt(1 - 0.99 * 0.99) * series_normal();
	return exp(0.7 * slow + 0.7 * series_normal() - 0.49);
}

static const struct {
	const char *name;
	double (*next)(void);
} kinds[] = {
	{"independent log-normal", independent},
	{"AR 0.5 log-normal", ar5},
	{"AR 0.9 log-normal", ar9},
	{"AR 0.9 Gaussian", ar9_gaussian},
	{"AR 0.97 log-normal", ar97},
	{"on/off 60/20 s", on_off},
	{"Pareto 2.5, AR 0.9", pareto},
	{"M/M/1 at 80 %", single_server},
	{"slow 0.99 and white", slow_and_white},
};

static const int lengths[][2] = {{300, 300}, {600, 600}, {1800, 600}, {3600, 3600},
	{7200, 600}, {LONGEST, 3600}, {600, LONGEST}};

enum {
	KINDS = sizeof kinds / sizeof *kinds,
	LENGTHS = sizeof lengths / sizeof *lengths
};

static void window(struct batches *b, size_t kind, int ticks, double scale)
{
	*b = (struct batches){0};
	for (int t = 0; t < ticks; t++)
		batches_add(b, scale * kinds[kind].next(), 1);
}

static void warm_up(size_t kind)
{
	z = slow = backlog = 0;
	phase_left = 0;
	for (int t = 0; t < WARM_UP; t++)
		(void)kinds[kind].next(); /* only its state matters */
}

/* Of two windows of so many ticks: 1 a verdict of change, -1 too little data, 0
 * neither. */
static int compared(const struct batches *a, const struct batches *b, const int *length,
	double level)
{
	struct verdict v;
	const struct verdict_row row = {&v, BETTER_LOWER, false, level};

	verdict_means(&v, a, b, (const double[]){length[0], length[1]});
	if (!v.tested)
		return -1;
	verdict_family(&row, 1);
	return v.word == VERDICT_BETTER || v.word == VERDICT_WORSE ||
	       v.word == VERDICT_SMALL;
}

static int once(size_t kind, const int *length, double factor)
{
	static struct batches a, b;

	warm_up(kind);
	window(&a, kind, length[0], 1);
	window(&b, kind, length[1], factor);
	return compared(&a, &b, length, VERDICT_LEVEL);
}

static void cell(size_t kind, const int *length, double factor, int repetitions)
{
	int changed = 0, refused = 0;

	for (int r = 0; r < repetitions; r++) {
		int answer = once(kind, length, factor);

		changed += answer > 0;
		refused += answer < 0;
	}
	printf(" %5.1f/%3.0f ", 100.0 * changed / repetitions,
		100.0 * refused / repetitions);
	(void)fflush(stdout); /* shows progress; an error shows at exit */
}

static void table(const char *title, double factor, int repetitions)
{
	printf("%s\n%-24s", title, "seconds before>after");
	for (size_t l = 0; l < LENGTHS; l++)
		printf(" %4d>%-4d", lengths[l][0], lengths[l][1]);
	printf("\n");
	for (size_t k = 0; k < KINDS; k++) {
		printf("%-24s", kinds[k].name);
		for (size_t l = 0; l < LENGTHS; l++)
			cell(k, lengths[l], factor, repetitions);
		printf("\n");
	}
}

/* ---- looks at a window while it grows ---- */

/* What the report says of B that nobody looked at before its end; and of one that was
 * looked at every five minutes and ended at the first word, at the level for that and
 * at the usual one. */
struct looks {
	int unseen, watched, usual;
};

static void look(size_t kind, struct looks *wrong)
{
	static struct batches a, b;
	bool strict = false, usual = false;
	int length[2] = {LOOKS_BEFORE, 0};

	warm_up(kind);
	window(&a, kind, length[0], 1);
	b = (struct batches){0};
	while (length[1] < LOOKS_AFTER) {
		for (int t = 0; t < LOOKS_EVERY; t++)
			batches_add(&b, kinds[kind].next(), 1);
		length[1] += LOOKS_EVERY;
		usual = usual || compared(&a, &b, length, VERDICT_LEVEL) > 0;
		strict = strict || compared(&a, &b, length, VERDICT_LEVEL_LIVE) > 0;
	}
	wrong->unseen += compared(&a, &b, length, VERDICT_LEVEL) > 0;
	wrong->watched += strict;
	wrong->usual += usual;
}

static void table_of_looks(int repetitions)
{
	printf("No change, %d s before, up to %d s after: wrong verdicts %%\n"
	       "%-24s %8s %8s %10s\n",
		LOOKS_BEFORE, LOOKS_AFTER, "looked at every 300 s", "never", "at 1 %",
		"(at 5 %)");
	for (size_t k = 0; k < KINDS; k++) {
		struct looks wrong = {0, 0, 0};

		for (int r = 0; r < repetitions; r++)
			look(k, &wrong);
		printf("%-24s %8.1f %8.1f %10.1f\n", kinds[k].name,
			100.0 * wrong.unseen / repetitions,
			100.0 * wrong.watched / repetitions,
			100.0 * wrong.usual / repetitions);
		(void)fflush(stdout); /* shows progress; an error shows at exit */
	}
}

/* One cell without a change, with Wilson's interval. */
static void alone(size_t kind, const int *length, int repetitions)
{
	double n = repetitions, changed = 0, squared = 1.96 * 1.96, rate, middle, half;

	for (int r = 0; r < repetitions; r++)
		changed += once(kind, length, 1) > 0;
	rate = changed / n;
	middle = (rate + squared / (2 * n)) / (1 + squared / n);
	half = 1.96 * sqrt(rate * (1 - rate) / n + squared / (4 * n * n)) /
	       (1 + squared / n);
	printf("%s, %d > %d s: %.2f %% (%.2f..%.2f) of %d\n", kinds[kind].name,
		length[0], length[1], 100 * rate, 100 * (middle - half),
		100 * (middle + half), repetitions);
}

int main(int argc, char **argv)
{
	uint64_t numbers[] = {400, 0, 0};

	for (int i = 1; i < argc; i++) {
		const char *at = argv[i];

		if (i > 3 || argc == 3 || !scan_u64(&at, &numbers[i - 1]) ||
			!numbers[i - 1] || numbers[0] > INT32_MAX ||
			numbers[1] > KINDS || numbers[2] > LENGTHS) {
			fprintf(stderr,
				"usage: verdict_rates [REPETITIONS [ROW COLUMN]]\n");
			return 2;
		}
	}
	series_seed(20260101);
	if (argc > 3) {
		alone(numbers[1] - 1, lengths[numbers[2] - 1], (int)numbers[0]);
		return 0;
	}
	table("No change: wrong verdicts % / too little data %", 1, (int)numbers[0]);
	table("Halved: found % / too little data %", 0.5, (int)numbers[0]);
	table_of_looks((int)numbers[0]);
	return 0;
}
