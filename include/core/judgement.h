/*
 * All rows of two windows judged together: which test each metric gets, whether the
 * load allows a verdict on the raw figures, and the families that share an error
 * rate (doc/design.md, "Verdicts"). Pure.
 */
#ifndef WEIR_CORE_JUDGEMENT_H
#define WEIR_CORE_JUDGEMENT_H

#include "core/headline.h"
#include "core/session.h"
#include "core/side.h"
#include "core/verdict.h"

/* One track. */
struct judged {
	uint32_t track;
	struct verdict raw;
	struct verdict same_load; /* only if HAS_LOAD: then it carries the verdict */
	struct verdict tail;      /* p95; only of waits and queues, else VERDICT_NONE */
	bool has_load;
	bool load_differs; /* the raw line says LOWER or HIGHER at most */
	bool hours_differ; /* of the day: likewise, where it is not about events */
	bool closed;       /* more is better: throughput of runs */
	bool headline;     /* of the first family: core/headline.h */
};

struct judgement {
	struct judged *rows; /* by track */
	size_t count, room;
	struct headline_row *extra; /* of the headline, and of no track */
	size_t extra_count, extra_room;
	double level; /* of its words: VERDICT_LEVEL, or _LIVE */
	enum sides how;
};

/* Comparisons with a p-value, over all pairs that were decided together. */
struct families {
	size_t secondary, headline;
};

void judgement_fini(struct judgement *judgement);

/* Measures window B against window A, with POOL all windows of their names, and
 * commands of one name always; and whether its words need the stricter level because B
 * grew while the screen judged it. Rows without anything to judge (states, weir's own
 * figures) stay VERDICT_NONE. */
void judgement_measure(struct judgement *judgement, const struct session *session,
	uint32_t a, uint32_t b, bool pool);

/* The kernel that ran at session time AT; "" if nobody knows. */
const char *session_kernel(const struct session *session, nsec at);

/* Seconds of WINDOW that verdicts look at, up to the last tick. */
double judgement_seconds(const struct session *session, const struct window *window);

/* Gives COUNT measured judgements of one report their words together. */
struct families judgement_decide(
	struct judgement *judgements, size_t count, const struct session *session);

/* The verdict that counts for a row: at the same load where the load differs. */
const struct verdict *judged_verdict(const struct judged *judged);

#endif
