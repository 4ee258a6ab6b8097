/*
 * Requests to and answers of the kernel's socket diagnosis; see the header. What a
 * kernel does not know of struct tcp_info is told apart from 0 by the length of
 * what it sends: fields were only ever added at the end.
 */
#include "config.h"

#include "source/sockdiag.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>

enum {
	ALIGN = 4,
	/* Without those that wait for their end only: they carry no figures. */
	STATES = ~(1U << 3 | 1U << 6 | 1U << 7) & 0xfff,
};

/* Place and width of each value in struct tcp_info (linux/tcp.h). */
static const struct place {
	uint16_t offset, width;
} places[DIAG_VALUES] = {
	[DIAG_BYTES_ACKED] = {120, 8},
	[DIAG_BYTES_RECEIVED] = {128, 8},
	[DIAG_BYTES_RETRANS] = {208, 8},
	[DIAG_SEGS_OUT] = {136, 4},
	[DIAG_SEGS_IN] = {140, 4},
	[DIAG_RETRANS] = {100, 4},
	[DIAG_DSACK] = {216, 4},
	[DIAG_OOO] = {224, 4},
	[DIAG_UNACKED] = {24, 4},
	[DIAG_RTT] = {68, 4},
	[DIAG_MIN_RTT] = {148, 4},
	[DIAG_CWND] = {80, 4},
	[DIAG_DELIVERY] = {160, 8},
	[DIAG_PMTU] = {60, 4},
	[DIAG_SILENCE] = {56, 4},
};

bool diag_is_narrow(enum diag_value value)
{
	return places[value].width == 4;
}

/* ---- the request ---- */

static void add_op(struct buffer *out, uint8_t code, uint8_t yes, size_t no)
{
	struct inet_diag_bc_op op = {.code = code, .yes = yes, .no = (uint16_t)no};

	buffer_add(out, &op, sizeof op);
}

/*
 * The kernel's filter: steps with a jump for yes and one for no, counted in bytes.
 * Who arrives exactly at the end is taken, who jumps 4 beyond it is not. A port is
 * two comparisons of two words each, and a jump to the end.
 */
enum {
	OP = sizeof(struct inet_diag_bc_op),
	COMPARISON = 2 * OP,
	TRIAL = 2 * COMPARISON + OP,
};

static void add_trial(struct buffer *out, uint8_t not_less, uint8_t not_more,
	uint16_t port, size_t left)
{
	size_t beyond = left == TRIAL ? OP : 0; /* after the last trial: not taken */

	add_op(out, not_less, COMPARISON, TRIAL + beyond);
	add_op(out, 0, 0, port);
	add_op(out, not_more, COMPARISON, TRIAL - COMPARISON + beyond);
	add_op(out, 0, 0, port);
	add_op(out, INET_DIAG_BC_JMP, OP, left - 2 * COMPARISON);
}

static void add_filter(struct buffer *out, const uint16_t *ports, size_t port_count)
{
	size_t left = port_count * 2 * TRIAL;
	struct rtattr head = {.rta_type = INET_DIAG_REQ_BYTECODE,
		.rta_len = (unsigned short)(sizeof head + left)};

	buffer_add(out, &head, sizeof head);
	for (size_t i = 0; i < port_count; i++, left -= 2 * TRIAL) {
		add_trial(out, INET_DIAG_BC_S_GE, INET_DIAG_BC_S_LE, ports[i], left);
		add_trial(out, INET_DIAG_BC_D_GE, INET_DIAG_BC_D_LE, ports[i],
			left - TRIAL);
	}
}

/*
 * A request by family makes the kernel walk its whole table of sockets for each, which
 * on a machine with much memory is the dearest thing a tick does. The older form is
 * answered for both families at once.
 */
void diag_request(struct buffer *out, const uint16_t *ports, size_t port_count)
{
	struct inet_diag_req request = {
		.idiag_ext = 1 << (INET_DIAG_INFO - 1), .idiag_states = STATES};
	struct nlmsghdr head = {.nlmsg_type = TCPDIAG_GETSOCK,
		.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		.nlmsg_len =
			(uint32_t)(sizeof head + sizeof request +
				   sizeof(struct rtattr) + port_count * 2 * TRIAL)};

	buffer_add(out, &head, sizeof head);
	buffer_add(out, &request, sizeof request);
	add_filter(out, ports, port_count);
}

/* ---- the answer ---- */

static size_t aligned(size_t size)
{
	return (size + ALIGN - 1) / ALIGN * ALIGN;
}

static void take_values(struct diag_socket *socket, const uint8_t *info, size_t size)
{
	socket->have = 0;
	for (size_t i = 0; i < DIAG_VALUES; i++) {
		const struct place *place = &places[i];
		uint32_t narrow;

		socket->values[i] = 0;
		if ((size_t)place->offset + place->width > size)
			continue;
		socket->have |= 1U << i;
		if (place->width == 8) {
			memcpy(&socket->values[i], info + place->offset, 8);
			continue;
		}
		memcpy(&narrow, info + place->offset, sizeof narrow);
		socket->values[i] = narrow;
	}
}

