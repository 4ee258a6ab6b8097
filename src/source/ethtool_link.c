/* Error correction of the link, and how a card spreads packets over its queues: what
 * its driver says (linux/ethtool.h). */
#include "config.h"

#include "source/ethtool.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/fact.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <stdlib.h>
#include <string.h>

enum {
	TABLE_MOST = 4096, /* entries of a table of queues */
	QUEUES_MOST = 256
};

struct bit {
	uint64_t bit;
	const char *word;
};

/* The words of the bits that are set in VALUE. */
static void bits_text(
	uint64_t value, const struct bit *bits, size_t count, char *text, size_t size)
{
	*text = 0;
	for (size_t i = 0; i < count; i++) {
		size_t used = strlen(text);

		if (value & bits[i].bit)
			(void)text_format(text + used, size - used, "%s%s",
				used ? " " : "", bits[i].word); /* there are few */
	}
	if (!*text)
		(void)text_copy(text, size, "none"); /* fits */
}

static void put(struct sink *sink, const struct subject *subject, const char *key,
	const char *value, int error)
{
	if (!error)
		sink_fact(sink, subject, key, value, WHY_NONE);
	else if (ethtool_why(error) != WHY_ABSENT) /* else it has gone meanwhile */
		sink_fact(sink, subject, key, NULL, ethtool_why(error));
}

static void put_correction(const struct ethtool *tool, const char *name,
	struct sink *sink, const struct subject *subject)
{
	static const struct bit kinds[] = {
		{ETHTOOL_FEC_AUTO, "auto"},
		{ETHTOOL_FEC_OFF, "off"},
		{ETHTOOL_FEC_RS, "rs"},
		{ETHTOOL_FEC_BASER, "baser"},
		{ETHTOOL_FEC_LLRS, "llrs"},
	};
	struct ethtool_fecparam fec = {.cmd = ETHTOOL_GFECPARAM};
	int error = tool->call(tool, name, &fec);
	char text[64];

	bits_text(
		fec.active_fec, kinds, sizeof kinds / sizeof *kinds, text, sizeof text);
	put(sink, subject, "fec", text, error);
}

/* By which fields of a TCP packet its queue is found. */
static void put_fields(const struct ethtool *tool, const char *name, struct sink *sink,
	const struct subject *subject)
{
	static const struct bit fields[] = {
		{RXH_L2DA, "mac"},
		{RXH_VLAN, "vlan"},
		{RXH_IP_SRC, "src"},
		{RXH_IP_DST, "dst"},
		{RXH_L4_B_0_1, "sport"},
		{RXH_L4_B_2_3, "dport"},
	};
	struct ethtool_rxnfc flow = {.cmd = ETHTOOL_GRXFH, .flow_type = TCP_V4_FLOW};
	int error = tool->call(tool, name, &flow);
	char text[64];

	bits_text(flow.data, fields, sizeof fields / sizeof *fields, text, sizeof text);
	put(sink, subject, "rss.tcp4", text, error);
}

/* "128 entries over 8 queues", and where they are not spread evenly how. */
static void spread_text(const uint32_t *table, uint32_t size, char *text, size_t room)
{
	uint32_t counts[QUEUES_MOST] = {0};
	uint32_t queues = 0, most = 0, least = size;

	for (uint32_t i = 0; i < size; i++)
		if (table[i] < QUEUES_MOST)
			counts[table[i]]++;
	for (uint32_t q = 0; q < QUEUES_MOST; q++) {
		queues += counts[q] > 0;
		most = counts[q] > most ? counts[q] : most;
		least = counts[q] && counts[q] < least ? counts[q] : least;
	}
	(void)text_format(text, room, "%u entries over %u queues", size, queues);
	for (uint32_t q = 0; q < QUEUES_MOST && most > least + 1; q++) {
		size_t used = strlen(text);

		if (counts[q])
			(void)text_format(text + used, room - used, "%s%u:%u",
				strchr(text, ':') ? " " : ", ", q, counts[q]);
	}
}

static void put_spread(const struct ethtool *tool, const char *name, struct sink *sink,
	const struct subject *subject)
{
	struct ethtool_rxfh_indir size = {.cmd = ETHTOOL_GRXFHINDIR};
	struct ethtool_rxfh_indir *table;
	int error = tool->call(tool, name, &size);
	char text[FACT_VALUE] = "";

	if (!error && (!size.size || size.size > TABLE_MOST))
		error = EOPNOTSUPP;
	if (error) {
		put(sink, subject, "rss.table", NULL, error);
		return;
	}
	table = xalloc(sizeof *table + size.size * sizeof *table->ring_index);
	table->cmd = ETHTOOL_GRXFHINDIR;
	table->size = size.size;
	error = tool->call(tool, name, table);
	if (!error && table->size <= size.size)
		spread_text(table->ring_index, table->size, text, sizeof text);
	put(sink, subject, "rss.table", text, error);
	free(table);
}

void ethtool_link_facts(const struct ethtool *tool, const char *name, struct sink *sink,
	const struct subject *subject)
{
	put_correction(tool, name, sink, subject);
	put_fields(tool, name, sink, subject);
	put_spread(tool, name, sink, subject);
}
