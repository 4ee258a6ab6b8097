/* A session's beginning and end, its runs and notes, and the questions about its
 * subjects and tracks; see the header. */
#include "config.h"

#include "core/session.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/backlog.h"
#include "core/session_private.h"
#include "core/session_spread.h"

#include <stdlib.h>
#include <string.h>

struct session *session_new(const char *name, size_t ring)
{
	struct session *session = xalloc(sizeof *session);

	(void)text_copy(
		session->name, sizeof session->name, name); /* valid names fit */
	session->ring_size = ring ? ring + 1 : 0;
	session->settle = SESSION_SETTLE;
	session->private = xalloc(sizeof *session->private);
	session->private->by_raw = xarray(raw_count(), sizeof(uint32_t));
	session->private->stall_point = NOWHERE;
	session->private->stall = BACKLOG_STALL;
	session_ring_init(session);
	return session;
}

static void free_private(struct session *session)
{
	struct session_private *inside = session->private;

	session_spans_fini(session);
	session_spreads_fini(session);
	for (size_t i = 0; i < session->subject_count; i++)
		free(inside->index[i]);
	free(inside->points);
	free(inside->recipes);
	free(inside->chains);
	free(inside->index);
	free(inside->by_raw);
	free(inside->queues);
	free(inside->rows);
	free(inside->places);
	free(inside->taken);
	free(inside->heard);
	free(inside);
}

void session_free(struct session *session)
{
	if (!session)
		return;
	session_ring_fini(session);
	free_private(session);
	for (size_t i = 0; i < session->note_count; i++)
		free(session->notes[i].body);
	windows_fini(&session->windows);
	facts_fini(&session->facts);
	free(session->runs);
	free(session->gaps);
	free(session->stalls);
	free(session->notes);
	free(session->subjects);
	free(session->present);
	free(session->tracks);
	free(session);
}

void session_run(struct session *session, const struct run *run)
{
	size_t at = session->run_count;

	while (at && session->runs[at - 1].number > run->number)
		at--;
	if (at && session->runs[at - 1].number == run->number) {
		session->runs[at - 1] = *run;
		return;
	}
	xgrow(&session->runs, &session->run_room, session->run_count + 1,
		sizeof *session->runs);
	memmove(&session->runs[at + 1], &session->runs[at],
		(session->run_count - at) * sizeof *session->runs);
	session->runs[at] = *run;
	session->run_count++;
}

void session_note(struct session *session, const struct note *note)
{
	size_t at;

	if (note->id)
		session_remove_note(session, note->id);
	xgrow(&session->notes, &session->note_room, session->note_count + 1,
		sizeof *session->notes);
	at = session->note_count++;
	for (; at && session->notes[at - 1].at > note->at; at--)
		session->notes[at] = session->notes[at - 1];
	session->notes[at] = *note;
	if (note->body)
		session->notes[at].body = xstrdup(note->body);
}

void session_remove_note(struct session *session, uint32_t id)
{
	size_t at = 0;

	while (at < session->note_count && session->notes[at].id != id)
		at++;
	if (at == session->note_count)
		return;
	free(session->notes[at].body);
	session->note_count--;
	memmove(&session->notes[at], &session->notes[at + 1],
		(session->note_count - at) * sizeof *session->notes);
}

bool session_fact(struct session *session, const struct fact *fact)
{
	return facts_put(&session->facts, fact);
}

void session_tell_gap(struct session *session, const struct gap *gap)
{
	xgrow(&session->gaps, &session->gap_room, session->gap_count + 1,
		sizeof *session->gaps);
	session->gaps[session->gap_count++] = *gap;
}

void session_told(struct session *session)
{
	session->private->told = true;
}

void session_jump(struct session *session)
{
	session->private->jumped = session->ticks > 0;
}

int session_find_subject(
	const struct session *session, enum kind kind, const char *name)
{
	int found = -1;

	for (size_t i = 0; i < session->subject_count; i++) {
		if (session->subjects[i].kind != kind ||
			strcmp(session->subjects[i].name, name))
			continue;
		if (session->present[i])
			return (int)i;
		found = (int)i;
	}
	return found;
}

int session_track(const struct session *session, uint32_t subject, unsigned metric)
{
	if (subject >= session->subject_count || metric >= metric_count())
		return -1;
	return session->private->index[subject][metric];
}

const struct value *session_figure(
	const struct session *session, uint32_t subject, const char *metric)
{
	static const struct value absent = {.why = WHY_ABSENT};
	int row = metric_find(metric);
	int track = row < 0 ? -1 : session_track(session, subject, (unsigned)row);

	return track < 0 ? &absent : &session->tracks[track].now;
}

nsec session_wall(const struct session *session, nsec at)
{
	const struct run *run = NULL;

	for (size_t i = 0; i < session->run_count; i++)
		if (!run || session->runs[i].from <= at)
			run = &session->runs[i];
	return run ? run->wall + (at - run->from) : 0;
}

nsec session_at_wall(const struct session *session, nsec wall)
{
	const struct run *run = NULL;

	for (size_t i = 0; i < session->run_count; i++)
		if (!run || session->runs[i].wall <= wall)
			run = &session->runs[i];
	return run ? run->from + (wall - run->wall) : 0;
}
