/*
 * The lines of the recorder's socket, both ways (doc/protocol.md): words with one
 * blank between them, each quoted on its own.
 */
#ifndef WEIR_APP_PROTOCOL_H
#define WEIR_APP_PROTOCOL_H

#include "base/buffer.h"
#include "core/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So long a request waits for its answer; a recorder that was stopped, and goes on
 * later than that, does not carry it out. */
#define PROTOCOL_PATIENCE (10 * NSEC_PER_SEC)

enum {
	PROTOCOL_VERSION = 1,
	PROTOCOL_WORDS = 32,
	PROTOCOL_BODY = 65536,     /* an attachment, its final zero included */
	PROTOCOL_LINE = 256 * 1024 /* a line, its newline included */
};

/* One line taken apart. A zeroed struct is empty. */
struct words {
	struct buffer text;
	const char *list[PROTOCOL_WORDS];
	size_t count;
};

void words_fini(struct words *words);

/* Takes LINE of SIZE bytes (no newline) apart. False if it is not well formed, or
 * has no word, or too many. */
bool words_split(struct words *words, const char *line, size_t size);

/* VALUE of the word "KEY=VALUE" behind the first one, or null. */
const char *words_value(const struct words *words, const char *key);
/* The same as a whole number; false if it is not there or is none. */
bool words_number(const struct words *words, const char *key, int64_t *value);
/* Word AT as a whole number. */
bool words_number_at(const struct words *words, size_t at, int64_t *value);

/* Appends one quoted word, and a blank before it unless it begins a line. */
void line_word(struct buffer *out, const char *word);
void line_number(struct buffer *out, int64_t number);
void line_end(struct buffer *out);

/* What the recorder tells its viewers. Reading takes the words of such a line. */
void line_run(struct buffer *out, const struct run *run);
bool words_run(const struct words *words, struct run *run);
void line_window(struct buffer *out, const struct window *window);
bool words_window(const struct words *words, struct window *window);
/* BODY of a note that was read is borrowed from WORDS. */
void line_note(struct buffer *out, const struct note *note);
bool words_note(const struct words *words, struct note *note);
/* The texts of a fact that was read are borrowed from WORDS; they are clean. */
void line_fact(struct buffer *out, const struct fact *fact);
bool words_fact(const struct words *words, struct fact *fact);

#endif
