/*
 * A capture file as if it named no snapshot length: libpcap cuts frames at the length
 * that the file's head claims even where more of them is there, and refuses pcapng
 * files whose interfaces claim different ones.
 */
#ifndef WEIR_APP_UNSNAPPED_H
#define WEIR_APP_UNSNAPPED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where in a file the bytes are that come next. */
struct unsnapped {
	uint64_t at;   /* in the block */
	uint64_t size; /* of the block, 0: not known yet */
	uint8_t head[12];
	uint8_t kind;
};

/* Takes the next SIZE bytes of the file and clears those of snapshot lengths. */
void unsnapped_clear(struct unsnapped *place, uint8_t *data, size_t size);

/* FILE read through that; owns FILE. Null and FILE closed where there is no memory. */
FILE *unsnapped_open(FILE *file);

#endif
