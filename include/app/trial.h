/*
 * A few ticks taken for their own sake: which sources serve here, and what recording
 * would cost.
 */
#ifndef WEIR_APP_TRIAL_H
#define WEIR_APP_TRIAL_H

#include "app/collector.h"
#include "app/record.h"

struct trial {
	struct collector *collector; /* with the last of its readings */
	struct source_env env;
	size_t subjects[KIND_COUNT];
	size_t series;
	size_t full_bytes, step_bytes; /* of an encoded tick */
	nsec cpu;                      /* of one tick, without the helpers */
};

void trial_init(struct trial *trial, const struct record_options *options);
void trial_fini(struct trial *trial);

#endif
