/* TCP segments (RFC 9293): header, checksum, and what the analysis found. */
#include "config.h"

#include "packet/tcp.h"

#include "packet/engine_parts.h"
#include "packet/storage.h"
#include "packet/sum.h"

enum {
	HEADER = 20,
	FLAGS_END = 14,  /* the reference counts packets whose flags it can read */
	WINDOW_END = 16, /* and follows a connection with no more than this */
	PROTOCOL = 6,
	MSS_IP4 = 1460, /* an Ethernet frame of 1500 bytes without options */
	MSS_IP6 = 1440,
	FAR = 16 << 20, /* more than most windows */
};

/* A finding as class and column. */
static const struct {
	uint32_t finding;
	enum seen seen;
	enum column column;
} findings[] = {
	{TCP_PROBE, SEEN_TCP_ZWPROBE, COLUMN_tcp_zero_window_probe},
	{TCP_ZERO_WINDOW, SEEN_TCP_ZEROWIN, COLUMN_tcp_zero_window},
	{TCP_LOST_SEGMENT, SEEN_TCP_GAP, COLUMN_tcp_lost_segment},
	{TCP_KEEP_ALIVE, SEEN_TCP_KEEPALIVE, COLUMN_tcp_keep_alive},
	{TCP_WINDOW_UPDATE, SEEN_TCP_WINUPDATE, COLUMN_tcp_window_update},
	{TCP_WINDOW_FULL, SEEN_TCP_WINFULL, COLUMN_tcp_window_full},
	{TCP_KEEP_ALIVE_ACK, SEEN_TCP_KEEPALIVE_ACK, COLUMN_tcp_keep_alive_ack},
	{TCP_PROBE_ACK, SEEN_TCP_ZWPROBE_ACK, COLUMN_tcp_zero_window_probe_ack},
	{TCP_DUPLICATE_ACK, SEEN_TCP_DUPACK, COLUMN_tcp_dup_ack},
	{TCP_ACK_LOST, SEEN_TCP_ACKED_UNSEEN, COLUMN_tcp_ack_lost_segment},
	{TCP_SPURIOUS, SEEN_TCP_SPURIOUS, COLUMN_tcp_spurious_retrans},
	{TCP_FAST, SEEN_TCP_FAST, COLUMN_tcp_fast_retrans},
	{TCP_SPURIOUS | TCP_FAST | TCP_RETRANSMISSION, SEEN_TCP_RETRANS,
		COLUMN_tcp_retrans},
	{TCP_RETRANSMISSION, SEEN_TCP_RETRANS, COLUMN_tcp_only_retrans},
	{TCP_OUT_OF_ORDER, SEEN_TCP_OOO, COLUMN_tcp_out_of_order},
	{TCP_REUSED_PORTS, SEEN_TCP_PORTREUSE, COLUMN_tcp_ports_reused},
};

static void see_findings(struct decode *decode, uint32_t found)
{
	for (size_t i = 0; found && i < sizeof findings / sizeof *findings; i++)
		if (found & findings[i].finding) {
			see(decode, findings[i].seen);
			mark(decode, findings[i].column);
		}
}

/* The sum of the pseudo header alone: what the stack leaves in the field when
 * the card is to finish the sum. WITH_LENGTH false: large sends of Windows. */
static uint16_t partial(const struct tcp_segment *segment, bool with_length)
{
	uint64_t sum = segment->network->pseudo + sum_number(PROTOCOL);

	return sum_fold(sum + (with_length ? sum_number(segment->view.length) : 0));
}

/* A wrong sum that the stack left to the card. Other systems leave 0, or the
 * length out; such frames cannot have come off the wire. */
static bool left_to_card(
	const struct tcp_segment *segment, enum packet_direction direction)
{
	uint16_t field = sum_field(segment->header + 16);

	if (field == partial(segment, true))
		return true;
	return direction != PACKET_RX &&
	       (field == 0 || field == partial(segment, false));
}

/* 0xffff in the field is the other zero: right for a receiver, but no correct
 * sender writes it (the plain rules count it as bad). */
static enum answer judge(struct tcp_segment *segment, enum packet_direction direction)
{
	const struct view *view = &segment->view;
	uint32_t size = segment->size < view->length ? segment->size : view->length;

	if (segment->network->fragment || !view_whole(view))
		return SUM_UNJUDGED;
	uint64_t payload = sum_bytes(view->data + size, view->length - size);
	uint64_t sum = segment->network->pseudo + sum_number(PROTOCOL) +
		       sum_number(view->length) + sum_bytes(view->data, size) + payload;
	segment->payload_sum = sum_fold(payload);
	uint16_t field = sum_field(segment->header + 16);
	if (sum_fold(sum) == 0xffff && !(segment->plain && field == 0xffff))
		return SUM_GOOD;
	if (!segment->plain && left_to_card(segment, direction))
		return SUM_OFFLOADED;
	/* With a damaged IP header, which TCP never gets to see: its addresses and its
	 * length may be the damage. */
	return segment->network->damaged && !segment->plain ? SUM_UNJUDGED : SUM_BAD;
}

