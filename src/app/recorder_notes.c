/* Notes and attachments: lines and texts that people lay beside the figures. */
#include "config.h"

#include "app/recorder.h"

#include "app/protocol.h"
#include "app/server.h"
#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>

static bool add_note(struct recorder *recorder, struct note *note,
	const struct words *words, struct answer *answer, struct fault *fault)
{
	struct deed deed = {0};

	note->at = recorder_now(recorder);
	if (!recorder_read_time(recorder, words, &note->at, fault))
		return false;
	recorder_read_author(words, note->author, sizeof note->author);
	note->id = ++recorder->last_note;
	session_note(recorder->session, note);
	server_tell_note(recorder->server, note);
	recorder->marked = true;
	answer->id = deed.note = note->id;
	answer->job = journal_note(recorder->journal, note);
	(void)text_copy(deed.author, sizeof deed.author, note->author);
	(void)text_format(deed.text, sizeof deed.text, "note \"%s\"", note->text);
	deeds_add(&recorder->deeds, &deed);
	(void)text_format(answer->text, sizeof answer->text, "noted");
	return true;
}

bool recorder_note(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault)
{
	const char *text = words_value(words, "text");
	struct note note = {.kind = NOTE_TEXT};

	if (!text || text_is_blank(text))
		return fault_set(fault, "a note needs a text");
	if (!text_clean(note.text, sizeof note.text, text))
		return fault_set(fault,
			"a note has at most %zu bytes (--attach "
			"takes more)",
			sizeof note.text - 1);
	return add_note(recorder, &note, words, answer, fault);
}

bool recorder_attach(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault)
{
	const char *title = words_value(words, "title");
	const char *body = words_value(words, "body");
	struct note note = {.kind = NOTE_ATTACHMENT};
	char *clean;
	bool good;

	if (!title || text_is_blank(title) || !body)
		return fault_set(fault, "an attachment needs a title and a body");
	if (!text_clean(note.text, sizeof note.text, title))
		return fault_set(fault, "that title is too long");
	clean = xarray(PROTOCOL_BODY, 1);
	note.body = clean;
	good = text_clean_lines(clean, PROTOCOL_BODY, body)
		       ? add_note(recorder, &note, words, answer, fault)
		       : fault_set(fault, "an attachment has at most %d bytes",
				 PROTOCOL_BODY - 1);
	free(clean);
	return good;
}
