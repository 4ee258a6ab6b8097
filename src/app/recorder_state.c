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

static void describe(const struct ring_state *ring, const struct journal_state *journal,
	char *text, size_t size)
{
	char age[32];

	text[0] = 0;
	unit_duration(age, sizeof age, journal->hung);
	/* cut texts are still texts, here and below */
	if (journal->hung > hung_after)
		(void)text_format(text, size,
			"the disk has not answered for %s; %" PRIu64
			" ticks wait in memory",
			age, ring->unsaved);
	else if (journal->trouble[0])
		(void)text_format(text, size, "%" PRIu64 " ticks wait in memory: %s",
			ring->unsaved, journal->trouble);
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

	ring_look((struct ring *)(uintptr_t)&recorder->ring, &ring); /* for its lock */
	journal_look(recorder->journal, mono, &journal);
	line_word(out, "state");
	number(out, "stopping", recorder->stopping);
	number(out, "viewers", (int64_t)server_viewers(recorder->server));
	number(out, "unsaved", (int64_t)ring.unsaved);
	number(out, "unsaved-for",
		ring.unsaved ? recorder->tick.at - ring.unsaved_at : 0);
	number(out, "ticks", (int64_t)recorder->ticks);
	number(out, "late", (int64_t)recorder->late);
	number(out, "bytes", (int64_t)journal.bytes);
	number(out, "interval", recorder->options->interval);
	number(out, "marked", recorder->marked);
	describe(&ring, &journal, text, 200);
	pair(out, "trouble", text);
	collector_trouble(recorder->collector, mono, text, sizeof text);
	pair(out, "sources", text);
	pair(out, "file", recorder->place->file);
	line_end(out);
}

bool recorder_is_forgotten(struct recorder *recorder)
{
	nsec mono = clock_mono();
	bool lonely = recorder->by_screen && !server_viewers(recorder->server) &&
		      !windows_open(&recorder->session->windows);

	if (!lonely)
		recorder->lonely_since = 0;
	else if (!recorder->lonely_since)
		recorder->lonely_since = mono;
	return lonely && mono - recorder->lonely_since > forgotten_after;
}
