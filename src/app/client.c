/*
 * A viewer's end of the socket; see the header. What arrives is taken apart line by
 * line into the session; what has to go waits in a buffer.
 */
#include "config.h"

#include "app/client.h"

#include "app/protocol.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	TICK_MOST = 16 << 20 /* a recorder that sends more is none */
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
};

struct client *client_connect(const char *path, struct fault *fault)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct client *client;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		(void)fault_errno(fault, errno, "cannot make a socket");
		return NULL;
	}
	if (!text_copy(address.sun_path, sizeof address.sun_path, path) ||
		connect(fd, (const struct sockaddr *)&address, sizeof address) < 0) {
		(void)fault_errno(fault, errno, "no recorder answers on %s", path);
		(void)close(fd); /* nothing was sent */
		return NULL;
	}
	client = xalloc(sizeof *client);
	client->fd = fd;
	return client;
}

void client_free(struct client *client)
{
	if (!client)
		return;
	if (client->fd >= 0)
		(void)close(client->fd); /* nothing is left to save */
	buffer_fini(&client->in);
	buffer_fini(&client->out);
	words_fini(&client->words);
	tick_decoder_fini(&client->decoder);
	free(client);
}

int client_fd(const struct client *client)
{
	return client->fd;
}

const struct recorder_state *client_state(const struct client *client)
{
	return &client->state;
}

const struct client_answer *client_answer(const struct client *client)
{
	return &client->answer;
}

static bool flush_out(struct client *client, struct fault *fault)
{
	while (client->out.size) {
		ssize_t sent = send(client->fd, client->out.data, client->out.size,
			MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent > 0)
			buffer_drop(&client->out, (size_t)sent);
		else if (errno == EAGAIN)
			return true;
		else if (errno != EINTR)
			return fault_errno(fault, errno, "the recorder is gone");
	}
	return true;
}

bool client_send(struct client *client, const char *const *words, size_t count,
	struct fault *fault)
{
	if (client->out.size > PROTOCOL_LINE)
		return fault_set(fault, "the recorder takes no requests");
	for (size_t i = 0; i < count; i++)
		line_word(&client->out, words[i]);
	line_end(&client->out);
	return flush_out(client, fault);
}

static bool ask_to_watch(struct client *client, nsec since, struct fault *fault)
{
	line_word(&client->out, "watch");
	if (since > INT64_MIN)
		line_number(&client->out, since);
	line_end(&client->out);
	return flush_out(client, fault);
}

bool client_watch(
	struct client *client, struct session *session, nsec since, struct fault *fault)
{
	client->session = session;
	return ask_to_watch(client, since, fault);
}

/* ---- what arrives ---- */

/* An empty session in the place of the old one: all of it comes anew. */
static void empty_session(struct session *session)
{
	struct session *fresh = session_new(session->name, session->ring_size);
	struct session old = *session;

	*session = *fresh;
	*fresh = old;
	session_free(fresh);
}

static enum client_event take_session(struct client *client)
{
	bool again = client->again;

	if (!client->session || client->words.count < 3)
		return CLIENT_NOTHING;
	if (again)
		empty_session(client->session);
	client->again = false;
	tick_decoder_fini(&client->decoder);
	(void)text_clean(client->session->name, sizeof client->session->name,
		client->words.list[2]); /* a cut name is still a label */
	return again ? CLIENT_REBUILD : CLIENT_CHANGED;
}

/* The oldest edge of all windows: what has to be seen again. */
static nsec first_edge(const struct session *session)
{
	nsec from = INT64_MAX;

	for (size_t i = 0; i < session->windows.count; i++)
		if (session->windows.list[i].from < from)
			from = session->windows.list[i].from;
	return from;
}

static enum client_event take_window(struct client *client)
{
	struct window window;

	if (!client->session || client->again || !words_window(&client->words, &window))
		return CLIENT_NOTHING;
	if (!session_window(client->session, &window)) {
		client->again = true;
		/* if it fails, the recorder is gone and the next read says so */
		(void)ask_to_watch(client, first_edge(client->session), NULL);
	}
	return CLIENT_CHANGED;
}

static enum client_event take_window_gone(struct client *client)
{
	int64_t id;

