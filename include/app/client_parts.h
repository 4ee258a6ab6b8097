/*
 * The inside of a client: what its two files share. client.c moves bytes,
 * client_take.c makes of each line and tick what it means.
 */
#ifndef WEIR_APP_CLIENT_PARTS_H
#define WEIR_APP_CLIENT_PARTS_H

#include "app/client.h"
#include "app/protocol.h"

enum {
	CLIENT_TICK_MOST = 16 << 20, /* a recorder that sends more is none */
	CLIENT_UNSAVED = 32          /* as many as a recorder lets wait */
};

struct client {
	int fd;
	struct buffer in, out;
	size_t at;        /* what of IN is taken */
	size_t tick_size; /* a tick of so many bytes comes next; 0: a line */
	struct words words;
	struct session *session; /* null: not watching */
	struct tick_decoder decoder;
	bool again; /* asked anew: skip until it begins anew */
	bool gone;
	struct recorder_state state;
	struct client_answer answer;
	struct client_answer unsaved[CLIENT_UNSAVED]; /* told, and not on the disk */
	size_t unsaved_count;
};

/* Asks for all from SINCE on. */
bool client_ask_to_watch(struct client *client, nsec since, struct fault *fault);

/* What the line in its words means; what a tick of tick_size bytes means. */
enum client_event client_take_words(struct client *client);
enum client_event client_take_tick(struct client *client, const uint8_t *data);

#endif
