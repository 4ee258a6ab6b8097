/*
 * The one unit of time in weir: signed nanoseconds. Which clock a value
 * belongs to is said where it is kept.
 */
#ifndef WEIR_BASE_NSEC_H
#define WEIR_BASE_NSEC_H

#include <stdint.h>

typedef int64_t nsec;

#define NSEC_PER_SEC  INT64_C(1000000000)
#define NSEC_PER_MSEC INT64_C(1000000)
#define NSEC_PER_USEC INT64_C(1000)

#endif
