/*
 * Messages in UDP that end before their own end. The other analyser names a packet by
 * the innermost protocol that cannot be read: a UDP length that is too large is told
 * only where the message behind it can. So this is asked for the comparison alone, and
 * only of such packets.
 */
#include "config.h"

#include "packet/datagram.h"

enum {
	PORT_DNS = 53,
	PORT_NETBIOS = 137,
	PORT_KEYS = 500,
	PORT_MULTICAST = 5353,
	PORT_LINK_LOCAL = 5355,
	DNS_HEADER = 12,
	DNS_QUESTION = 4, /* behind the name */
	DNS_RECORD = 10,
	LABEL_POINTER = 0xc0,
	KEYS_HEADER = 28,
};

/* Steps over a name at *AT; false where it is not all there (RFC 1035 4.1.4). */
static bool name(const struct view *view, uint32_t *at)
{
	uint8_t size;

	while (view_u8(view, *at, &size)) {
		++*at;
		if ((size & LABEL_POINTER) == LABEL_POINTER)
			return view_bytes(view, (*at)++, 1);
		if (size == 0)
			return true;
		*at += size;
	}
	return false;
}

static bool question(const struct view *view, uint32_t *at)
{
	bool there = name(view, at) && view_bytes(view, *at, DNS_QUESTION);

	*at += DNS_QUESTION;
	return there;
}

static bool record(const struct view *view, uint32_t *at)
{
	const uint8_t *head = name(view, at) ? view_bytes(view, *at, DNS_RECORD) : NULL;

	if (!head)
		return false;
	*at += DNS_RECORD;
	uint32_t size = load_be16(head + 8);
	bool there = view_bytes(view, *at, size);
	*at += size;
	return there;
}

static bool dns_ends_early(const struct view *view)
{
	const uint8_t *head = view_bytes(view, 0, DNS_HEADER);
	uint32_t at = DNS_HEADER, questions, records = 0;

	if (!head)
		return true;
	questions = load_be16(head + 4);
	for (uint32_t field = 6; field < DNS_HEADER; field += 2)
		records += load_be16(head + field);
	for (; questions > 0; questions--)
		if (!question(view, &at))
			return true;
	for (; records > 0; records--)
		if (!record(view, &at))
			return true;
	return false;
}

/* A plain question of the internet, or its answer: DNS on whatever port. */
static bool is_dns(const struct view *view)
{
	const uint8_t *head = view_bytes(view, 0, DNS_HEADER);
	uint32_t at = DNS_HEADER;

	if (!head || (head[2] & 0x78) || load_be16(head + 4) != 1 ||
		!question(view, &at))
		return false;
	return load_be16(view->data + at - 2) == 1;
}

/* The first line of SIZE bytes is that of a request or of an answer (RFC 3261 7). */
static bool is_sip(const uint8_t *line, size_t size)
{
	static const char request[] = " SIP/2.0\r", answer[] = "SIP/2.0 ";
	const size_t tail = sizeof request - 1, head = sizeof answer - 1;

	return size >= tail && (!memcmp(line + size - tail, request, tail) ||
				       !memcmp(line, answer, head));
}

/* Text: a line of the head that is not ended. */
static bool sip_ends_early(const struct view *view)
{
	const uint8_t *line = memchr(view->data, '\n', view->captured);
	uint8_t last = view->data[view->captured - 1];

	return line && is_sip(view->data, (size_t)(line - view->data)) &&
	       !memmem(view->data, view->captured, "\r\n\r\n", 4) && last != '\r' &&
	       last != '\n';
}

/* The message says how long it is (RFC 2408 3.1). */
static bool keys_end_early(const struct view *view)
{
	const uint8_t *head = view_bytes(view, 0, KEYS_HEADER);

	return head && load_be32(head + 24) > view->length;
}

static bool is_port(const uint8_t *ports, uint16_t port)
{
	return load_be16(ports) == port || load_be16(ports + 2) == port;
}

bool datagram_ends_early(const uint8_t *ports, const struct view *view)
{
	static const uint16_t dns[] = {
		PORT_DNS, PORT_NETBIOS, PORT_MULTICAST, PORT_LINK_LOCAL};

	if (!view_whole(view) || view->length == 0)
		return false;
	for (size_t i = 0; i < sizeof dns / sizeof *dns; i++)
		if (is_port(ports, dns[i]))
			return dns_ends_early(view);
	if (is_port(ports, PORT_KEYS))
		return keys_end_early(view);
	return is_dns(view) ? dns_ends_early(view) : sip_ends_early(view);
}
