/*
 * Subcommands and their options as rows. `--help`, the man page and the parser
 * read the same rows. A subcommand is one file cmd_NAME.c with one
 * `const struct command`, and a row in commands.c.
 */
#ifndef WEIR_APP_COMMAND_H
#define WEIR_APP_COMMAND_H

#include "base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2
};

struct option_info {
	const char *name; /* "session": long name, unique inside a command */
	char letter;      /* 's', or 0 */
	/* "SESSION" where it takes one, "[=WORD]" where it may, else null */
	const char *value;
	const char *about; /* one line for --help */
};

/* Null-ended (name null) tables that several commands share. */
extern const struct option_info options_session[]; /* -s */
extern const struct option_info options_record[];  /* -i -D --all -f -t ... */

struct arguments;

struct command {
	const char *name;
	const char *words; /* "NAME -- COMMAND...", "" */
	const char *about; /* one line */
	const char *more;  /* paragraphs for --help and the man page, or null */
	const struct option_info *options[5]; /* tables, null-ended */
	size_t least_words, most_words;
	bool rest_is_command; /* from the second word on nothing is an option */
	int (*run)(const struct arguments *arguments); /* exit status */
};

extern const struct command *const commands[]; /* null-ended */

enum {
	ARGUMENT_MAX = 40
};

struct arguments {
	const struct command *command;
	const struct option_info *given[ARGUMENT_MAX];
	const char *values[ARGUMENT_MAX]; /* "" for a flag */
	size_t given_count;
	const char *const *words;
	size_t word_count;
};

/* The value of the option, the last one given; null if it was not. */
const char *argument(const struct arguments *arguments, const char *name);
/* All values given, with commas between them; false where they do not fit. */
bool argument_joined(
	const struct arguments *arguments, const char *name, char *to, size_t size);
bool argument_given(const struct arguments *arguments, const char *name);
/* The session that the first word or -s names; null: neither does. */
const char *argument_session(const struct arguments *arguments);

/* Prints "weir: TEXT" and a hint, returns EXIT_USAGE. */
int usage_error(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Prints "weir: TEXT", returns EXIT_FAILED. */
int failure(const struct fault *fault);

/* D: "90s 10m 2h 1d", also "1h30m". T: Unix seconds, "HH:MM[:SS]" (the last one
 * before NOW), ISO 8601, "10m ago"; a local time that a clock change makes
 * ambiguous is a fault. Both in nanoseconds; wall clock. */
bool parse_duration(const char *text, int64_t *duration, struct fault *fault);
bool parse_time(const char *text, int64_t now, int64_t *wall, struct fault *fault);

#endif
