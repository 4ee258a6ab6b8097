/* Numbers, durations and times as people read them; see the header. */
#include "config.h"

#include "core/unit.h"

#include "base/nsec.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
	STEPS = 7, /* prefixes of a ladder */
	ROOM = 48, /* for one number, whatever its value below 1e21 */
};

/* One way to write large numbers: each step is BASE times the one before. */
struct ladder {
	double base;
	const char *prefixes[STEPS];
};

static const struct ladder si = {1000, {"", "k", "M", "G", "T", "P", "E"}};
static const struct ladder iec = {1024, {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}};

static int digits(const char *text)
{
	int count = 0;

	for (; *text; text++)
		count += *text >= '0' && *text <= '9';
	return count;
}

/* Writes VALUE with at most three digits (four for 1000 to 1023 KiB) in WIDTH bytes.
 * False if it needs more, or would read as 0. */
static bool write_digits(char *to, double value, double base, int width)
{
	bool four = base > 1000 && fabs(value) >= 999.5 && fabs(value) < 1023.5;

	for (int decimals = 2; decimals >= 0; decimals--) {
		int length = snprintf(to, ROOM, "%.*f", decimals, value);

		if (length > 0 && length <= width && digits(to) <= 3 + four &&
			strpbrk(to, "123456789"))
			return true;
	}
	return false;
}

/* As write_digits, on the first step of LADDER where the number and its prefix fit
 * into WIDTH. Steps above the first never write "0.7M": it would hide digits. */
static bool climb(char *to, const struct ladder *ladder, double value, int width,
	const char **prefix)
{
	for (int step = 0; step < STEPS; step++) {
		int room = width - (int)strlen(ladder->prefixes[step]);

		*prefix = ladder->prefixes[step];
		if (fabs(value) < 1e5 && write_digits(to, value, ladder->base, room))
			return step == 0 || to[value < 0] != '0';
		value /= ladder->base;
	}
	return false;
}

static void number(char *to, const struct ladder *ladder, double value, int width,
	const char **prefix)
{
	*prefix = "";
	if (!isfinite(value))
		(void)text_copy(to, ROOM, "?");
	else if (value == 0.0)
		(void)text_copy(to, ROOM, "0");
	else if (fabs(value) < 0.005)
		(void)text_copy(to, ROOM, value > 0 ? "<.01" : ">-.01");
	else if (!climb(to, ladder, value, width, prefix)) {
		*prefix = "";
		(void)text_copy(to, ROOM, "#");
	}
}

void unit_number(char *to, size_t size, double value, int width)
{
	char text[ROOM];
	const char *prefix;

	number(text, &si, value, width, &prefix);
	(void)text_format(to, size, "%s%s", text, prefix); /* SIZE is the caller's */
}

bool unit_is_below(const struct metric *metric, double value)
{
	/* time per request: there was one, or there would be no figure */
	return value == 0.0 && metric->unit == UNIT_SECONDS &&
	       metric->form == METRIC_RATIO;
}

void unit_figure(char *to, size_t size, const struct metric *metric, double value,
	double factor, int width)
{
	if (unit_is_below(metric, value)) /* 1 of the unit, or 1000 of a smaller one */
		(void)text_format(to, size, "<%.4g", metric->scale * factor);
	else
		unit_number(to, size, value * factor, width);
}

/* How each unit is written: its word, what one of it is in the metric's base unit,
 * and whether it climbs the ladder of byte prefixes. */
struct form {
	const char *word;
	double factor;
	bool bytes;
};

static const struct form forms[] = {
	[UNIT_COUNT] = {"", 1, false},
	[UNIT_PER_S] = {"/s", 1, false},
	[UNIT_BYTES_S] = {"B/s", 1, true},
	[UNIT_BITS_S] = {"b/s", 1, false},
	[UNIT_SECONDS] = {"s", 1, false},
	[UNIT_SHARE] = {"%", 100, false},
	[UNIT_BYTES] = {"B", 1, true},
};

static const struct form bits = {"b/s", 8, false};

static const struct form *form_of(const struct metric *metric, enum unit_system system)
{
	if (metric->unit == UNIT_BYTES_S && system == UNITS_SI_BITS)
		return &bits;
	return &forms[metric->unit];
}

