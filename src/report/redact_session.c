/* A session without its names; see the header. */
#include "config.h"

#include "report/redact.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static bool wants_all(const struct redactor *redactor)
{
	return redactor_level(redactor) == REDACT_ALL;
}

/* ---- learning ---- */

void redactor_learn_person(struct redactor *redactor, const char *name)
{
	if (strcmp(name, "root") != 0 && strcmp(name, "somebody") != 0)
		redactor_learn(redactor, REDACT_USER, name);
}

/* "filer:/export/db", "[2001:db8::1]:/export", "//filer/share", "\\filer\share": the
 * server, and the rest. */
static void learn_export(struct redactor *redactor, const char *source)
{
	bool share = !strncmp(source, "//", 2) || !strncmp(source, "\\\\", 2);
	const char *from = share ? source + 2 : source;
	size_t length = share ? strcspn(from, "/\\") : strcspn(from, ":");
	char server[SUBJECT_NAME];

	if (!share && *from == '[') {
		length = strcspn(from, "]");
		length += from[length] == ']';
	}
	if (!from[length] || (!share && from[length + 1] != '/') ||
		!text_format(server, sizeof server, "%.*s", (int)length, from))
		return;
	redactor_learn_host(redactor, server);
	if (wants_all(redactor))
		redactor_learn(redactor, REDACT_NAME, from + length + 1);
}

/* "3600a0980...@iscsi 10.1.0.20": what is before the way to it; a place is none. */
static void learn_identity(struct redactor *redactor, const struct subject *subject)
{
	char id[SUBJECT_ID];

	(void)text_copy(id, sizeof id, subject->id);
	id[strcspn(id, "@")] = 0;
	if (strncmp(id, "pci-", 4) != 0 && strcmp(id, subject->name) != 0)
		redactor_learn(redactor, REDACT_WWID, id);
}

static void learn_subject(struct redactor *redactor, const struct subject *subject)
{
	if (subject->kind == KIND_HOST)
		redactor_learn_host(redactor, subject->label);
	if (subject->kind == KIND_MOUNT)
		learn_export(redactor, subject->name);
	if (!wants_all(redactor) || subject->kind == KIND_HOST)
		return;
	redactor_learn(redactor, REDACT_NAME, subject->label);
	if (subject->kind == KIND_DISK)
		learn_identity(redactor, subject);
	if (subject->kind == KIND_MOUNT && *subject->name == '/')
		redactor_learn(redactor, REDACT_NAME, subject->name);
}

/* "/srv/mail /srv/www": where a disk is mounted. */
static void learn_points(struct redactor *redactor, const char *points)
{
	char point[SUBJECT_LABEL];

	for (const char *at = points; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		(void)text_format(point, sizeof point, "%.*s", (int)length, at);
		if (*point == '/')
			redactor_learn(redactor, REDACT_NAME, point);
		at += length;
	}
}

/* Mount options of SMB that name somebody. */
static void learn_option(struct redactor *redactor, const struct fact *fact)
{
	if (!strcmp(fact->key, "username") || !strcmp(fact->key, "user"))
		redactor_learn_person(redactor, fact->value);
	if (!strcmp(fact->key, "domain") || !strcmp(fact->key, "workgroup"))
		redactor_learn(redactor, REDACT_NAME, fact->value);
}

static void learn_fact(struct redactor *redactor, const struct fact *fact)
{
	if (wants_all(redactor) && !strcmp(fact->key, "mounted"))
		learn_points(redactor, fact->value);
	if (fact->kind != KIND_MOUNT)
		return;
	if (!strcmp(fact->key, "source"))
		learn_export(redactor, fact->value);
	learn_option(redactor, fact);
	if (wants_all(redactor) && *fact->name == '/')
		redactor_learn(redactor, REDACT_NAME, fact->name);
}

static void learn_window(struct redactor *redactor, const struct window *window)
{
	redactor_learn_person(redactor, window->author);
	if (wants_all(redactor) &&
		(window->role == ROLE_OTHER || window->role == ROLE_RUN))
		redactor_learn(redactor, REDACT_NAME, window->name);
}

