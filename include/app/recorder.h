/*
 * The recorder from inside: what its files share. It owns the sources, the windows
 * and notes, the ring, the journal and the server, and runs them from one loop.
 */
#ifndef WEIR_APP_RECORDER_H
#define WEIR_APP_RECORDER_H

#include "app/alarm.h"
#include "app/beat.h"
#include "app/collector.h"
#include "app/deeds.h"
#include "app/evidence_keeper.h"
#include "app/journal.h"
#include "app/record.h"
#include "app/ring.h"
#include "app/throttle.h"
#include "core/session.h"

struct recorder {
	const struct place *place;
	const struct record_options *options;
	struct selection selection; /* of the options, and of the settings */
	struct source_env env;
	struct session *session; /* runs, windows and notes; no ticks */
	struct deeds deeds;
	uint32_t last_note;
	struct evidence_keeper keeper;
	struct throttle throttle; /* of events that the sources find */

	struct collector *collector;
	struct beat beat;
	struct tick tick; /* the last one */
	struct tick_encoder encoder;
	struct buffer encoded;
	struct ring ring;
	struct journal *journal;
	struct alarm alarm;
	struct server *server;
	int signals, bell;
	int file_lock, socket_lock;
	nsec resumed_from; /* session time of the last tick of the run before, or 0 */
	int upgraded;      /* the older format that the file had, or 0 */
	bool ended_well;   /* that run came to an orderly end */

	bool by_screen; /* a screen started it, so the last screen may end it */
	bool marked;    /* somebody set a mark or wrote a note */
	bool stopping;
	nsec end;          /* monotonic, of --for; 0: none */
	size_t viewers;    /* when last looked at */
	nsec left_at;      /* session time at which the last one left; 0: never */
	nsec lonely_since; /* monotonic: no viewer and no open window; 0: not so */
	uint64_t ticks, late;
	uint64_t dropped; /* packets of evidence, as far as it was told */
};

/* recorder_open.c */
bool recorder_open(struct recorder *recorder, struct fault *fault);
/* False if the disk hangs: RECORDER then has to stay as it is until the process ends.
 */
bool recorder_close(struct recorder *recorder, struct fault *fault);

/* recorder_tick.c: reads all sources now. EXTRA: off the beat, because of a mark. */
void recorder_tick(struct recorder *recorder, bool extra);
void recorder_event(struct recorder *recorder, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void recorder_alert(struct recorder *recorder, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
nsec recorder_now(const struct recorder *recorder); /* session time */

/* recorder_marks.c, recorder_notes.c: what people ask for. On success the answer is
 * filled. */
struct answer {
	uint32_t id;
	uint64_t job; /* of the journal: saved once it is done; 0: nothing to save */
	char text[256];
};

struct words;
typedef bool recorder_request(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault);
recorder_request recorder_mark, recorder_note, recorder_attach, recorder_undo,
	recorder_edit, recorder_delete, recorder_run_begin, recorder_run_end;
/* Somebody compares what runs. */
void recorder_looked(struct recorder *recorder);
/* The command of run window ID will never be heard of again. */
void recorder_run_lost(struct recorder *recorder, uint32_t id);

/* The author that a request names, clean. */
void recorder_read_author(const struct words *words, char *author, size_t size);
/* The session time that it names by "at" or "wall"; without them *AT stays. */
bool recorder_read_time(const struct recorder *recorder, const struct words *words,
	nsec *at, struct fault *fault);

/* recorder_state.c: how the recording is, as one line of the protocol. */
void recorder_state_line(const struct recorder *recorder, struct buffer *out);
/* "", or what is wrong with the disk and what it costs. WAITING: how long the oldest
 * tick has. */
void recorder_trouble(const struct ring_state *ring,
	const struct journal_state *journal, nsec waiting, char *text, size_t size);
/* Viewers get the ticks before *SHOWN: those that are in the file, so that nobody has
 * seen what a kill could take back. Where the disk is in trouble they get all of them;
 * else that is the case after the time that comes back (0: now). */
nsec recorder_held(const struct recorder *recorder, uint64_t *shown);
/* Whether nobody has looked for so long that it should end. */
bool recorder_is_forgotten(struct recorder *recorder);

#endif
