/* Lines of the socket, put together and taken apart; see the header. */
#include "config.h"

#include "app/protocol.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void words_fini(struct words *words)
{
	buffer_fini(&words->text);
	*words = (struct words){0};
}

/* Each word is unquoted into its own piece of TEXT, which is as long as the line and
 * therefore never moves. */
static bool add_word(struct words *words, char *quoted)
{
	char *to = (char *)words->text.data + words->text.size;
	size_t left = words->text.room - words->text.size;

	if (!*quoted || words->count == PROTOCOL_WORDS ||
		!text_unquote(to, left, quoted))
		return false;
	words->list[words->count++] = to;
	words->text.size += strlen(to) + 1;
	return true;
}

bool words_split(struct words *words, const char *line, size_t size)
{
	char *copy;
	char *at;
	char *next;
	bool good = true;

	words->count = 0;
	buffer_clear(&words->text);
	if (!size || memchr(line, 0, size))
		return false;
	copy = xarray(size + 1, 1);
	memcpy(copy, line, size);
	xgrow(&words->text.data, &words->text.room, size + 2, 1);
	for (at = copy; good && at; at = next) {
		next = strchr(at, ' ');
		if (next)
			*next++ = 0;
		good = add_word(words, at);
	}
	free(copy);
	if (!good)
		words->count = 0;
	return good;
}

const char *words_value(const struct words *words, const char *key)
{
	size_t length = strlen(key);

	for (size_t i = 1; i < words->count; i++)
		if (!strncmp(words->list[i], key, length) &&
			words->list[i][length] == '=')
			return words->list[i] + length + 1;
	return NULL;
}

static bool whole_number(const char *text, int64_t *value)
{
	return text && scan_i64(&text, value) && !*text;
}

bool words_number(const struct words *words, const char *key, int64_t *value)
{
	return whole_number(words_value(words, key), value);
}

bool words_number_at(const struct words *words, size_t at, int64_t *value)
{
	return at < words->count && whole_number(words->list[at], value);
}

void line_word(struct buffer *out, const char *word)
{
	size_t room = 3 * strlen(word) + 2;
	char few[512];
	char *quoted = room <= sizeof few ? few : xarray(room, 1);

	(void)text_quote(quoted, room, word); /* three times its length is enough */
	if (out->size && out->data[out->size - 1] != '\n')
		buffer_byte(out, ' ');
	buffer_add(out, quoted, strlen(quoted));
	if (quoted != few)
		free(quoted);
}

void line_number(struct buffer *out, int64_t number)
{
	char text[24];

	(void)snprintf(text, sizeof text, "%" PRId64, number); /* always fits */
	line_word(out, text);
}

void line_end(struct buffer *out)
{
	buffer_byte(out, '\n');
}

static bool fits(char *to, size_t size, const char *from)
{
	return text_clean(to, size, from);
}

static bool small(const struct words *words, size_t at, uint32_t *value)
{
	int64_t number;

	if (!words_number_at(words, at, &number) || number < 0 || number > UINT32_MAX)
		return false;
	*value = (uint32_t)number;
	return true;
}

void line_run(struct buffer *out, const struct run *run)
{
	line_word(out, "run");
	line_number(out, run->number);
	line_number(out, run->from);
	line_number(out, run->wall);
	line_word(out, run->boot_id);
	line_word(out, run->kernel);
	line_word(out, run->host);
	line_word(out, run->version);
	line_end(out);
}

/* Any sum or difference of two of them is still a number: whoever talks here may not be
 * a recorder. */
static bool time_at(const struct words *words, size_t at, nsec *time)
{
	return words_number_at(words, at, time) && *time >= -(INT64_MAX / 8) &&
	       *time <= INT64_MAX / 2;
}

bool words_run(const struct words *words, struct run *run)
{
	*run = (struct run){0};
	return words->count >= 8 && small(words, 1, &run->number) &&
	       time_at(words, 2, &run->from) && time_at(words, 3, &run->wall) &&
	       fits(run->boot_id, sizeof run->boot_id, words->list[4]) &&
	       fits(run->kernel, sizeof run->kernel, words->list[5]) &&
	       fits(run->host, sizeof run->host, words->list[6]) &&
	       fits(run->version, sizeof run->version, words->list[7]);
}

