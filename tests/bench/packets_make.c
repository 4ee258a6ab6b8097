/*
 * Writes a capture of full-size TCP segments for the bench:
 *   packets_make PACKETS CONNECTIONS >FILE
 * Both directions are there: each connection begins with a handshake, then sends data
 * and has every eighth segment acknowledged. All checksums are right.
 */
#include "config.h"

#include "base/alloc.h"
#include "packet/sum.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ETHERNET = 14,
	IP = 20,
	TCP = 20,
	HEADERS = ETHERNET + IP + TCP,
	SEGMENT = 1460,
	SYN = 0x02,
	ACK = 0x10,
	PER_SECOND = 80000, /* of a link of 1 Gbit/s, roughly */
};

struct connection {
	uint32_t client, server; /* next sequence numbers */
	uint32_t step;
};

struct frame {
	uint8_t bytes[HEADERS + SEGMENT];
	uint32_t size;
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

static void put_sum(uint8_t *at, uint64_t sum)
{
	uint16_t field = (uint16_t)~sum_fold(sum);
	memcpy(at, &field, sizeof field);
}

static void addresses(uint8_t *ip, uint32_t number, bool from_client)
{
	uint32_t client = UINT32_C(0x0a010000) + number / 60000;
	uint32_t server = UINT32_C(0x0a020001);

	put32(ip + 12, from_client ? client : server);
	put32(ip + 16, from_client ? server : client);
}

static void build(struct frame *frame, uint32_t number, const struct connection *c,
	uint32_t payload, uint8_t flags, bool from_client)
{
	uint8_t *ip = frame->bytes + ETHERNET, *tcp = ip + IP;
	uint32_t port = 1024 + number % 60000;

	memset(frame->bytes, 0, HEADERS);
	put16(frame->bytes + 12, 0x0800);
	ip[0] = 0x45;
	ip[8] = 64;
	ip[9] = 6;
	put16(ip + 2, IP + TCP + payload);
	put16(ip + 4, c->step);
	addresses(ip, number, from_client);
	put_sum(ip + 10, sum_bytes(ip, IP));
	put16(tcp, from_client ? port : 3000);
	put16(tcp + 2, from_client ? 3000 : port);
	put32(tcp + 4, from_client ? c->client : c->server);
	put32(tcp + 8, flags == SYN ? 0 : from_client ? c->server : c->client);
	tcp[12] = TCP / 4 << 4;
	tcp[13] = flags;
	put16(tcp + 14, 65000);
	frame->size = HEADERS + payload;
	put_sum(tcp + 16, sum_bytes(ip + 12, 8) + sum_number(6) +
				  sum_number(TCP + payload) +
				  sum_bytes(tcp, TCP + payload));
}

/* SYN, SYN+ACK, ACK, then eight segments of data for each acknowledgement. */
static void next(struct frame *frame, uint32_t number, struct connection *c)
{
	uint32_t step = c->step++;

	if (step == 0) {
		c->client = number * 7919;
		c->server = number * 104729;
		build(frame, number, c, 0, SYN, true);
		c->client++;
	} else if (step == 1) {
		build(frame, number, c, 0, SYN | ACK, false);
		c->server++;
	} else if (step % 9 == 2) {
		build(frame, number, c, 0, ACK, step == 2);
	} else {
		build(frame, number, c, SEGMENT, ACK, true);
		c->client += SEGMENT;
	}
}

static void write_record(const struct frame *frame, uint64_t at)
{
	uint32_t record[4] = {(uint32_t)(at / PER_SECOND) + 1700000000,
		(uint32_t)(at % PER_SECOND * (1000000 / 8) / (PER_SECOND / 8)),
		frame->size, frame->size};

	if (fwrite(record, sizeof record, 1, stdout) != 1 ||
		fwrite(frame->bytes, frame->size, 1, stdout) != 1)
		exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	static const uint32_t head[6] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 262144, 1};
	uint64_t packets = argc > 1 ? strtoull(argv[1], NULL, 10) : 500000;
	uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 200;
	struct connection *connections = xarray(count ? count : 1, sizeof *connections);
	struct frame frame;

	if (count == 0 || fwrite(head, sizeof head, 1, stdout) != 1)
		return EXIT_FAILURE;
	for (size_t i = 0; i < sizeof frame.bytes; i++)
		frame.bytes[i] = (uint8_t)(i * 31);
	for (uint64_t i = 0; i < packets; i++) {
		uint32_t number = (uint32_t)(i % count);
		next(&frame, number, &connections[number]);
		write_record(&frame, i);
	}
	free(connections);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
