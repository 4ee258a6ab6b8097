/*
 * Strict reading of kernel text: a number is there or the function says no.
 * Nothing here knows what the numbers mean.
 */
#ifndef WEIR_BASE_SCAN_H
#define WEIR_BASE_SCAN_H

#include "base/buffer.h"
#include "base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each skips blanks, reads one item, moves *AT behind it and returns true; on
 * false *AT has not moved. Overflow, a sign where none is allowed, or a letter
 * glued to the number is false. */
bool scan_u64(const char **at, uint64_t *value);
bool scan_i64(const char **at, int64_t *value);
bool scan_hex(const char **at, uint64_t *value); /* 0x is allowed, not needed */
bool scan_real(const char **at, double *value);  /* decimal, always with a point */
bool scan_word(const char **at, char *word, size_t size); /* up to white space */

/* Moves *AT over blanks and WORD (a whole word); false if something else is there. */
bool scan_exact(const char **at, const char *word);

/* Only blanks (and a newline) are left. */
bool scan_end(const char *at);

/* The line that starts at *AT, its newline replaced by a zero; null at the end. */
char *scan_line(char **at);

/* The kernel writes blanks and backslashes of names as \ooo in its lists of mounts:
 * turns them back, in place. */
void scan_unescape(char *text);

/* Reads PATH below ROOT (or alone, where ROOT is "") whole into BUFFER, which
 * is cleared first; works for /proc files whose size is 0 and that are read a
 * page at a time. At most LIMIT bytes. */
bool scan_file(const char *root, const char *path, struct buffer *buffer, size_t limit,
	struct fault *fault);

/* The single unsigned number in a small file such as a sysfs attribute. */
bool scan_file_u64(
	const char *root, const char *path, uint64_t *value, struct fault *fault);

/* The first line of a small file, cleaned (base/text.h). */
bool scan_file_text(const char *root, const char *path, char *text, size_t size,
	struct fault *fault);

#endif
