/*
 * The work of weir-capture after its arguments are known: open, drop every right,
 * then look at frames and say what was counted, until the interface or the reader
 * goes.
 */
#ifndef WEIR_CAPTURE_CAPTURE_H
#define WEIR_CAPTURE_CAPTURE_H

#include "capture/tap.h"
#include "packet/engine.h"

struct capture_options {
	struct tap_options tap;
	/* Addresses of this side on a mirror port; none: those of the interface. */
	struct packet_host hosts[PACKET_HOSTS];
	unsigned host_count;
	bool evidence; /* standard input is the memory to put it into */
	bool whole;    /* whole packets of it */
};

/* Keeps OPTIONS. */
enum wire_status capture_run(
	const struct capture_options *options, struct fault *fault);

#endif
