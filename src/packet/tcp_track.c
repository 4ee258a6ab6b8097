/*
 * TCP analysis: what a segment says about loss, order and windows, given what was
 * seen of its connection before. The rules are those of doc/packets.md; where a
 * comment says "plain" they are kept as another analyser has them, so that the
 * two can be compared. Sequence numbers wrap and are compared by difference.
 */
#include "config.h"

#include "packet/tcp.h"

enum {
	CONTROL = TCP_SYN | TCP_FIN | TCP_RST,
	DUP_FOREVER = -1, /* as unsigned: more than any count */
	UNANSWERED_MAX = 10000,
};
#define FAST_LIMIT      (20 * NSEC_PER_MSEC)
#define REORDER_LIMIT   (3 * NSEC_PER_MSEC)
#define ROUND_TRIP_MOST (10 * NSEC_PER_SEC)

/* Both halves of the connection as this segment sees them. */
struct sight {
	const struct tcp_segment *segment;
	struct flow *flow;
	struct flow_side *from, *to; /* sender and receiver */
	uint32_t end;                /* sequence number behind the payload */
	bool control;
};

static bool is_after(uint32_t a, uint32_t b)
{
	return (int32_t)(b - a) < 0;
}

/* A duration that ran backwards is not short. */
static bool is_within(nsec from, nsec to, nsec limit)
{
	return (uint64_t)(to - from) < (uint64_t)limit;
}

uint32_t tcp_begin(struct flow *flow, unsigned side, const struct tcp_segment *segment)
{
	struct flow_side *from = &flow->side[side], *to = &flow->side[!side];
	bool syn = segment->flags & TCP_SYN, ack = segment->flags & TCP_ACK;
	bool moved = syn && from->has_base && segment->sequence != from->base;

	if (moved && !ack)
		flow_reset(flow);
	else if (moved)
		from->base = segment->sequence;
	else if (syn && !ack && from->has_base)
		from->next = from->maxack;
	if (!from->has_base)
		from->base = syn ? segment->sequence : segment->sequence - 1;
	from->has_base = true;
	if (ack && !to->has_base) {
		to->base = segment->acknowledgement - 1;
		to->has_base = true;
	}
	return moved ? TCP_REUSED_PORTS : 0;
}

/* One byte below the next: asks for a sign of life. Linux probes a closed window
 * in the same way, which the plain rules take for a keep-alive. */
static uint32_t keep_alive(const struct sight *s)
{
	const struct tcp_segment *segment = s->segment;

	if (segment->length > 1 || segment->sequence != s->from->next - 1 || s->control)
		return 0;
	return !segment->plain && s->to->window == 0 ? TCP_PROBE : TCP_KEEP_ALIVE;
}

static bool fills_window(const struct sight *s)
{
	const struct flow_side *to = s->to;
	unsigned shift = to->first_ack || to->scale < 0 ? 0 : (unsigned)to->scale;

	return s->segment->length > 0 && to->scale != SCALE_UNKNOWN && !s->control &&
	       s->end == to->lastack + (to->window << shift);
}

static uint32_t windows(const struct sight *s)
{
	const struct tcp_segment *segment = s->segment;
	const struct flow_side *from = s->from;
	uint32_t found = 0;

	if (segment->window == 0 && !s->control)
		found |= TCP_ZERO_WINDOW;
	if (from->next && is_after(segment->sequence, from->next) &&
		!(segment->flags & TCP_RST))
		found |= TCP_LOST_SEGMENT;
	found |= keep_alive(s);
	if (segment->length == 0 && segment->window != 0 &&
		segment->window != from->window && segment->sequence == from->next &&
		segment->acknowledgement == from->lastack && !s->control)
		found |= TCP_WINDOW_UPDATE;
	if (fills_window(s))
		found |= TCP_WINDOW_FULL;
	return found;
}

/* Multipath TCP says things of its own in empty segments (RFC 8684 4). The other
 * analyser looks at the segment before this one, whoever sent it. */
static bool is_signal(const struct sight *s)
{
	uint16_t now = s->segment->plain ? s->flow->multipath : s->segment->multipath;

	return now != s->from->multipath;
}

/* An empty segment that repeats the one before: what does it answer? */
static uint32_t repeats(const struct sight *s)
{
	const struct tcp_segment *segment = s->segment;
	struct flow_side *from = s->from;

	if (segment->length != 0 || segment->window != from->window ||
		segment->sequence != from->next ||
		segment->acknowledgement != from->lastack || s->control)
		return 0;
	if (segment->window != 0 && s->to->findings & TCP_KEEP_ALIVE)
		return TCP_KEEP_ALIVE_ACK;
	if (segment->window == 0)
		return s->to->findings & TCP_PROBE ? TCP_PROBE_ACK : 0;
	if (is_signal(s))
		return 0;
	from->dup = from->dup == (uint32_t)DUP_FOREVER ? 1 : from->dup + 1;
	return TCP_DUPLICATE_ACK;
}

static uint32_t first_group(const struct sight *s)
{
	const struct tcp_segment *segment = s->segment;

	if (segment->length == 1 && segment->sequence == s->from->next &&
		s->to->window == 0)
		return TCP_PROBE;
	uint32_t found = windows(s);
	return found | repeats(s);
}

/* An acknowledgement of what was never seen. The plain rules then spoil the count
 * of duplicates, which makes later retransmissions look fast. */
static uint32_t acknowledges(const struct sight *s)
{
	struct flow_side *to = s->to;
	uint32_t ack = s->segment->acknowledgement;
	uint32_t found = 0;

	if (!(s->segment->flags & TCP_ACK) || !to->maxack || !is_after(ack, to->maxack))
		return 0;
	if (is_after(to->next, to->maxack)) {
		to->maxack = to->next;
		return TCP_ACK_LOST;
	}
	if (to->dup == 0 || !s->segment->plain)
		found = TCP_ACK_LOST;
	if (s->segment->plain)
		to->dup = (uint32_t)DUP_FOREVER;
	else
		to->maxack = ack;
	return found;
}

