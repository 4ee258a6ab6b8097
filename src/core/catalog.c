/* The subjects and series of one run (core/tick.h), found by their hash: a big host
 * has a hundred thousand series. */
#include "config.h"

#include "base/alloc.h"
#include "core/tick.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 256 /* places; a power of two */
};

void catalog_fini(struct catalog *catalog)
{
	free(catalog->subjects);
	free(catalog->series);
	free(catalog->subject_index.places);
	free(catalog->series_index.places);
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

static bool same_series(const struct series *a, const struct series *b)
{
	return a->subject == b->subject && a->raw == b->raw && a->source == b->source;
}

/* ---- by hash ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15); /* golden ratio */
	return hash ^ hash >> 32;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) *
		       UINT64_C(1099511628211); /* FNV */
	return mix(hash, 0);
}

static uint64_t subject_hash(const struct subject *subject)
{
	return mix_text(mix_text(subject->kind, subject->name), subject->id);
}

static uint64_t series_hash(const struct series *series)
{
	return mix(mix(series->subject, series->raw), series->source);
}

/* Places for COUNT entries and one more, at most half full. True: they are new and
 * empty, and all entries have to be entered. */
static bool make_room(struct catalog_index *index, size_t count)
{
	size_t size = index->size ? index->size : LEAST;

	while (size < (count + 1) * 2)
		size *= 2;
	if (size == index->size)
		return false;
	free(index->places);
	index->places = xarray(size, sizeof *index->places);
	index->size = size;
	return true;
}

/* The place of SUBJECT, or the empty one where it belongs. */
static uint32_t *subject_place(struct catalog *catalog, const struct subject *subject)
{
	struct catalog_index *index = &catalog->subject_index;
	uint64_t at = subject_hash(subject);

	while (index->places[at &= index->size - 1] &&
		!same_subject(&catalog->subjects[index->places[at] - 1], subject))
		at++;
	return &index->places[at];
}

static uint32_t *series_place(struct catalog *catalog, const struct series *series)
{
	struct catalog_index *index = &catalog->series_index;
	uint64_t at = series_hash(series);

	while (index->places[at &= index->size - 1] &&
		!same_series(&catalog->series[index->places[at] - 1], series))
		at++;
	return &index->places[at];
}

/* ---- what sources ask ---- */

uint32_t catalog_subject(
	struct catalog *catalog, const struct subject *subject, bool *changed)
{
	size_t count = catalog->subject_count;
	uint32_t *place;
	struct subject *known;

	*changed = false;
	if (make_room(&catalog->subject_index, count))
		for (size_t i = 0; i < count; i++)
			*subject_place(catalog, &catalog->subjects[i]) =
				(uint32_t)i + 1;
	place = subject_place(catalog, subject);
	if (!*place) {
		xgrow(&catalog->subjects, &catalog->subject_room, count + 1,
			sizeof *catalog->subjects);
		catalog->subjects[count] = *subject;
		*place = (uint32_t)++catalog->subject_count;
		return (uint32_t)count;
	}
	known = &catalog->subjects[*place - 1];
	if (!same_words(known, subject)) {
		*known = *subject;
		*changed = true;
		catalog->revision++;
	}
	return *place - 1;
}

uint32_t catalog_series(struct catalog *catalog, struct series series)
{
	size_t count = catalog->series_count;
	uint32_t *place;

	if (make_room(&catalog->series_index, count))
		for (size_t i = 0; i < count; i++)
			*series_place(catalog, &catalog->series[i]) = (uint32_t)i + 1;
	place = series_place(catalog, &series);
	if (*place)
		return *place - 1;
	xgrow(&catalog->series, &catalog->series_room, count + 1,
		sizeof *catalog->series);
	catalog->series[count] = series;
	*place = (uint32_t)++catalog->series_count;
	return (uint32_t)count;
}
