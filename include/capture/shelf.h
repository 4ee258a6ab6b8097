/*
 * The shared memory for evidence (packet/evidence_ring.h), as the helper finds it: its
 * standard input. Mapped before the cage, after which no file can be opened or mapped.
 */
#ifndef WEIR_CAPTURE_SHELF_H
#define WEIR_CAPTURE_SHELF_H

#include "base/fault.h"

#include <stdbool.h>
#include <stdint.h>

/* Null and a fault where standard input is no sealed memory of the right size. Standard
 * input is /dev/null afterwards: the memory has no descriptor any more. */
uint8_t *shelf_map(bool whole, struct fault *fault);

#endif
