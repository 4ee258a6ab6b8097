/* The one subject of kind host, the same in every source. */
#ifndef WEIR_SOURCE_HOST_H
#define WEIR_SOURCE_HOST_H

#include "source/source.h"

/* Name "host", label the host name, detail the kernel release. */
void host_subject(const struct source_env *env, struct subject *subject);

/* The threshold of a stall that this recording was asked for. */
nsec host_stall(const struct source_env *env);

#endif
