/*
 * compare A.tsv B.tsv [--counts | --quantile | --load]: runs weir's statistics on
 * two series from outside and prints every figure as `key = value`, so that another
 * implementation can be held against it. A line is `num<TAB>den[<TAB>load]`, one per
 * tick; `-` for num is a tick without a figure. Quantiles are of 1000 num / den;
 * load keys have the offset 40.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "core/compare.h"
#include "core/quantile.h"
#include "core/sameload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LOAD_OFFSET = 40
};

struct tick_line {
	double num, den, load;
	bool known;
};

struct input {
	struct tick_line *lines;
	size_t count, room;
};

static void out(const char *group, const char *key, double value)
{
	printf("%s.%s = %.10g\n", group, key, value);
}

/* Numbers as any program prints them, exponents too. */
static bool number(const char **at, double *value)
{
	char *end;

	*value = strtod(*at, &end);
	if (end == *at)
		return false;
	*at = end;
	return isfinite(*value);
}

/* Beyond this no product of two is a number any more. */
static bool is_sane(double value)
{
	return value >= 0 && (!(value > 0) || (value > 1e-100 && value < 1e100));
}

static bool parse(const char *at, struct tick_line *line)
{
	bool good = true;

	if (scan_exact(&at, "-"))
		return true;
	line->known = number(&at, &line->num) && number(&at, &line->den);
	if (line->known && !scan_end(at))
		good = number(&at, &line->load) && scan_end(at);
	return good && line->known && is_sane(line->num) && is_sane(line->den) &&
	       is_sane(line->load) && (line->den > 0 || !(line->num > 0));
}

static bool is_enough(const char *path, const struct input *input)
{
	enum {
		LEAST = 4
	};
	double den = 0;

	for (size_t i = 0; i < input->count; i++)
		den += input->lines[i].den;
	if (input->count < LEAST)
		fprintf(stderr, "compare: %s: %zu ticks, at least %d are needed\n",
			path, input->count, LEAST);
	else if (!(den > 0))
		fprintf(stderr, "compare: %s: no tick has a figure\n", path);
	return input->count >= LEAST && den > 0;
}

/* Means are compared as logarithms. */
static bool is_idle(const struct input *input)
{
	for (size_t i = 0; i < input->count; i++)
		if (input->lines[i].num > 0)
			return false;
	return true;
}

static bool load(const char *path, struct input *input)
{
	struct buffer text = {0};
	struct fault fault;
	char *at, *row;
	bool good = scan_file("", path, &text, 1 << 30, &fault);

	if (!good)
		fprintf(stderr, "compare: %s\n", fault.text);
	at = good ? buffer_string(&text) : NULL;
	while (good && (row = scan_line(&at))) {
		xgrow(&input->lines, &input->room, input->count + 1,
			sizeof *input->lines);
		good = parse(row, &input->lines[input->count++]);
		if (!good)
			fprintf(stderr,
				"compare: %s:%zu: not num, den[, load]: numbers from "
				"0, "
				"or from 1e-100 to 1e100, and no num without a den\n",
				path, input->count);
	}
	buffer_fini(&text);
	return good && is_enough(path, input);
}

static void fill(struct batches *b, const struct input *input)
{
	for (size_t i = 0; i < input->count; i++)
		batches_add(b, input->lines[i].num, input->lines[i].den);
}

static void print_mean(const char *group, const struct batch_mean *m, size_t n)
{
	out(group, "N", (double)n);
	out(group, "mean", m->mean);
	out(group, "r1", m->lag1);
	out(group, "r2", m->lag2);
	out(group, "ess", m->ess);
	out(group, "relse", sqrt(m->relative));
	out(group, "df", m->df);
	out(group, "kish", m->kish);
}

static void print_comparison(const char *group, const struct contrast *c)
{
	if (!(c->low < c->high)) {
		out(group, "change", c->change);
		printf("%s = constant in both: no interval\n", group);
		return;
	}
	out(group, "change", c->change);
	out(group, "lo", c->low);
	out(group, "hi", c->high);
	out(group, "df", c->df);
	out(group, "p", c->p);
}

static void print_borrowed(const struct batches *lengthy, uint64_t ticks)
{
	struct batch_mean piece = batches_borrow(lengthy, ticks);

	printf("piece_relse = %.10g\npiece_df = %.10g\n", sqrt(piece.relative),
		piece.df);
}

static void means(const struct input *before, const struct input *after)
{
	static struct batches a, b;
	struct batch_mean m1, m2;
	struct contrast c;
	bool borrowed;

	if (is_idle(before) || is_idle(after)) {
		printf("cmp = idle: every num is 0\n");
		return;
	}
	fill(&a, before);
	fill(&b, after);
	m1 = batches_mean(&a);
	m2 = batches_mean(&b);
	print_mean("A", &m1, slots_count(&a.slots));
	print_mean("B", &m2, slots_count(&b.slots));
	if (a.slots.ticks >= BORROW_FACTOR * b.slots.ticks)
		print_borrowed(&a, b.slots.ticks);
	if (b.slots.ticks >= BORROW_FACTOR * a.slots.ticks)
		print_borrowed(&b, a.slots.ticks);
	c = compare_batches(&a, &b, &borrowed);
	print_comparison("cmp", &c);
	c = compare_means(&m1, &m2);
	print_comparison("noborrow", &c);
}

