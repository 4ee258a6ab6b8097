/*
 * The samples behind the means of a session (core/spread.h), tick by tick; for the
 * files src/core/session*.c only.
 */
#ifndef WEIR_CORE_SESSION_SPREAD_H
#define WEIR_CORE_SESSION_SPREAD_H

#include "core/session.h"

/* A place for TRACK, a mean of samples. */
uint32_t session_spread_add(struct session *session, size_t track);

/* Takes the points of its steps from by_raw of the session. */
void session_spread_map(struct session *session, uint32_t spread);

/* Once all tracks have their figures of a tick: gives them their samples. */
void session_spreads_make(struct session *session);

void session_spreads_fini(struct session *session);

#endif
