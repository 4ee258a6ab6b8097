/* One tick: read, encode, put into the ring; and the events that it brings. */
#include "config.h"

#include "app/recorder.h"

#include "app/server.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* How long a tick waits for a source in a thread of its own. */
static const nsec patience = 100 * NSEC_PER_MSEC;

nsec recorder_now(const struct recorder *recorder)
{
	struct instant now;

	clock_read(&now);
	return beat_at(&recorder->beat, &now);
}

static void say(struct recorder *recorder, enum note_kind kind, const char *raw)
{
	struct note note = {.kind = kind, .at = recorder->tick.at};

	(void)text_clean(note.text, sizeof note.text, raw); /* a cut line is a line */
	(void)text_copy(note.author, sizeof note.author, "weir");
	note.id = ++recorder->last_note;
	session_note(recorder->session, &note);
	journal_event(recorder->journal, &note);
	server_tell_note(recorder->server, &note);
}

void recorder_event(struct recorder *recorder, const char *format, ...)
{
	char raw[sizeof((struct note *)0)->text];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(raw, sizeof raw, format, args); /* as above */
	va_end(args);
	say(recorder, NOTE_EVENT, raw);
}

void recorder_alert(struct recorder *recorder, const char *format, ...)
{
	char raw[sizeof((struct note *)0)->text];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(raw, sizeof raw, format, args); /* as above */
	va_end(args);
	say(recorder, NOTE_ALERT, raw);
}

/* Devices that come and go without end must not fill the disk with lines. */
static void tell_left_out(struct recorder *recorder)
{
	uint64_t count;

	throttle_left_out(&recorder->throttle, collector_left_out(recorder->collector));
	count = throttle_tell(&recorder->throttle, recorder->tick.mono);
	if (count)
		recorder_event(recorder,
			"%" PRIu64 " events were left out: there were too many", count);
}

/* Once the disk takes it: where packets are looked for, it is said that some are not
 * there. */
static void tell_dropped(struct recorder *recorder)
{
	struct journal_state state;

	journal_look(recorder->journal, recorder->tick.mono, &state);
	if (state.dropped == recorder->dropped || state.hung || state.trouble[0])
		return;
	recorder_event(recorder,
		"%" PRIu64 " packets of evidence were lost: the disk did not take them",
		state.dropped - recorder->dropped);
	recorder->dropped = state.dropped;
}

/* Times are shown, and understood (mark --at), by when the run began on the clock as it
 * is now: a host that comes up with a wrong clock is set right a minute later. */
static void follow_clock(struct recorder *recorder, nsec step)
{
	struct session *session = recorder->session;
	struct run run = session->runs[session->run_count - 1];

	run.wall += step;
	session_run(session, &run);
	(void)journal_run(recorder->journal, &run); /* nobody waits for it */
	server_tell_run(recorder->server, &run);
	recorder_event(recorder, "the clock was set by %+.3f s",
		(double)step / (double)NSEC_PER_SEC);
}

static void tell_events(struct recorder *recorder, nsec step)
{
	const char *text;

	if (step)
		follow_clock(recorder, step);
	if (recorder->tick.gap == GAP_SUSPEND)
		recorder_event(recorder, "the host was suspended");
	tell_left_out(recorder);
	tell_dropped(recorder);
	for (size_t i = 0; (text = collector_event(recorder->collector, i)); i++)
		if (throttle_pass(&recorder->throttle, recorder->tick.mono))
			recorder_event(recorder, "%s", text);
}

/* What a person would want to see at once: something was set to another value. */
static void tell_change(struct recorder *recorder, size_t index)
{
	struct fact now = facts_at_index(&recorder->session->facts, index);
	struct fact before = facts_before(&recorder->session->facts, index);

	if (!fact_changed(&before, &now) || before.why != WHY_NONE ||
		now.why != WHY_NONE ||
		!throttle_pass(&recorder->throttle, recorder->tick.mono))
		return;
	if (now.kind == KIND_HOST)
		recorder_event(
			recorder, "%s %s > %s", now.key, before.value, now.value);
	else
		recorder_event(recorder, "%s %s %s > %s", now.name, now.key,
			before.value, now.value);
}

static void keep_facts(struct recorder *recorder)
{
	struct facts *facts = &recorder->session->facts;
	size_t from = facts->count;

	collector_facts(recorder->collector, facts);
	collector_absences(recorder->collector, &recorder->tick, facts);
	if (facts->count == from)
		return;
	journal_facts(recorder->journal, facts, from);
	server_tell_facts(recorder->server, facts, from);
	for (size_t i = from; i < facts->count; i++)
		tell_change(recorder, i);
}

/* What comes of the helpers' packets into the session. */
struct keeping {
	struct recorder *recorder;
	struct evidence_batch kept;
};

static void take_evidence(void *context, const struct evidence_batch *batch)
{
	struct keeping *keeping = context;
	struct recorder *recorder = keeping->recorder;

	evidence_keeper_take(&recorder->keeper, recorder->tick.at,
		&recorder->session->windows, batch, &keeping->kept);
}

static void keep_evidence(struct recorder *recorder)
{
	struct keeping keeping = {.recorder = recorder};

	collector_evidence(recorder->collector, take_evidence, &keeping);
	if (keeping.kept.count)
		journal_evidence(recorder->journal, recorder->tick.at, &keeping.kept);
}

/* A ring that had to drop all it held takes nothing but a full tick. */
static void keep(struct recorder *recorder, bool full)
{
	struct ring_tick tick = {.at = recorder->tick.at};

	for (int i = 0; i < 2; i++) {
		buffer_clear(&recorder->encoded);
		tick.full = tick_encode(
			&recorder->encoder, &recorder->tick, full, &recorder->encoded);
		tick.data = recorder->encoded.data;
		tick.size = recorder->encoded.size;
		if (ring_add(&recorder->ring, &tick))
			return;
		full = true;
	}
}

void recorder_tick(struct recorder *recorder, bool extra)
{
	struct tick *tick = &recorder->tick;
	nsec interval = recorder->options->interval;
	nsec wait = interval / 2 < patience ? interval / 2 : patience;
	struct instant now;
	nsec step;
	bool full;

	clock_read(&now);
	if (!extra && recorder->ticks && now.mono - recorder->beat.due > interval / 2)
		recorder->late++;
	step = beat_stamp(&recorder->beat, &now, extra, tick);
	tick->zone_minutes = clock_zone_minutes(now.wall);
	full = collector_read(recorder->collector, now.mono + wait, tick);
	keep(recorder, full || !recorder->ticks);
	recorder->ticks++;
	tell_events(recorder, step);
	keep_facts(recorder);
	keep_evidence(recorder);
	alarm_tick(recorder, &recorder->encoded);
	journal_kick(recorder->journal);
	server_tick(recorder->server);
}
