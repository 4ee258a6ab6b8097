/*
 * The verdicts on the two windows that are shown, kept from one drawing to the next:
 * judging some hundred rows at every tick would cost more than all the rest.
 */
#ifndef WEIR_TUI_JUDGE_H
#define WEIR_TUI_JUDGE_H

#include "core/judgement.h"

/* A row of the compare page. */
struct judge_row {
	uint32_t track;
	uint8_t rank; /* 0: worst */
	bool aside;   /* not of the headline family */
	float size;   /* of its change */
};

/* What the words come to in a total; the page and line 2 count alike. */
enum judge_group {
	JUDGE_WORSE,
	JUDGE_MIXED,
	JUDGE_BETTER,
	JUDGE_MOVED, /* higher or lower, neither good nor bad */
	JUDGE_SAME,
	JUDGE_UNCLEAR,
	JUDGE_NOT, /* not compared: too little, too few, idle, ... */
	JUDGE_GROUPS
};

struct judge {
	struct judgement judgement;
	struct families families;
	struct window a, b;      /* as they were when they were judged */
	nsec at;                 /* session time then */
	struct judge_row *order; /* all that is to be shown, worst first */
	bool by_device;          /* instead: row by row as the devices come */
	bool clear_only;         /* only what has a clear word */
	size_t order_count, order_room;
};

void judge_fini(struct judge *judge);

/* Judges B against A (either may be null: nothing is judged) again if a window is
 * another one or was moved, and every JUDGE_EVERY while not all of their ticks were
 * there. */
#define JUDGE_EVERY (5 * NSEC_PER_SEC)
void judge_update(struct judge *judge, const struct session *session,
	const struct window *a, const struct window *b);

/* Puts the rows in the order that is wanted from now on. */
void judge_sort(struct judge *judge, const struct session *session, bool by_device,
	bool clear_only);

/* Whether anything could be tested. */
bool judge_has(const struct judge *judge);
/* The verdict that counts for TRACK, or null. */
const struct verdict *judge_verdict(const struct judge *judge, size_t track);
/* How many rows have a word of GROUP. */
size_t judge_count(const struct judge *judge, enum judge_group group);
/* What lacks before anything can be tested: the name of a closed window that is too
 * short, or else, with null, the seconds to wait. */
const char *judge_lacks(
	const struct judge *judge, const struct session *session, double *wait);

#endif
