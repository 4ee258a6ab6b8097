/*
 * The parser behind struct arguments: options by the rows of the command, in any
 * place between the words, "--" ends them.
 */
#ifndef WEIR_APP_ARGUMENTS_H
#define WEIR_APP_ARGUMENTS_H

#include "app/command.h"

enum arguments_result {
	ARGUMENTS_GOOD,
	ARGUMENTS_HELP, /* --help was among them */
	ARGUMENTS_BAD   /* said on standard error */
};

/* WORDS are those behind the command's name. ROOM takes COUNT pointers and is kept
 * in ARGUMENTS as its words. */
enum arguments_result arguments_parse(const struct command *command, size_t count,
	const char *const *words, const char **room, struct arguments *arguments);

/* The word of a table that is nearest to what somebody typed. */
struct suggestion {
	char wanted[64]; /* clean */
	const char *word;
	size_t distance;
};

struct suggestion suggestion_start(const char *wanted);
void suggestion_offer(struct suggestion *suggestion, const char *word);

/* Letters to add, drop, change or swap to come from one word to the other. */
size_t edit_distance(const char *from, const char *to);

#endif
