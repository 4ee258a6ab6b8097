/*
 * Small kernel attributes (sysfs, one value each), opened once and read many
 * times without allocating, and the reason when there is no value.
 */
#ifndef WEIR_SOURCE_ATTR_H
#define WEIR_SOURCE_ATTR_H

#include "core/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ATTR_PATH = 512 /* room for FOLDER/NAME */
};

/* An attribute that stays open. WHY says why there is no descriptor. */
struct attr {
	int fd; /* -1 if it could not be opened */
	enum why why;
};

/* FOLDER is a full path, or "" for a device without a folder. Never fails: a
 * missing file becomes a reason. */
void attr_open(struct attr *attr, const char *folder, const char *name);
void attr_close(struct attr *attr);

/* WHY_NONE and a value; or UNSUPPORTED (no such file, or the driver says so),
 * DENIED, ABSENT (the device went). */
enum why attr_u64(const struct attr *attr, uint64_t *value);
enum why attr_text(const struct attr *attr, char *text, size_t size); /* as it is */

/* Open, read and close; the text is the first line, cleaned and trimmed. */
enum why attr_read_u64(const char *folder, const char *name, uint64_t *value);
enum why attr_read_text(const char *folder, const char *name, char *text, size_t size);

bool attr_exists(const char *folder, const char *name);

/* The last component of what the symbolic link FOLDER/NAME points to, cleaned. */
bool attr_link(const char *folder, const char *name, char *text, size_t size);

/* Lets this process hold as many descriptors as it may: a big host has thousands of
 * disks, and each is sampled through an open one. Attributes leave some of them to
 * others; what does not get one any more says "denied". */
void attr_raise_limit(void);

#endif
