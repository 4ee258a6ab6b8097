/* libFuzzer: what a recorder, or somebody in its place, might send to a viewer. All of
 * it goes the viewer's way; lines that are taken come back the same when they are put
 * together again. */
#include "config.h"

#include "app/client_parts.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same(const struct words *words, const struct buffer *line)
{
	struct words again = {0};

	if (!words_split(&again, (const char *)line->data, line->size - 1) ||
		again.count > words->count)
		abort();
	words_fini(&again);
}

/* What is understood can be said again. */
static void judge_line(const struct words *words)
{
	struct buffer line = {0};
	struct window window;
	struct note note;
	struct run run;

	if (words_window(words, &window))
		line_window(&line, &window);
	else if (words_note(words, &note))
		line_note(&line, &note);
	else if (words_run(words, &run))
		line_run(&line, &run);
	if (line.size)
		same(words, &line);
	buffer_fini(&line);
}

/* One line, or one tick behind its line; returns how much was taken. */
static size_t take(struct client *client, const uint8_t *data, size_t size)
{
	const uint8_t *end;

	if (client->tick_size) {
		size_t used = client->tick_size;

		if (used > size)
			return size;
		(void)client_take_tick(client, data);
		client->tick_size = 0;
		return used + (used < size);
	}
	end = memchr(data, '\n', size);
	if (!end)
		return size;
	if (words_split(&client->words, (const char *)data, (size_t)(end - data))) {
		judge_line(&client->words);
		(void)client_take_words(client);
	}
	return (size_t)(end - data) + 1;
}

static void clean(const char *text)
{
	for (; *text; text++)
		if ((*text > 0 && *text < ' ') || *text == 0x7f)
			abort();
}

/* What a person sees of it is clean. */
static void judge(const struct client *client)
{
	const struct session *session = client->session;

	clean(session->name);
	clean(client->state.trouble);
	clean(client->state.sources);
	clean(client->state.file);
	clean(client->answer.text);
	for (size_t i = 0; i < session->note_count; i++)
		clean(session->notes[i].text);
	for (size_t i = 0; i < session->windows.count; i++)
		clean(session->windows.list[i].name);
	for (size_t i = 0; i < session->run_count; i++)
		clean(session->runs[i].host);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct client *client = calloc(1, sizeof *client);

	if (!client)
		abort();
	client->fd = -1; /* what it wants to send goes nowhere */
	client->session = session_new("fuzz", 8);
	while (size && !client->gone) {
		size_t used = take(client, data, size);

		data += used;
		size -= used;
	}
	judge(client);
	session_free(client->session);
	client_free(client);
	return 0;
}