/* Too soon to be a retransmission: other paths are slower by less than a round
 * trip. What this host sends itself cannot have been overtaken. */
static bool is_overtaken(const struct sight *s, uint32_t end)
{
	nsec limit = s->flow->rtt ? s->flow->rtt : REORDER_LIMIT;

	if (!s->segment->plain && s->segment->sent)
		return false;
	return is_within(s->from->next_time, s->segment->time, limit) &&
	       s->from->next != end;
}

static bool is_fast(const struct sight *s)
{
	const struct flow_side *to = s->to;
	nsec limit = FAST_LIMIT;

	/* Away from the sender the repair comes a round trip after the ACKs. */
	if (!s->segment->plain && s->flow->rtt > limit / 2)
		limit = 2 * s->flow->rtt;
	return to->dup >= 2 && to->lastack == s->segment->sequence &&
	       is_within(to->last_time, s->segment->time, limit);
}

static uint32_t resent(const struct sight *s)
{
	const struct tcp_segment *segment = s->segment;
	const struct flow_side *from = s->from;
	uint32_t virtual = (segment->flags & (TCP_SYN | TCP_FIN)) != 0;
	bool back = from->next && is_after(from->next, segment->sequence);

	if (segment->length == 0 && !virtual)
		return 0;
	if (segment->length > 1 && segment->sequence == from->next - 1)
		back = false;
	if (segment->length > 0 && s->to->lastack && !is_after(s->end, s->to->lastack))
		return TCP_SPURIOUS;
	if (!back)
		return 0;
	if (is_fast(s))
		return TCP_FAST;
	return is_overtaken(s, s->end + virtual) ? TCP_OUT_OF_ORDER
						 : TCP_RETRANSMISSION;
}

/* The number that a SYN or FIN takes. The plain rules forget it where many segments
 * wait for an answer: the other analyser keeps no more of them. */
static uint32_t takes_number(const struct sight *s)
{
	if (s->segment->plain && s->from->unanswered >= UNANSWERED_MAX)
		return 0;
	return (s->segment->flags & (TCP_SYN | TCP_FIN)) != 0;
}

static void count_unanswered(const struct sight *s)
{
	const struct tcp_segment *segment = s->segment;
	bool waits = segment->length > 0 || segment->flags & (TCP_SYN | TCP_FIN);

	if (waits && s->from->unanswered < UNANSWERED_MAX)
		s->from->unanswered++;
	if (segment->flags & TCP_ACK && s->from->lastack != segment->acknowledgement)
		s->to->unanswered = 0;
}

static void remember(const struct sight *s, uint32_t found)
{
	const struct tcp_segment *segment = s->segment;
	struct flow_side *from = s->from;
	uint32_t next = s->end + takes_number(s);
	bool probe = found & TCP_PROBE;

	count_unanswered(s);

	if ((!from->next || is_after(next, from->next)) && !probe) {
		from->next = next;
		from->next_time = segment->time;
	}
	if ((segment->sequence == from->maxack || !from->maxack) && !probe)
		from->maxack = from->next;
	from->window = segment->window;
	if (segment->plain || segment->flags & TCP_ACK)
		from->lastack = segment->acknowledgement;
	from->last_time = segment->time;
	from->findings = found;
	from->multipath = s->flow->multipath = segment->multipath;
}

uint32_t tcp_track(struct flow *flow, unsigned side, const struct tcp_segment *segment)
{
	struct sight s = {
		.segment = segment,
		.flow = flow,
		.from = &flow->side[side],
		.to = &flow->side[!side],
		.end = segment->sequence + segment->length,
		.control = segment->flags & CONTROL,
	};
	uint32_t found = first_group(&s);

	if (segment->acknowledgement != s.from->lastack)
		s.from->dup = 0;
	found |= acknowledges(&s);
	if (!(found & TCP_KEEP_ALIVE))
		found |= resent(&s);
	remember(&s, found);
	return found;
}

/* A clock that was set meanwhile makes none of any use. */
static void learn_round_trip(struct flow *flow, const struct tcp_segment *segment)
{
	nsec rtt = segment->time - flow->syn_time;

	if (segment->plain || (rtt > 0 && rtt < ROUND_TRIP_MOST))
		flow->rtt = rtt;
	else
		flow->syn_time = 0;
}

static void learn_time(
	struct flow *flow, struct flow_side *from, const struct tcp_segment *segment)
{
	bool syn = segment->flags & TCP_SYN, ack = segment->flags & TCP_ACK;

	if (syn) {
		from->first_ack = true;
		if (!ack)
			flow->syn_time = segment->time;
	} else if (ack) {
		if (flow->syn_time && !flow->rtt)
			learn_round_trip(flow, segment);
		from->first_ack = false;
	}
}

void tcp_learn(struct flow *flow, unsigned side, const struct tcp_segment *segment)
{
	struct flow_side *from = &flow->side[side], *to = &flow->side[!side];
	bool syn = segment->flags & TCP_SYN;

	learn_time(flow, from, segment);
	if (segment->mss)
		from->mss = segment->mss;
	if (segment->scale != SCALE_UNKNOWN)
		from->scale = segment->scale;
	if (syn && from->scale == SCALE_UNKNOWN)
		from->scale = to->scale = SCALE_NOT_USED;
	else if (syn && segment->flags & TCP_ACK && to->scale == SCALE_NOT_USED)
		from->scale = SCALE_NOT_USED;
}
