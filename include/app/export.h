/*
 * Rows of an export: one for each tick, device and metric, ordered by time, kind,
 * device and metric. Never more than one tick is held.
 */
#ifndef WEIR_APP_EXPORT_H
#define WEIR_APP_EXPORT_H

#include "base/buffer.h"
#include "core/session.h"

enum export_format {
	EXPORT_CSV,
	EXPORT_JSON
};

/* The unchanging part of a track's rows. */
struct export_row {
	size_t track;
	char *text; /* owned: all between the time and the value */
	size_t size;
};

/* The rows of a session in order; made anew when a track has appeared. */
struct export_rows {
	enum export_format format;
	bool stale; /* set by the caller: names may have changed */
	struct export_row *list;
	size_t count;
};

void export_rows_fini(struct export_rows *rows);

/* The line of titles; nothing for JSON. */
void export_head(const struct export_rows *rows, struct buffer *out);
/* All rows of the session's last tick, which fell on WALL. */
void export_tick(struct export_rows *rows, const struct session *session, nsec wall,
	struct buffer *out);

/* A row that says that a source has no readings, and why; or that it has some again. */
void export_source(const struct export_rows *rows, const struct fact *fact, nsec wall,
	struct buffer *out);

#endif
