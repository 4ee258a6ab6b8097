/*
 * Numbers for people: at most WIDTH columns, the unit scaled to fit, never a
 * bare "M". Pure; no locale. Three digits at most; what rounds to 0 without being
 * 0 is written "<.01", what is no figure (NaN, infinite) "?".
 */
#ifndef WEIR_CORE_UNIT_H
#define WEIR_CORE_UNIT_H

#include "core/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unit_system {
	UNITS_SI_BYTES,
	UNITS_IEC_BYTES,
	UNITS_SI_BITS
};

/* "41.0", "7.21G", "0.34", "?" for no figure, ">1e9" never. SIZE bytes of room.
 * WIDTH is at least 4, or 5 where values may be negative; what cannot be written
 * in WIDTH columns (above 999E) is "#". */
void unit_number(char *to, size_t size, double value, int width);

/* As above, of a figure of METRIC times FACTOR. A wait of 0 is one that was shorter
 * than the clock it was counted with: "<1", in the unit that FACTOR brings it to. */
void unit_figure(char *to, size_t size, const struct metric *metric, double value,
	double factor, int width);
/* Whether VALUE of METRIC is such a wait. */
bool unit_is_below(const struct metric *metric, double value);

/* The value in UNIT with its unit word: "708 MB/s", "34.2 ms", "9.1 %". Bytes are
 * written as SYSTEM says, bits and all else always in SI. */
void unit_value(char *to, size_t size, const struct metric *metric, double value,
	enum unit_system system);

/* The base unit as a word for machines: "", "/s", "B/s", "b/s", "s", "share", "B". */
const char *unit_base(const struct metric *metric);

/* One unit for a whole row: FACTOR brings a value into it, WORD ("MB/s", "ms", "%",
 * "" for a plain count) is written once beside it. Chosen so that LARGEST has one to
 * three digits before the point. */
struct unit_scale {
	double factor;
	char word[8];
};
struct unit_scale unit_scale(
	const struct metric *metric, double largest, enum unit_system system);

/* "4m10s", "27m08s", "1d04h", "38s", "500ms". */
void unit_duration(char *to, size_t size, int64_t nanoseconds);

/* Wall clock with the zone given: "HH:MM:SS", "2026-10-01 02:06:10 +0200". */
void unit_clock(char *to, size_t size, int64_t wall, int zone_minutes);
void unit_date(char *to, size_t size, int64_t wall, int zone_minutes);

/* "3.0x", "1/2.7", "-4%", "=" : how B stands to A, at most 6 columns; "=" also where
 * the difference rounds to 0 %; "-" where there is no ratio. */
void unit_ratio(char *to, size_t size, double a, double b);

/* A change as whole per cent: "+12", "-3", "0" (never "-0"), ">+99900", "any" where it
 * has no end. */
void unit_change(char *to, size_t size, double fraction);

#endif
