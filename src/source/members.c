/* Sums over the disks below one device; see the header. */
#include "config.h"

#include "source/members.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/rate.h"
#include "source/guard.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum {
	PENDING = 8, /* column of /sys/block/DISK/stat */
	DEPTH = 3,   /* target, LUN, block */
	CHECKS = 16  /* disks per reading that may not be counted */
};

static const struct {
	unsigned column, raw;
} columns[] = {
	{0, RAW_TRANSPORT_READ_OPS},
	{2, RAW_TRANSPORT_READ_SECTORS},
	{3, RAW_TRANSPORT_READ_MS},
	{4, RAW_TRANSPORT_WRITE_OPS},
	{6, RAW_TRANSPORT_WRITE_SECTORS},
	{7, RAW_TRANSPORT_WRITE_MS},
	{10, RAW_TRANSPORT_WEIGHTED_MS},
};

enum {
	COLUMNS = sizeof columns / sizeof *columns
};

void members_fini(struct members *members)
{
	for (size_t i = 0; i < members->count; i++)
		attr_close(&members->list[i].stat);
	free(members->list);
	*members = (struct members){0};
}

/* ---- which ---- */

static void meet(struct members *members, const char *sys, const char *name)
{
	struct member *member;
	char folder[ATTR_PATH];
	size_t i = 0;

	if (strlen(name) >= SUBJECT_NAME ||
		!text_format(folder, sizeof folder, "%s/block/%s", sys, name))
		return;
	while (i < members->count && strcmp(members->list[i].name, name) != 0)
		i++;
	if (i < members->count) {
		member = &members->list[i];
		member->seen = true;
		if (member->stat.fd < 0)
			attr_open(&member->stat, folder, "stat");
		return;
	}
	xgrow(&members->list, &members->room, members->count + 1,
		sizeof *members->list);
	member = &members->list[members->count++];
	*member = (struct member){.seen = true};
	(void)text_copy(member->name, sizeof member->name, name); /* fits */
	attr_open(&member->stat, folder, "stat");
}

/* Whether NAME can lie on the way to a disk: targetH:C:T, then H:C:T:L, then block. */
static bool leads_on(unsigned depth, const char *name)
{
	if (depth == 0)
		return !strncmp(name, "target", 6);
	if (depth == 1)
		return isdigit((unsigned char)name[0]);
	return !strcmp(name, "block");
}

/* The way is DEPTH folders long; what is in the last one are disks. */
struct way {
	struct members *members;
	const char *sys;
};

static void walk(const struct way *way, const char *folder, unsigned depth)
{
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	char path[ATTR_PATH];

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (depth == DEPTH)
			meet(way->members, way->sys, entry->d_name);
		else if (leads_on(depth, entry->d_name) &&
			 text_format(path, sizeof path, "%s/%s", folder, entry->d_name))
			walk(way, path, depth + 1);
	}
	(void)closedir(dir); /* only read */
}

void members_look(struct members *members, const char *sys, const char *folder)
{
	struct way way = {members, sys};
	size_t kept = 0;

	for (size_t i = 0; i < members->count; i++)
		members->list[i].seen = false;
	walk(&way, folder, 0);
	for (size_t i = 0; i < members->count; i++)
		if (members->list[i].seen)
			members->list[kept++] = members->list[i];
		else
			attr_close(&members->list[i].stat);
	members->count = kept;
}

/* ---- what they did ---- */

/* Where accounting is off the counters are those of the moment it was: no figure. Those
 * that stand still are looked at in turn. */
void members_check(struct members *members, const char *sys)
{
	size_t left = members->count < CHECKS ? members->count : CHECKS;
	char folder[ATTR_PATH];
	uint64_t counted;

	for (; left; left--) {
		struct member *member =
			&members->list[members->check_next++ % members->count];

		counted = 1;
		if (text_format(
			    folder, sizeof folder, "%s/block/%s", sys, member->name) &&
			guard_u64(folder, "queue/iostats", &counted) != WHY_LATE)
			member->off = !counted;
	}
}

static bool is_ms(unsigned column)
{
	return column == 3 || column == 7 || column == 10;
}

/* A counter that went back is another disk's: it begins anew. */
static void add(struct members *members, struct member *member,
	const uint64_t now[DISKSTATS_COLUMNS])
{
	uint64_t step;

	for (size_t i = 0; member->read && i < COLUMNS; i++) {
		unsigned column = columns[i].column;
		enum raw_form form = is_ms(column) ? RAW_COUNTER32 : RAW_COUNTER;

		if (rate_difference(form, member->last[column], now[column], &step) ==
			WHY_NONE)
			members->sums[column] += step;
	}
	members->pending += now[PENDING];
	memcpy(member->last, now, sizeof member->last);
	member->read = true;
}

bool members_read(struct members *members)
{
	bool all = true;

	members->pending = 0;
	members->why = WHY_NONE;
	for (size_t i = 0; i < members->count; i++) {
		struct member *member = &members->list[i];
		uint64_t now[DISKSTATS_COLUMNS];
		char text[256];
		const char *at = text;
		enum why why = attr_text(&member->stat, text, sizeof text);

		if (why == WHY_DENIED || member->off)
			members->why = member->off ? WHY_OFF : why;
		if (why == WHY_NONE && diskstats_columns(&at, now)) {
			add(members, member, now);
			continue;
		}
		if (why == WHY_DENIED)
			continue; /* it is opened anew when it is time to look */
		all = false;
		member->name[0] = 0; /* so that it is opened anew, if it is back */
	}
	return all;
}

void members_put(const struct members *members, struct sink *sink, unsigned subject)
{
	sink_put(sink, subject, RAW_TRANSPORT_DISKS, members->count);
	if (members->why != WHY_NONE)
		sink_none(sink, subject, RAW_TRANSPORT_PENDING, members->why);
	else
		sink_put(sink, subject, RAW_TRANSPORT_PENDING, members->pending);
	for (size_t i = 0; i < COLUMNS; i++)
		if (members->why != WHY_NONE)
			sink_none(sink, subject, columns[i].raw, members->why);
		else
			sink_put(sink, subject, columns[i].raw,
				members->sums[columns[i].column]);
}
