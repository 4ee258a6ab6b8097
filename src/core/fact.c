/* Facts by device and key, each with its past; see the header. */
#include "config.h"

#include "core/fact.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 256 /* places of the table; a power of two */
};

#define NO_ENTRY UINT32_MAX

struct fact_device {
	enum kind kind;
	char *name, *id;
};

struct fact_row {
	uint32_t device;
	uint32_t first, last; /* entries */
	uint32_t round;       /* in which it was put last */
	char *key;
};

struct fact_entry {
	nsec at;
	uint32_t row;
	uint32_t before, after; /* entries of the same row, or NO_ENTRY */
	enum why why;
	char *value; /* null unless WHY is WHY_NONE */
};

void facts_fini(struct facts *facts)
{
	for (size_t i = 0; i < facts->device_count; i++) {
		free(facts->devices[i].name);
		free(facts->devices[i].id);
	}
	for (size_t i = 0; i < facts->row_count; i++)
		free(facts->rows[i].key);
	for (size_t i = 0; i < facts->count; i++)
		free(facts->entries[i].value);
	free(facts->devices);
	free(facts->rows);
	free(facts->entries);
	free(facts->table);
	*facts = (struct facts){0};
}

/* ---- finding ---- */

static uint64_t mix(uint64_t sum, const char *text)
{
	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * 1099511628211u; /* FNV-1a */
	return (sum ^ 0xff) * 1099511628211u;
}

static size_t hash(enum kind kind, const char *identity, const char *key)
{
	uint64_t sum = 14695981039346656037u ^ (uint64_t)kind;

	sum = mix(mix(sum, identity), key);
	return (size_t)(sum ^ sum >> 32);
}

static const char *identity(const char *name, const char *id)
{
	return *id ? id : name;
}

static bool is_device(const struct fact_device *device, const struct fact *fact)
{
	return device->kind == fact->kind && !*device->id == !*fact->id &&
	       !strcmp(identity(device->name, device->id),
		       identity(fact->name, fact->id));
}

static bool is_row(
	const struct facts *facts, const struct fact_row *row, const struct fact *fact)
{
	return !strcmp(row->key, fact->key) &&
	       is_device(&facts->devices[row->device], fact);
}

/* The place of the row in the table, or the empty one where it belongs. */
static uint32_t *place(const struct facts *facts, const struct fact *fact)
{
	size_t mask = facts->table_size - 1;
	size_t at = hash(fact->kind, identity(fact->name, fact->id), fact->key) & mask;

	while (facts->table[at] &&
		!is_row(facts, &facts->rows[facts->table[at] - 1], fact))
		at = (at + 1) & mask;
	return &facts->table[at];
}

static void enlarge(struct facts *facts)
{
	size_t size = facts->table_size ? 2 * facts->table_size : LEAST;

	free(facts->table);
	facts->table = xarray(size, sizeof *facts->table);
	facts->table_size = size;
	for (size_t i = 0; i < facts->row_count; i++) {
		const struct fact_row *row = &facts->rows[i];
		const struct fact_device *device = &facts->devices[row->device];
		const struct fact like = {.kind = device->kind,
			.name = device->name,
			.id = device->id,
			.key = row->key};

		*place(facts, &like) = (uint32_t)i + 1;
	}
}

/* ---- putting ---- */

static uint32_t device_of(struct facts *facts, const struct fact *fact)
{
	size_t i = facts->device_count;

	while (i-- > 0) /* rows come device by device: mostly the last one */
		if (is_device(&facts->devices[i], fact))
			return (uint32_t)i;
	i = facts->device_count++;
	xgrow(&facts->devices, &facts->device_room, facts->device_count,
		sizeof *facts->devices);
	facts->devices[i] = (struct fact_device){.kind = fact->kind,
		.name = xstrdup(fact->name),
		.id = xstrdup(fact->id)};
	return (uint32_t)i;
}

static struct fact_row *add_row(struct facts *facts, const struct fact *fact)
{
	struct fact_row row = {.device = device_of(facts, fact),
		.first = NO_ENTRY,
		.last = NO_ENTRY,
		.key = xstrdup(fact->key)};

	if (2 * (facts->row_count + 1) > facts->table_size)
		enlarge(facts);
	*place(facts, fact) = (uint32_t)facts->row_count + 1;
	xgrow(&facts->rows, &facts->row_room, facts->row_count + 1,
		sizeof *facts->rows);
	facts->rows[facts->row_count] = row;
	return &facts->rows[facts->row_count++];
}

static struct fact_row *find_row(const struct facts *facts, const struct fact *fact)
{
	uint32_t at = facts->table_size ? *place(facts, fact) : 0;

	return at ? &facts->rows[at - 1] : NULL;
}

static void rename_device(struct fact_device *device, const char *name)
{
	if (!strcmp(device->name, name))
		return;
	free(device->name);
	device->name = xstrdup(name);
}

static bool same(const struct fact_entry *entry, const struct fact *fact)
{
	return entry->why == fact->why &&
	       (fact->why != WHY_NONE || !strcmp(entry->value, fact->value));
}

/* Times that go back, which only a damaged file has, are taken as the last one. */
static void append(struct facts *facts, struct fact_row *row, const struct fact *fact)
{
	struct fact_entry entry = {.at = fact->at,
		.row = (uint32_t)(row - facts->rows),
		.before = row->last,
		.after = NO_ENTRY,
		.why = fact->why};
	uint32_t at = (uint32_t)facts->count;

	if (fact->why == WHY_NONE)
		entry.value = xstrdup(fact->value);
	xgrow(&facts->entries, &facts->room, facts->count + 1, sizeof *facts->entries);
	if (row->last == NO_ENTRY) {
		row->first = at;
	} else {
		struct fact_entry *before = &facts->entries[row->last];

		before->after = at;
		entry.at = entry.at < before->at ? before->at : entry.at;
	}
	row->last = at;
	facts->entries[facts->count++] = entry;
}

