/*
 * Names and addresses out of what is handed to others: each is replaced by a
 * placeholder, "host1", "addr2", and the same thing has the same one wherever one
 * redactor has been. Reports use it, and whatever else goes out with them.
 *
 *   known  host names, IP addresses, MACs, iSCSI and NVMe names, names of people
 *   all    also WWIDs, UUIDs, serial numbers, labels, mount points and exports, names
 *          of sessions, windows and runs; what people wrote is withheld
 */
#ifndef WEIR_REPORT_REDACT_H
#define WEIR_REPORT_REDACT_H

#include "base/buffer.h"
#include "base/fault.h"
#include "core/session.h"

#include <stdbool.h>
#include <stddef.h>

enum redact_level {
	REDACT_KNOWN,
	REDACT_ALL,
};

enum redact_kind {
	REDACT_HOST,
	REDACT_ADDRESS,
	REDACT_MAC,
	REDACT_TARGET,
	REDACT_USER,
	REDACT_WWID,
	REDACT_NAME,
	REDACT_KINDS
};

struct redactor;

struct redactor *redactor_new(enum redact_level level);
void redactor_free(struct redactor *redactor);
enum redact_level redactor_level(const struct redactor *redactor);

/* WORD behind "--redact=": "known" or "all"; "" is "known". */
bool redact_level_find(const char *word, enum redact_level *level, struct fault *fault);

/* From now on TEXT is replaced wherever it stands as a word of its own. */
void redactor_learn(struct redactor *redactor, enum redact_kind kind, const char *text);
/* A host's name, also without its domain, and all hosts of that domain. */
void redactor_learn_host(struct redactor *redactor, const char *name);
/* A person, unless that is everybody (root) or nobody. */
void redactor_learn_person(struct redactor *redactor, const char *name);
/* The names that SESSION holds: of hosts, servers, people; with "all" the others. */
void redactor_learn_session(struct redactor *redactor, const struct session *session);

/* TEXT, of any length and number of lines, behind what is in OUT. */
void redact_text(struct redactor *redactor, const char *text, struct buffer *out);
/* As above, in place; cut at SIZE. */
void redact_field(struct redactor *redactor, char *text, size_t size);

/* Learns what SESSION holds and replaces it there: in subjects, facts, notes, windows
 * and runs. Once: what is then written about it has no other names. The text of notes
 * stays, since changes are told from it; redact_note() says what may be shown of it. */
void redact_session(struct redactor *redactor, struct session *session);

/* What is shown of NOTE's text or body: itself, or that it was withheld. REDACTOR may
 * be null. */
const char *redact_note(
	const struct redactor *redactor, const struct note *note, const char *text);

/* What was replaced and what was not, for people. */
const char *redact_words(enum redact_level level);

#endif
