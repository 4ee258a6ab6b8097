/*
 * The recorder's socket: viewers that get ticks, and requests with their answers
 * (doc/protocol.md). A viewer that reads slowly falls behind in the ring and jumps;
 * one that is hostile or stuck is dropped. The recorder never waits for any.
 */
#ifndef WEIR_APP_SERVER_H
#define WEIR_APP_SERVER_H

#include "base/fault.h"
#include "base/loop.h"
#include "core/session.h"

struct recorder;
struct server;

/* Listens on PATH, in place of a socket that nobody answers on. RECORDER is kept. */
struct server *server_new(
	struct recorder *recorder, const char *path, struct fault *fault);
/* Sends what goes without waiting, and removes the socket. */
void server_free(struct server *server);

/* Appends what it waits for to ITEMS (of LOOP_ITEMS); returns the new count. */
size_t server_items(struct server *server, struct loop_item *items, size_t count);

/* Drops the connections that came to their end. Not to be called from an item. */
void server_tidy(struct server *server);

size_t server_viewers(const struct server *server);

/* There is a new tick in the ring. */
void server_tick(struct server *server);
/* The journal has done jobs up to DONE. */
void server_saved(struct server *server, uint64_t done);
/* Everybody is told how it stands at the end. */
void server_end(struct server *server);

/* To all viewers. WINDOW is null if it is gone. */
void server_tell_window(
	struct server *server, uint32_t id, const struct window *window);
void server_tell_run(struct server *server, const struct run *run);
void server_tell_note(struct server *server, const struct note *note);
/* Those that were put as number FROM and later. */
void server_tell_facts(struct server *server, const struct facts *facts, size_t from);
void server_tell_note_gone(struct server *server, uint32_t id);

/* Makes the socket anew if somebody removed it, as happens to the folders of those
 * who log out; and listens again where nobody could be let in. Once a tick. */
void server_watch_socket(struct server *server);

#endif
