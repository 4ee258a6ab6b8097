/*
 * Puts crafted frames on an interface through a packet socket, for the live tests:
 * send_frames INTERFACE KIND COUNT. Each kind is one way to be right or wrong.
 * Addresses are from the ranges for documentation, and nobody answers.
 */
#include "config.h"

#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	ETHER = 14,
	PAYLOAD = 300, /* longer than what is kept of a frame that is cut */
	IP4 = 20,
	IP6 = 40,
	ACK = 0x10,
	RST = 0x04,
	REPEAT_PAUSE_US = 20000 /* longer than a reordering may be late */
};

struct frame {
	uint8_t bytes[ETHER + IP6 + 20 + PAYLOAD];
	size_t size;
	size_t ip;       /* size of the IP header */
	size_t checksum; /* where the inner checksum stands, from the inner header */
	uint8_t proto;
};

static uint16_t ip_id;
static unsigned flow; /* each kind has a connection of its own */

static void put16(uint8_t *to, unsigned value)
{
	to[0] = (uint8_t)(value >> 8);
	to[1] = (uint8_t)value;
}

static void put32(uint8_t *to, uint32_t value)
{
	put16(to, value >> 16);
	put16(to + 2, value & 0xffff);
}

/* The ones-complement sum (RFC 1071), not yet complemented. */
static uint32_t sum(uint32_t start, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		start += i % 2 ? data[i] : (uint32_t)data[i] << 8;
	while (start >> 16)
		start = (start & 0xffff) + (start >> 16);
	return start;
}

static uint32_t pseudo(const struct frame *frame)
{
	const uint8_t *inner = frame->bytes + ETHER + frame->ip;
	uint32_t length = (uint32_t)(frame->size - ETHER - frame->ip);
	size_t addresses = frame->ip == IP4 ? 8 : 32;

	return sum(length + frame->proto, inner - addresses, addresses);
}

/* Both checksums right. */
static void finish(struct frame *frame)
{
	uint8_t *ip = frame->bytes + ETHER;
	uint8_t *inner = ip + frame->ip;
	uint32_t start = frame->proto == IPPROTO_ICMP ? 0 : pseudo(frame);

	put16(inner + frame->checksum, 0);
	put16(inner + frame->checksum,
		~sum(start, inner, frame->size - ETHER - frame->ip) & 0xffff);
	if (frame->ip == IP6)
		return;
	put16(ip + 10, 0);
	put16(ip + 10, ~sum(0, ip, IP4) & 0xffff);
}

static void write_ip4(const struct frame *frame, uint8_t *ip)
{
	ip[0] = 0x45;
	put16(ip + 2, (unsigned)(frame->size - ETHER));
	put16(ip + 4, ++ip_id);
	ip[8] = 64;
	ip[9] = frame->proto;
	put32(ip + 12, 0xc0000201); /* 192.0.2.1 */
	put32(ip + 16, 0xc0000202);
}

static void write_ip6(const struct frame *frame, uint8_t *ip)
{
	ip[0] = 0x60;
	put16(ip + 4, (unsigned)(frame->size - ETHER - IP6));
	ip[6] = frame->proto;
	ip[7] = 64;
	put32(ip + 8, 0x20010db8); /* 2001:db8::1 */
	ip[23] = 1;
	put32(ip + 24, 0x20010db8);
	ip[39] = 2;
}

/* Returns where the inner header of HEADER bytes begins. */
static uint8_t *begin(
	struct frame *frame, size_t ip, uint8_t proto, size_t header, size_t payload)
{
	frame->ip = ip;
	frame->proto = proto;
	frame->size = ETHER + ip + header + payload;
	memset(frame->bytes + ETHER, 0, ip + header);
	memset(frame->bytes + ETHER + ip + header, 0x5a, payload);
	put16(frame->bytes + 12, ip == IP4 ? ETHERTYPE_IP : ETHERTYPE_IPV6);
	if (ip == IP4)
		write_ip4(frame, frame->bytes + ETHER);
	else
		write_ip6(frame, frame->bytes + ETHER);
	return frame->bytes + ETHER + ip;
}

static void tcp(
	struct frame *frame, size_t ip, uint32_t seq, size_t payload, uint8_t flags)
{
	uint8_t *at = begin(frame, ip, IPPROTO_TCP, 20, payload);

	frame->checksum = 16;
	put16(at, 40000 + flow);
	put16(at + 2, 3260);
	put32(at + 4, seq);
	put32(at + 8, 1);
	at[12] = 5 << 4;
	at[13] = flags;
	put16(at + 14, 1000);
	finish(frame);
}

static void good_tcp(struct frame *frame, unsigned n)
{
	tcp(frame, IP4, 1000 + n * PAYLOAD, PAYLOAD, ACK);
}

static void good_tcp6(struct frame *frame, unsigned n)
{
	tcp(frame, IP6, 1000 + n * PAYLOAD, PAYLOAD, ACK);
}

static void good_udp(struct frame *frame, unsigned n)
{
	uint8_t *at = begin(frame, IP4, IPPROTO_UDP, 8, PAYLOAD);

	frame->checksum = 6;
	put16(at, 40000 + n % 1000);
	put16(at + 2, 9);
	put16(at + 4, 8 + PAYLOAD);
	finish(frame);
}