static void take_attributes(struct diag_socket *socket, const uint8_t *at, size_t size)
{
	struct rtattr head;

	socket->have = 0;
	while (size >= sizeof head) {
		memcpy(&head, at, sizeof head);
		if (head.rta_len < sizeof head || head.rta_len > size)
			return;
		if (head.rta_type == INET_DIAG_INFO)
			take_values(
				socket, at + sizeof head, head.rta_len - sizeof head);
		if (aligned(head.rta_len) >= size)
			return;
		at += aligned(head.rta_len);
		size -= aligned(head.rta_len);
	}
}

static bool take_socket(struct diag_socket *socket, const uint8_t *data, size_t size)
{
	struct inet_diag_msg message;

	if (size < sizeof message)
		return false;
	memcpy(&message, data, sizeof message);
	if (message.idiag_family != AF_INET && message.idiag_family != AF_INET6)
		return false;
	socket->ipv6 = message.idiag_family == AF_INET6;
	socket->state = message.idiag_state;
	socket->interface = message.id.idiag_if;
	socket->cookie =
		(uint64_t)message.id.idiag_cookie[1] << 32 | message.id.idiag_cookie[0];
	socket->local.port = ntohs(message.id.idiag_sport);
	socket->remote.port = ntohs(message.id.idiag_dport);
	memcpy(socket->local.address, message.id.idiag_src, 16);
	memcpy(socket->remote.address, message.id.idiag_dst, 16);
	take_attributes(socket, data + sizeof message, size - sizeof message);
	return true;
}

static enum diag_step failed(struct diag_reader *reader, int error)
{
	reader->error = error;
	return DIAG_FAILED;
}

/* The end of a dump and an error both begin with a negative errno, or 0. */
static enum diag_step ended(
	struct diag_reader *reader, const uint8_t *data, size_t size)
{
	int32_t code = 0;

	if (size >= sizeof code)
		memcpy(&code, data, sizeof code);
	if (code < 0 && code > INT32_MIN)
		return failed(reader, -code);
	return code ? failed(reader, EBADMSG) : DIAG_DONE;
}

enum diag_step diag_next(struct diag_reader *reader, struct diag_socket *socket)
{
	while (reader->size - reader->at >= sizeof(struct nlmsghdr)) {
		const uint8_t *data = reader->data + reader->at;
		size_t left = reader->size - reader->at, size;
		struct nlmsghdr head;

		memcpy(&head, data, sizeof head);
		if (head.nlmsg_len < sizeof head || head.nlmsg_len > left)
			return failed(reader, EBADMSG);
		data += sizeof head;
		size = head.nlmsg_len - sizeof head;
		reader->at +=
			aligned(head.nlmsg_len) < left ? aligned(head.nlmsg_len) : left;
		reader->torn |= (head.nlmsg_flags & NLM_F_DUMP_INTR) != 0;
		if (head.nlmsg_type == NLMSG_DONE || head.nlmsg_type == NLMSG_ERROR)
			return ended(reader, data, size);
		if (head.nlmsg_type != TCPDIAG_GETSOCK &&
			head.nlmsg_type != SOCK_DIAG_BY_FAMILY) /* it ended */
			continue;
		return take_socket(socket, data, size) ? DIAG_SOCKET
						       : failed(reader, EBADMSG);
	}
	return DIAG_MORE;
}

/* ---- names ---- */

static bool is_mapped(const uint8_t *address)
{
	static const uint8_t prefix[12] = {[10] = 0xff, [11] = 0xff};

	return !memcmp(address, prefix, sizeof prefix);
}

void diag_end_text(const struct diag_socket *socket, const struct diag_end *end,
	char *text, size_t size)
{
	bool mapped = socket->ipv6 && is_mapped(end->address);
	bool ipv4 = !socket->ipv6 || mapped;
	bool link =
		!ipv4 && end->address[0] == 0xfe && (end->address[1] & 0xc0) == 0x80;
	char address[INET6_ADDRSTRLEN] = "", zone[16] = "";

	/* cannot fail: family and room are right */
	(void)inet_ntop(ipv4 ? AF_INET : AF_INET6, end->address + (mapped ? 12 : 0),
		address, sizeof address);
	if (link && socket->interface)
		(void)text_format(zone, sizeof zone, "%%%u",
			(unsigned)socket->interface); /* at most 11 */
	(void)text_format(text, size, ipv4 ? "%s%s:%u" : "[%s%s]:%u", address, zone,
		(unsigned)end->port); /* SIZE is the caller's */
}
