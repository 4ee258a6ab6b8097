/*
 * A capture file, pcap or pcapng, frame by frame. The one user of libpcap outside
 * the helper.
 */
#ifndef WEIR_APP_READ_FILE_H
#define WEIR_APP_READ_FILE_H

#include "base/fault.h"
#include "packet/engine.h"

#include <stdbool.h>
#include <stdio.h>

struct read_file;

/* Takes FILE in any case. Null, with FAULT, where it is no capture file. */
struct read_file *read_file_open(FILE *file, struct fault *fault);
void read_file_close(struct read_file *read);

int read_file_linktype(const struct read_file *read);

/* "EN10MB", or "DLT_NNN" where libpcap has no name for it. */
const char *read_file_linktype_name(const struct read_file *read);

enum read_result {
	READ_FRAME,
	READ_END,
	READ_CUT,    /* the file ends inside a record; FAULT says so */
	READ_DAMAGE, /* what comes cannot be read; FAULT says why */
};

/* FRAME borrows until the next call. */
enum read_result read_file_next(
	struct read_file *read, struct packet_frame *frame, struct fault *fault);

#endif