	if (!client->session || client->again ||
		!words_number_at(&client->words, 1, &id))
		return CLIENT_NOTHING;
	session_remove_window(client->session, (uint32_t)id);
	return CLIENT_CHANGED;
}

static enum client_event take_note(struct client *client)
{
	struct note note;

	if (!client->session || client->again || !words_note(&client->words, &note))
		return CLIENT_NOTHING;
	session_note(client->session, &note);
	return CLIENT_CHANGED;
}

static enum client_event take_note_gone(struct client *client)
{
	int64_t id;

	if (!client->session || client->again ||
		!words_number_at(&client->words, 1, &id))
		return CLIENT_NOTHING;
	session_remove_note(client->session, (uint32_t)id);
	return CLIENT_CHANGED;
}

static enum client_event take_run(struct client *client)
{
	struct run run;

	if (!client->session || client->again || !words_run(&client->words, &run))
		return CLIENT_NOTHING;
	session_run(client->session, &run);
	return CLIENT_CHANGED;
}

static int64_t number_of(const struct words *words, const char *key)
{
	int64_t number;

	return words_number(words, key, &number) && number >= 0 ? number : 0;
}

static void text_of(const struct words *words, const char *key, char *to, size_t size)
{
	const char *text = words_value(words, key);

	(void)text_clean(to, size, text ? text : ""); /* a cut text will do */
}

static enum client_event take_state(struct client *client)
{
	const struct words *words = &client->words;
	struct recorder_state *state = &client->state;

	state->known = true;
	state->stopping = number_of(words, "stopping") != 0;
	state->viewers = (int)(number_of(words, "viewers") & 0xffff);
	state->unsaved = (uint64_t)number_of(words, "unsaved");
	state->unsaved_for = number_of(words, "unsaved-for");
	state->ticks = (uint64_t)number_of(words, "ticks");
	state->late = (uint64_t)number_of(words, "late");
	state->bytes = (uint64_t)number_of(words, "bytes");
	state->interval = number_of(words, "interval");
	state->marked = number_of(words, "marked") != 0;
	text_of(words, "trouble", state->trouble, sizeof state->trouble);
	text_of(words, "sources", state->sources, sizeof state->sources);
	text_of(words, "file", state->file, sizeof state->file);
	return CLIENT_STATE;
}

static enum client_event take_marked(struct client *client)
{
	int64_t id = 0;

	(void)words_number_at(&client->words, 1, &id); /* a bad one is none */
	client->answer = (struct client_answer){.id = (uint32_t)id};
	if (client->words.count > 2)
		(void)text_clean(client->answer.text, sizeof client->answer.text,
			client->words.list[2]); /* a cut text will do */
	return CLIENT_ANSWER;
}

static enum client_event take_saved(struct client *client)
{
	int64_t id = 0;

	(void)words_number_at(&client->words, 1, &id); /* a bad one is none */
	client->answer.error = false;
	client->answer.saved = true;
	client->answer.id = (uint32_t)id;
	return CLIENT_ANSWER;
}

static enum client_event take_error(struct client *client)
{
	client->answer = (struct client_answer){.error = true};
	if (client->words.count > 1)
		(void)text_clean(client->answer.text, sizeof client->answer.text,
			client->words.list[1]); /* a cut text will do */
	return CLIENT_ANSWER;
}

static enum client_event take_tick_line(struct client *client)
{
	int64_t size;

	if (!words_number_at(&client->words, 1, &size) || size < 1 || size > TICK_MOST)
		client->gone = true;
	else
		client->tick_size = (size_t)size;
	return CLIENT_NOTHING;
}

static const struct {
	const char *word;
	enum client_event (*take)(struct client *client);
} lines[] = {
	{"tick", take_tick_line},
	{"state", take_state},
	{"session", take_session},
	{"run", take_run},
	{"window", take_window},
	{"window-gone", take_window_gone},
	{"note", take_note},
	{"note-gone", take_note_gone},
	{"marked", take_marked},
	{"saved", take_saved},
	{"error", take_error},
};

static enum client_event take_words(struct client *client)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strcmp(lines[i].word, client->words.list[0]))
			return lines[i].take(client);
	return CLIENT_NOTHING; /* of a newer recorder */
}

