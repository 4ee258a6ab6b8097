/*
 * Verdicts that the capture itself makes doubtful. Whether a segment of TCP is
 * repeated, missing or out of order is judged by those before it: a frame that the
 * capture lost can make one such event, or hide one.
 */
#ifndef WEIR_CORE_DOUBT_H
#define WEIR_CORE_DOUBT_H

#include "core/session.h"
#include "core/side.h"
#include "core/verdict.h"

/* Takes back VERDICT on TRACK, a class of TCP, where frames were lost on the two
 * sides and are more than a tenth of the events that it rests on. */
void doubt_capture(struct verdict *verdict, const struct session *session,
	const struct side sides[2], const struct track *track);

#endif
