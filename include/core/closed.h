/*
 * Throughput is what somebody asked for, and neither good nor bad, unless whoever asks
 * waits for each answer: then it is the result. That is so in a run of a command, and
 * where a disk was never idle. Pure.
 */
#ifndef WEIR_CORE_CLOSED_H
#define WEIR_CORE_CLOSED_H

#include "core/session.h"
#include "core/side.h"

/* Whether more of TRACK is better in the windows of SIDES: bytes per second of runs; of
 * a disk that was busy at least 95 % of the time on both sides with the same mix of
 * reads and writes, and its operations too if their size was the same. */
bool closed_load(const struct session *session, const struct side sides[2],
	enum sides how, const struct track *track);

#endif
