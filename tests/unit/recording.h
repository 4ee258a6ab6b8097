/*
 * A made-up recording for tests: subjects and counters are set by hand, ticks go
 * through the encoding into a session, as they do from a recorder.
 */
#ifndef WEIR_TESTS_RECORDING_H
#define WEIR_TESTS_RECORDING_H

#include "core/session.h"

enum {
	RECORDING_SERIES = 64
};

/* 2026-10-01 00:06:10 UTC, 02:06:10 in the zone of the recording, +0200. */
#define RECORDING_WALL (INT64_C(1790813170) * NSEC_PER_SEC)

struct recording {
	struct session *session;
	struct catalog catalog;
	struct reading readings[RECORDING_SERIES];
	uint64_t step[RECORDING_SERIES]; /* added at each tick */
	struct tick tick;
	struct tick_encoder encoder;
	struct tick_decoder decoder;
	struct buffer bytes;
	void (*each)(
		struct recording *recording, const struct buffer *bytes, bool full);
	void *context; /* of each */
};

/* Session "demo", one run, ring of RING ticks; its first tick is at 0 and not yet
 * made. */
void recording_init(struct recording *recording, size_t ring);
void recording_fini(struct recording *recording);

uint32_t recording_subject(struct recording *recording, enum kind kind,
	const char *name, const char *label, const char *detail);
/* A series of RAW that grows by STEP at each tick; a gauge stands at STEP. Returns its
 * place in readings and step. */
size_t recording_series(
	struct recording *recording, uint32_t subject, unsigned raw, uint64_t step);

/* COUNT ticks, a second apart; before each the counters grow. */
void recording_ticks(struct recording *recording, size_t count);
/* One tick after GAP of LENGTH. A new run (GAP_RUN) begins there, after a reboot, with
 * all counters at 0. */
void recording_gap(struct recording *recording, enum tick_gap gap, nsec length);

/* A window in whole seconds of session time; TO 0: open. Returns its id. */
uint32_t recording_window(struct recording *recording, enum role role, const char *name,
	int64_t from, int64_t to);
void recording_note(struct recording *recording, enum note_kind kind, int64_t at,
	const char *text, const char *body);

#endif