static void see_sum_of(struct decode *decode, const struct tcp_segment *segment)
{
	bool first = decode->ip4s + decode->ip6s == 1 && !segment->network->rebuilt;

	see_sum(decode, SEEN_TCP_SUM_BAD, segment->sum);
	if (segment->sum != SUM_BAD)
		return;
	mark(decode, COLUMN_tcp_ck_bad);
	if (decode->tcps == 1)
		mark(decode, COLUMN_tcp_ck_bad_outer);
	if (first && sum_field(segment->header + 16) == partial(segment, true))
		mark(decode, COLUMN_tcp_ck_partial);
}

/* All that the analysis needs lies in the first WINDOW_END bytes. */
static void take_fields(
	struct decode *decode, struct tcp_segment *segment, const uint8_t *header)
{
	segment->header = header;
	segment->sequence = load_be32(header + 4);
	segment->acknowledgement = load_be32(header + 8);
	segment->size = (header[12] >> 4) * 4u;
	segment->flags = header[13];
	segment->window = load_be16(header + 14);
	segment->length = segment->view.length - segment->size;
	segment->time = decode->frame->time;
	segment->sent = decode->direction == PACKET_TX;
	segment->plain = decode->rules == RULES_WIRESHARK;
}

/* A header that ends on the wire, under the plain rules. */
static void stump_columns(struct decode *decode, const struct tcp_segment *segment)
{
	const struct view *view = &segment->view;

	if (!decode->quoted && !segment->network->fragment)
		mark(decode, COLUMN_tcp_hdr_bad);
	if (segment->size < HEADER)
		return;
	if (segment->flags & TCP_RST)
		mark(decode, COLUMN_tcp_rst);
	if (!view_bytes(view, WINDOW_END, 2) || segment->network->fragment ||
		!view_whole(view) || decode->quoted)
		return;
	uint64_t sum = segment->network->pseudo + sum_number(PROTOCOL) +
		       sum_number(view->length) + sum_bytes(view->data, view->length);
	if (sum_fold(sum) == 0xffff)
		return;
	mark(decode, COLUMN_tcp_ck_bad);
	if (decode->tcps == 1)
		mark(decode, COLUMN_tcp_ck_bad_outer);
}

/* A header of which the end is not at hand: the plain rules go as far as its bytes
 * do, which is far enough to follow the connection, but not to tell findings. */
static void stump(struct decode *decode, struct tcp_segment *segment)
{
	const uint8_t *header = view_bytes(&segment->view, 0, WINDOW_END);

	if (!header || decode->rules != RULES_WIRESHARK)
		return;
	take_fields(decode, segment, header);
	if (segment->view.length < HEADER)
		stump_columns(decode, segment);
	struct flow_place place =
		flows_place(decode->engine->flows, segment->network, header, 0);
	struct flow *flow = flows_get(decode->engine->flows, &place);
	(void)tcp_begin(flow, place.side, segment); /* not told */
	if (!segment->network->fragment && !decode->quoted &&
		segment->view.length >= segment->size)
		(void)tcp_track(flow, place.side, segment); /* not told */
}

static bool read_header(struct decode *decode, const struct network *network,
	struct tcp_segment *segment)
{
	const uint8_t *header = view_bytes(&segment->view, 0, HEADER);

	segment->network = network;
	if (!header) {
		if (!network->fragment)
			ended(decode, view_end(&segment->view, 0, HEADER),
				SEEN_TCP_SHORT);
		stump(decode, segment);
		return false;
	}
	take_fields(decode, segment, header);
	return true;
}

/* Combinations that no stack sends. */
static void check_flags(struct decode *decode, uint8_t flags)
{
	bool syn = flags & TCP_SYN;

	if ((syn && flags & (TCP_FIN | TCP_RST)) ||
		(!(flags & (TCP_ACK | TCP_SYN | TCP_RST))))
		see(decode, SEEN_TCP_FLAGS);
	if (flags & TCP_RST) {
		see(decode, SEEN_TCP_RST);
		mark(decode, COLUMN_tcp_rst);
	}
}

/* How many segments of the wire the frame stands for: cards merge and split
 * them, so frames are no measure. */
