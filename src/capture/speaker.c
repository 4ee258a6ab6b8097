/* Standard output of weir-capture; see the header. */
#include "config.h"

#include "capture/speaker.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum speech {
	SAID,
	LATER, /* the pipe is full */
	DEAF   /* nobody reads it */
};

/* A pipe that is ready takes up to PIPE_BUF bytes at once, so this never waits, and
 * the descriptor need not be made non-blocking, which others may share. */
static enum speech say(const char *text, size_t size)
{
	struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
	ssize_t written;

	if (poll(&ready, 1, 0) <= 0)
		return LATER;
	if (ready.revents & (POLLERR | POLLHUP | POLLNVAL))
		return DEAF;
	written = write(STDOUT_FILENO, text, size);
	if (written < 0)
		return errno == EINTR || errno == EAGAIN ? LATER : DEAF;
	return (size_t)written == size ? SAID : LATER;
}

static uint64_t frames_of(const struct tally *tally)
{
	return tally->frames[PACKET_RX] + tally->frames[PACKET_TX] +
	       tally->frames[PACKET_UNKNOWN];
}

static nsec beat(nsec now)
{
	return now - now % WIRE_BEAT;
}

nsec speaker_due(const struct speaker *speaker, const struct tally *tally, nsec now)
{
	bool news = frames_of(tally) != speaker->frames_said;

	if (!speaker->said)
		return now;
	return speaker->said + (news ? WIRE_BEAT : WIRE_SILENCE);
}

static enum speech say_rows(struct speaker *speaker, const struct wire_speech *speech)
{
	char text[WIRE_CHUNK];
	enum speech how = SAID;
	unsigned from = 0;

	while (how == SAID && from < packet_class_count) {
		unsigned start = from;

		how = say(text, wire_chunk(speech, &from, text, sizeof text));
		if (how == SAID)
			wire_sent(&speaker->sent, speech->now, start, from);
	}
	return how;
}

static enum speech say_peers(struct speaker *speaker, const struct wire_peers *speech)
{
	char text[WIRE_CHUNK];
	enum speech how = SAID;
	unsigned from = 0;

	while (how == SAID && from < wire_peer_items()) {
		unsigned start = from;
		size_t size = wire_peer_chunk(speech, &from, text, sizeof text);

		if (size)
			how = say(text, size);
		if (how == SAID)
			wire_peer_sent(&speaker->peers_sent, speech->now, start, from);
	}
	return how;
}

void speaker_report(struct speaker *speaker, struct wire_report *report,
	const struct engine *engine, nsec now)
{
	const struct tally *tally = engine_tally(engine);
	bool everything =
		!speaker->repeated || beat(now) - speaker->repeated >= WIRE_REPEAT;
	const struct wire_speech speech = {report, tally, &speaker->sent, everything};
	char text[WIRE_LINE];
	enum speech how = SAID;

	report->at = speaker->said = beat(now);
	if (everything)
		how = say(text, wire_hello(&speaker->hello, text, sizeof text));
	if (how == SAID)
		how = say_rows(speaker, &speech);
	if (how == SAID)
		how = say_peers(speaker, &(struct wire_peers){engine_peers(engine),
						 &speaker->peers_sent, everything});
	if (how == SAID) {
		speaker->frames_said = frames_of(tally);
		if (everything)
			speaker->repeated = beat(now);
	}
	speaker->deaf = how == DEAF;
}

void speaker_bye(enum wire_status status, const char *reason)
{
	char text[WIRE_LINE];

	/* If it does not fit any more, the exit status says the same. */
	(void)say(text, wire_bye(status, reason, text, sizeof text));
}
