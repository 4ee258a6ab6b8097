/* What a verdict must not take for data: time of which nothing is known, zeros at no
 * load that were zeros under load, and rows beyond a bound. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "core/compare.h"
#include "core/verdict.h"
#include "recording.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>

static const double seconds[] = {300, 300};

/* READS waits in 300 s, the rest of it without a figure. */
static void waits(struct batches *b, unsigned reads)
{
	*b = (struct batches){0};
	for (unsigned t = 0; t < 300; t++) {
		bool read = t % (300 / reads) == 0;
		double wait = exp(0.5 * series_normal());

		batches_add(b, read ? wait : 0, read);
	}
}

static void eight_reads_in_five_minutes_are_eight_samples(void **unused)
{
	struct batches a, b;
	struct verdict v;

	(void)unused;
	series_seed(3);
	for (unsigned i = 0; i < 100; i++) {
		waits(&a, 8);
		waits(&b, 8);
		verdict_means(&v, &a, &b, seconds);
		assert_false(v.tested);
		assert_true(v.ess <= 8);
	}
}

static void gaps_do_not_make_a_slow_series_a_quick_one(void **unused)
{
	static double x[600];
	static struct batches full, torn;

	(void)unused;
	for (uint64_t seed = 1; seed < 50; seed++) {
		full = torn = (struct batches){0};
		series_lognormal(x, 600, seed, 0.97, 1, 4);
		for (unsigned t = 0; t < 600; t++) {
			bool known = t % 120 < 24;

			batches_add(&full, x[t], 1);
			batches_add(&torn, known ? x[t] : 0, known);
		}
		if (batches_mean(&torn).ess >= 10)
			fail_msg("seed %u: ESS %g where the whole has %g",
				(unsigned)seed, batches_mean(&torn).ess,
				batches_mean(&full).ess);
	}
}

static void hardly_any_batch_is_refused_and_no_division_by_zero(void **unused)
{
	static struct batches one, none;
	struct batch_mean m;

	(void)unused;
	for (unsigned t = 0; t < 600; t++) {
		batches_add(&one, t == 300, t == 300);
		batches_add(&none, 0, 0);
	}
	m = batches_mean(&one);
	assert_true(m.ess <= 1 && isfinite(m.relative));
	assert_int_equal(compare_events(&none).variance.value, 0);
}

static void row_five_thousand_gets_its_word(void **unused)
{
	enum {
		ROWS = 5000
	};
	struct verdict *verdicts = xarray(ROWS, sizeof *verdicts);
	struct verdict_row *rows = xarray(ROWS, sizeof *rows);

	(void)unused;
	for (size_t i = 0; i < ROWS; i++) {
		verdicts[i] = (struct verdict){.tested = true,
			.p = i + 1 < ROWS ? 0.5 : 1e-9,
			.change = 1,
			.low = 0.5,
			.high = 2};
		rows[i] = (struct verdict_row){
			&verdicts[i], BETTER_LOWER, false, VERDICT_LEVEL};
	}
	verdict_family(rows, ROWS);
	assert_int_equal(verdicts[ROWS - 1].word, VERDICT_WORSE);
	assert_true(fabs(verdicts[ROWS - 1].adjusted - ROWS * 1e-9) < 1e-12);
	assert_int_equal(verdicts[ROWS - 2].word, VERDICT_UNCLEAR);
	free(rows);
	free(verdicts);
}

/* A disk that was never full under a load, and then was: the ticks before are part of
 * what that load showed. */
static void a_zero_under_load_is_a_sample_at_that_load(void **unused)
{
	static struct recording r;
	const struct summary *summary;
	const struct load_column *column;
	uint32_t disk, ticks = 0;
	size_t reads, queue;
	int track;

	(void)unused;
	recording_init(&r, 0);
	disk = recording_subject(&r, KIND_DISK, "sda", "", "");
	reads = recording_series(&r, disk, RAW_DISK_READ_OPS, 0);
	(void)recording_series(&r, disk, RAW_DISK_WRITE_OPS, 0);
	queue = recording_series(&r, disk, RAW_DISK_WEIGHTED_MS, 0);
	recording_ticks(&r, 1);
	(void)recording_window(&r, ROLE_BEFORE, "BEFORE", 0, 1800);
	r.step[reads] = 300;
	recording_ticks(&r, 1680);
	r.step[queue] = 200;
	recording_ticks(&r, 120);
	track = session_track(r.session, disk, (unsigned)metric_find("disk.queue"));
	summary = session_summary(r.session, 1, (size_t)track);
	column = summary->load.columns[load_key(300, 0)];
	assert_non_null(column);
	for (size_t i = 0; i < slots_count(&summary->load.slots); i++)
		ticks += column->batches[i].ticks;
	assert_int_equal(ticks, 1800);
	recording_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_reads_in_five_minutes_are_eight_samples),
		cmocka_unit_test(gaps_do_not_make_a_slow_series_a_quick_one),
		cmocka_unit_test(hardly_any_batch_is_refused_and_no_division_by_zero),
		cmocka_unit_test(row_five_thousand_gets_its_word),
		cmocka_unit_test(a_zero_under_load_is_a_sample_at_that_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
