/*
 * Numbers for people: at most WIDTH columns, the unit scaled to fit, never a
 * bare "M". Pure; no locale.
 */
#ifndef WEIR_CORE_UNIT_H
#define WEIR_CORE_UNIT_H

#include "core/metric.h"
#include "core/rate.h"

#include <stddef.h>

enum unit_system {
	UNITS_SI_BYTES,
	UNITS_IEC_BYTES,
	UNITS_SI_BITS
};

/* "41.0", "7.21G", "0.34", "?" for no figure, ">1e9" never. SIZE bytes of room. */
void unit_number(char *to, size_t size, double value, int width);

/* The value in UNIT with its unit word: "708 MB/s", "34.2 ms", "9.1 %". */
void unit_value(char *to, size_t size, const struct metric *metric, double value,
	enum unit_system system);

/* "4m10s", "27m08s", "1d04h", "38s". */
void unit_duration(char *to, size_t size, int64_t nanoseconds);

/* Wall clock with the zone given: "HH:MM:SS", "2026-10-01 02:06:10 +0200". */
void unit_clock(char *to, size_t size, int64_t wall, int zone_minutes);
void unit_date(char *to, size_t size, int64_t wall, int zone_minutes);

/* "3.0x", "1/2.7", "-4%", "=" : how B stands to A; "-" where there is no ratio. */
void unit_ratio(char *to, size_t size, double a, double b);

#endif
