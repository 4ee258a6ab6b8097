/*
 * The socket filter that says how much of each frame the kernel copies: composed
 * from the person's own filter, with one length for sent and one for other frames.
 * The kernel's packet type decides, so no address is involved. Pure.
 */
#ifndef WEIR_CAPTURE_CUTTER_H
#define WEIR_CAPTURE_CUTTER_H

#include <linux/filter.h>
#include <stddef.h>

enum {
	CUTTER_HEADERS = 192, /* link, IP and TCP headers with room for options */
	CUTTER_ROOM = BPF_MAXINSNS,
};

/* PROGRAM is a filter of COUNT instructions; in each of its two copies an accepted
 * frame gives at most SENT or OTHER bytes. Returns the size of the result in TO, 0
 * if it does not fit into CUTTER_ROOM. */
size_t cutter_compose(const struct sock_filter *program, size_t count, unsigned sent,
	unsigned other, struct sock_filter *to);

#endif
