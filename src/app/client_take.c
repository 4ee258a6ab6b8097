/* What each line and tick from the recorder means for the viewer's session. */
#include "config.h"

#include "app/client_parts.h"

#include "base/text.h"

#include <string.h>

/* An empty session in the place of the old one: all of it comes anew. */
static void empty_session(struct session *session)
{
	struct session *fresh = session_new(session->name, session->ring_size);
	struct session old = *session;

	*session = *fresh;
	*fresh = old;
	session_free(fresh);
}

static enum client_event take_session(struct client *client)
{
	bool again = client->again;

	if (!client->session || client->words.count < 3)
		return CLIENT_NOTHING;
	if (again)
		empty_session(client->session);
	client->again = false;
	tick_decoder_fini(&client->decoder);
	(void)text_clean(client->session->name, sizeof client->session->name,
		client->words.list[2]); /* a cut name is still a label */
	return again ? CLIENT_REBUILD : CLIENT_CHANGED;
}

/* The oldest edge of all windows: what has to be seen again. */
static nsec first_edge(const struct session *session)
{
	nsec from = INT64_MAX;

	for (size_t i = 0; i < session->windows.count; i++)
		if (session->windows.list[i].from < from)
			from = session->windows.list[i].from;
	return from;
}

static enum client_event take_window(struct client *client)
{
	struct window window;

	if (!client->session || client->again || !words_window(&client->words, &window))
		return CLIENT_NOTHING;
	if (!session_window(client->session, &window)) {
		client->again = true;
		/* if it fails, the recorder is gone and the next read says so */
		(void)client_ask_to_watch(client, first_edge(client->session), NULL);
	}
	return CLIENT_CHANGED;
}

static enum client_event take_window_gone(struct client *client)
{
	int64_t id;

	if (!client->session || client->again ||
		!words_number_at(&client->words, 1, &id))
		return CLIENT_NOTHING;
	session_remove_window(client->session, (uint32_t)id);
	return CLIENT_CHANGED;
}

static enum client_event take_note(struct client *client)
{
	struct note note;

	if (!client->session || client->again || !words_note(&client->words, &note))
		return CLIENT_NOTHING;
	session_note(client->session, &note);
	return CLIENT_CHANGED;
}

static enum client_event take_fact(struct client *client)
{
	struct fact fact;

	if (!client->session || client->again || !words_fact(&client->words, &fact))
		return CLIENT_NOTHING;
	return session_fact(client->session, &fact) ? CLIENT_CHANGED : CLIENT_NOTHING;
}

static enum client_event take_note_gone(struct client *client)
{
	int64_t id;

	if (!client->session || client->again ||
		!words_number_at(&client->words, 1, &id))
		return CLIENT_NOTHING;
	session_remove_note(client->session, (uint32_t)id);
	return CLIENT_CHANGED;
}

static enum client_event take_run(struct client *client)
{
	struct run run;

	if (!client->session || client->again || !words_run(&client->words, &run))
		return CLIENT_NOTHING;
	session_run(client->session, &run);
	return CLIENT_CHANGED;
}

static int64_t number_of(const struct words *words, const char *key)
{
	int64_t number;

	return words_number(words, key, &number) && number >= 0 ? number : 0;
}

static void text_of(const struct words *words, const char *key, char *to, size_t size)
{
	const char *text = words_value(words, key);

	(void)text_clean(to, size, text ? text : ""); /* a cut text will do */
}

static enum client_event take_state(struct client *client)
{
	const struct words *words = &client->words;
	struct recorder_state *state = &client->state;

	state->known = true;
	state->stopping = number_of(words, "stopping") != 0;
	state->viewers = (int)(number_of(words, "viewers") & 0xffff);
	state->unsaved = (uint64_t)number_of(words, "unsaved");
	state->unsaved_for = number_of(words, "unsaved-for");
	state->ticks = (uint64_t)number_of(words, "ticks");
	state->late = (uint64_t)number_of(words, "late");
	state->bytes = (uint64_t)number_of(words, "bytes");
	state->interval = number_of(words, "interval");
	state->marked = number_of(words, "marked") != 0;
	state->left = number_of(words, "left");
	text_of(words, "trouble", state->trouble, sizeof state->trouble);
	text_of(words, "sources", state->sources, sizeof state->sources);
	text_of(words, "file", state->file, sizeof state->file);
	return CLIENT_STATE;
}

static void keep_unsaved(struct client *client)
{
	if (client->unsaved_count == CLIENT_UNSAVED)
		return; /* a recorder refuses before that */
	client->unsaved[client->unsaved_count++] = client->answer;
}

static enum client_event take_marked(struct client *client)
{
	int64_t id = 0;

	(void)words_number_at(&client->words, 1, &id); /* a bad one is none */
	client->answer = (struct client_answer){.id = (uint32_t)id};
	if (client->words.count > 2)
		(void)text_clean(client->answer.text, sizeof client->answer.text,
			client->words.list[2]); /* a cut text will do */
	keep_unsaved(client);
	return CLIENT_ANSWER;
}

/* Another answer may have come since: what was saved is known by its number. The disk
 * takes things in their order, so of two with one number it is the older. */
static enum client_event take_saved(struct client *client)
{
	int64_t id = 0;
	size_t at = 0;

	(void)words_number_at(&client->words, 1, &id); /* a bad one is none */
	while (at < client->unsaved_count && client->unsaved[at].id != (uint32_t)id)
		at++;
	if (at == client->unsaved_count)
		return CLIENT_NOTHING;
	client->answer = client->unsaved[at];
	client->answer.saved = true;
	client->unsaved_count--;
	memmove(&client->unsaved[at], &client->unsaved[at + 1],
		(client->unsaved_count - at) * sizeof *client->unsaved);
	return CLIENT_ANSWER;
}

static enum client_event take_error(struct client *client)
{
	client->answer = (struct client_answer){.error = true};
	if (client->words.count > 1)
		(void)text_clean(client->answer.text, sizeof client->answer.text,
			client->words.list[1]); /* a cut text will do */
	return CLIENT_ANSWER;
}

static enum client_event take_tick_line(struct client *client)
{
	int64_t size;

	if (!words_number_at(&client->words, 1, &size) || size < 1 ||
		size > CLIENT_TICK_MOST)
		client->gone = true;
	else
		client->tick_size = (size_t)size;
	return CLIENT_NOTHING;
}

static const struct {
	const char *word;
	enum client_event (*take)(struct client *client);
} lines[] = {
	{"tick", take_tick_line},
	{"state", take_state},
	{"session", take_session},
	{"run", take_run},
	{"window", take_window},
	{"window-gone", take_window_gone},
	{"fact", take_fact},
	{"note", take_note},
	{"note-gone", take_note_gone},
	{"marked", take_marked},
	{"saved", take_saved},
	{"error", take_error},
};

enum client_event client_take_words(struct client *client)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strcmp(lines[i].word, client->words.list[0]))
			return lines[i].take(client);
	return CLIENT_NOTHING; /* of a newer recorder */
}

enum client_event client_take_tick(struct client *client, const uint8_t *data)
{
	struct fault fault;
	bool have;

	if (!client->session || client->again)
		return CLIENT_NOTHING;
	/* a damaged one: the decoder waits for the next full tick */
	if (!tick_decode(&client->decoder, data, client->tick_size, &have, &fault) ||
		!have)
		return CLIENT_NOTHING;
	session_put(client->session, &client->decoder);
	return CLIENT_TICK;
}
