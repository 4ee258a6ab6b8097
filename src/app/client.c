/*
 * A viewer's end of the socket: bytes in and out, and the waiting of the small
 * commands; see the header.
 */
#include "config.h"

#include "app/client.h"

#include "app/client_parts.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Somebody else's recorder would call a mark saved that nobody has. */
static bool is_of(int fd, uid_t owner)
{
	struct ucred peer;
	socklen_t size = sizeof peer;

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       peer.uid == owner;
}

struct client *client_connect(const char *path, uid_t owner, struct fault *fault)
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
	if (!is_of(fd, owner)) {
		(void)fault_set(
			fault, "it is not the session's owner who listens on %s", path);
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

int client_pid(const struct client *client)
{
	struct ucred peer = {.pid = 0};
	socklen_t size = sizeof peer;

	/* if it fails, the process stays 0 */
	(void)getsockopt(client->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	return peer.pid;
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
	char asked[32];

	if (client->out.size > PROTOCOL_LINE)
		return fault_set(fault, "the recorder takes no requests");
	for (size_t i = 0; i < count; i++)
		line_word(&client->out, words[i]);
	(void)text_format(asked, sizeof asked, "asked=%" PRId64, clock_mono());
	line_word(&client->out, asked);
	line_end(&client->out);
	return flush_out(client, fault);
}

bool client_ask_to_watch(struct client *client, nsec since, struct fault *fault)
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
	return client_ask_to_watch(client, since, fault);
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
		event = client_take_tick(client, data);
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
		event = client_take_words(client);
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
			return fault_set(fault,
				"the recorder does not answer: when it goes on it "
				"will not do what was asked");
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

bool client_settle(struct client *client, nsec patience)
{
	nsec deadline = clock_mono() + patience;
	enum client_event event;

	while ((event = client_next(client, NULL)) != CLIENT_STATE) {
		struct pollfd wait = {.fd = client_fd(client), .events = POLLIN};
		nsec left = deadline - clock_mono();

		if (event == CLIENT_GONE || left <= 0)
			return false;
		if (event == CLIENT_NOTHING)
			(void)poll(&wait, 1, (int)(left / NSEC_PER_MSEC) + 1);
	}
	return true;
}
