/*
 * The packet engine: frames go in, counts per class come out. Pure: no files, no
 * clock, no system call, and no allocation after engine_new(). It runs behind
 * hostile bytes, in the cage of weir-capture and of `weir read`.
 */
#ifndef WEIR_PACKET_ENGINE_H
#define WEIR_PACKET_ENGINE_H

#include "base/nsec.h"
#include "packet/class.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum packet_rules {
	RULES_WEIR,      /* with the discounts of doc/packets.md */
	RULES_WIRESHARK, /* without them, for comparison */
};

struct evidence;

struct engine_options {
	enum packet_rules rules;
	int linktype; /* DLT_* value as libpcap gives it (LINKTYPE numbers for files) */
	size_t flows; /* TCP connections remembered at once; 0: the default */
	/* Addresses of this side, where the link does not say what was sent and what
	 * was received; borrowed. IPv4: the first four bytes, the rest 0. */
	const struct packet_host *hosts;
	unsigned host_count;
	struct evidence *evidence; /* what packets are kept; borrowed, or null */
};

/* --host names at most so many. */
enum {
	PACKET_HOSTS = 32
};

struct packet_host {
	uint8_t address[16];
	uint8_t version; /* 4 or 6 */
};

/* "10.1.0.20,2001:db8::1": false where it is no list of addresses, or too long. */
bool packet_hosts_scan(const char *list, struct packet_host *hosts, unsigned *count);

/* One frame. DATA is only borrowed. */
struct packet_frame {
	const uint8_t *data;
	uint32_t captured; /* bytes at DATA */
	uint32_t length;   /* bytes on the wire, >= captured in a sound file */
	nsec time;         /* wall clock of the capture */
	enum packet_direction direction;
	bool cut; /* taken with headers only on purpose: not a damaged frame */
};

/* Cumulative since engine_new(). */
struct tally {
	uint64_t count[CLASS_MAX][PACKET_DIRECTIONS];
	uint64_t frames[PACKET_DIRECTIONS];
	uint64_t bytes[PACKET_DIRECTIONS];    /* as on the wire */
	uint64_t segments[PACKET_DIRECTIONS]; /* wire segments, doc/packets.md */
	uint64_t cut;                         /* frames with less than all bytes */
};

struct engine;

/* Null if the link type is not one of those that weir reads. */
struct engine *engine_new(const struct engine_options *options);
void engine_free(struct engine *engine);

/* Returns the comparison columns (packet/column.h) of the frame, one bit each. */
uint64_t engine_frame(struct engine *engine, const struct packet_frame *frame);

/* Adds one to the class ROW, for what only the reader of the frames can see. */
void engine_count(struct engine *engine, unsigned row);
const struct tally *engine_tally(const struct engine *engine);

struct peer_table;
const struct peer_table *engine_peers(const struct engine *engine);

#endif