static void icmp(struct frame *frame, uint8_t type, uint8_t code)
{
	uint8_t *at = begin(frame, IP4, IPPROTO_ICMP, 8, PAYLOAD);

	frame->checksum = 2;
	at[0] = type;
	at[1] = code;
	finish(frame);
}

static void good_icmp(struct frame *frame, unsigned n)
{
	(void)n;
	icmp(frame, 8, 0);
}

static void good_icmp6(struct frame *frame, unsigned n)
{
	uint8_t *at = begin(frame, IP6, IPPROTO_ICMPV6, 8, PAYLOAD);

	frame->checksum = 2;
	at[0] = 128;
	put16(at + 6, n);
	finish(frame);
}

/* One bit in the payload: the ones-complement sum always notices. */
static void flip(struct frame *frame)
{
	frame->bytes[frame->size - 1] ^= 4;
}

static void bad_ip4(struct frame *frame, unsigned n)
{
	good_udp(frame, n);
	frame->bytes[ETHER + 8] ^=
		1; /* time to live: the inner sum does not cover it */
}

static void bad_tcp(struct frame *frame, unsigned n)
{
	good_tcp(frame, n);
	flip(frame);
}

static void bad_tcp6(struct frame *frame, unsigned n)
{
	good_tcp6(frame, n);
	flip(frame);
}

static void bad_udp(struct frame *frame, unsigned n)
{
	good_udp(frame, n);
	flip(frame);
}

static void bad_icmp(struct frame *frame, unsigned n)
{
	good_icmp(frame, n);
	flip(frame);
}

static void bad_icmp6(struct frame *frame, unsigned n)
{
	good_icmp6(frame, n);
	flip(frame);
}

/* As a stack leaves it that expects the card to go on from here. */
static void partial(struct frame *frame)
{
	put16(frame->bytes + ETHER + frame->ip + frame->checksum, pseudo(frame));
}

static void partial_tcp(struct frame *frame, unsigned n)
{
	good_tcp(frame, n);
	partial(frame);
}

static void partial_udp(struct frame *frame, unsigned n)
{
	good_udp(frame, n);
	partial(frame);
}

static void reset(struct frame *frame, unsigned n)
{
	tcp(frame, IP4, 500000 + n, 0, RST | ACK);
}

static void unreachable(struct frame *frame, unsigned n)
{
	(void)n;
	icmp(frame, 3, 1);
}

/* Two fresh segments, then the first of them again, and so on. */
static void repeated(struct frame *frame, unsigned n)
{
	unsigned pair = n / 3 * 2;

	if (n % 3 == 2)
		(void)usleep(REPEAT_PAUSE_US); /* a shorter one only fails the test */
	good_tcp(frame, n % 3 == 2 ? pair : pair + n % 3);
}

static const struct {
	const char *name;
	void (*make)(struct frame *frame, unsigned n);
} kinds[] = {
	{"good-tcp", good_tcp},
	{"good-tcp6", good_tcp6},
	{"good-udp", good_udp},
	{"good-icmp", good_icmp},
	{"good-icmp6", good_icmp6},
	{"bad-ip4", bad_ip4},
	{"bad-tcp", bad_tcp},
	{"bad-tcp6", bad_tcp6},
	{"bad-udp", bad_udp},
	{"bad-icmp", bad_icmp},
	{"bad-icmp6", bad_icmp6},
	{"partial-tcp", partial_tcp},
	{"partial-udp", partial_udp},
	{"reset", reset},
	{"unreachable", unreachable},
	{"repeated", repeated},
};

static int failed(const char *what)
{
	perror(what);
	return 1;
}

/* From the interface's own address to the other one of the pair: ...:01 and ...:02,
 * as capture.sh names them. */
static bool address(int fd, const char *name, struct frame *frame, int *index)
{
	struct ifreq request = {0};

	if (snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name) >=
			IFNAMSIZ ||
		ioctl(fd, SIOCGIFINDEX, &request) < 0)
		return false;
	*index = request.ifr_ifindex;
	if (ioctl(fd, SIOCGIFHWADDR, &request) < 0)
		return false;
	memcpy(frame->bytes, request.ifr_hwaddr.sa_data, 6);
	memcpy(frame->bytes + 6, request.ifr_hwaddr.sa_data, 6);
	frame->bytes[5] ^= 3;
	return true;
}

static int send_all(const char *interface, unsigned kind, unsigned count)
{
	int fd = socket(AF_PACKET, SOCK_RAW, 0);
	struct sockaddr_ll to = {.sll_family = AF_PACKET};
	static struct frame frame;

	if (fd < 0)
		return failed("packet socket");
	if (!address(fd, interface, &frame, &to.sll_ifindex))
		return failed(interface);
	flow = kind;
	for (unsigned n = 0; n < count; n++) {
		kinds[kind].make(&frame, n);
		if (sendto(fd, frame.bytes, frame.size, 0, (struct sockaddr *)&to,
			    sizeof to) != (ssize_t)frame.size)
			return failed("send");
	}
	return close(fd) ? failed("close") : 0;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(argv[2], kinds[i].name))
			return send_all(
				argv[1], i, (unsigned)strtoul(argv[3], NULL, 10));
	(void)fprintf(stderr, "no kind of frame is called %s\n", argv[2]);
	return 2;
}
