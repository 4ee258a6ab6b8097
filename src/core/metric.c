/* The metric table: the rows by hand, then those of the packet classes. */
#include "config.h"

#include "core/metric.h"

#include "core/metric_rows.h"
#include "packet/peer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIXED_MAX = 320,
	PACKET_MAX = CLASS_MAX * PACKET_DIRECTIONS,
	MADE_MAX = 2 * PACKET_MAX + RESPONSE_METRICS
};

static const struct metric_rows *const parts[] = {&metric_rows_host, &metric_rows_disk,
	&metric_rows_nic, &metric_rows_peer, &metric_rows_mount, &metric_rows_detail,
	&metric_rows_transport};

static const char *const kind_words[KIND_COUNT] = {
	[KIND_HOST] = "host",
	[KIND_DISK] = "disk",
	[KIND_NIC] = "nic",
	[KIND_PEER] = "peer",
	[KIND_MOUNT] = "mount",
	[KIND_CONNECTION] = "connection",
	[KIND_CALL] = "call",
	[KIND_COUNTER] = "counter",
	[KIND_TRANSPORT] = "transport",
	[KIND_SOURCE] = "source",
};

/* Built once from the rows. */
static struct metric packets[2][PACKET_MAX]; /* of interfaces, of peers */
static struct metric responses[RESPONSE_METRICS];
static const struct metric *rows[FIXED_MAX + MADE_MAX];
static uint16_t by_id[FIXED_MAX + MADE_MAX];
static unsigned fixed_count, count;
static pthread_once_t built = PTHREAD_ONCE_INIT;
static atomic_bool is_built;

const char *kind_word(enum kind kind)
{
	return (unsigned)kind < KIND_COUNT ? kind_words[kind] : "";
}

bool kind_find(const char *word, enum kind *kind)
{
	for (unsigned i = 0; i < KIND_COUNT; i++)
		if (!strcmp(kind_words[i], word)) {
			*kind = (enum kind)i;
			return true;
		}
	return false;
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(rows[*(const uint16_t *)a]->id, rows[*(const uint16_t *)b]->id);
}

static unsigned per_subject(void)
{
	return packet_class_count * PACKET_DIRECTIONS;
}

static void build(void)
{
	for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
		for (unsigned i = 0; i < parts[p]->count && count < FIXED_MAX; i++)
			rows[count++] = &parts[p]->rows[i];
	fixed_count = count;
	for (unsigned which = 0; which < 2; which++)
		for (unsigned i = 0; i < per_subject(); i++) {
			packets[which][i] = metric_made_packet(which != 0,
				i / PACKET_DIRECTIONS, i % PACKET_DIRECTIONS);
			rows[count++] = &packets[which][i];
		}
	for (unsigned i = 0; i < RESPONSE_METRICS; i++) {
		responses[i] = metric_made_response(i);
		rows[count++] = &responses[i];
	}
	for (unsigned i = 0; i < count; i++)
		by_id[i] = (uint16_t)i;
	qsort(by_id, count, sizeof *by_id, compare_ids);
	atomic_store_explicit(&is_built, true, memory_order_release);
}

/* Asked for each figure: an ordinary load where all is built. */
static void ready(void)
{
	if (!atomic_load_explicit(&is_built, memory_order_acquire))
		(void)pthread_once(&built, build); /* cannot fail like this */
}

unsigned metric_count(void)
{
	ready();
	return count;
}

const struct metric *metric_at(unsigned metric)
{
	ready();
	return rows[metric];
}

int metric_find(const char *id)
{
	unsigned low = 0, high = metric_count();

	while (low < high) {
		unsigned middle = (low + high) / 2;
		int order = strcmp(id, rows[by_id[middle]]->id);

		if (!order)
			return by_id[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -1;
}

/* The class of METRIC where it is one of those that begin at FROM. */
static int class_of(unsigned metric, unsigned from, unsigned *direction)
{
	if (metric < from || metric >= from + per_subject())
		return -1;
	*direction = (metric - from) % PACKET_DIRECTIONS;
	return (int)((metric - from) / PACKET_DIRECTIONS);
}

int metric_packet_class(unsigned metric, unsigned *direction)
{
	ready();
	return class_of(metric, fixed_count, direction);
}

int metric_peer_class(unsigned metric, unsigned *direction)
{
	ready();
	return class_of(metric, fixed_count + per_subject(), direction);
}

unsigned metric_of_class(enum kind kind, unsigned packet_class, unsigned direction)
{
	ready();
	return fixed_count + (kind == KIND_PEER ? per_subject() : 0) +
	       packet_class * PACKET_DIRECTIONS + direction;
}

unsigned metric_slower(unsigned kind, unsigned edge)
{
	ready();
	return fixed_count + 2 * per_subject() + kind * RESPONSE_PER_KIND + 2 + edge;
}

bool metric_has_den(const struct metric *metric)
{
	return metric->form == METRIC_RATIO || metric->form == METRIC_SUM;
}
