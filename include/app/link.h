/*
 * One connection to the recorder: its lines in, its lines out, its place in the ring.
 * The inside of the server.
 */
#ifndef WEIR_APP_LINK_H
#define WEIR_APP_LINK_H

#include "app/protocol.h"
#include "app/recorder.h"

enum {
	LINK_PENDING = 32, /* answers that wait for the disk */
	LINK_RUNS = 8,     /* commands that one connection runs at once */
};

struct link_pending {
	uint64_t job;
	uint32_t id;
};

struct link {
	struct recorder *recorder;
	int fd; /* negative: over */
	struct buffer in, out;
	size_t most; /* a viewer for whom more waits than this is stuck */
	struct words words;
	bool only_watches; /* of group weir: looks on and asks for nothing */
	bool watching;
	uint64_t place; /* number of the next tick it gets */
	bool behind;    /* ticks went out since the last state line */
	struct link_pending pending[LINK_PENDING];
	size_t pending_count;
	uint32_t runs[LINK_RUNS]; /* windows of its commands that still run */
	size_t run_count;
};

/* Takes FD, non-blocking. */
struct link *link_new(struct recorder *recorder, int fd);
void link_free(struct link *link); /* ends its runs */

/* Reads what has come and answers it. */
void link_read(struct link *link);
/* Sends what goes; more ticks are taken as room is. */
void link_pump(struct link *link);
/* Appends a line for a viewer; one that takes none for too long is dropped. */
void link_tell(struct link *link, const struct buffer *line);
void link_saved(struct link *link, uint64_t done);
/* How the recording stands at its end, also to one who does not watch. */
void link_end(struct link *link);
/* What waits to go now is the session itself: as much as it weighs, and room behind it.
 */
void link_room(struct link *link);

/* request.c: does what the words ask and writes the answer. */
void request_handle(struct link *link);

#endif