static void counts(const struct input *before, const struct input *after)
{
	static struct batches a, b;
	struct count_comparison c;

	fill(&a, before);
	fill(&b, after);
	c = compare_counts(&a, &b);
	out("counts", "k1", c.k1);
	out("counts", "k2", c.k2);
	if (!(c.k1 + c.k2 > 0)) {
		printf("counts = none seen in either window\n");
		return;
	}
	out("counts", "rate1ppm", c.rate1 * 1e6);
	out("counts", "rate2ppm", c.rate2 * 1e6);
	out("counts", "phi", c.phi);
	out("counts", "df", c.df);
	out("counts", "p0", c.p0);
	out("counts", "p", c.p);
	out("counts", "ratio", c.ratio);
	out("counts", "lo", c.low);
	out("counts", "hi", c.high);
	out("counts", "attainable", c.attainable);
}

static uint64_t units(const struct tick_line *line)
{
	double value = 1000 * line->num / line->den;

	return value < 0x1p63 ? (uint64_t)value : UINT64_C(1) << 63;
}

static void fill_quantiles(struct quantile_batches *b, const struct input *input)
{
	for (size_t i = 0; i < input->count; i++) {
		const struct tick_line *line = &input->lines[i];

		if (line->known && line->den > 0)
			quantile_add(b, units(line));
		else
			quantile_pass(b, 1);
	}
}

static void print_quantile(
	const char *group, const char *side, const struct quantile *q)
{
	printf("%s.%s = %.10g\n", group, side, q->value);
	printf("%s.%s.se = %.10g\n", group, side, q->error);
	printf("%s.%s.df = %.10g\n", group, side, q->df);
	printf("%s.%s.tail_eff = %.10g\n", group, side, q->tail);
	printf("%s.%s.lo = %.10g\n", group, side, q->low);
	printf("%s.%s.hi = %.10g\n", group, side, q->high);
}

static void quantiles(const struct input *before, const struct input *after)
{
	static const double shares[] = {0.5, 0.95, 0.99};
	static const char *const names[] = {"p50", "p95", "p99"};
	struct quantile_batches *a = xalloc(sizeof *a), *b = xalloc(sizeof *b);

	fill_quantiles(a, before);
	fill_quantiles(b, after);
	for (size_t i = 0; i < 3; i++) {
		struct quantile q1 = quantile_of(a, shares[i]);
		struct quantile q2 = quantile_of(b, shares[i]);
		struct quantile_change c;

		print_quantile(names[i], "A", &q1);
		print_quantile(names[i], "B", &q2);
		if (!(q1.value > 0) || !(q2.value > 0)) {
			printf("%s = %g -> %g: no ratio\n", names[i], q1.value,
				q2.value);
			continue;
		}
		c = quantile_compare(a, b, shares[i]);
		out(names[i], "change", c.change);
		out(names[i], "lo", c.low);
		out(names[i], "hi", c.high);
		out(names[i], "p", c.p);
	}
	quantile_batches_fini(a);
	quantile_batches_fini(b);
	free(a);
	free(b);
}

static void fill_load(struct load_batches *b, const struct input *input)
{
	for (size_t i = 0; i < input->count; i++) {
		const struct tick_line *line = &input->lines[i];

		load_add(b, load_key(line->load, LOAD_OFFSET), line->num, line->den,
			line->known);
	}
}

static void same_load(const struct input *before, const struct input *after)
{
	static struct load_batches a, b;
	static struct batches raw1, raw2;
	struct load_comparison c;
	struct contrast raw;
	bool borrowed;

	if (is_idle(before) || is_idle(after)) {
		printf("raw = idle: every num is 0\n");
		return;
	}
	fill(&raw1, before);
	fill(&raw2, after);
	raw = compare_batches(&raw1, &raw2, &borrowed);
	print_comparison("raw", &raw);
	fill_load(&a, before);
	fill_load(&b, after);
	if (!load_compare(&a, &b, &c)) {
		printf("oe = loads do not overlap\n");
	} else if (!(c.ratio.low < c.ratio.high)) {
		out("oe", "R", 1 + c.ratio.change);
		printf("oe = constant in both: no interval\n");
	} else {
		out("oe", "R", 1 + c.ratio.change);
		out("oe", "p", c.ratio.p);
		out("oe", "df", c.ratio.df);
		out("oe", "cover", c.cover);
		out("oe", "ess", c.ess);
		/* per tick of the whole window, as the vectors have it */
		out("oe", "expected", c.expected * c.den / (double)after->count);
		out("oe", "observed", c.observed * c.den / (double)after->count);
		out("oe", "lo", c.ratio.low);
		out("oe", "hi", c.ratio.high);
	}
	load_batches_fini(&a);
	load_batches_fini(&b);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *option;
		void (*run)(const struct input *, const struct input *);
	} modes[] = {{"", means}, {"--counts", counts}, {"--quantile", quantiles},
		{"--load", same_load}};
	const char *option = argc == 4 ? argv[3] : "";
	struct input before = {0}, after = {0};
	int status = 2;

	if (argc != 3 && argc != 4) {
		fprintf(stderr,
			"usage: compare A.tsv B.tsv [--counts|--quantile|--load]\n");
		return status;
	}
	if (!load(argv[1], &before) || !load(argv[2], &after))
		status = 1;
	else
		for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
			if (!strcmp(option, modes[i].option)) {
				modes[i].run(&before, &after);
				status = 0;
			}
	if (status == 2)
		fprintf(stderr, "compare: %s: not one of --counts --quantile --load\n",
			option);
	free(before.lines);
	free(after.lines);
	return status;
}
