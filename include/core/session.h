/*
 * A session as a reader knows it: ticks go in, figures come out. The live screen,
 * a replay, a report and an export all put ticks through here, so one window has
 * one answer. Pure: no clock, no files.
 *
 * Subjects keep their place across runs: the same kind and identity (or, without
 * an identity, the same name) is the same row after a reboot.
 */
#ifndef WEIR_CORE_SESSION_H
#define WEIR_CORE_SESSION_H

#include "core/fact.h"
#include "core/rate.h"
#include "core/summary.h"
#include "core/tick.h"
#include "core/window.h"

struct run {
	uint32_t number; /* 1, 2, ... */
	nsec from;       /* session time of its first tick */
	nsec wall;       /* wall clock then */
	char boot_id[40];
	char kernel[96];
	char host[80];
	char version[24]; /* of weir */
};

enum note_kind {
	NOTE_TEXT,
	NOTE_ATTACHMENT,
	NOTE_EVENT,
	NOTE_ALERT
};

struct note {
	uint32_t id;
	enum note_kind kind;
	nsec at;
	char author[AUTHOR_NAME];
	char text[240]; /* one clean line; an attachment's title */
	char *body;     /* attachments: owned, clean lines; else null */
};

/* One metric of one subject: the current figure and those of the last ticks. */
struct track {
	uint32_t subject;
	uint16_t metric;
	struct value now;
	nsec last_event; /* counters: session time at which it last moved; -1 never */
};

/* A stretch of time without ticks, from the last one before to the first one after. */
struct gap {
	nsec from, to;
	enum tick_gap kind;
};

enum stall_kind {
	STALL_SILENT,  /* requests were outstanding and none completed */
	STALL_BLOCKED, /* the kernel held the device back, or had given it up */
	STALL_OFFLINE,
};

/* A stretch of the run's threshold (BACKLOG_STALL) or more in which a disk (a mount, a
 * connection) completed nothing that was asked of it; FROM is the first tick that saw
 * it so, so that it may be a tick longer. */
struct stall {
	uint32_t subject;
	enum stall_kind kind;
	nsec from, to; /* TO: WINDOW_OPEN while it lasts */
	nsec after;    /* so long it had to last to be one */
	double depth;  /* most that was seen outstanding; 0: unknown */
	int hold;      /* enum backlog_hold, or -1: nobody said */
	nsec held;     /* since when it is held, which may be later than FROM */
	double limit;  /* seconds until it is given up; infinite: never; NaN: unknown */
	bool part;     /* of a connection, while its whole mount stalls: said there */
};

struct session {
	char name[WINDOW_NAME];
	struct run *runs;
	size_t run_count, run_room;
	struct windows windows;
	struct note *notes; /* by time */
	size_t note_count, note_room;
	struct facts facts; /* how the host and its devices are set up */

	struct subject *subjects;
	bool *present; /* is in the last tick */
	size_t subject_count, subject_room, present_room;
	struct track *tracks; /* by subject, then metric, in order of discovery */
	size_t track_count, track_room;

	nsec settle; /* left out of verdicts at the start of AFTER; SESSION_SETTLE */
	struct tick last; /* readings and catalog: null; times of the last tick */
	uint64_t ticks;   /* put so far */
	uint64_t missed;  /* ticks that gaps swallowed, by the nominal interval */
	struct gap *gaps; /* by time; the session's first tick is none */
	size_t gap_count, gap_room;
	struct stall *stalls; /* in the order in which they were noticed */
	size_t stall_count, stall_room;
	size_t ring_size; /* slots: the ticks kept and the one before; 0: none */
	nsec *ring_at;    /* session time of each ring slot */
	uint8_t *ring_gap;

	struct session_private
		*private; /* mapping of run series to tracks, summaries */
};

#define SESSION_SETTLE (60 * NSEC_PER_SEC)

/* Where verdicts on WINDOW begin: AFTER, and a named one that does not stand first,
 * lose their settling time, unless they were set backwards. */
nsec session_settled(const struct session *session, const struct window *window);

