/*
 * A viewer's end of the recorder's socket (doc/protocol.md). Never blocks except
 * where it says so.
 */
#ifndef WEIR_APP_CLIENT_H
#define WEIR_APP_CLIENT_H

#include "base/fault.h"
#include "core/session.h"

#include <sys/types.h>

struct client;

/* How the recorder is doing; sent with every tick. */
struct recorder_state {
	bool known;
	bool stopping;
	int viewers;
	uint64_t unsaved;     /* ticks that wait in memory for the disk */
	nsec unsaved_for;     /* age of the oldest of them */
	uint64_t ticks, late; /* of this run; late: more than half a tick */
	uint64_t bytes;       /* size of the session file */
	nsec interval;
	bool marked;       /* somebody set a mark */
	nsec left;         /* session time at which the last viewer left; 0: never */
	char trouble[200]; /* "" or why the recording is not as it should be */
	char sources[240]; /* "statgrab late 12s; capture off: ..." or "" */
	char file[256];
};

enum client_event {
	CLIENT_NOTHING, /* all that had arrived was taken */
	CLIENT_TICK,    /* put into the session */
	CLIENT_CHANGED, /* a window, note or run changed in the session */
	CLIENT_REBUILD, /* the same, and the session must be fed anew: done by the
			   client */
	CLIENT_STATE,
	CLIENT_ANSWER, /* to a request: client_answer() */
	CLIENT_GONE,   /* the recorder ended or died; fault says how */
};

/* A fault if it is not OWNER's process that listens. */
struct client *client_connect(const char *socket, uid_t owner, struct fault *fault);
void client_free(struct client *client);
int client_fd(const struct client *client);
/* The process that listens; 0 if the kernel does not say. */
int client_pid(const struct client *client);

/* Starts streaming into SESSION from session time SINCE (INT64_MIN: all that the
 * recorder holds). Ticks, windows, notes and runs go in as client_next is called. */
bool client_watch(struct client *client, struct session *session, nsec since,
	struct fault *fault);

/* Takes what comes until the recorder has said all that it says at first; false if that
 * is not within PATIENCE. */
bool client_settle(struct client *client, nsec patience);

/* Takes the next thing that has arrived. */
enum client_event client_next(struct client *client, struct fault *fault);

const struct recorder_state *client_state(const struct client *client);

/* Sends one request line, e.g. client_send(c, "mark", "name=before", NULL): words are
 * quoted by it. The answers come as CLIENT_ANSWER: first "marked" or "error", then
 * "saved". */
bool client_send(struct client *client, const char *const *words, size_t count,
	struct fault *fault);

struct client_answer {
	bool error;
	bool saved;     /* the disk has it; before that it is only marked */
	uint32_t id;    /* of the window or note */
	char text[256]; /* "BEFORE begun at 02:06:10", or the reason */
};
const struct client_answer *client_answer(const struct client *client);

/* For the small commands: sends and waits (up to TIMEOUT) until answered, and, if
 * SAVED, until the disk has it. */
bool client_ask(struct client *client, const char *const *words, size_t count,
	bool saved, nsec timeout, struct client_answer *answer, struct fault *fault);

#endif
