/*
 * One row of a judgement: which test its metric gets (core/judgement.h). Of
 * src/core/judgement*.c only.
 */
#ifndef WEIR_CORE_JUDGEMENT_ROW_H
#define WEIR_CORE_JUDGEMENT_ROW_H

#include "core/judgement.h"
#include "core/side.h"

struct contest {
	const struct session *session;
	struct side sides[2];
	enum sides how;
	bool hours_differ; /* of the day, and may be why figures do */
	bool same_kernel;  /* one ran in all of the windows */
};

struct contest judgement_contest(
	const struct session *session, uint32_t a, uint32_t b, bool pool);

/* Fills ROW, but for its family. */
void judgement_row(struct judged *row, const struct contest *contest, size_t track);

#endif
