/*
 * A session made by hand for tests of the screen: readings are set, ticks are taken
 * through the real encoding into the real session. Times and zone are fixed.
 */
#ifndef WEIR_TESTS_STAGE_H
#define WEIR_TESTS_STAGE_H

#include "core/session.h"

struct stage {
	struct catalog catalog;
	struct reading *readings;
	size_t room;
	struct tick tick;
	struct tick_encoder encoder;
	struct tick_decoder decoder;
	struct session *session;
	bool late; /* no source answers in the ticks that come */
};

void stage_init(struct stage *stage, const char *name);
void stage_fini(struct stage *stage);

uint32_t stage_subject(
	struct stage *stage, enum kind kind, const char *name, const char *label);
/* Sets a reading, or lets it grow; it is there from the first call on. */
void stage_set(struct stage *stage, uint32_t subject, unsigned raw, uint64_t value);
void stage_add(struct stage *stage, uint32_t subject, unsigned raw, uint64_t growth);
void stage_why(struct stage *stage, uint32_t subject, unsigned raw, enum why why);

/* Takes the next tick, SECONDS after the last one. */
void stage_tick(struct stage *stage, int seconds, enum tick_gap gap);

void stage_window(
	struct stage *stage, enum role role, const char *name, int from, int to);
void stage_note(struct stage *stage, enum note_kind kind, int at, const char *text);

/* The scene that most goldens show: two multipath disks, a local one and idle ones,
 * two interfaces, one bad packet class. Told second by second up to second END:
 *   10 to 130  BEFORE: mpatha 3 and 5 in turn (mean 4), 10 ms a read
 *  130 to 190  CHANGE
 *  190 to 310  AFTER: mpatha 12, 30 ms a read; from 250 on retransmissions, 3 a second
 */
void stage_play(struct stage *stage, int end);

#endif
