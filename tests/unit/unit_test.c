/* Numbers for people: rounding at the edges, widths, and what must never be printed. */
#include "config.h"

#include "core/unit.h"

#include "base/nsec.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct number_case {
	double value;
	int width;
	const char *text;
};

static void check_numbers(const struct number_case *cases, size_t count)
{
	char text[32];

	for (size_t i = 0; i < count; i++) {
		unit_number(text, sizeof text, cases[i].value, cases[i].width);
		assert_string_equal(text, cases[i].text);
	}
}

#define CHECK_NUMBERS(cases) check_numbers(cases, sizeof(cases) / sizeof *(cases))

static void a_number_has_three_digits_and_a_prefix(void **state)
{
	static const struct number_case cases[] = {
		{41, 5, "41.0"},
		{7.21e9, 5, "7.21G"},
		{0.34, 5, "0.34"},
		{9, 5, "9.00"},
		{578, 5, "578"},
		{1310, 5, "1.31k"},
		{72.1e6, 5, "72.1M"},
		{721e12, 5, "721T"},
		{3e15, 5, "3.00P"},
		{3e18, 5, "3.00E"},
	};

	(void)state;
	CHECK_NUMBERS(cases);
}

static void rounding_up_to_a_fourth_digit_takes_the_next_step(void **state)
{
	static const struct number_case cases[] = {
		{9.994, 5, "9.99"},
		{9.996, 5, "10.0"},
		{99.94, 5, "99.9"},
		{99.96, 5, "100"},
		{999.4, 5, "999"},
		{999.95, 5, "1.00k"},
		{999.95, 4, "1.0k"},
		{999400, 5, "999k"},
		{999600, 5, "1.00M"},
		{999999999, 5, "1.00G"},
	};

	(void)state;
	CHECK_NUMBERS(cases);
}

static void a_narrow_column_loses_digits_but_not_size(void **state)
{
	static const struct number_case cases[] = {
		{1234, 4, "1.2k"}, {12345, 4, "12k"}, {123456, 4, "123k"},
		{0.34, 4, "0.34"}, {-41, 5, "-41.0"}, {-0.34, 5, "-0.34"},
		{-123456, 5, "-123k"}, {-1.5e9, 5, "-1.5G"}, {-999.95, 6, "-1.00k"},
		{123456, 3, "#"}, /* not "0M", not "0.1M" cut */
	};

	(void)state;
	CHECK_NUMBERS(cases);
}

static void only_zero_is_written_as_zero(void **state)
{
	static const struct number_case cases[] = {
		{0, 5, "0"},
		{-0.0, 5, "0"},
		{0.004, 5, "<.01"},
		{1e-300, 5, "<.01"},
		{-0.004, 5, ">-.01"},
		{0.005001, 5, "0.01"},
	};

	(void)state;
	CHECK_NUMBERS(cases);
}

static void what_is_no_number_is_never_printed_as_one(void **state)
{
	static const struct number_case cases[] = {
		{NAN, 5, "?"},
		{-NAN, 5, "?"},
		{INFINITY, 5, "?"},
		{-INFINITY, 5, "?"},
		{999e18, 5, "999E"},
		{1e21, 5, "#"},
		{1e300, 5, "#"},
		{-1e300, 5, "#"},
	};

	(void)state;
	CHECK_NUMBERS(cases);
}

/* Every number keeps inside its width and is within the half of its last digit. */
static void numbers_fit_and_are_close(void **state)
{
	static const char prefixes[] = "kMGTPE";
	unsigned long long seed = 1;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char text[32], *end;
		int width = 4 + i % 4;
		double value, back;

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		value = exp((double)(seed >> 40) / 16777216.0 * 52 - 4.5);
		unit_number(text, sizeof text, value, width);
		assert_true(strlen(text) <= (size_t)width);
		assert_true(strcmp(text, "#") && strcmp(text, "?"));
		back = strtod(text, &end);
		if (*end)
			back *= pow(
				1000, (double)(strchr(prefixes, *end) - prefixes) + 1);
		assert_true(fabs(back / value - 1) < 0.35);
		if (width >= 5 && value >= 1)
			assert_true(fabs(back / value - 1) < 0.00501);
	}
}

static const struct metric count = {.unit = UNIT_COUNT};
static const struct metric rate = {.unit = UNIT_PER_S};
static const struct metric bytes_s = {.unit = UNIT_BYTES_S};
static const struct metric bits_s = {.unit = UNIT_BITS_S};
static const struct metric duration = {.unit = UNIT_SECONDS};
static const struct metric share = {.unit = UNIT_SHARE};
static const struct metric bytes = {.unit = UNIT_BYTES};

struct value_case {
	const struct metric *metric;
	double value;
	enum unit_system system;
	const char *text;
};

