/* ICMP (RFC 792) and ICMPv6 (RFC 4443): checksums, errors, what they quote. */
#include "config.h"

#include "packet/decode.h"
#include "packet/sum.h"

enum {
	HEADER = 8,
	READABLE = 6, /* bytes of an ICMP message that say what it is */
	REDIRECT = 5,
	PROTOCOL_ICMP6 = 58,
	CODE_FRAG_NEEDED = 4,
};

/* The error messages: each quotes the packet that it complains about. */
struct icmp_error {
	uint8_t type;
	enum seen seen;
	enum column column;
};

static const struct icmp_error errors4[] = {
	{3, SEEN_ICMP_UNREACH, COLUMN_icmp_unreach},
	{4, SEEN_ICMP_QUENCH, COLUMN_COUNT},
	{5, SEEN_ICMP_REDIRECT, COLUMN_COUNT},
	{11, SEEN_ICMP_TIMEEX, COLUMN_icmp_time_exceeded},
	{12, SEEN_ICMP_PARAM, COLUMN_COUNT},
};

static const struct icmp_error errors6[] = {
	{1, SEEN_ICMP_UNREACH, COLUMN_icmpv6_unreach},
	{2, SEEN_ICMP_FRAGNEEDED, COLUMN_icmpv6_too_big},
	{3, SEEN_ICMP_TIMEEX, COLUMN_icmpv6_time_exceeded},
	{4, SEEN_ICMP_PARAM, COLUMN_COUNT},
};

static const struct icmp_error *find(
	const struct icmp_error *errors, size_t count, uint8_t type)
{
	for (size_t i = 0; i < count; i++)
		if (errors[i].type == type)
			return &errors[i];
	return NULL;
}

static void see_error(struct decode *decode, const struct icmp_error *error)
{
	see(decode, error->seen);
	if (decode->icmps > 1)
		return;
	mark(decode, COLUMN_icmp_error_any);
	if (error->column != COLUMN_COUNT)
		mark(decode, error->column);
}

/* The sum of the whole message, on top of SUM for a pseudo header. */
static enum answer judge(const struct decode *decode, const struct network *network,
	const struct view *view, uint64_t sum)
{
	if (network->fragment || !view_whole(view) || decode->quoted)
		return SUM_UNJUDGED;
	if (sum_fold(sum + sum_bytes(view->data, view->length)) == 0xffff)
		return SUM_GOOD;
	if (sum && decode->rules == RULES_WEIR &&
		sum_field(view->data + 2) == sum_fold(sum))
		return SUM_OFFLOADED;
	return network->damaged && decode->rules == RULES_WEIR ? SUM_UNJUDGED : SUM_BAD;
}

/* No host takes a damaged message for what it says. */
static bool is_taken(
	const struct decode *decode, const struct network *network, enum answer answer)
{
	return decode->rules == RULES_WIRESHARK ||
	       (answer != SUM_BAD && !network->untrue);
}

/* The quote begins behind the header; quotes in quotes are not looked into. */
static void quote(struct decode *decode, struct view view,
	void (*inner)(struct decode *decode, struct view view))
{
	bool outer = decode->quoted;

	decode->quoted = true;
	inner(decode, view_from(&view, HEADER));
	decode->quoted = outer;
}

/* Bytes of a message, by its type: without an entry the header alone. */
static const uint8_t message4_least[256] = {
	[REDIRECT] = HEADER + 1,
	[13] = 20, /* timestamp */
	[14] = 20,
	[17] = 12, /* address mask */
	[18] = 12,
};

static void message_length(
	struct decode *decode, const struct view *view, uint8_t least)
{
	enum view_end end = view_end(view, 0, least > HEADER ? least : HEADER);

	if (end == VIEW_PAST)
		ended(decode, end, SEEN_ICMP_SHORT);
}

void icmp_decode(struct decode *decode, const struct network *network, struct view view)
{
	const uint8_t *header = view_bytes(&view, 0, READABLE);

	decode->icmps++;
	if (!header) {
		if (!network->fragment)
			ended(decode, view_end(&view, 0, READABLE), SEEN_ICMP_SHORT);
		return;
	}
	enum answer answer = judge(decode, network, &view, 0);
	if (!network->fragment && is_taken(decode, network, answer))
		message_length(decode, &view, message4_least[header[0]]);
	see_sum(decode, SEEN_ICMP_SUM_BAD, answer);
	if (answer == SUM_BAD)
		mark(decode, COLUMN_icmp_ck_bad);
	const struct icmp_error *error =
		find(errors4, sizeof errors4 / sizeof *errors4, header[0]);
	if (!error || !is_taken(decode, network, answer))
		return;
	see_error(decode, error);
	if (header[0] == 3 && header[1] == CODE_FRAG_NEEDED) {
		see(decode, SEEN_ICMP_FRAGNEEDED);
		if (decode->icmps == 1)
			mark(decode, COLUMN_icmp_frag_needed);
	}
	quote(decode, view, ip4_decode);
}

void icmp6_decode(
	struct decode *decode, const struct network *network, struct view view)
{
	const uint8_t *type = view_bytes(&view, 0, 1);
	const uint8_t *header = view_bytes(&view, 0, 4);
	uint64_t pseudo =
		network->pseudo + sum_number(PROTOCOL_ICMP6) + sum_number(view.length);

	decode->icmps++;
	const struct icmp_error *error =
		type ? find(errors6, sizeof errors6 / sizeof *errors6, type[0]) : NULL;
	enum answer answer =
		header ? judge(decode, network, &view, pseudo) : SUM_UNJUDGED;
	bool taken = is_taken(decode, network, answer);
	if (error && taken)
		see_error(decode, error);
	if (!network->fragment && taken)
		icmp6_message(decode, &view);
	if (!header)
		return;
	see_sum(decode, SEEN_ICMP6_SUM_BAD, answer);
	if (answer == SUM_BAD)
		mark(decode, COLUMN_icmpv6_ck_bad);
	if (error && taken)
		quote(decode, view, ip6_decode);
}
