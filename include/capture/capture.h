/*
 * The work of weir-capture after its arguments are known: open, drop every right,
 * then look at frames and say what was counted, until the interface or the reader
 * goes.
 */
#ifndef WEIR_CAPTURE_CAPTURE_H
#define WEIR_CAPTURE_CAPTURE_H

#include "capture/tap.h"

enum wire_status capture_run(const struct tap_options *options, struct fault *fault);

#endif
