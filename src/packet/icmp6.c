/*
 * What ICMPv6 messages hold (RFC 4443, RFC 4861, RFC 3810): lengths by type, and the
 * options of neighbour discovery.
 */
#include "config.h"

#include "packet/decode.h"

enum {
	UNIT = 8, /* options are counted in eights */
	ADDRESS = 16,
	HEADER = 8,
	ERRORS_END = 5, /* types below are errors, and quote something */
	LISTENER_QUERY = 130,
	LISTENER_QUERY_2 = 28, /* bytes of one of version 2 */
	LISTENER_REPORT_2 = 143,
	RPL = 155,
	RECORD = 4 + ADDRESS,
	REDIRECTED = 4, /* header */
	QUOTE = 8,      /* where the packet begins in it */
	IP6 = 40,
	TRUST = 15, /* options that are not looked into */
	CERTIFICATE = 16,
	HANDOVER_KEY = 20,
};
#define UNITS(n) (1 << (n))
#define SIGNED   0xfff8 /* three and more */

/* Messages by type: their least size, and whether options follow. */
static const struct message {
	uint8_t size;
	bool options;
} messages[256] = {
	[130] = {24, false}, /* multicast listeners */
	[131] = {24, false},
	[132] = {24, false},
	[133] = {8, true}, /* router and neighbour discovery */
	[134] = {16, true},
	[135] = {24, true},
	[136] = {24, true},
	[137] = {40, true},
	[138] = {16, false}, /* router renumbering */
	[139] = {16, false}, /* node information */
	[140] = {16, false},
	[141] = {8, true}, /* inverse discovery */
	[142] = {8, true},
	[147] = {8, true}, /* mobile prefixes */
	[148] = {8, true}, /* certification paths */
	[149] = {12, true},
	[150] = {8, true},
	[154] = {8, true},
	[157] = {32, false}, /* duplicate addresses */
	[158] = {32, false},
};

/* Sizes that an option may have, a bit for each number of eights; 0: any. */
static const uint16_t option_sizes[256] = {
	[3] = UNITS(4), /* prefix */
	[5] = UNITS(1), /* MTU */
	[7] = UNITS(1), /* interval and lifetime of home agents */
	[8] = UNITS(1),
	[9] = 0xaaaa, /* address lists: eight bytes and addresses */
	[10] = 0xaaaa,
	[12] = SIGNED,   /* signature */
	[13] = UNITS(2), /* timestamp */
	[17] = UNITS(3), /* addresses and prefixes of fast handovers */
	[18] = UNITS(3),
	[23] = UNITS(3),
	[24] = UNITS(1) | UNITS(2) | UNITS(3), /* route */
	[25] = 0xaaaa,                         /* name servers */
	[26] = UNITS(1),                       /* flags */
	[32] = SIGNED,
	[33] = UNITS(2),                       /* address registration */
	[34] = UNITS(1) | UNITS(2) | UNITS(3), /* context */
	[35] = UNITS(3),                       /* border router */
	[36] = UNITS(1),                       /* capabilities */
	[38] = UNITS(2),                       /* PREF64 */
};

static void bad(struct decode *decode)
{
	ended(decode, VIEW_PAST, SEEN_ICMP_SHORT);
}

/* The packet that a redirect quotes, and bytes behind it that are nobody's. */
static bool has_stray(const struct view *view, uint32_t at, uint32_t size)
{
	const uint8_t *packet = view_bytes(view, at + QUOTE, IP6);

	return packet && packet[0] >> 4 == 6 &&
	       (uint32_t)QUOTE + IP6 + load_be16(packet + 4) < size;
}

static bool option_fits(const struct view *view, uint32_t at, const uint8_t *head)
{
	uint16_t sizes = option_sizes[head[0]];

	if (head[0] == TRUST || head[0] == CERTIFICATE || head[0] == HANDOVER_KEY)
		return true;
	if (view_end(view, at, head[1] * (uint32_t)UNIT) == VIEW_PAST)
		return false;
	if (head[0] == REDIRECTED && has_stray(view, at, head[1] * (uint32_t)UNIT))
		return false;
	return !sizes || (head[1] < 16 && sizes >> head[1] & 1);
}

/* Options to the end; a size of 0 ends them, as it would never. */
static void options(struct decode *decode, const struct view *view, uint32_t at)
{
	while (at < view->length) {
		const uint8_t *head = view_bytes(view, at, 2);

		if (!head && view_end(view, at, 2) == VIEW_CUT)
			return;
		if (head && head[1] == 0)
			return;
		if (!head || !option_fits(view, at, head)) {
			bad(decode);
			return;
		}
		at += head[1] * (uint32_t)UNIT;
	}
}

/* Version 2 of a query: a number of addresses behind it. */
static void query(struct decode *decode, const struct view *view)
{
	const uint8_t *count = view_bytes(view, LISTENER_QUERY_2 - 2, 2);

	if (count && view_end(view, LISTENER_QUERY_2,
			     load_be16(count) * (uint32_t)ADDRESS) == VIEW_PAST)
		bad(decode);
}

/* Version 2 of a report: a number of records, and nothing else. */
static void report(struct decode *decode, const struct view *view)
{
	const uint8_t *count = view_bytes(view, 6, 2);
	uint32_t at = HEADER;

	for (unsigned left = count ? load_be16(count) : 0; left > 0; left--) {
		const uint8_t *record = view_bytes(view, at, RECORD);

		if (!record) {
			if (view_end(view, at, RECORD) == VIEW_PAST)
				bad(decode);
			return;
		}
		at += RECORD + load_be16(record + 2) * (uint32_t)ADDRESS +
		      record[1] * 4u;
	}
	if (count && at != view->length)
		bad(decode);
}

void icmp6_message(struct decode *decode, const struct view *view)
{
	const uint8_t *type = view_bytes(view, 0, 1);
	const struct message *message = type ? &messages[type[0]] : &messages[0];
	uint32_t least = message->size > HEADER ? message->size : HEADER;

	if (type && type[0] > 0 && type[0] < ERRORS_END)
		least = HEADER + 1;
	if (view->length < least)
		bad(decode);
	else if (message->options)
		options(decode, view, message->size);
	else if (type && type[0] == LISTENER_QUERY)
		query(decode, view);
	else if (type && type[0] == LISTENER_REPORT_2)
		report(decode, view);
	else if (type && type[0] == RPL && !rpl_fits(view))
		bad(decode);
}