/* RING ticks are kept for trends and looking back. */
struct session *session_new(const char *name, size_t ring);
void session_free(struct session *session);

/* Takes the next tick of DECODER. Ticks at or before the last one are ignored. */
void session_put(struct session *session, const struct tick_decoder *decoder);

/* Where not every tick is put. The next one does not follow the last one: no rate is
 * made over the hole, which is no gap. */
void session_jump(struct session *session);
/* Gaps and stalls are told, by time, and not looked for in the ticks that are put. */
void session_told(struct session *session);
void session_tell_gap(struct session *session, const struct gap *gap);
void session_tell_stall(struct session *session, const struct stall *stall);

void session_run(struct session *session, const struct run *run);
void session_note(struct session *session, const struct note *note); /* copies */
void session_remove_note(struct session *session, uint32_t id);
/* Copies; returns whether it says something new. */
bool session_fact(struct session *session, const struct fact *fact);

/* A window was set, moved or taken away. Returns true if its summaries can be made
 * from what is put from now on and from the ring; false if ticks before the ring
 * are needed: the caller then feeds the session anew from there. */
bool session_window(struct session *session, const struct window *window);
void session_remove_window(struct session *session, uint32_t id);

const char *stall_word(enum stall_kind kind); /* "STALL", "BLOCKED", "OFFLINE" */

/* Who holds the disk back, and what ends that: "session FAILED, gives up at 120 s";
 * with the age of it at AT where the stall is older. "" if nobody said. */
void stall_reason(const struct stall *stall, nsec at, char *to, size_t size);

/* The stall of SUBJECT that was known at AT, and still under way, or null. */
const struct stall *session_stall(
	const struct session *session, uint32_t subject, nsec at);

/* -1 where there is none. */
int session_find_subject(
	const struct session *session, enum kind kind, const char *name);
int session_track(const struct session *session, uint32_t subject, unsigned metric);
/* By id, for panes: session_figure(s, subject, "disk.queue"). Never null. */
const struct value *session_figure(
	const struct session *session, uint32_t subject, const char *metric);

/* Summary of TRACK over the window; null if nothing was put for it. A tick belongs
 * to a window if its whole interval lies inside. */
const struct summary *session_summary(
	const struct session *session, uint32_t window, size_t track);

/* ---- windows over SESSION_LONG are made from minutes, not from ticks ---- */

#define SESSION_LONG (4 * 3600 * NSEC_PER_SEC)

/* The track of METRIC of SUBJECT, made if there is none. */
size_t session_adopt(
	struct session *session, const struct subject *subject, unsigned metric);

/* WINDOW takes minutes from now on, and no ticks. */
void session_long(struct session *session, uint32_t window);

/* Minutes as they are stored (core/minute.h), by time, at most MINUTES_TOGETHER. TRACKS
 * says which of the session's tracks their numbers are. Windows take those that lie in
 * them. Returns whether all of their bytes were good. */
enum {
	MINUTES_TOGETHER = 8
};
struct minute_row {
	int64_t number;
	nsec from, to, interval;
	uint32_t seen, swallowed;
	const uint8_t *data;
	size_t size;
};
struct minute_tracks {
	uint32_t *list;
	size_t count, room;
};
bool session_minutes(struct session *session, const struct minute_row *rows,
	size_t count, const struct minute_tracks *tracks);

/* How many ticks lie in the window and how many the nominal interval asks for. */
struct coverage {
	uint64_t seen, expected, gaps;
};
struct coverage session_coverage(const struct session *session, uint32_t window);

/* Value of TRACK BACK ticks before the last one (0 = last). Why is WHY_ABSENT
 * before the first tick. GAP says what came before that tick. */
struct value session_past(
	const struct session *session, size_t track, size_t back, enum tick_gap *gap);
/* How many ticks back the tick at or before session time AT lies, within the ring. */
size_t session_back(const struct session *session, nsec at);

/* Wall clock of session time AT by the run it falls in (label for people). */
nsec session_wall(const struct session *session, nsec at);
/* And back: the session time at which the clock showed WALL. */
nsec session_at_wall(const struct session *session, nsec wall);

#endif
