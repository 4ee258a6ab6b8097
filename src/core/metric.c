/* The metric table: the rows by hand, then those of the packet classes. */
#include "config.h"

#include "core/metric.h"

#include "core/metric_rows.h"
#include "packet/class.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIXED_MAX = 320,
	PACKET_MAX = CLASS_MAX * PACKET_DIRECTIONS
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
};

/* Built once from the rows. */
static struct metric packets[PACKET_MAX];
static char packet_titles[PACKET_MAX][32];
static const struct metric *rows[FIXED_MAX + PACKET_MAX];
static uint16_t by_id[FIXED_MAX + PACKET_MAX];
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

static const struct metric *packet_row(unsigned packet_class, unsigned direction)
{
	const struct class_info *info = &packet_classes[packet_class];
	unsigned n = packet_class * PACKET_DIRECTIONS + direction;
	unsigned raw = raw_packet(packet_class, direction);
	bool fault = info->sense == CLASS_BAD || info->sense == CLASS_NOTE;

	(void)snprintf(packet_titles[n], sizeof packet_titles[n], "%s %s", info->title,
		packet_direction_word((enum packet_direction)direction));
	packets[n] = (struct metric){
		.id = raw_id(raw),
		.title = direction == PACKET_UNKNOWN ? info->title : packet_titles[n],
		.kind = KIND_NIC,
		.form = METRIC_RATE,
		.unit = UNIT_PER_S,
		.better = fault ? BETTER_LOWER : BETTER_NEITHER,
		.num = raw,
		.scale = 1,
		.load = "capture.segments",
		.where = info->means,
		.trap = info->harmless,
	};
	return &packets[n];
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(rows[*(const uint16_t *)a]->id, rows[*(const uint16_t *)b]->id);
}

static void build(void)
{
	for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
		for (unsigned i = 0; i < parts[p]->count && count < FIXED_MAX; i++)
			rows[count++] = &parts[p]->rows[i];
	fixed_count = count;
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			rows[count++] = packet_row(i, d);
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

int metric_packet_class(unsigned metric, unsigned *direction)
{
	ready();
	if (metric < fixed_count || metric >= count)
		return -1;
	*direction = (metric - fixed_count) % PACKET_DIRECTIONS;
	return (int)((metric - fixed_count) / PACKET_DIRECTIONS);
}

bool metric_has_den(const struct metric *metric)
{
	return metric->form == METRIC_RATIO || metric->form == METRIC_SUM;
}
