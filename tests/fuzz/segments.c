/* See the header. Every frame lies in memory of exactly its size. */
#include "config.h"

#include "segments.h"

#include "packet/engine.h"
#include "packet/sum.h"
#include "packet/view.h"

#include <stdlib.h>

enum {
	IP = 20,
	TCP = 20,
	UDP = 8,
	RAW = 101, /* link type: the frame begins with IP */
	HEAD = 4,  /* of a segment in the input */
	CLIENT = 40000,

	BY_SERVER = 1,
	SYN = 2,
	FIN = 4,
	RST = 8,
	WRONG_SUM = 16,
	CUT = 32,
};

struct talk {
	struct engine *engine;
	uint16_t port;
	uint8_t protocol;
	uint32_t next[2]; /* of client and server */
	uint64_t frames;
};

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, value >> 16);
	put16(at + 2, value);
}

static void put_ip(uint8_t *ip, const struct talk *talk, bool server, uint32_t size)
{
	uint16_t sum;

	ip[0] = 0x45;
	put16(ip + 2, size);
	put16(ip + 4, (uint32_t)talk->frames);
	ip[8] = 64;
	ip[9] = talk->protocol;
	put32(ip + 12, server ? 0xc0000202 : 0xc0000201);
	put32(ip + 16, server ? 0xc0000201 : 0xc0000202);
	sum = (uint16_t)~sum_fold(sum_bytes(ip, IP));
	memcpy(ip + 10, &sum, sizeof sum);
}

static void seal(uint8_t *ip, uint32_t size, uint32_t field, bool wrong)
{
	uint64_t sum = sum_bytes(ip + 12, 8) + sum_number(ip[9]) +
		       sum_number(size - IP) + sum_bytes(ip + IP, size - IP);
	uint16_t value = (uint16_t)(~sum_fold(sum) ^ (wrong ? 0x55 : 0));

	memcpy(ip + IP + field, &value, sizeof value);
}

static void put_tcp(uint8_t *tcp, struct talk *talk, uint8_t how, int8_t off)
{
	bool server = how & BY_SERVER;
	int64_t number = (int64_t)talk->next[server] + off;

	put32(tcp + 4, (uint32_t)number);
	put32(tcp + 8, talk->next[!server]);
	tcp[12] = TCP / 4 << 4;
	tcp[13] = (uint8_t)((how & SYN ? 0x02U : 0x10U) | (how & FIN ? 1U : 0U) |
			    (how & RST ? 4U : 0U));
	put16(tcp + 14, 1000);
}

static void give(struct talk *talk, uint8_t *ip, uint32_t size, uint8_t how)
{
	uint32_t captured = how & CUT ? size - (size - (uint32_t)IP) / 3 : size;
	uint8_t *exact = malloc(captured);
	struct packet_frame frame = {.data = exact,
		.captured = captured,
		.length = size,
		.time = (nsec)talk->frames * NSEC_PER_MSEC + NSEC_PER_SEC,
		.direction = PACKET_UNKNOWN};

	if (!exact)
		abort();
	memcpy(exact, ip, captured);
	(void)engine_frame(talk->engine, &frame); /* columns are not looked at */
	talk->frames++;
	free(exact);
}

static void one(
	struct talk *talk, const uint8_t *head, const uint8_t *data, uint32_t size)
{
	uint32_t header = talk->protocol == 6 ? TCP : UDP;
	uint32_t all = IP + header + size;
	bool server = head[0] & BY_SERVER;
	uint8_t *ip = calloc(1, all);

	if (!ip)
		abort();
	put_ip(ip, talk, server, all);
	put16(ip + IP, server ? talk->port : CLIENT);
	put16(ip + IP + 2, server ? CLIENT : talk->port);
	memcpy(ip + IP + header, data, size);
	if (talk->protocol == 6)
		put_tcp(ip + IP, talk, head[0], (int8_t)head[1]);
	else
		put16(ip + IP + 4, UDP + size);
	seal(ip, all, talk->protocol == 6 ? 16 : 6, head[0] & WRONG_SUM);
	give(talk, ip, all, head[0]);
	free(ip);
	if (head[1] == 0)
		talk->next[server] += size;
}

/* Whatever was in them, every frame is counted once. */
static void check(const struct talk *talk)
{
	const struct tally *tally = engine_tally(talk->engine);

	if (tally->frames[PACKET_UNKNOWN] != talk->frames ||
		tally->segments[PACKET_UNKNOWN] < talk->frames)
		abort();
}

static void run(struct talk *talk, const uint8_t *data, size_t size)
{
	while (size >= HEAD) {
		size_t wanted = load_be16(data + 2), rest = size - HEAD;
		size_t taken = wanted < rest ? wanted : rest;

		taken = taken < 60000 ? taken : 60000;
		one(talk, data, data + HEAD, (uint32_t)taken);
		data += HEAD + taken;
		size -= HEAD + taken;
	}
	check(talk);
}

static void start(uint16_t port, uint8_t protocol, const uint8_t *data, size_t size)
{
	struct engine_options options = {.linktype = RAW, .flows = 8};
	struct talk talk = {.port = port, .protocol = protocol, .next = {1000, 5000}};

	if (size == 0)
		return;
	options.rules = data[0] & 1 ? RULES_WIRESHARK : RULES_WEIR;
	talk.engine = engine_new(&options);
	if (!talk.engine)
		abort();
	run(&talk, data + 1, size - 1);
	engine_free(talk.engine);
}

void fuzz_segments(uint16_t port, const uint8_t *data, size_t size)
{
	start(port, 6, data, size);
}

void fuzz_datagrams(uint16_t port, const uint8_t *data, size_t size)
{
	start(port, 17, data, size);
}
