/* Verdicts from series whose truth is known, and the refusals. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/verdict.h"
#include "series.h"

#include <math.h>
#include <string.h>

static double x[14400];
static struct batches a, b;

static void fill(struct batches *to, size_t n, uint64_t seed, double rho, double scale)
{
	*to = (struct batches){0};
	series_lognormal(x, n, seed, rho, 1, scale);
	for (size_t t = 0; t < n; t++)
		batches_add(to, x[t], 1);
}

static struct verdict judge(enum better better, bool neutral, double s1, double s2)
{
	struct verdict v;
	const struct verdict_row row = {&v, better, neutral, VERDICT_LEVEL};

	verdict_means(&v, &a, &b, (const double[]){s1, s2});
	verdict_family(&row, 1);
	return v;
}

static void a_halved_queue_is_better_a_halved_goodness_is_worse(void **unused)
{
	(void)unused;
	fill(&a, 3600, 1, 0.9, 4);
	fill(&b, 3600, 2, 0.9, 1.5);
	assert_int_equal(judge(BETTER_LOWER, false, 3600, 3600).word, VERDICT_BETTER);
	assert_int_equal(judge(BETTER_HIGHER, false, 3600, 3600).word, VERDICT_WORSE);
	assert_int_equal(judge(BETTER_NEITHER, false, 3600, 3600).word, VERDICT_LOWER);
	assert_int_equal(judge(BETTER_LOWER, true, 3600, 3600).word, VERDICT_LOWER);
}

static void nothing_changed_gets_no_word_of_change(void **unused)
{
	struct verdict v;

	(void)unused;
	fill(&a, 3600, 11, 0.5, 4);
	fill(&b, 3600, 12, 0.5, 4);
	v = judge(BETTER_LOWER, false, 3600, 3600);
	assert_true(v.word == VERDICT_UNCLEAR || v.word == VERDICT_SAME);
	assert_true(v.low < 0 && v.high > 0);
}

static void steady_and_equal_is_the_same(void **unused)
{
	(void)unused;
	a = b = (struct batches){0};
	series_seed(3);
	for (size_t t = 0; t < 3600; t++) {
		batches_add(&a, 10 + series_normal(), 1);
		batches_add(&b, 10 + series_normal(), 1);
	}
	assert_int_equal(judge(BETTER_LOWER, false, 3600, 3600).word, VERDICT_SAME);
}

static void short_windows_are_refused_with_the_time_needed(void **unused)
{
	struct verdict v;
	char text[120];

	(void)unused;
	fill(&a, 100, 1, 0, 4);
	fill(&b, 100, 2, 0, 1);
	v = judge(BETTER_LOWER, false, 100, 100);
	assert_int_equal(v.word, VERDICT_TOO_SHORT);
	assert_true(v.more == 200);
	verdict_words(text, sizeof text, &v, 1);
	assert_non_null(strstr(text, "too little data"));
	assert_non_null(strstr(text, "3m20s"));
	verdict_short(text, sizeof text, &v);
	assert_string_equal(text, "wait 4m");
}

static void strong_autocorrelation_is_refused(void **unused)
{
	struct verdict v;

	(void)unused;
	fill(&a, 600, 21, 0.99, 4);
	fill(&b, 600, 22, 0.99, 1);
	v = judge(BETTER_LOWER, false, 600, 600);
	assert_int_equal(v.word, VERDICT_TOO_LITTLE);
	assert_false(v.tested);
	assert_true(v.more > 0);
}

static void one_burst_is_refused(void **unused)
{
	struct verdict v;

	(void)unused;
	fill(&a, 3600, 1, 0, 4);
	b = (struct batches){0};
	for (size_t t = 0; t < 3600; t++)
		batches_add(&b, t >= 1000 && t < 1010 ? 500 : 0, 1);
	v = judge(BETTER_LOWER, false, 3600, 3600);
	assert_int_equal(v.word, VERDICT_TOO_LITTLE);
}

static void an_idle_window_is_not_an_improvement(void **unused)
{
	(void)unused;
	fill(&a, 3600, 1, 0, 4);
	b = (struct batches){0};
	for (size_t t = 0; t < 3600; t++)
		batches_add(&b, 0, 1);
	assert_int_equal(judge(BETTER_LOWER, false, 3600, 3600).word, VERDICT_IDLE);
}

static void a_window_without_a_figure_says_so(void **unused)
{
	(void)unused;
	fill(&a, 3600, 1, 0, 4);
	b = (struct batches){0};
	for (size_t t = 0; t < 3600; t++)
		batches_add(&b, 0, 0);
	assert_int_equal(judge(BETTER_LOWER, false, 3600, 3600).word, VERDICT_NONE);
}

static void constants_have_no_interval(void **unused)
{
	struct verdict v;

	(void)unused;
	a = b = (struct batches){0};
	for (size_t t = 0; t < 600; t++) {
		batches_add(&a, 4, 1);
		batches_add(&b, 8, 1);
	}
	v = judge(BETTER_LOWER, false, 600, 600);
	assert_int_equal(v.word, VERDICT_CONSTANT);
	assert_false(v.tested);
	assert_true(v.a == 4 && v.b == 8);
}

static void many_comparisons_need_a_stronger_one(void **unused)
{
	struct verdict v[24];
	struct verdict_row rows[24];

	(void)unused;
	for (size_t i = 0; i < 24; i++) {
		v[i] = (struct verdict){.tested = true,
			.change = -0.3,
			.low = -0.5,
			.high = -0.01,
			.p = 0.04};
		rows[i] =
			(struct verdict_row){&v[i], BETTER_LOWER, false, VERDICT_LEVEL};
	}
	verdict_family(rows, 1);
	assert_int_equal(v[0].word, VERDICT_BETTER);
	verdict_family(rows, 24);
	assert_int_equal(v[0].word, VERDICT_HINT);
	rows[0].level = VERDICT_LEVEL_LIVE;
	verdict_family(rows, 1);
	assert_int_equal(v[0].word, VERDICT_UNCLEAR);
}

static void small_but_real_does_not_matter(void **unused)
{
	struct verdict v = {.tested = true,
		.change = -0.03,
		.low = -0.04,
		.high = -0.02,
		.p = 1e-9};
	const struct verdict_row row = {&v, BETTER_LOWER, false, VERDICT_LEVEL};

	(void)unused;
	verdict_family(&row, 1);
	assert_int_equal(v.word, VERDICT_SMALL);
}

static void rare_events_gone_are_better_and_three_are_too_few(void **unused)
{
	struct verdict v;
	const struct verdict_row row = {&v, BETTER_LOWER, false, VERDICT_LEVEL};
	const double seconds[] = {3600, 3600};

	(void)unused;
	a = b = (struct batches){0};
	for (size_t t = 0; t < 3600; t++) {
		batches_add(&a, t % 60 == 0, 1000);
		batches_add(&b, 0, 1000);
	}
	verdict_counts(&v, &a, &b, seconds);
	verdict_family(&row, 1);
	assert_int_equal(v.word, VERDICT_BETTER);
	assert_true(v.k1 == 60 && v.k2 == 0);
	a = (struct batches){0};
	for (size_t t = 0; t < 3600; t++)
		batches_add(&a, t % 1200 == 0, 1000);
	verdict_counts(&v, &a, &b, seconds);
	assert_int_equal(v.word, VERDICT_TOO_FEW);
	verdict_counts(&v, &b, &b, seconds);
	assert_int_equal(v.word, VERDICT_IDLE);
}

static void a_load_that_moved_is_seen(void **unused)
{
	struct verdict v;

	(void)unused;
	fill(&a, 3600, 1, 0.5, 100);
	fill(&b, 3600, 2, 0.5, 60);
	verdict_means(&v, &a, &b, (const double[]){3600, 3600});
	assert_true(verdict_load_differs(&v));
	fill(&b, 3600, 4, 0.5, 101);
	verdict_means(&v, &a, &b, (const double[]){3600, 3600});
	assert_false(verdict_load_differs(&v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_halved_queue_is_better_a_halved_goodness_is_worse),
		cmocka_unit_test(nothing_changed_gets_no_word_of_change),
		cmocka_unit_test(steady_and_equal_is_the_same),
		cmocka_unit_test(short_windows_are_refused_with_the_time_needed),
		cmocka_unit_test(strong_autocorrelation_is_refused),
		cmocka_unit_test(one_burst_is_refused),
		cmocka_unit_test(an_idle_window_is_not_an_improvement),
		cmocka_unit_test(a_window_without_a_figure_says_so),
		cmocka_unit_test(constants_have_no_interval),
		cmocka_unit_test(many_comparisons_need_a_stronger_one),
		cmocka_unit_test(small_but_real_does_not_matter),
		cmocka_unit_test(rare_events_gone_are_better_and_three_are_too_few),
		cmocka_unit_test(a_load_that_moved_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
