/*
 * What is set up how: facts of the host and its devices, each a key with a clean
 * text, from the moment it was seen to hold until another one was. Only changes are
 * kept, so that any window, also one set afterwards, has its state at both edges.
 */
#ifndef WEIR_CORE_FACT_H
#define WEIR_CORE_FACT_H

#include "base/nsec.h"
#include "core/metric.h"
#include "core/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FACT_KEY = 80,
	FACT_VALUE = 1024
};

/* The key of why a source of readings has none (KIND_SOURCE). Its value is a word, a
 * colon and the reason: "absent: no NFS mount is in this mount namespace". */
#define FACT_NOTHING "nothing"
/* The key of the host's threshold of stalls; the value begins with its seconds. */
#define FACT_STALL   "weir.stall"
/* How far off the clock of the host was at most; no setting of it either. */
#define FACT_CLOCK   "clock.error"

/* One fact; the texts are borrowed. A device with an id is the same under another
 * name; one without is what its name says. */
struct fact {
	nsec at; /* session time from which it was seen to hold */
	enum kind kind;
	const char *name, *id; /* of the device; clean */
	const char *key;       /* as the kernel calls it; clean */
	const char *value;     /* clean; "" unless WHY is WHY_NONE */
	enum why why;          /* ABSENT: there is no such thing any more */
};

struct fact_device;
struct fact_row;
struct fact_entry;

/* All facts of a session. A zeroed struct is empty. */
struct facts {
	struct fact_device *devices;
	size_t device_count, device_room;
	struct fact_row *rows; /* a device's key */
	size_t row_count, row_room;
	struct fact_entry *entries; /* in the order in which they were put */
	size_t count, room;
	uint32_t *table; /* hash of device and key: 1 + row */
	size_t table_size;
	uint32_t round;
	bool read[KIND_COUNT];  /* something is known of devices of that kind, */
	nsec since[KIND_COUNT]; /* and from when on */
};

void facts_fini(struct facts *facts);

/* Returns whether FACT says something new about its device and key, and keeps it. */
bool facts_put(struct facts *facts, const struct fact *fact);

/* The fact that was put as number INDEX, from 0; the texts stay while it does. */
struct fact facts_at_index(const struct facts *facts, size_t index);

/* What held before that one: WHY_ABSENT for one that came into being, WHY_FIRST
 * where nothing had been looked at. */
struct fact facts_before(const struct facts *facts, size_t index);

/* What was known of this device and key at session time AT, in the same terms. */
struct fact facts_at(const struct facts *facts, const struct fact *of, nsec at);

/* Between facts_round() and facts_gone() all facts of KIND are put; EACH is told, as
 * WHY_ABSENT, of those that were not among them. It may put them. */
void facts_round(struct facts *facts);
void facts_gone(struct facts *facts, enum kind kind,
	void (*each)(void *context, const struct fact *fact), void *context);

/* Tells EACH of what is not the same at the session times A and B. What could not be
 * read at one of them is not compared. Returns how many facts were. */
size_t facts_difference(const struct facts *facts, nsec a, nsec b,
	void (*each)(void *context, const struct fact *a, const struct fact *b),
	void *context);

/* Tells EACH all that was known at session time AT. */
void facts_each(const struct facts *facts, nsec at,
	void (*each)(void *context, const struct fact *fact), void *context);

/* Whether going from A to B is a change of the host: both are known, or one is and the
 * other is not there or not set. */
bool fact_changed(const struct fact *a, const struct fact *b);

/* "none", or in brackets why there is no value. */
const char *fact_text(const struct fact *fact);

#endif