void line_window(struct buffer *out, const struct window *window)
{
	line_word(out, "window");
	line_number(out, window->id);
	line_word(out, role_word(window->role));
	line_word(out, window->name);
	line_number(out, window->from);
	if (window->to == WINDOW_OPEN)
		line_word(out, "open");
	else
		line_number(out, window->to);
	line_word(out, window->author);
	line_word(out, window->backwards ? "backwards"
		       : window->planned ? "planned"
		       : window->unseen  ? "unseen"
					 : "live");
	line_number(out, window->exit_status);
	line_word(out, window->command);
	line_end(out);
}

bool words_window(const struct words *words, struct window *window)
{
	int64_t status;

	*window = (struct window){.to = WINDOW_OPEN};
	if (words->count < 10 || !small(words, 1, &window->id) ||
		!role_find(words->list[2], &window->role) ||
		!fits(window->name, sizeof window->name, words->list[3]) ||
		!time_at(words, 4, &window->from) ||
		(strcmp(words->list[5], "open") && !time_at(words, 5, &window->to)) ||
		!fits(window->author, sizeof window->author, words->list[6]) ||
		!words_number_at(words, 8, &status) || status < -1 || status > 255 ||
		!fits(window->command, sizeof window->command, words->list[9]))
		return false;
	window->backwards = !strcmp(words->list[7], "backwards");
	window->planned = !strcmp(words->list[7], "planned");
	window->unseen = !strcmp(words->list[7], "unseen");
	window->exit_status = (int)status;
	return true;
}

static const char *const note_kinds[] = {
	[NOTE_TEXT] = "text",
	[NOTE_ATTACHMENT] = "attachment",
	[NOTE_EVENT] = "event",
	[NOTE_ALERT] = "alert",
};

void line_note(struct buffer *out, const struct note *note)
{
	line_word(out, "note");
	line_number(out, note->id);
	line_word(out, note_kinds[note->kind]);
	line_number(out, note->at);
	line_word(out, note->author);
	line_word(out, note->text);
	line_word(out, note->body ? note->body : "");
	line_end(out);
}

static bool find_kind(const char *word, enum note_kind *kind)
{
	for (size_t i = 0; i < sizeof note_kinds / sizeof *note_kinds; i++) {
		if (!strcmp(note_kinds[i], word)) {
			*kind = (enum note_kind)i;
			return true;
		}
	}
	return false;
}

bool words_note(const struct words *words, struct note *note)
{
	*note = (struct note){0};
	if (words->count < 7 || !small(words, 1, &note->id) ||
		!find_kind(words->list[2], &note->kind) ||
		!time_at(words, 3, &note->at) ||
		!fits(note->author, sizeof note->author, words->list[4]) ||
		!fits(note->text, sizeof note->text, words->list[5]))
		return false;
	/* a note's body is not const for its owner's sake; nobody writes to it here */
	if (note->kind == NOTE_ATTACHMENT)
		note->body = (char *)(uintptr_t)words->list[6];
	return true;
}

void line_fact(struct buffer *out, const struct fact *fact)
{
	line_word(out, "fact");
	line_number(out, fact->at);
	line_word(out, kind_word(fact->kind));
	line_word(out, fact->name);
	line_word(out, fact->id);
	line_word(out, fact->key);
	line_word(out, fact->why == WHY_NONE ? fact->value : "");
	line_word(out, why_word(fact->why));
	line_end(out);
}

/* A text that cleaning would change does not come from a recorder. */
static bool is_clean(const char *text, size_t size)
{
	char clean[FACT_VALUE];

	return text_clean(clean, size, text) && !strcmp(clean, text);
}

static bool find_why(const char *word, enum why *why)
{
	for (unsigned i = 0; i < WHY_COUNT; i++) {
		if (!strcmp(why_word(i), word)) {
			*why = i;
			return true;
		}
	}
	return false;
}

bool words_fact(const struct words *words, struct fact *fact)
{
	*fact = (struct fact){0};
	if (words->count < 8 || !time_at(words, 1, &fact->at) ||
		!kind_find(words->list[2], &fact->kind) ||
		!is_clean(words->list[3], SUBJECT_NAME) ||
		!is_clean(words->list[4], SUBJECT_ID) ||
		!is_clean(words->list[5], FACT_KEY) ||
		!is_clean(words->list[6], FACT_VALUE) ||
		!find_why(words->list[7], &fact->why))
		return false;
	fact->name = words->list[3];
	fact->id = words->list[4];
	fact->key = words->list[5];
	fact->value = fact->why == WHY_NONE ? words->list[6] : "";
	return true;
}