static enum client_event take_tick(struct client *client, const uint8_t *data)
{
	struct fault fault;
	bool have;

	if (!client->session || client->again)
		return CLIENT_NOTHING;
	/* a damaged one: the decoder waits for the next full tick */
	if (!tick_decode(&client->decoder, data, client->tick_size, &have, &fault) ||
		!have)
		return CLIENT_NOTHING;
	session_put(client->session, &client->decoder);
	return CLIENT_TICK;
}

/* The next whole thing in the buffer; *TAKEN false if there is none. */
static enum client_event take_next(struct client *client, bool *taken)
{
	const uint8_t *data = client->in.data + client->at;
	size_t left = client->in.size - client->at;
	const uint8_t *end;
	enum client_event event = CLIENT_NOTHING;
	size_t size;

	*taken = false;
	if (client->tick_size) {
		if (left < client->tick_size + 1)
			return CLIENT_NOTHING;
		event = take_tick(client, data);
		client->at += client->tick_size + 1;
		client->tick_size = 0;
		*taken = true;
		return event;
	}
	end = left ? memchr(data, '\n', left) : NULL;
	if (!end)
		return CLIENT_NOTHING;
	size = (size_t)(end - data);
	client->at += size + 1;
	*taken = true;
	if (words_split(&client->words, (const char *)data, size))
		event = take_words(client);
	return event;
}

/* False if there is nothing new, or nobody to send it. */
static bool receive(struct client *client)
{
	uint8_t bytes[16384 - 1024];
	ssize_t got;

	buffer_drop(&client->in, client->at);
	client->at = 0;
	do
		got = recv(client->fd, bytes, sizeof bytes, MSG_DONTWAIT);
	while (got < 0 && errno == EINTR);
	if (got > 0) {
		buffer_add(&client->in, bytes, (size_t)got);
		client->gone |= !client->tick_size && client->in.size > PROTOCOL_LINE &&
				!memchr(client->in.data, '\n', client->in.size);
		return true;
	}
	client->gone = !got || errno != EAGAIN;
	return false;
}

enum client_event client_next(struct client *client, struct fault *fault)
{
	bool taken;

	(void)flush_out(client, NULL); /* a recorder that is gone shows in reading */
	for (;;) {
		enum client_event event = take_next(client, &taken);

		if (event != CLIENT_NOTHING)
			return event;
		if (!taken && !client->gone && receive(client))
			continue;
		if (client->gone) {
			(void)fault_set(fault, "%s",
				client->state.stopping ? "the recording has ended"
						       : "the recorder is gone");
			return CLIENT_GONE;
		}
		if (!taken)
			return CLIENT_NOTHING;
	}
}

/* ---- for the small commands ---- */

/* Waits for one more answer. */
static bool wait_answer(struct client *client, nsec deadline, struct fault *fault)
{
	for (;;) {
		struct pollfd wait = {.fd = client->fd, .events = POLLIN};
		enum client_event event = client_next(client, fault);
		nsec left = deadline - clock_mono();

		if (event == CLIENT_ANSWER)
			return true;
		if (event == CLIENT_GONE)
			return false;
		if (event != CLIENT_NOTHING)
			continue;
		if (left <= 0)
			return fault_set(fault, "the recorder does not answer");
		if (client->out.size)
			wait.events |= POLLOUT;
		(void)poll(&wait, 1, (int)(left / NSEC_PER_MSEC) + 1); /* see above */
	}
}

bool client_ask(struct client *client, const char *const *words, size_t count,
	bool saved, nsec timeout, struct client_answer *answer, struct fault *fault)
{
	nsec deadline = clock_mono() + timeout;

	*answer = (struct client_answer){0};
	if (!client_send(client, words, count, fault) ||
		!wait_answer(client, deadline, fault))
		return false;
	*answer = client->answer;
	if (answer->error)
		return fault_set(fault, "%s", answer->text);
	if (!saved || answer->saved)
		return true;
	if (!wait_answer(client, deadline, NULL))
		return true; /* it is marked; ANSWER says that it is not saved */
	answer->saved = client->answer.saved;
	return true;
}
