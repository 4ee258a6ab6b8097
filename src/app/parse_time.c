/*
 * Durations and times as people write them. A local time is turned into wall clock
 * by trying every offset in force around it, so that one which a clock change
 * repeats or skips is found out instead of guessed.
 */
#include "config.h"

#include "app/command.h"

#include "base/nsec.h"
#include "base/scan.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

enum {
	DAY_S = 86400
};

/* Later ones are slips, and from 2262 on they are no number of nanoseconds. */
static const int64_t last_year = 2199, last_second = INT64_C(7258118399);
static const nsec duration_max = INT64_C(3650) * DAY_S * NSEC_PER_SEC;

static bool digits(const char **at, size_t least, size_t most, int64_t *value)
{
	size_t count = 0;

	*value = 0;
	while (count < most && isdigit((unsigned char)(*at)[count]))
		*value = *value * 10 + ((*at)[count++] - '0');
	if (count < least)
		return false;
	*at += count;
	return true;
}

/* ".25" in nanoseconds; nothing there is zero. */
static bool fraction(const char **at, nsec *part)
{
	nsec unit = NSEC_PER_SEC / 10;

	*part = 0;
	if (**at != '.')
		return true;
	++*at;
	if (!isdigit((unsigned char)**at))
		return false;
	for (; isdigit((unsigned char)**at); ++*at, unit /= 10)
		*part += (**at - '0') * unit;
	return true;
}

static int64_t unit_seconds(char unit)
{
	static const char units[] = "dhms";
	static const int64_t seconds[] = {DAY_S, 3600, 60, 1};
	const char *found = unit ? strchr(units, unit) : NULL;

	return found ? seconds[found - units] : 0;
}

/* Units may follow each other from long to short: 1h30m. */
static bool scan_duration(const char **at, nsec *duration)
{
	int64_t last = INT64_MAX;
	nsec sum = 0;

	while (isdigit((unsigned char)**at)) {
		int64_t number;
		int64_t unit;
		nsec part;

		if (!digits(at, 1, 9, &number) || !fraction(at, &part))
			return false;
		unit = unit_seconds(**at);
		if (!unit || unit >= last ||
			number > duration_max / NSEC_PER_SEC / unit)
			return false;
		last = unit;
		sum += number * unit * NSEC_PER_SEC + part * unit;
		++*at;
	}
	*duration = sum;
	return sum > 0 && sum <= duration_max;
}

bool parse_duration(const char *text, int64_t *duration, struct fault *fault)
{
	const char *at = text;

	if (scan_duration(&at, duration) && !*at)
		return true;
	return fault_set(fault,
		"'%s' is no duration: give a number with s, m, h or d, such as 90s, "
		"10m "
		"or 1h30m",
		text);
}

static bool same_moment(const struct tm *a, const struct tm *b)
{
	return a->tm_year == b->tm_year && a->tm_mon == b->tm_mon &&
	       a->tm_mday == b->tm_mday && a->tm_hour == b->tm_hour &&
	       a->tm_min == b->tm_min && a->tm_sec == b->tm_sec;
}

/* How many moments bear this local time: 0, 1 or 2. *FOUND is the last of them. */
static int local_moments(const struct tm *wanted, time_t *found)
{
	struct tm copy = *wanted;
	time_t as_utc = timegm(&copy);
	time_t first = 0;
	int count = 0;

	for (int day = -1; day <= 1; day++) {
		time_t around = as_utc + day * DAY_S;
		struct tm local;
		time_t candidate;

		if (!localtime_r(&around, &local))
			continue;
		candidate = as_utc - local.tm_gmtoff;
		if (!localtime_r(&candidate, &local) || !same_moment(&local, wanted) ||
			(count && candidate == first))
			continue;
		first = candidate;
		count++;
	}
	*found = first;
	return count;
}

static bool resolve(
	const struct tm *wanted, const char *text, time_t *moment, struct fault *fault)
{
	int count = local_moments(wanted, moment);

	if (count == 1)
		return true;
	if (!count)
		return fault_set(fault,
			"'%s' does not exist here: a clock change skipped it; give "
			"Unix "
			"seconds or an offset, such as 2026-10-01T02:30+02:00",
			text);
	return fault_set(fault,
		"'%s' was twice: a clock change repeated it; give Unix seconds or an "
		"offset, such as 2026-10-01T02:30+02:00",
		text);
}

/* HH:MM[:SS[.fff]] */
static bool scan_clock(const char **at, struct tm *tm, nsec *part)
{
	int64_t hour;
	int64_t minute;
	int64_t second = 0;

	*part = 0;
	if (!digits(at, 2, 2, &hour) || **at != ':')
		return false;
	++*at;
	if (!digits(at, 2, 2, &minute))
		return false;
	if (**at == ':') {
		++*at;
		if (!digits(at, 2, 2, &second) || !fraction(at, part))
			return false;
	}
	tm->tm_hour = (int)hour;
	tm->tm_min = (int)minute;
	tm->tm_sec = (int)second;
	return hour < 24 && minute < 60 && second < 60;
}