static void note_first(struct facts *facts, const struct fact *fact)
{
	if (!facts->read[fact->kind] || fact->at < facts->since[fact->kind])
		facts->since[fact->kind] = fact->at;
	facts->read[fact->kind] = true;
}

bool facts_put(struct facts *facts, const struct fact *fact)
{
	struct fact_row *row = find_row(facts, fact);

	if (!row)
		row = add_row(facts, fact);
	row->round = facts->round;
	rename_device(&facts->devices[row->device], fact->name);
	if (row->last != NO_ENTRY && same(&facts->entries[row->last], fact))
		return false;
	append(facts, row, fact);
	note_first(facts, fact);
	return true;
}

/* ---- asking ---- */

/* ENTRY of ROW, or, without one, what it means that at AT there is none. */
static struct fact fact_of(
	const struct facts *facts, const struct fact_row *row, uint32_t entry, nsec at)
{
	const struct fact_device *device = &facts->devices[row->device];
	struct fact fact = {.at = at,
		.kind = device->kind,
		.name = device->name,
		.id = device->id,
		.key = row->key,
		.value = "",
		.why = at < facts->since[device->kind] ? WHY_FIRST : WHY_ABSENT};

	if (entry == NO_ENTRY)
		return fact;
	fact.at = facts->entries[entry].at;
	fact.why = facts->entries[entry].why;
	if (fact.why == WHY_NONE)
		fact.value = facts->entries[entry].value;
	return fact;
}

struct fact facts_at_index(const struct facts *facts, size_t index)
{
	const struct fact_row *row = &facts->rows[facts->entries[index].row];

	return fact_of(facts, row, (uint32_t)index, 0);
}

struct fact facts_before(const struct facts *facts, size_t index)
{
	const struct fact_entry *entry = &facts->entries[index];

	return fact_of(facts, &facts->rows[entry->row], entry->before, entry->at - 1);
}

static struct fact row_at(
	const struct facts *facts, const struct fact_row *row, nsec at)
{
	uint32_t entry = NO_ENTRY;

	for (uint32_t i = row->first; i != NO_ENTRY; i = facts->entries[i].after) {
		if (facts->entries[i].at > at)
			break;
		entry = i;
	}
	return fact_of(facts, row, entry, at);
}

struct fact facts_at(const struct facts *facts, const struct fact *of, nsec at)
{
	const struct fact_row *row = find_row(facts, of);
	struct fact none = *of;

	if (row)
		return row_at(facts, row, at);
	none.at = at;
	none.value = "";
	none.why = facts->read[of->kind] && at >= facts->since[of->kind] ? WHY_ABSENT
									 : WHY_FIRST;
	return none;
}

void facts_round(struct facts *facts)
{
	facts->round++;
}

void facts_gone(struct facts *facts, enum kind kind,
	void (*each)(void *context, const struct fact *fact), void *context)
{
	for (size_t i = 0; i < facts->row_count; i++) {
		const struct fact_row *row = &facts->rows[i];
		struct fact gone;

		if (row->round == facts->round ||
			facts->devices[row->device].kind != kind ||
			facts->entries[row->last].why == WHY_ABSENT)
			continue;
		gone = fact_of(facts, row, row->last, 0);
		gone.value = "";
		gone.why = WHY_ABSENT;
		each(context, &gone);
	}
}

void facts_each(const struct facts *facts, nsec at,
	void (*each)(void *context, const struct fact *fact), void *context)
{
	for (size_t i = 0; i < facts->row_count; i++) {
		struct fact fact = row_at(facts, &facts->rows[i], at);

		if (fact.why != WHY_FIRST && fact.why != WHY_ABSENT)
			each(context, &fact);
	}
}

/* Whether it says something about the host, be it that there is no such thing. What
 * weir could see is not how the host is set up. */
static bool is_known(const struct fact *fact)
{
	return fact->kind != KIND_SOURCE && strcmp(fact->key, FACT_CLOCK) != 0 &&
	       (fact->why == WHY_NONE || fact->why == WHY_ABSENT ||
		       fact->why == WHY_UNSUPPORTED || fact->why == WHY_OFF);
}

bool fact_changed(const struct fact *a, const struct fact *b)
{
	if (!is_known(a) || !is_known(b))
		return false;
	if (a->why == WHY_NONE && b->why == WHY_NONE)
		return strcmp(a->value, b->value) != 0;
	return a->why == WHY_NONE || b->why == WHY_NONE;
}

size_t facts_difference(const struct facts *facts, nsec a, nsec b,
	void (*each)(void *context, const struct fact *a, const struct fact *b),
	void *context)
{
	size_t compared = 0;

	for (size_t i = 0; i < facts->row_count; i++) {
		struct fact before = row_at(facts, &facts->rows[i], a);
		struct fact after = row_at(facts, &facts->rows[i], b);

		if (!is_known(&before) || !is_known(&after) ||
			(before.why != WHY_NONE && after.why != WHY_NONE))
			continue;
		compared++;
		if (fact_changed(&before, &after))
			each(context, &before, &after);
	}
	return compared;
}

const char *fact_text(const struct fact *fact)
{
	static const char *const whys[WHY_COUNT] = {
		[WHY_FIRST] = "(not read yet)",
		[WHY_OFF] = "(off)",
		[WHY_UNSUPPORTED] = "(not reported)",
		[WHY_DENIED] = "(denied)",
		[WHY_ABSENT] = "(not there)",
	};

	if (fact->why == WHY_NONE)
		return fact->value;
	return whys[fact->why] ? whys[fact->why] : "(unknown)";
}
