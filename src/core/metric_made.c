/* Metric rows that are made: of every packet class and direction, for interfaces and
 * for storage peers, and of the response times of peers. */
#include "config.h"

#include "core/metric_rows.h"

#include <inttypes.h>
#include <stdio.h>

static char titles[CLASS_MAX * PACKET_DIRECTIONS][32];
static char shares[RESPONSE_METRICS][40];

struct metric metric_made_packet(bool peer, unsigned packet_class, unsigned direction)
{
	const struct class_info *info = &packet_classes[packet_class];
	unsigned raw = peer ? raw_peer_packet(packet_class, direction)
			    : raw_packet(packet_class, direction);
	bool fault = info->sense == CLASS_BAD || info->sense == CLASS_NOTE;
	char *title = titles[packet_class * PACKET_DIRECTIONS + direction];

	(void)snprintf(title, sizeof *titles, "%s %s", info->title,
		packet_direction_word((enum packet_direction)direction));
	return (struct metric){
		.id = raw_id(raw),
		.title = direction == PACKET_UNKNOWN ? info->title : title,
		.kind = peer ? KIND_PEER : KIND_NIC,
		.form = METRIC_RATE,
		.unit = UNIT_PER_S,
		.better = fault ? BETTER_LOWER : BETTER_NEITHER,
		.num = raw,
		.scale = 1,
		.load = peer ? "peer.segments" : "capture.segments",
		.where = info->means,
		.trap = info->harmless,
	};
}

#define FROM "weir-capture: requests and answers that it saw"

/* By kind of request. */
static const struct words {
	const char *count_id, *count_title, *mean_id, *mean_title;
} words[RESPONSE_KINDS] = {
	[RESPONSE_READ] = {"peer.response.read.rate", "reads answered",
		"peer.response.read", "read response"},
	[RESPONSE_WRITE] = {"peer.response.write.rate", "writes answered",
		"peer.response.write", "write response"},
	[RESPONSE_OTHER] = {"peer.response.other.rate", "others answered",
		"peer.response.other", "other response"},
};

static struct metric counted(unsigned kind)
{
	return (struct metric){.id = words[kind].count_id,
		.title = words[kind].count_title,
		.kind = KIND_PEER,
		.form = METRIC_RATE,
		.unit = UNIT_PER_S,
		.better = BETTER_NEITHER,
		.num = raw_response_count(kind),
		.scale = 1,
		.where = FROM,
		.trap = "Counted with the answer: what hangs is not in it; what is "
			"encrypted cannot be told."};
}

static struct metric mean(unsigned kind)
{
	return (struct metric){.id = words[kind].mean_id,
		.title = words[kind].mean_title,
		.kind = KIND_PEER,
		.form = METRIC_RATIO,
		.unit = UNIT_SECONDS,
		.better = BETTER_LOWER,
		.num = raw_response_us(kind),
		.den = raw_response_count(kind),
		.scale = 1e-6,
		.load = words[kind].count_id,
		.where = FROM,
		.trap = "From the last byte of the request to the end of the answer, "
			"both "
			"as seen at this interface: queues in this host are not in "
			"it."};
}

static struct metric share(unsigned kind, unsigned edge)
{
	char *title = shares[kind * RESPONSE_PER_KIND + 2 + edge];

	(void)snprintf(title, sizeof *shares, "%ss over %" PRIu64 " us",
		packet_response_words[kind], RESPONSE_EDGE_US(edge));
	return (struct metric){.id = raw_id(raw_response_slower(kind, edge)),
		.title = title,
		.kind = KIND_PEER,
		.form = METRIC_RATIO,
		.unit = UNIT_SHARE,
		.better = BETTER_LOWER,
		.num = raw_response_slower(kind, edge),
		.den = raw_response_count(kind),
		.scale = 1,
		.where = FROM,
		.trap = "Of the answers, not of the time."};
}

struct metric metric_made_response(unsigned index)
{
	unsigned kind = index / RESPONSE_PER_KIND, part = index % RESPONSE_PER_KIND;

	if (part == 0)
		return counted(kind);
	return part == 1 ? mean(kind) : share(kind, part - 2);
}
