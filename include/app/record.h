/*
 * What a recording is asked to be: the options of `weir record`, which `weir`
 * takes as well because it starts a recorder where none runs.
 */
#ifndef WEIR_APP_RECORD_H
#define WEIR_APP_RECORD_H

#include "app/command.h"
#include "app/place.h"
#include "base/nsec.h"
#include "source/source.h"

struct record_options {
	struct selection selection; /* borrows from the command line */
	nsec interval;
	nsec duration; /* --for; 0: until it is stopped */
};

/* MiB for the ring of a capture. */
bool read_ring(const char *text, unsigned *ring, struct fault *fault);
/* The threshold of a stall, in seconds. */
bool read_stall(const char *text, nsec *stall, struct fault *fault);

/* Reads the rows of options_record (and "for", where the command has it). A bad
 * interval, regular expression, interface name or duration is a fault. */
bool record_options(const struct arguments *arguments, struct record_options *options,
	struct fault *fault);

/* The next name of a list of interfaces, from *AT on; false at its end. */
bool selection_next(const char **at, char *name, size_t size);

/* Records here and now, until it is stopped; returns the exit status. A fault is
 * said on standard error. */
int recorder_run(const struct place *place, const struct record_options *options);

/* Starts a recorder for PLACE in the background and waits until its socket answers.
 * It outlives the caller and its terminal. */
bool recorder_spawn(const struct place *place, const struct record_options *options,
	struct fault *fault);

#endif
