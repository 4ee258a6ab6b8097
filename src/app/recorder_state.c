/* How the recording is, in words; and whether anybody still wants it. */
#include "config.h"

#include "app/recorder.h"

#include "app/protocol.h"
#include "app/server.h"
#include "base/text.h"
#include "core/unit.h"

#include <inttypes.h>
#include <stdio.h>

/* A disk that is only busy answers sooner. */
static const nsec hung_after = 2 * NSEC_PER_SEC;
/* Nobody looks and nothing is open: it was forgotten. */
static const nsec forgotten_after = 24 * 3600 * NSEC_PER_SEC;
/* A viewer is kept waiting by a slow disk for no longer than this. */
static const nsec held_most = NSEC_PER_SEC;
/* Room in memory beyond this is no news. */
#define FORESEEN (48 * 3600 * NSEC_PER_SEC)

/* ", room for about 11h", or what is lost already. WAITING: since the oldest. */
static void describe_room(
	const struct ring_state *ring, nsec waiting, char *text, size_t size)
{
	double left = ring->unsaved_share > 0
			      ? (double)waiting * (1 / ring->unsaved_share - 1)
			      : 0;
	char time[32];

	text[0] = 0;
	/* cut texts are still texts, here and below */
	if (ring->lost)
		(void)text_format(text, size, ", %" PRIu64 " LOST", ring->lost);
	else if (waiting > NSEC_PER_SEC && left < (double)FORESEEN) {
		unit_duration(time, sizeof time, (nsec)left);
		(void)text_format(text, size, ", room for %s more", time);
	}
}

/* ", 12 packets LOST": those of evidence. */
static void describe_packets(
	const struct journal_state *journal, char *text, size_t size)
{
	text[0] = 0;
	if (journal->dropped)
		(void)text_format(
			text, size, ", %" PRIu64 " packets LOST", journal->dropped);
}

void recorder_trouble(const struct ring_state *ring,
	const struct journal_state *journal, nsec waiting, char *text, size_t size)
{
	char age[32];
	char room[64];
	char packets[48];

	text[0] = 0;
	unit_duration(age, sizeof age, journal->hung);
	describe_room(ring, waiting, room, sizeof room);
	describe_packets(journal, packets, sizeof packets);
	if (journal->hung > hung_after)
		(void)text_format(text, size,
			"the disk has not answered for %s; %" PRIu64
			" ticks wait in memory%s%s",
			age, ring->unsaved, room, packets);
	else if (journal->trouble[0])
		(void)text_format(text, size,
			"%.100s: %" PRIu64 " ticks wait in memory%s%s",
			journal->trouble, ring->unsaved, room, packets);
	else if (ring->lost)
		(void)text_format(text, size,
			"%" PRIu64 " ticks were lost before the disk took them",
			ring->lost);
}

static void pair(struct buffer *out, const char *key, const char *value)
{
	char text[320];

	(void)text_format(text, sizeof text, "%s=%s", key, value);
	line_word(out, text);
}

static void number(struct buffer *out, const char *key, int64_t value)
{
	char text[24];

	(void)snprintf(text, sizeof text, "%" PRId64, value); /* always fits */
	pair(out, key, text);
}

void recorder_state_line(const struct recorder *recorder, struct buffer *out)
{
	nsec mono = clock_mono();
	struct ring_state ring;
	struct journal_state journal;
	char text[240];
	nsec waiting;

	ring_look((struct ring *)(uintptr_t)&recorder->ring, &ring); /* for its lock */
	journal_look(recorder->journal, mono, &journal);
	waiting = ring.unsaved ? recorder->tick.at - ring.unsaved_at : 0;
	line_word(out, "state");
	number(out, "stopping", recorder->stopping);
	number(out, "viewers", (int64_t)server_viewers(recorder->server));
	number(out, "unsaved", (int64_t)ring.unsaved);
	number(out, "unsaved-for", waiting);
	number(out, "ticks", (int64_t)recorder->ticks);
	number(out, "late", (int64_t)recorder->late);
	number(out, "bytes", (int64_t)journal.bytes);
	number(out, "interval", recorder->options->interval);
	number(out, "marked", recorder->marked);
	number(out, "left", recorder->left_at);
	recorder_trouble(&ring, &journal, waiting, text, 200);
	pair(out, "trouble", text);
	collector_trouble(recorder->collector, mono, text, sizeof text);
	pair(out, "sources", text);
	pair(out, "file", recorder->place->file);
	line_end(out);
}

nsec recorder_held(const struct recorder *recorder, uint64_t *shown)
{
	struct ring_state ring;
	struct journal_state journal;
	nsec waits;

	ring_look((struct ring *)(uintptr_t)&recorder->ring, &ring); /* for its lock */
	*shown = ring.next;
	if (!ring.unsaved)
		return 0;
	journal_look(recorder->journal, clock_mono(), &journal);
	waits = recorder_now(recorder) - ring.unsaved_at;
	if (journal.trouble[0] || waits >= held_most)
		return 0;
	*shown = ring.saved;
	return held_most - waits;
}

bool recorder_is_forgotten(struct recorder *recorder)
{
	nsec mono = clock_mono();
	bool lonely = recorder->by_screen && !server_viewers(recorder->server) &&
		      !windows_open(&recorder->session->windows, recorder->tick.at);

	if (!lonely)
		recorder->lonely_since = 0;
	else if (!recorder->lonely_since)
		recorder->lonely_since = mono;
	return lonely && mono - recorder->lonely_since > forgotten_after;
}
