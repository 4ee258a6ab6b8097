/*
 * The report on a session: windows side by side, what was not seen, how it was
 * measured. Pure: the session and the time come in, bytes go out. The command
 * `report` and the key `w` of the screen both call it.
 */
#ifndef WEIR_REPORT_REPORT_H
#define WEIR_REPORT_REPORT_H

#include "base/buffer.h"
#include "base/fault.h"
#include "core/session.h"
#include "core/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct redactor;

enum report_format {
	REPORT_TEXT,
	REPORT_MD,
	REPORT_CSV,
	REPORT_JSON,
	REPORT_FORMATS
};

enum {
	REPORT_VERSION = 1, /* of the layout, doc/report-json.md */
	REPORT_WINDOWS = 8,
};

struct report_options {
	enum report_format format;
	uint32_t windows[REPORT_WINDOWS]; /* ids, A first; none: report_choose() */
	size_t window_count;
	bool pool;                     /* windows of one name stand together */
	const struct targets *targets; /* what people want of a change; may be null */
	nsec last;          /* session time of the session's last tick, where not all of
			     * it was fed; 0: the last one that was */
	nsec written;       /* wall clock now */
	int zone_minutes;   /* zone for `written` */
	const char *author; /* who writes it; may be null */
	const char *file;   /* the session file; null: not said */
	/* Null: all is said. Else the one that redact_session() was called with. */
	struct redactor *redactor;
};

/* "text", "md", "csv", "json"; the fault lists the formats there are. */
bool report_format_find(
	const char *word, enum report_format *format, struct fault *fault);

/* Puts the windows called NAMES into OPTIONS. A name given twice means the last two
 * windows of that name, and so on; without names the newest BEFORE and the newest
 * AFTER, or else the last two. None at all is no fault: *OPTIONS then has none. An
 * unknown name is one that lists the names there are. */
bool report_choose(const struct session *session, const char *const *names,
	size_t count, struct report_options *options, struct fault *fault);

/* Appends the ids of all windows that the report on OPTIONS needs summed up, those that
 * are pooled and the commands that ran in them included, to IDS. */
struct window_ids {
	uint32_t *list;
	size_t count, room;
};
void report_needs(const struct session *session, const struct report_options *options,
	struct window_ids *ids);

/* The window that stands for the whole of what the session holds, where nobody set
 * one. A caller that feeds the session sets it before the first tick. */
struct window report_whole(nsec from, nsec to);

/* Teaches the redactor who writes the report and whose home the file lies in: neither
 * may have left a mark. Before redact_session(), whose texts may name them. */
void report_learn_people(const struct report_options *options);

/* What a script wants to know: something is worse, something is better or the same and
 * nothing is worse, or neither can be said. */
enum report_outcome {
	REPORT_GOOD,
	REPORT_WORSE,
	REPORT_UNCLEAR,
};

/* Appends the report to OUT; OUTCOME may be null. A window that is open is reported up
 * to the last tick. Without any window it is about all that SESSION has in memory. */
bool report_write(struct session *session, const struct report_options *options,
	struct buffer *out, enum report_outcome *outcome, struct fault *fault);

#endif