void redactor_learn_session(struct redactor *redactor, const struct session *session)
{
	for (size_t i = 0; i < session->run_count; i++)
		redactor_learn_host(redactor, session->runs[i].host);
	for (size_t i = 0; i < session->subject_count; i++)
		learn_subject(redactor, &session->subjects[i]);
	for (size_t i = 0; i < session->facts.count; i++) {
		struct fact fact = facts_at_index(&session->facts, i);

		learn_fact(redactor, &fact);
	}
	for (size_t i = 0; i < session->windows.count; i++)
		learn_window(redactor, &session->windows.list[i]);
	for (size_t i = 0; i < session->note_count; i++)
		redactor_learn_person(redactor, session->notes[i].author);
	if (wants_all(redactor))
		redactor_learn(redactor, REDACT_NAME, session->name);
}

/* ---- replacing ---- */

static void redact_subject(struct redactor *redactor, struct subject *subject)
{
	redact_field(redactor, subject->name, sizeof subject->name);
	redact_field(redactor, subject->label, sizeof subject->label);
	redact_field(redactor, subject->id, sizeof subject->id);
	redact_field(redactor, subject->detail, sizeof subject->detail);
}

static void redact_window(struct redactor *redactor, struct window *window)
{
	redact_field(redactor, window->author, sizeof window->author);
	redact_field(redactor, window->command, sizeof window->command);
	if (window->role == ROLE_OTHER || window->role == ROLE_RUN)
		redact_field(redactor, window->name, sizeof window->name);
	if (wants_all(redactor) && *window->command)
		(void)text_copy(
			window->command, sizeof window->command, "withheld"); /* fits */
}

static void redact_stored_note(struct redactor *redactor, struct note *note)
{
	struct buffer body = {0};

	redact_field(redactor, note->author, sizeof note->author);
	redact_field(redactor, note->text, sizeof note->text);
	if (!note->body)
		return;
	redact_text(redactor, note->body, &body);
	free(note->body);
	note->body = xstrdup(buffer_string(&body));
	buffer_fini(&body);
}

/* A version of four numbers looks like an address. */
static bool is_version(const char *key)
{
	static const char *const words[] = {
		"firmware", "version", "driver", "kernel", "rev", "distribution"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(key, words[i]))
			return true;
	return false;
}

/* Facts are known by their texts: they are put anew. */
static void redact_facts(struct redactor *redactor, struct facts *facts)
{
	struct facts renewed = {0};
	struct buffer name = {0}, id = {0}, value = {0};

	for (size_t i = 0; i < facts->count; i++) {
		struct fact fact = facts_at_index(facts, i);

		buffer_clear(&name);
		buffer_clear(&id);
		buffer_clear(&value);
		redact_text(redactor, fact.name, &name);
		redact_text(redactor, fact.id, &id);
		redact_text(redactor, fact.value, &value);
		fact.name = buffer_string(&name);
		fact.id = buffer_string(&id);
		if (!is_version(fact.key))
			fact.value = buffer_string(&value);
		(void)facts_put(&renewed, &fact); /* says something new, as before */
	}
	buffer_fini(&name);
	buffer_fini(&id);
	buffer_fini(&value);
	facts_fini(facts);
	*facts = renewed;
}

void redact_session(struct redactor *redactor, struct session *session)
{
	redactor_learn_session(redactor, session);
	for (size_t i = 0; i < session->run_count; i++) {
		redact_field(
			redactor, session->runs[i].host, sizeof session->runs[i].host);
		redact_field(redactor, session->runs[i].boot_id,
			sizeof session->runs[i].boot_id);
	}
	for (size_t i = 0; i < session->subject_count; i++)
		redact_subject(redactor, &session->subjects[i]);
	for (size_t i = 0; i < session->windows.count; i++)
		redact_window(redactor, &session->windows.list[i]);
	for (size_t i = 0; i < session->note_count; i++)
		redact_stored_note(redactor, &session->notes[i]);
	redact_facts(redactor, &session->facts);
	redact_field(redactor, session->name, sizeof session->name);
}

const char *redact_note(
	const struct redactor *redactor, const struct note *note, const char *text)
{
	bool written = note->kind == NOTE_TEXT || note->kind == NOTE_ATTACHMENT;

	return redactor && wants_all(redactor) && written ? "withheld" : text;
}
