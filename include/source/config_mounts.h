/* Mounts over the network as facts: source, type, and each option in force. */
#ifndef WEIR_SOURCE_CONFIG_MOUNTS_H
#define WEIR_SOURCE_CONFIG_MOUNTS_H

#include "base/buffer.h"
#include "source/source.h"

/* TEXT is room for the list of mounts. */
bool config_mounts(const struct source_env *env, struct buffer *text, struct sink *sink,
	struct fault *fault);

#endif
