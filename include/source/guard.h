/*
 * Reading attributes that may not answer: a driver holds a lock, a firmware is asked
 * and hangs. The read is done by a worker; one that does not come back in time is left
 * alone with its file, which reads "late" until it does, and the caller goes on with
 * the others. For all threads of the process.
 */
#ifndef WEIR_SOURCE_GUARD_H
#define WEIR_SOURCE_GUARD_H

#include "source/attr.h"

enum {
	GUARD_TEXT = 64
};

/* One file that is open already; WHAT it is, for people, while the call lasts. */
struct guard_read {
	int fd;
	const char *what;
	enum why why; /* LATE: it does not answer */
	char text[GUARD_TEXT];
};

/* All of COUNT, as attr_text() would; those of fd -1 keep their WHY. */
void guard_read(struct guard_read *reads, size_t count);

/* As attr_read_u64() and attr_read_text(), or LATE. */
enum why guard_u64(const char *folder, const char *name, uint64_t *value);
enum why guard_text(const char *folder, const char *name, char *text, size_t size);
/* The same, waited for up to a second. */
enum why guard_identity(const char *folder, const char *name, char *text, size_t size);

/* "/sys/block/sdb/device/state late 12s; ..." for those that do not answer, or "". */
void guard_trouble(char *text, size_t size);

#endif
