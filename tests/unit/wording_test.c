/* The words of verdicts at their extremes: no figure that none would say. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/unit.h"
#include "core/verdict.h"
#include "report/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What must not be in any text. */
static const char *const slips[] = {"inf", "nan", "+0 ", "-0 ", "+0.", "-0.", "+0)",
	"-0)", "of -", "of 0 %", "e+", "e-0", "lacks events", "lacks loads",
	"lacks activity", "  ", "( "};

static void check(const char *text)
{
	for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
		if (strstr(text, slips[i]))
			fail_msg("\"%s\" has \"%s\"", text, slips[i]);
	assert_true(*text);
}

static void expect(const char *text, const char *expected)
{
	check(text);
	assert_string_equal(text, expected);
}

static const double sizes[] = {-1, -0.9999, -0.5, -0.051, -0.004, -1e-9, -0.0, 0.0,
	1e-9, 0.004, 0.0049, 0.051, 0.5, 1, 9.99, 1000, 1e6, 1e30, (double)INFINITY};

enum {
	SIZES = sizeof sizes / sizeof *sizes
};

static void no_change_is_minus_nothing_or_infinite(void **unused)
{
	char text[128];

	(void)unused;
	unit_change(text, sizeof text, -0.004);
	expect(text, "0");
	unit_change(text, sizeof text, -0.0);
	expect(text, "0");
	unit_change(text, sizeof text, 0.126);
	expect(text, "+13");
	unit_change(text, sizeof text, -1);
	expect(text, "-100");
	unit_change(text, sizeof text, 1e30);
	expect(text, ">+99900");
	unit_change(text, sizeof text, (double)INFINITY);
	expect(text, "any");
}

static void a_figure_for_programs_has_no_minus_nothing(void **unused)
{
	(void)unused;
	assert_false(signbit(cell_real(-0.0, "").real));
	assert_true(signbit(cell_real(-1e-9, "").real));
	assert_int_equal(cell_real((double)INFINITY, "").form, CELL_NULL);
	assert_int_equal(cell_real(-(double)INFINITY, "").form, CELL_NULL);
}

/* The tail of a normal distribution at 40 is 7e-350, which no double can hold. */
static void no_probability_is_nothing(void **unused)
{
	struct verdict v = {.kind = VERDICT_MEAN, .tested = true, .change = 1};
	const struct verdict_row row = {&v, BETTER_LOWER, false, VERDICT_LEVEL};
	char text[24];

	(void)unused;
	verdict_family(&row, 1);
	verdict_p(text, sizeof text, &v);
	assert_string_equal(text, "p < 1e-300");
	assert_true(v.adjusted > 0); /* what CSV and JSON have */
	v.p = 0.031;
	verdict_family(&row, 1);
	verdict_p(text, sizeof text, &v);
	assert_string_equal(text, "p 0.031");
	v.p = 1;
	verdict_family(&row, 1);
	verdict_p(text, sizeof text, &v);
	assert_string_equal(text, "p 1");
}

/* From nothing to something there is no ratio; the other way it is all of it. */
static void from_nothing_and_to_nothing(void **unused)
{
	struct verdict v = {.kind = VERDICT_COUNT,
		.word = VERDICT_WORSE,
		.tested = true,
		.k2 = 12,
		.change = (double)INFINITY,
		.low = 3.1,
		.high = (double)INFINITY};
	char text[128];

	(void)unused;
	verdict_change(text, sizeof text, &v);
	expect(text, "none in A");
	v = (struct verdict){.kind = VERDICT_COUNT,
		.tested = true,
		.k1 = 12,
		.change = -1,
		.low = -1,
		.high = -0.804};
	verdict_change(text, sizeof text, &v);
	expect(text, "-100 % (-100..-80)");
}

static void a_refusal_says_what_is_missing_once(void **unused)
{
	static const struct {
		enum verdict_word word;
		const char *lacks, *expected;
	} cases[] = {
		{VERDICT_NO_OVERLAP, "loads that overlap", "loads hardly overlap"},
		{VERDICT_TOO_FEW, "events", "too few events"},
		{VERDICT_IDLE, "activity after", "idle (no activity after)"},
		{VERDICT_IDLE, "events in either window",
			"idle (no events in either window)"},
		{VERDICT_FEW_RUNS, "three runs on each side",
			"too few runs (it takes three runs on each side)"},
		{VERDICT_TOO_LITTLE, "steadiness",
			"too little data (lacks steadiness)"},
	};
	char text[128];

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct verdict v = {
			.word = cases[i].word, .lacks = cases[i].lacks};

		verdict_words(text, sizeof text, &v, 9);
		expect(text, cases[i].expected);
	}
}

/* No fall is ruled out that is not, and none that is negative. */
static void what_an_unclear_one_rules_out(void **unused)
{
	static const struct {
		double low;
		const char *expected;
	} cases[] = {
		{-1, "no clear change (nothing is ruled out)"},
		{-0.304, "no clear change (a fall of 31 % is ruled out, no rise is)"},
		{-0.001, "no clear change (a fall of 1 % is ruled out, no rise is)"},
		{0, "no clear change (a fall is ruled out, no rise is)"},
		{0.3, "no clear change (a fall is ruled out, no rise is)"},
	};
	char text[128];

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct verdict v = {.word = VERDICT_UNCLEAR,
			.tested = true,
			.low = cases[i].low,
			.high = (double)INFINITY};

		verdict_words(text, sizeof text, &v, 9);
		expect(text, cases[i].expected);
	}
}

/* All words with all ends of an interval. */
static void no_extreme_makes_a_slip(void **unused)
{
	char text[128];

	(void)unused;
	for (unsigned word = VERDICT_BETTER; word <= VERDICT_UNCLEAR; word++)
		for (unsigned i = 0; i < SIZES * SIZES * SIZES; i++) {
			const struct verdict v = {.word = (enum verdict_word)word,
				.mean = VERDICT_BETTER,
				.tail = VERDICT_WORSE,
				.tested = true,
				.low = sizes[i % SIZES],
				.change = sizes[i / SIZES % SIZES],
				.high = sizes[i / SIZES / SIZES]};

			if (v.low > v.change || v.change > v.high || isinf(v.low))
				continue;
			verdict_words(text, sizeof text, &v, 1);
			check(text);
			verdict_change(text, sizeof text, &v);
			check(text);
			verdict_short(text, sizeof text, &v);
			check(text);
			assert_true(strlen(text) <= 8);
		}
}

static void ratios_of_extremes(void **unused)
{
	static const double figures[] = {0, 1e-300, 1e-9, 0.999, 1, 1.001, 1e9, 1e300};
	enum {
		FIGURES = sizeof figures / sizeof *figures
	};
	char text[32];

	(void)unused;
	for (unsigned i = 0; i < FIGURES * FIGURES; i++) {
		unit_ratio(
			text, sizeof text, figures[i % FIGURES], figures[i / FIGURES]);
		check(text);
		assert_true(strlen(text) <= 6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_change_is_minus_nothing_or_infinite),
		cmocka_unit_test(no_probability_is_nothing),
		cmocka_unit_test(a_figure_for_programs_has_no_minus_nothing),
		cmocka_unit_test(from_nothing_and_to_nothing),
		cmocka_unit_test(a_refusal_says_what_is_missing_once),
		cmocka_unit_test(what_an_unclear_one_rules_out),
		cmocka_unit_test(no_extreme_makes_a_slip),
		cmocka_unit_test(ratios_of_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
