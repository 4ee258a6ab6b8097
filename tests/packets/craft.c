/* Transport, network and link headers; see craft.h. */
#include "config.h"

#include "craft.h"
#include "packet/sum.h"

#include <stdlib.h>
#include <string.h>

/* Sums are worked out here the slow way, not by the code under test. */
static unsigned long plain_sum(const uint8_t *bytes, size_t size)
{
	unsigned long sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += i % 2 ? bytes[i] : (unsigned long)bytes[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static void put16(uint8_t *at, unsigned long value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static bool is_version_6(const struct word *word)
{
	return word->kind[strlen(word->kind) - 1] == '6';
}

static unsigned protocol(const struct word *word)
{
	static const struct {
		const char *kind;
		unsigned number;
	} kinds[] = {{"tcp", 6}, {"tcp6", 6}, {"udp", 17}, {"udp6", 17}, {"icmp", 1},
		{"icmp6", 58}};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(word->kind, kinds[i].kind))
			return kinds[i].number;
	return (unsigned)word_number(word, "proto", 253);
}

static uint8_t flag_bits(const char *letters)
{
	static const char names[] = "FSRPAU";
	uint8_t bits = 0;

	for (; *letters; letters++) {
		const char *found = strchr(names, *letters);
		if (found)
			bits |= (uint8_t)(1 << (found - names));
	}
	return bits;
}

static void ports(struct frame *frame, const struct word *word)
{
	unsigned long client = (unsigned long)word_number(word, "client", 40000);
	unsigned long server = (unsigned long)word_number(word, "port", 3000);
	bool back = word_has(word, "s");

	add16(frame, back ? server : client);
	add16(frame, back ? client : server);
}

static void add_tcp(struct frame *frame, const struct word *word)
{
	const char *options = word_text(word, "opt");
	unsigned long header = 20 + (strlen(options) / 2 + 3) / 4 * 4;
	size_t start = frame->size;

	ports(frame, word);
	add32(frame, (unsigned long)word_number(word, "seq", 1000));
	add32(frame, (unsigned long)word_number(word, "ack", 0));
	add8(frame, (unsigned long)word_number(word, "doff", (long)header / 4) << 4);
	add8(frame,
		flag_bits(word_has(word, "flags") ? word_text(word, "flags") : "A"));
	add16(frame, (unsigned long)word_number(word, "win", 1000));
	add32(frame, 0);
	add_hex(frame, options);
	while (frame->size - start < header)
		add8(frame, 0);
	craft_payload(frame, word);
}

static void add_udp(struct frame *frame, const struct word *word)
{
	size_t start = frame->size;

	ports(frame, word);
	add32(frame, 0);
	craft_payload(frame, word);
	put16(frame->bytes + start + 4, (unsigned long)word_number(word, "udplen",
						(long)(frame->size - start)));
}

/* Errors quote a UDP packet, or what QUOTE says. */
static void add_icmp(struct frame *frame, const struct word *word)
{
	add8(frame, (unsigned long)word_number(word, "type", 8));
	add8(frame, (unsigned long)word_number(word, "code", 0));
	add16(frame, 0);
	add32(frame, 0);
	add_hex(frame, word_text(word, "quote"));
	craft_payload(frame, word);
}

static void add_transport(struct frame *frame, const struct word *word)
{
	switch (protocol(word)) {
	case 6:
		add_tcp(frame, word);
		break;
	case 17:
		add_udp(frame, word);
		break;
	case 1:
	case 58:
		add_icmp(frame, word);
		break;
	default:
		craft_payload(frame, word);
	}
}

/* Where the checksum of the transport lies, and what its pseudo header sums up to. */
static int sum_at(const struct word *word)
{
	switch (protocol(word)) {
	case 6:
		return 16;
	case 17:
		return 6;
	case 1:
	case 58:
		return 2;
	default:
		return -1;
	}
}

static void seal(struct frame *frame, const struct word *word, size_t start,
	unsigned long addresses)
{
	const char *how = word_text(word, "sum");
	uint8_t *segment = frame->bytes + start;
	size_t size = frame->size - start;
	int at = sum_at(word);

	if (at < 0 || !strcmp(how, "zero"))
		return;
	unsigned long pseudo = protocol(word) == 1 ? 0 : addresses + protocol(word);
	unsigned long with_length = protocol(word) == 1 ? 0 : pseudo + size;
	unsigned long sum = with_length + plain_sum(segment, size);
	unsigned long field = ~sum;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	field = ~sum & 0xffff;
	if (!strcmp(how, "bad"))
		field ^= 0x1234;
	if (!strcmp(how, "partial") || !strcmp(how, "lso")) {
		field = !strcmp(how, "lso") ? pseudo : with_length;
		while (field >> 16)
			field = (field & 0xffff) + (field >> 16);
	}
	if (field == 0 && protocol(word) == 17)
		field = 0xffff;
	put16(segment + at, field);
}

/* A fragment carries a slice of the packet: off=FROM, and as much as more=SIZE says. */
static void slice(struct frame *frame, const struct word *word, size_t start)
{
	size_t off = (size_t)word_number(word, "off", 0);
	size_t size = frame->size - start;

	if (off >= size)
		off = size;
	size -= off;
	if (word_has(word, "more") && (size_t)word_number(word, "more", 0) < size)
		size = (size_t)word_number(word, "more", 0);
	memmove(frame->bytes + start, frame->bytes + start + off, size);
	frame->size = start + size;
}

static void add_ip4(struct frame *frame, const struct word *word)
{
	const char *options = word_text(word, "ipopt");
	unsigned long header = 20 + (strlen(options) / 2 + 3) / 4 * 4;
	bool back = word_has(word, "s");
	size_t start = frame->size;

	add8(frame, (unsigned long)word_number(word, "ver", 4) << 4 |
			    (unsigned long)word_number(word, "ihl", (long)header / 4));
	add8(frame, 0);
	add16(frame, 0);
	add16(frame, (unsigned long)word_number(word, "id", 0));
	add16(frame, (unsigned long)word_number(word, "off", 0) / 8 |
			     (word_has(word, "more") ? 0x2000u : 0) |
			     (word_has(word, "df") ? 0x4000u : 0));
	add8(frame, (unsigned long)word_number(word, "ttl", 64));
	add8(frame, protocol(word));
	add16(frame, 0);
	add32(frame, back ? 0xc0000202 : 0xc0000201);
	add32(frame, word_has(word, "all") ? 0xe0000001
		     : back                ? 0xc0000201
					   : 0xc0000202);
	add_hex(frame, options);
	while (frame->size - start < header)
		add8(frame, 0);
	add_transport(frame, word);
	seal(frame, word, start + header, plain_sum(frame->bytes + start + 12, 8));
	slice(frame, word, start + header);
	put16(frame->bytes + start + 2,
		(unsigned long)word_number(word, "iplen", (long)(frame->size - start)));
	if (strcmp(word_text(word, "ipsum"), "zero") != 0) {
		unsigned long sum = ~plain_sum(frame->bytes + start, header) & 0xffff;
		put16(frame->bytes + start + 10,
			strcmp(word_text(word, "ipsum"), "bad") ? sum : sum ^ 0x0101);
	}
}

static void add_address6(struct frame *frame, unsigned last)
{
	add32(frame, 0x20010db8);
	add32(frame, 0);
	add32(frame, 0);
	add32(frame, last);
}

/* frag: with a fragment header; ext=HEX: another header, whose first byte must be
 * the protocol, announced as hop-by-hop options. */
static void add_ip6(struct frame *frame, const struct word *word)
{
	bool frag = word_has(word, "frag"), back = word_has(word, "s");
	size_t start = frame->size, from;

	add32(frame, (unsigned long)word_number(word, "ver", 6) << 28);
	add16(frame, 0);
	add8(frame, frag ? 44 : word_has(word, "ext") ? 0 : protocol(word));
	add8(frame, 64);
	add_address6(frame, back ? 2 : 1);
	add_address6(frame, back ? 1 : 2);
	add_hex(frame, word_text(word, "ext"));
	if (frag) {
		add16(frame, protocol(word) << 8);
		add16(frame, (unsigned long)word_number(word, "off", 0) |
				     (word_has(word, "more") ? 1 : 0));
		add32(frame, (unsigned long)word_number(word, "id", 7));
	}
	from = frame->size;
	add_transport(frame, word);
	seal(frame, word, from, plain_sum(frame->bytes + start + 8, 32));
	slice(frame, word, from);
	put16(frame->bytes + start + 4, (unsigned long)word_number(word, "iplen",
						(long)(frame->size - start - 40)));
}

static void add_arp(struct frame *frame, const struct word *word)
{
	add_hex(frame, "000108000604");
	add16(frame, (unsigned long)word_number(word, "op", 1));
	add_hex(frame, "0200000000");
	add8(frame, (unsigned long)word_number(word, "mac", 1));
	add32(frame, 0xc0000200 + (unsigned long)word_number(word, "ip", 1));
	add_hex(frame, "000000000000");
	add32(frame, 0xc0000263);
}

static unsigned long ethertype(const struct word *word)
{
	if (word_has(word, "ethertype"))
		return (unsigned long)word_number(word, "ethertype", 0);
	return !strcmp(word->kind, "arp") ? 0x0806
	       : is_version_6(word)       ? 0x86dd
					  : 0x0800;
}

/* in=ip4|gre: an IPv4 header, or that and GRE, around what lies from START on. */
static void wrap(struct frame *frame, const struct word *word, size_t start)
{
	static struct frame inner;
	bool gre = !strcmp(word_text(word, "in"), "gre");
	size_t size = frame->size - start;

	inner.size = size;
	memcpy(inner.bytes, frame->bytes + start, size);
	frame->size = start;
	add_hex(frame, "45000000000000004000");
	add16(frame, 0);
	add32(frame, 0xc6336401);
	add32(frame, 0xc6336402);
	frame->bytes[start + 9] = gre ? 47 : is_version_6(word) ? 41 : 4;
	add_hex(frame, gre ? "0000" : "");
	if (gre)
		add16(frame, ethertype(word));
	add_frame(frame, &inner);
	put16(frame->bytes + start + 2, frame->size - start);
	put16(frame->bytes + start + 10, ~plain_sum(frame->bytes + start, 20) & 0xffff);
}

static void add_network(struct frame *frame, const struct word *word)
{
	if (!strcmp(word->kind, "arp"))
		add_arp(frame, word);
	else if (!strcmp(word->kind, "bytes"))
		add_hex(frame, word_text(word, "data"));
	else if (is_version_6(word))
		add_ip6(frame, word);
	else
		add_ip4(frame, word);
}

void craft_network(struct frame *frame, const struct word *word)
{
	size_t start = frame->size;

	add_network(frame, word);
	if (word_has(word, "in"))
		wrap(frame, word, start);
}

static unsigned long outer_type(const struct word *word)
{
	return word_has(word, "in") ? 0x0800 : ethertype(word);
}

static void link_ethernet(struct frame *frame, const struct word *word)
{
	add_hex(frame, word_has(word, "s") ? "020000000001020000000002"
					   : "020000000002020000000001");
	if (word_has(word, "vlan")) {
		add16(frame, (unsigned long)word_number(word, "tag", 0x8100));
		add16(frame, (unsigned long)word_number(word, "vlan", 0));
	}
	add16(frame, outer_type(word));
}

static void link_sll(struct frame *frame, const struct word *word)
{
	add16(frame, (unsigned long)word_number(word, "sll", 0));
	add_hex(frame, "0001000602000000000100000000");
	put16(frame->bytes + 14, outer_type(word));
}

static void link_sll2(struct frame *frame, const struct word *word)
{
	add16(frame, outer_type(word));
	add_hex(frame, "00000000000200010006");
	frame->bytes[10] = (uint8_t)word_number(word, "sll", 0);
	add_hex(frame, "0200000000010000");
}

static void link_null(struct frame *frame, const struct word *word)
{
	add8(frame, outer_type(word) == 0x86dd ? 30 : 2);
	add_hex(frame, "000000");
}

static void link_loop(struct frame *frame, const struct word *word)
{
	add32(frame, outer_type(word) == 0x86dd ? 24 : 2);
}

static void link_none(struct frame *frame, const struct word *word)
{
	(void)frame;
	(void)word;
}

static const struct {
	const char *name;
	int type;
	void (*add)(struct frame *frame, const struct word *word);
} links[] = {
	{"eth", 1, link_ethernet},
	{"sll", 113, link_sll},
	{"sll2", 276, link_sll2},
	{"null", 0, link_null},
	{"loop", 108, link_loop},
	{"raw", 101, link_none},
	{"ip4", 228, link_none},
	{"ip6", 229, link_none},
};

bool craft_frame(struct frame *frame, const char *link, const struct word *word)
{
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (!strcmp(links[i].name, link)) {
			links[i].add(frame, word);
			craft_network(frame, word);
			return true;
		}
	return false;
}

int craft_linktype(const char *link)
{
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (!strcmp(links[i].name, link))
			return links[i].type;
	return -1;
}
