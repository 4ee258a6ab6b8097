/* One connection; see the header. */
#include "config.h"

#include "app/link.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	OUT_TICKS = 128 * 1024,    /* no more ticks while so much waits to go */
	OUT_MOST = 8 * 1024 * 1024 /* beside what the session weighs */
};

struct link *link_new(struct recorder *recorder, int fd)
{
	struct link *link = xalloc(sizeof *link);

	link->recorder = recorder;
	link->fd = fd;
	link->most = OUT_MOST;
	return link;
}

void link_room(struct link *link)
{
	link->most = link->out.size + OUT_MOST;
}

static void hang_up(struct link *link)
{
	if (link->fd >= 0)
		(void)close(link->fd); /* a socket: nothing is left to save */
	link->fd = -1;
	link->watching = false;
}

void link_free(struct link *link)
{
	hang_up(link);
	for (size_t i = 0; i < link->run_count; i++)
		recorder_run_lost(link->recorder, link->runs[i]);
	buffer_fini(&link->in);
	buffer_fini(&link->out);
	words_fini(&link->words);
	free(link);
}

/* Each whole line in turn; what is left waits for the rest of its line. */
static void take_lines(struct link *link)
{
	size_t start = 0;
	const uint8_t *end;

	while (link->fd >= 0 &&
		(end = memchr(link->in.data + start, '\n', link->in.size - start))) {
		const char *line = (const char *)link->in.data + start;
		size_t size = (size_t)(end - link->in.data) - start;

		start += size + 1;
		if (!words_split(&link->words, line, size)) {
			hang_up(link); /* it does not speak this protocol */
			return;
		}
		request_handle(link);
		if (link->out.size > link->most)
			hang_up(link); /* it asks and does not listen */
	}
	buffer_drop(&link->in, start);
	if (link->in.size >= PROTOCOL_LINE)
		hang_up(link);
}

void link_read(struct link *link)
{
	uint8_t bytes[8192];
	ssize_t got;

	if (link->fd < 0)
		return;
	got = recv(link->fd, bytes, sizeof bytes, MSG_DONTWAIT);
	if (got > 0) {
		buffer_add(&link->in, bytes, (size_t)got);
		take_lines(link);
		link_pump(link);
	} else if (!got || (errno != EAGAIN && errno != EINTR)) {
		hang_up(link);
	}
}

static void flush_out(struct link *link)
{
	while (link->fd >= 0 && link->out.size) {
		ssize_t sent = send(link->fd, link->out.data, link->out.size,
			MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent > 0)
			buffer_drop(&link->out, (size_t)sent);
		else if (sent < 0 && errno == EINTR)
			continue;
		else if (sent < 0 && errno == EAGAIN)
			return;
		else
			hang_up(link);
	}
}

/* Ticks from the ring as long as there is room, then how the recording is. */
static void add_ticks(struct link *link)
{
	struct recorder *recorder = link->recorder;
	struct ring_tick tick;
	uint64_t shown;

	(void)recorder_held(recorder, &shown); /* the loop minds the time */
	while (link->watching && link->out.size < OUT_TICKS) {
		if (link->place >= shown || !ring_copy(&recorder->ring, &link->place,
						    &recorder->encoded, &tick)) {
			if (link->behind)
				recorder_state_line(recorder, &link->out);
			link->behind = false;
			return;
		}
		line_word(&link->out, "tick");
		line_number(&link->out, (int64_t)tick.size);
		line_end(&link->out);
		buffer_add(&link->out, tick.data, tick.size);
		/* bytes of a tick may end like a line; the next word must not care */
		line_end(&link->out);
		link->place++;
		link->behind = true;
	}
}

void link_pump(struct link *link)
{
	size_t before;

	do {
		add_ticks(link);
		before = link->out.size;
		flush_out(link);
	} while (link->watching && link->out.size < before &&
		 link->out.size < OUT_TICKS && link->behind);
}

void link_tell(struct link *link, const struct buffer *line)
{
	if (link->fd < 0 || !link->watching)
		return;
	if (link->out.size + line->size > link->most) {
		hang_up(link);
		return;
	}
	buffer_add(&link->out, line->data, line->size);
	flush_out(link);
}

void link_saved(struct link *link, uint64_t done)
{
	size_t kept = 0;

	for (size_t i = 0; i < link->pending_count; i++) {
		if (link->pending[i].job > done) {
			link->pending[kept++] = link->pending[i];
			continue;
		}
		line_word(&link->out, "saved");
		line_number(&link->out, link->pending[i].id);
		line_end(&link->out);
	}
	if (kept != link->pending_count)
		flush_out(link);
	link->pending_count = kept;
}

void link_end(struct link *link)
{
	if (link->fd < 0)
		return;
	recorder_state_line(link->recorder, &link->out);
	flush_out(link);
}