const char *unit_base(const struct metric *metric)
{
	return metric->unit == UNIT_SHARE ? "share" : forms[metric->unit].word;
}

/* Seconds go down where everything else goes up. */
static const struct unit_scale seconds[] = {
	{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};

enum {
	SECONDS = sizeof seconds / sizeof *seconds
};

static struct unit_scale scale_seconds(double largest)
{
	size_t at = 0;

	if (!isfinite(largest) || largest == 0.0)
		return seconds[1];
	while (at + 1 < SECONDS && fabs(largest) * seconds[at].factor < 0.9995)
		at++;
	return seconds[at];
}

struct unit_scale unit_scale(
	const struct metric *metric, double largest, enum unit_system system)
{
	const struct form *form = form_of(metric, system);
	const struct ladder *ladder =
		form->bytes && system == UNITS_IEC_BYTES ? &iec : &si;
	struct unit_scale scale = {.factor = form->factor};
	double size = isfinite(largest) ? fabs(largest) * form->factor : 0;
	int step = 0;

	if (metric->unit == UNIT_SECONDS)
		return scale_seconds(largest);
	if (metric->unit != UNIT_SHARE)
		for (; step + 1 < STEPS && size >= ladder->base * 0.9995; step++) {
			size /= ladder->base;
			scale.factor /= ladder->base;
		}
	(void)text_format(scale.word, sizeof scale.word, "%s%s", ladder->prefixes[step],
		form->word);
	return scale;
}

static void value_share(char *to, size_t size, double percent)
{
	if (percent != 0.0 && fabs(percent) < 0.05)
		(void)text_copy(to, size, percent > 0 ? "<0.1 %" : ">-0.1 %");
	else
		(void)text_format(to, size, "%.*f %%",
			percent == 0.0 || fabs(percent) >= 99.95 ? 0 : 1, percent);
}

void unit_value(char *to, size_t size, const struct metric *metric, double value,
	enum unit_system system)
{
	const struct form *form = form_of(metric, system);
	struct unit_scale scale = {.factor = form->factor};
	const char *prefix;
	char text[ROOM];

	if (!isfinite(value)) {
		(void)text_copy(to, size, "?");
		return;
	}
	if (metric->unit == UNIT_SHARE) {
		value_share(to, size, value * 100);
		return;
	}
	if (metric->unit == UNIT_SECONDS)
		scale = scale_seconds(
			unit_is_below(metric, value) ? metric->scale : value);
	else
		(void)text_copy(scale.word, sizeof scale.word, form->word);
	if (unit_is_below(metric, value)) {
		unit_figure(text, sizeof text, metric, value, scale.factor, 6);
		prefix = "";
	} else {
		number(text, form->bytes && system == UNITS_IEC_BYTES ? &iec : &si,
			value * scale.factor, 6, &prefix);
	}
	(void)text_format(
		to, size, "%s%s%s%s", text, *scale.word ? " " : "", prefix, scale.word);
}

/* A duration is written in two units; which ones is decided after rounding to the
 * smaller one, so that 59.6 s is "1m00s" and 23h59m40s "1d00h". */
struct clock_unit {
	uint64_t length; /* of the larger one, in seconds */
	char letter;
};

static const struct clock_unit clock_units[] = {
	{1, 's'}, {60, 'm'}, {3600, 'h'}, {86400, 'd'}};

enum {
	CLOCK_UNITS = sizeof clock_units / sizeof *clock_units
};

static void long_duration(char *to, size_t size, const char *sign, uint64_t left)
{
	uint64_t rounded = (left + NSEC_PER_SEC / 2) / NSEC_PER_SEC;
	size_t big = 1;

	if (rounded < 60) {
		(void)text_format(to, size, "%s%ds", sign, (int)rounded);
		return;
	}
	for (;; big++) {
		uint64_t small = clock_units[big - 1].length;
		uint64_t step = small * (uint64_t)NSEC_PER_SEC;

		rounded = (left / step + (left % step >= step / 2)) * small;
		if (big + 1 == CLOCK_UNITS || rounded < clock_units[big + 1].length)
			break;
	}
	(void)text_format(to, size, "%s%llu%c%02llu%c", sign,
		(unsigned long long)(rounded / clock_units[big].length),
		clock_units[big].letter,
		(unsigned long long)(rounded % clock_units[big].length /
				     clock_units[big - 1].length),
		clock_units[big - 1].letter);
}

void unit_duration(char *to, size_t size, int64_t nanoseconds)
{
	const char *sign = nanoseconds < 0 ? "-" : "";
	uint64_t left =
		nanoseconds < 0 ? -(uint64_t)nanoseconds : (uint64_t)nanoseconds;
	uint64_t ms = left / 1000000;

	if (left && !ms)
		(void)text_format(to, size, "%s<1ms", sign);
	else if (left && ms < 1000)
		(void)text_format(to, size, "%s%dms", sign, (int)ms);
	else
		long_duration(to, size, sign, left);
}

/* Local date and time of day of a moment, by the proleptic Gregorian calendar. */
struct date {
	int64_t year;
	int month, day;
	int second; /* of the day */
};

static struct date date_of(int64_t wall, int zone_minutes)
{
	int64_t time =
		wall / NSEC_PER_SEC - (wall % NSEC_PER_SEC < 0) + zone_minutes * 60;
	int64_t days = time / 86400 - (time % 86400 < 0);
	int64_t since, era, of_era, year, of_year;
	struct date date = {.second = (int)(time - days * 86400)};

	/* Years that begin in March put the leap day at the end; an era is 400 of
	 * them, 146097 days. 719468 days lie between 0000-03-01 and 1970-01-01. */
	since = days + 719468;
	era = since / 146097 - (since % 146097 < 0);
	of_era = since - era * 146097;
	year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (365 * year + year / 4 - year / 100);
	date.month = (int)((5 * of_year + 2) / 153);
	date.day = (int)(of_year - (153 * date.month + 2) / 5) + 1;
	date.month += date.month < 10 ? 3 : -9;
	date.year = year + era * 400 + (date.month <= 2);
	return date;
}

void unit_clock(char *to, size_t size, int64_t wall, int zone_minutes)
{
	int second = date_of(wall, zone_minutes).second;

	(void)text_format(to, size, "%02d:%02d:%02d", second / 3600, second / 60 % 60,
		second % 60);
}

void unit_date(char *to, size_t size, int64_t wall, int zone_minutes)
{
	struct date date = date_of(wall, zone_minutes);
	int zone = zone_minutes < 0 ? -zone_minutes : zone_minutes;

	(void)text_format(to, size, "%04lld-%02d-%02d %02d:%02d:%02d %c%02d%02d",
		(long long)date.year, date.month, date.day, date.second / 3600,
		date.second / 60 % 60, date.second % 60, zone_minutes < 0 ? '-' : '+',
		zone / 60, zone % 60);
}

/* How often SMALL goes into LARGE: "3.0", "12", ">999". */
static void times(char *to, double large, double small)
{
	double many = large / small;

	if (many >= 999.5)
		(void)text_copy(to, ROOM, ">999");
	else
		(void)text_format(to, ROOM, "%.*f", many < 9.95 ? 1 : 0, many);
}

void unit_ratio(char *to, size_t size, double a, double b)
{
	char text[ROOM];
	double percent = round((b - a) / a * 100);

	if (!isfinite(a) || !isfinite(b) || a < 0 || b < 0 || (a == 0.0 && b > 0)) {
		(void)text_copy(to, size, "-");
	} else if (a == b || percent == 0.0) {
		(void)text_copy(to, size, "=");
	} else if (percent >= 100) {
		times(text, b, a);
		(void)text_format(to, size, "%sx", text);
	} else if (b > 0 && percent <= -50) {
		times(text, a, b);
		(void)text_format(to, size, *text == '>' ? "<1/%s" : "1/%s",
			text + (*text == '>'));
	} else {
		(void)text_format(to, size, "%+.0f%%", percent);
	}
}

void unit_change(char *to, size_t size, double fraction)
{
	const double most = 999; /* as many times as times() tells */
	double percent = round(100 * fraction);

	if (!isfinite(percent))
		(void)text_copy(to, size, "any");
	else if (percent == 0.0) /* minus 0 too */
		(void)text_copy(to, size, "0");
	else if (fraction > most)
		(void)text_format(to, size, ">%+.0f", 100 * most);
	else
		(void)text_format(to, size, "%+.0f", percent);
}