static void a_value_carries_its_unit(void **state)
{
	static const struct value_case cases[] = {
		{&count, 28, UNITS_SI_BYTES, "28.0"},
		{&count, 1310, UNITS_SI_BYTES, "1.31k"},
		{&rate, 12, UNITS_SI_BYTES, "12.0 /s"},
		{&bytes_s, 708e6, UNITS_SI_BYTES, "708 MB/s"},
		{&bytes_s, 708e6, UNITS_SI_BITS, "5.66 Gb/s"},
		{&bytes_s, 64.0 * 1024 * 1024, UNITS_IEC_BYTES, "64.0 MiB/s"},
		{&bytes_s, 1010, UNITS_IEC_BYTES, "1010 B/s"},
		{&bytes_s, 1010.0 * 1024, UNITS_IEC_BYTES, "1010 KiB/s"},
		{&bytes_s, 1023.9, UNITS_IEC_BYTES, "1.00 KiB/s"},
		{&bytes_s, 0, UNITS_SI_BYTES, "0 B/s"},
		{&bits_s, 25e9, UNITS_IEC_BYTES, "25.0 Gb/s"},
		{&duration, 0.0342, UNITS_SI_BYTES, "34.2 ms"},
		{&duration, 84e-6, UNITS_SI_BYTES, "84.0 us"},
		{&duration, 0.9996, UNITS_SI_BYTES, "1.00 s"},
		{&duration, 0.9994, UNITS_SI_BYTES, "999 ms"},
		{&duration, 200, UNITS_SI_BYTES, "200 s"},
		{&duration, 2e-12, UNITS_SI_BYTES, "<.01 ns"},
		{&duration, 0, UNITS_SI_BYTES, "0 ms"},
		{&share, 0.091, UNITS_SI_BYTES, "9.1 %"},
		{&share, 1, UNITS_SI_BYTES, "100 %"},
		{&share, 0, UNITS_SI_BYTES, "0 %"},
		{&share, 0.0001, UNITS_SI_BYTES, "<0.1 %"},
		{&share, 0.9999, UNITS_SI_BYTES, "100 %"},
		{&bytes, 4.1e6, UNITS_SI_BITS, "4.10 MB"},
		{&bytes, NAN, UNITS_SI_BYTES, "?"},
		{&share, NAN, UNITS_SI_BYTES, "?"},
		{&duration, INFINITY, UNITS_SI_BYTES, "?"},
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unit_value(text, sizeof text, cases[i].metric, cases[i].value,
			cases[i].system);
		assert_string_equal(text, cases[i].text);
	}
}

struct scale_case {
	const struct metric *metric;
	double largest;
	enum unit_system system;
	const char *word;
	double shown; /* the largest value in that unit */
};

static void a_wait_too_short_for_the_kernel_is_no_zero(void **state)
{
	static const struct metric wait = {
		.unit = UNIT_SECONDS, .form = METRIC_RATIO, .scale = 1e-3};
	static const struct metric response = {
		.unit = UNIT_SECONDS, .form = METRIC_RATIO, .scale = 1e-6};
	char text[32];

	(void)state;
	unit_value(text, sizeof text, &wait, 0, UNITS_SI_BYTES);
	assert_string_equal(text, "<1 ms");
	unit_value(text, sizeof text, &response, 0, UNITS_SI_BYTES);
	assert_string_equal(text, "<1 us");
	unit_figure(text, sizeof text, &wait, 0, 1e3, 5);
	assert_string_equal(text, "<1");
	unit_figure(text, sizeof text, &wait, 0, 1e3, 3);
	assert_string_equal(text, "<1");
	unit_figure(text, sizeof text, &wait, 0.0342, 1e3, 5);
	assert_string_equal(text, "34.2");
	/* a duration, and what is no wait: 0 is 0 */
	unit_value(text, sizeof text, &duration, 0, UNITS_SI_BYTES);
	assert_string_equal(text, "0 ms");
}

static void a_row_has_one_unit(void **state)
{
	static const struct scale_case cases[] = {
		{&count, 43, UNITS_SI_BYTES, "", 43},
		{&bytes_s, 733e6, UNITS_SI_BYTES, "MB/s", 733},
		{&bytes_s, 1310e6 / 8, UNITS_SI_BITS, "Gb/s", 1.31},
		{&bytes_s, 999.9e6, UNITS_SI_BYTES, "GB/s", 0.9999},
		{&bytes_s, 4096, UNITS_IEC_BYTES, "KiB/s", 4},
		{&duration, 0.0342, UNITS_SI_BYTES, "ms", 34.2},
		{&duration, 0, UNITS_SI_BYTES, "ms", 0},
		{&duration, NAN, UNITS_SI_BYTES, "ms", NAN},
		{&share, 0.5, UNITS_SI_BYTES, "%", 50},
		{&rate, 5120, UNITS_SI_BYTES, "k/s", 5.12},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct unit_scale scale =
			unit_scale(cases[i].metric, cases[i].largest, cases[i].system);
		double shown = cases[i].largest * scale.factor;

		assert_string_equal(scale.word, cases[i].word);
		assert_true(isnan(cases[i].shown)
				    ? isnan(shown)
				    : fabs(shown - cases[i].shown) < 1e-9);
	}
}

struct duration_case {
	double seconds;
	const char *text;
};