static uint32_t wire_segments(
	const struct flow *flow, const struct tcp_segment *segment)
{
	uint32_t mss = segment->network->version == 4 ? MSS_IP4 : MSS_IP6;
	uint32_t options = segment->size - HEADER;

	for (int i = 0; i < 2; i++)
		if (flow->side[i].mss && flow->side[i].mss < mss)
			mss = flow->side[i].mss;
	if (flow->side[0].mss > mss && flow->side[1].mss > mss)
		mss = flow->side[0].mss < flow->side[1].mss ? flow->side[0].mss
							    : flow->side[1].mss;
	mss = mss > options + 64 ? mss - options : 64;
	return segment->length <= mss ? 1 : (segment->length + mss - 1) / mss;
}

/* Lengths of the header; false where nothing behind it can be read. */
static bool header_fits(struct decode *decode, const struct tcp_segment *segment)
{
	if (segment->size >= HEADER && segment->size <= segment->view.length)
		return true;
	if (segment->size >= HEADER && decode->quoted)
		return true;
	see(decode, SEEN_TCP_DOFF);
	mark(decode, COLUMN_tcp_hdr_bad);
	return segment->size >= HEADER;
}

/* A damaged segment, or one in a damaged packet, says nothing true about its
 * connection. */
static bool is_poison(const struct tcp_segment *segment)
{
	return (segment->sum == SUM_BAD || segment->network->untrue) && !segment->plain;
}

/* Nobody knows whether a segment that was cut to its headers is sound, and one wrong
 * number would make retransmissions of all that follow. So a jump ahead needs a second
 * witness, and none is far behind what the other side has acknowledged. */
static bool is_stray(
	struct flow *flow, unsigned side, const struct tcp_segment *segment)
{
	struct flow_side *from = &flow->side[side];
	uint32_t acked = flow->side[!side].lastack, before = from->stray;

	if (segment->plain || segment->sum != SUM_UNJUDGED || !from->next ||
		segment->flags & (TCP_SYN | TCP_RST))
		return false;
	from->stray = 0;
	if ((int32_t)(segment->sequence - from->next) <= 0)
		return acked && (int32_t)(segment->sequence - acked) < -FAR;
	if (before && segment->sequence - before < FAR)
		return false;
	from->stray = segment->sequence;
	return true;
}

static void analyse(struct decode *decode, struct tcp_segment *segment,
	const struct flow_place *place)
{
	bool plain = segment->plain, differs = false;
	bool known = !segment->network->fragment && !decode->quoted &&
		     segment->view.length >= segment->size;
	unsigned side = place->side;

	if (!plain && !known) {
		(void)header_fits(decode, segment); /* only counted */
		return;
	}
	struct flow *flow = flows_get(decode->engine->flows, place);
	if (known && is_stray(flow, side, segment))
		return;
	if (!plain && tcp_seen_twice(flow, side, segment, &differs)) {
		see(decode, SEEN_TCP_HW_DUP);
		return;
	}
	if (differs)
		see(decode, SEEN_TCP_OVERLAP_DIFF);
	uint32_t found = tcp_begin(flow, side, segment);
	bool fits = header_fits(decode, segment);
	if (fits)
		tcp_options(decode, segment);
	if (known)
		found |= tcp_track(flow, side, segment);
	if (!fits)
		return;
	if (!segment->cut_short)
		see_findings(decode, found);
	if (!decode->quoted)
		tcp_learn(flow, side, segment);
	if (!known)
		return;
	if (decode->tcps == 1)
		decode->segments = wire_segments(flow, segment);
	if (!plain)
		decode->resent = decode->segments;
	storage_segment(decode, flow, side, segment, found);
}

void tcp_decode(struct decode *decode, const struct network *network, struct view view)
{
	struct tcp_segment segment = {.view = view, .scale = SCALE_UNKNOWN};

	decode->tcps++;
	if (view_bytes(&view, 0, FLAGS_END))
		mark(decode, COLUMN_tcp_pkts);
	if (!read_header(decode, network, &segment) ||
		(decode->quoted && !segment.plain))
		return; /* a quote is another packet, and told from the error */
	struct flow_place place = flows_place(decode->engine->flows, network,
		segment.header, segment.plain ? 0 : decode->vlan);
	peer_decode(decode, network, segment.header);
	decode->flow = place.hash | 1;
	headers_end(decode, &segment.view, segment.size);
	segment.sum = judge(&segment, decode->direction);
	if (segment.size >= HEADER || !segment.plain)
		see_sum_of(decode, &segment);
	if (is_poison(&segment)) {
		/* An impossible length of the header is told beside the sum: hosts
		 * look at it first and count such a segment elsewhere. */
		(void)header_fits(decode, &segment);
		return;
	}
	if (segment.size >= HEADER)
		check_flags(decode, segment.flags);
	analyse(decode, &segment, &place);
}
