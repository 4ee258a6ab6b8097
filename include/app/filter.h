/*
 * A capture filter, looked at before anything starts: in the recorder it would only be
 * the reason why a helper ended, long after the person has looked away.
 */
#ifndef WEIR_APP_FILTER_H
#define WEIR_APP_FILTER_H

#include "base/fault.h"

/* A fault that quotes the place from which on EXPRESSION is not understood. */
bool filter_check(const char *expression, struct fault *fault);

#endif
