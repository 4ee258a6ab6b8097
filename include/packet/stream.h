/*
 * The bytes of a storage connection in order, cut into the messages of its
 * protocol. Nothing is kept of a message but its first bytes: bodies are passed
 * over, so that memory does not depend on what a header claims.
 */
#ifndef WEIR_PACKET_STREAM_H
#define WEIR_PACKET_STREAM_H

#include "packet/calls.h"
#include "packet/crc32c.h"
#include "packet/peer.h"
#include "packet/tcp.h"

enum {
	HEAD_MAX = 512,
	HOLES = 4,
	PENDING = 4
};

/* A stretch of the stream, from the first byte to the one behind the last. */
struct stretch {
	uint32_t from, to;
};

/* A message whose header was read and whose body has holes: under the plain rules
 * it counts with the frame that fills the last one. */
struct pending {
	struct stretch hole[HOLES];
	uint64_t seen[SEEN_WORDS];
	uint64_t columns;
};

/* One direction. */
struct half {
	bool synced;
	uint32_t next; /* sequence number of the next byte */
	uint32_t have; /* bytes in HEAD */
	uint32_t need; /* bytes that HEAD is to have before the next step */
	uint32_t skip; /* bytes of body to pass over after that */
	uint32_t crc;  /* of what was passed over */
	uint8_t step;  /* of the protocol; 0: a message begins */
	bool holed;    /* part of the message was lost: */
	struct stretch hole[HOLES];
	uint32_t left;             /* for the protocol: rest of the message */
	uint64_t seen[SEEN_WORDS]; /* what the message will count when it ends */
	uint64_t columns;
	struct pending pending[PENDING];
	struct stretch lost; /* the last stretch whose messages are not known */
	uint8_t head[HEAD_MAX];
};

enum digest {
	DIGEST_UNKNOWN,
	DIGEST_OFF,
	DIGEST_ON
};

struct stream {
	const struct flow *flow; /* null: free */
	uint32_t used;           /* when, for the choice of the oldest */
	uint64_t owner;          /* of its calls: unique in a run */
	const struct protocol *protocol;
	enum digest header_digest, data_digest; /* iSCSI */
	struct half half[2];
};

/* What a step works on. */
struct step {
	struct decode *decode;
	struct storage *storage;
	struct stream *stream;
	struct half *half;
	const struct tcp_segment *segment;
	bool last; /* no bytes are left in the segment */
	bool fast; /* plain rules: a fast retransmission */
	bool from_server;
};

struct protocol {
	uint32_t head; /* bytes with which a message begins */
	bool digests;  /* bodies are summed up */

	/* Could a message begin here? Asked where the place in the stream is not
	 * known: at its start and behind a hole. */
	bool (*begins)(const struct step *step, const struct view *view);

	/* HEAD holds what was needed and SKIP bytes were passed over: what now?
	 * False where this makes no sense: the place is lost. */
	bool (*advance)(struct step *step);

	/* No more of this message will come: counts what is known of it. */
	void (*cut)(struct step *step);
};

struct storage {
	struct crc32c crc;
	struct calls *calls;
	uint64_t owners;
	uint32_t clock;
	struct stream *streams;
	unsigned room;
	struct half alone; /* for segments that are read on their own */
};

extern const struct protocol protocol_iscsi, protocol_smb2, protocol_rpc;

/* ROOM: connections that are looked into at once, at most 65535. */
struct storage *storage_new(unsigned room);
void storage_free(struct storage *storage);

/* The next bytes of a direction; what was seen before is left out, what is
 * missing is passed over as far as it can be. */
void stream_add(struct step *step, const struct view *payload);

/* Reads messages from the start of PAYLOAD, as if nothing came before or after. */
void stream_alone(struct step *step, const struct view *payload);

/* Counts in the message, which is told when it ends. */
void half_see(struct half *half, enum seen seen);
void half_mark(struct half *half, enum column column);

/* CALL was answered by this frame: its peer took so long. Once for each call. */
void call_answered(struct decode *decode, struct call *call, enum response_kind kind);

/* The message ends here: what it counted goes to the frame; a new one begins. */
void half_end(struct step *step);

#endif
