/*
 * Which packets of those that helpers kept go into the session: a quota for each class
 * in each stretch between two marks (and an hour at most), so that the first packets of
 * a window are there whatever came before it. And what number a finding has: each
 * helper counts from 1, in a session every finding has its own.
 */
#ifndef WEIR_APP_EVIDENCE_KEEPER_H
#define WEIR_APP_EVIDENCE_KEEPER_H

#include "core/window.h"
#include "packet/evidence_batch.h"

enum {
	KEEPER_QUOTA = 32,  /* findings of a class in a stretch */
	KEEPER_KNOWN = 256, /* findings whose neighbours may still come */
};

/* A zeroed one has kept nothing. LAST is set where the session has some already. */
struct evidence_keeper {
	nsec since;
	uint64_t edges; /* of the windows, when the stretch began */
	unsigned used[CLASS_MAX];
	struct {
		char interface[16];
		uint32_t finding; /* of the helper */
		uint32_t number;  /* of the session */
	} known[KEEPER_KNOWN];
	unsigned next_known;
	uint32_t last; /* number given */
};

/* Adds those of FROM to TO that are to be kept at session time AT, with the session's
 * number of their finding. */
void evidence_keeper_take(struct evidence_keeper *keeper, nsec at,
	const struct windows *windows, const struct evidence_batch *from,
	struct evidence_batch *to);

#endif
