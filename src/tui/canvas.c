/* A grid of cells with roles; see the header. */
#include "config.h"

#include "tui/canvas.h"