static void a_duration_has_two_units_after_rounding(void **state)
{
	static const struct duration_case cases[] = {
		{0, "0s"},
		{0.0000001, "<1ms"},
		{0.5, "500ms"},
		{0.9999, "999ms"},
		{38, "38s"},
		{38.5, "39s"},
		{59.4, "59s"},
		{59.6, "1m00s"},
		{250, "4m10s"},
		{27 * 60 + 8, "27m08s"},
		{3599.4, "59m59s"},
		{3599.6, "1h00m"},
		{3600 + 29, "1h00m"},
		{3600 + 31, "1h01m"},
		{23 * 3600 + 40 * 60, "23h40m"},
		{86399, "1d00h"},
		{28 * 3600, "1d04h"},
		{40 * 86400.0 + 23.6 * 3600, "41d00h"},
		{-250, "-4m10s"},
		{-0.25, "-250ms"},
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unit_duration(text, sizeof text, (int64_t)(cases[i].seconds * 1e9));
		assert_string_equal(text, cases[i].text);
	}
	unit_duration(text, sizeof text, INT64_MAX); /* 292 years */
	assert_string_equal(text, "106752d00h");
	unit_duration(text, sizeof text, INT64_MIN);
	assert_string_equal(text, "-106752d00h");
}

struct date_case {
	int64_t second;
	int zone;
	const char *date;
	const char *clock;
};

/* Reference: `date -u -d @N`, zones added by hand. */
static void a_date_follows_the_calendar_and_the_zone(void **state)
{
	static const struct date_case cases[] = {
		{0, 0, "1970-01-01 00:00:00 +0000", "00:00:00"},
		{1790813170, 120, "2026-10-01 02:06:10 +0200", "02:06:10"},
		{951782400, 0, "2000-02-29 00:00:00 +0000", "00:00:00"},
		{951868799, 0, "2000-02-29 23:59:59 +0000", "23:59:59"},
		{951868800, 0, "2000-03-01 00:00:00 +0000", "00:00:00"},
		{1709164800, -570, "2024-02-28 14:30:00 -0930", "14:30:00"},
		{4107542399, 0, "2100-02-28 23:59:59 +0000", "23:59:59"},
		{4107542400, 0, "2100-03-01 00:00:00 +0000", "00:00:00"},
		{-1, 0, "1969-12-31 23:59:59 +0000", "23:59:59"},
		{1767225599, 345, "2026-01-01 05:44:59 +0545", "05:44:59"},
	};
	char text[40];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t wall = cases[i].second * NSEC_PER_SEC + 999999999;

		unit_date(text, sizeof text, wall, cases[i].zone);
		assert_string_equal(text, cases[i].date);
		unit_clock(text, sizeof text, wall, cases[i].zone);
		assert_string_equal(text, cases[i].clock);
	}
}

struct ratio_case {
	double a, b;
	const char *text;
};

static void a_ratio_says_how_b_stands_to_a(void **state)
{
	static const struct ratio_case cases[] = {
		{9, 28, "3.1x"},
		{3, 1.1, "1/2.7"},
		{100, 96, "-4%"},
		{841, 902, "+7%"},
		{5, 5, "="},
		{0, 0, "="},
		{1000, 1001, "="},
		{1000, 1006, "+1%"},
		{100, 199, "+99%"},
		{1000, 1996, "2.0x"},
		{100, 51, "-49%"},
		{1000, 504, "1/2.0"},
		{1, 9.94, "9.9x"},
		{1, 9.96, "10x"},
		{12, 2884, "240x"},
		{1, 999.4, "999x"},
		{1, 1e6, ">999x"},
		{1e6, 1, "<1/999"},
		{240, 1, "1/240"},
		{5, 0, "-100%"},
		{0, 5, "-"},
		{-1, 5, "-"},
		{5, -1, "-"},
		{NAN, 5, "-"},
		{5, NAN, "-"},
		{INFINITY, INFINITY, "-"},
		{1e-300, 1e300, ">999x"},
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unit_ratio(text, sizeof text, cases[i].a, cases[i].b);
		assert_string_equal(text, cases[i].text);
		assert_true(strlen(text) <= 6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_has_three_digits_and_a_prefix),
		cmocka_unit_test(rounding_up_to_a_fourth_digit_takes_the_next_step),
		cmocka_unit_test(a_narrow_column_loses_digits_but_not_size),
		cmocka_unit_test(only_zero_is_written_as_zero),
		cmocka_unit_test(what_is_no_number_is_never_printed_as_one),
		cmocka_unit_test(numbers_fit_and_are_close),
		cmocka_unit_test(a_value_carries_its_unit),
		cmocka_unit_test(a_wait_too_short_for_the_kernel_is_no_zero),
		cmocka_unit_test(a_row_has_one_unit),
		cmocka_unit_test(a_duration_has_two_units_after_rounding),
		cmocka_unit_test(a_date_follows_the_calendar_and_the_zone),
		cmocka_unit_test(a_ratio_says_how_b_stands_to_a),
	};

	return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