/* YYYY-MM-DD that is in the calendar. */
static bool scan_date(const char **at, struct tm *tm)
{
	int64_t year;
	int64_t month;
	int64_t day;
	struct tm back;

	if (!digits(at, 4, 4, &year) || *(*at)++ != '-' || !digits(at, 2, 2, &month) ||
		*(*at)++ != '-' || !digits(at, 2, 2, &day))
		return false;
	*tm = (struct tm){.tm_year = (int)year - 1900,
		.tm_mon = (int)month - 1,
		.tm_mday = (int)day};
	back = *tm;
	return year >= 1970 && year <= last_year && timegm(&back) != (time_t)-1 &&
	       same_moment(&back, tm);
}

/* "Z", "+02:00", "-0330", "+02": seconds east. */
static bool scan_offset(const char **at, int64_t *east)
{
	int64_t hour;
	int64_t minute = 0;
	int sign = **at == '-' ? -1 : 1;

	*east = 0;
	if (**at == 'Z') {
		++*at;
		return true;
	}
	if (**at != '+' && **at != '-')
		return false;
	++*at;
	if (!digits(at, 2, 2, &hour))
		return false;
	if (**at == ':')
		++*at;
	if (**at && !digits(at, 2, 2, &minute))
		return false;
	*east = sign * (hour * 3600 + minute * 60);
	return hour < 15 && minute < 60;
}

static bool not_a_time(const char *text, struct fault *fault)
{
	return fault_set(fault,
		"'%s' is no time: give HH:MM[:SS], 2026-10-01T02:06, Unix seconds, or "
		"\"10m ago\"",
		text);
}

static bool parse_iso(const char *text, int64_t *wall, struct fault *fault)
{
	const char *at = text;
	struct tm tm;
	nsec part = 0;
	int64_t east;
	time_t moment;

	if (!scan_date(&at, &tm))
		return not_a_time(text, fault);
	if (*at && ((*at != 'T' && *at != ' ') || (at++, !scan_clock(&at, &tm, &part))))
		return not_a_time(text, fault);
	if (!*at) {
		if (!resolve(&tm, text, &moment, fault))
			return false;
	} else if (scan_offset(&at, &east) && !*at) {
		moment = timegm(&tm) - east;
	} else {
		return not_a_time(text, fault);
	}
	*wall = (nsec)moment * NSEC_PER_SEC + part;
	return true;
}

/* The last moment at or before NOW at which a clock on the wall showed TEXT. */
static bool parse_clock(const char *text, nsec now, int64_t *wall, struct fault *fault)
{
	const char *at = text;
	time_t seconds = (time_t)(now / NSEC_PER_SEC);
	struct tm today;
	struct tm tm;
	nsec part;

	if (!localtime_r(&seconds, &today))
		return not_a_time(text, fault);
	for (int back = 0; back <= 1; back++) {
		time_t moment;

		tm = (struct tm){.tm_year = today.tm_year,
			.tm_mon = today.tm_mon,
			.tm_mday = today.tm_mday - back};
		(void)timegm(&tm); /* the day before the first of a month */
		at = text;
		if (!scan_clock(&at, &tm, &part) || *at)
			return not_a_time(text, fault);
		if (!resolve(&tm, text, &moment, fault))
			return false;
		*wall = (nsec)moment * NSEC_PER_SEC + part;
		if (*wall <= now)
			return true;
	}
	return not_a_time(text, fault);
}

static bool parse_ago(const char *text, nsec now, int64_t *wall)
{
	const char *at = text;
	nsec duration;

	if (!scan_duration(&at, &duration) || !scan_exact(&at, "ago") || !scan_end(at))
		return false;
	*wall = now - duration;
	return true;
}

static bool parse_unix(const char *text, int64_t *wall)
{
	const char *at = text;
	int64_t seconds;
	nsec part;

	/* Nine digits and more: 1973 and later. Fewer would be a slip, not a time. */
	if (!digits(&at, 9, 10, &seconds) || seconds > last_second ||
		!fraction(&at, &part) || *at)
		return false;
	*wall = seconds * NSEC_PER_SEC + part;
	return true;
}

bool parse_time(const char *text, int64_t now, int64_t *wall, struct fault *fault)
{
	if (parse_unix(text, wall) || parse_ago(text, now, wall))
		return true;
	if (strchr(text, '-') && strcspn(text, "-") == 4)
		return parse_iso(text, wall, fault);
	return parse_clock(text, now, wall, fault);
}
