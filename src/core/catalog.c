/* The subjects and series of one run (core/tick.h). Sources report in the same
 * order each tick, so a search starts behind the place of the last hit. */
#include "config.h"

#include "base/alloc.h"
#include "core/tick.h"

#include <stdlib.h>
#include <string.h>

void catalog_fini(struct catalog *catalog)
{
	free(catalog->subjects);
	free(catalog->series);
	*catalog = (struct catalog){0};
}

static bool same_subject(const struct subject *a, const struct subject *b)
{
	return a->kind == b->kind && !strcmp(a->name, b->name) && !strcmp(a->id, b->id);
}

static bool same_words(const struct subject *a, const struct subject *b)
{
	return a->flags == b->flags && !strcmp(a->label, b->label) &&
	       !strcmp(a->detail, b->detail);
}

uint32_t catalog_subject(
	struct catalog *catalog, const struct subject *subject, bool *changed)
{
	size_t count = catalog->subject_count;
	size_t at = catalog->subject_hint;

	*changed = false;
	for (size_t i = 0; i < count; i++, at++) {
		struct subject *known = &catalog->subjects[at %= count];

		if (!same_subject(known, subject))
			continue;
		catalog->subject_hint = at + 1;
		if (same_words(known, subject))
			return (uint32_t)at;
		*known = *subject;
		*changed = true;
		catalog->revision++;
		return (uint32_t)at;
	}
	xgrow(&catalog->subjects, &catalog->subject_room, count + 1,
		sizeof *catalog->subjects);
	catalog->subjects[count] = *subject;
	catalog->subject_count++;
	return (uint32_t)count;
}

uint32_t catalog_series(struct catalog *catalog, struct series series)
{
	size_t count = catalog->series_count;
	size_t at = catalog->series_hint;

	for (size_t i = 0; i < count; i++, at++) {
		struct series *known = &catalog->series[at %= count];

		if (known->subject != series.subject || known->raw != series.raw ||
			known->source != series.source)
			continue;
		catalog->series_hint = at + 1;
		return (uint32_t)at;
	}
	xgrow(&catalog->series, &catalog->series_room, count + 1,
		sizeof *catalog->series);
	catalog->series[count] = series;
	catalog->series_count++;
	return (uint32_t)count;
}
