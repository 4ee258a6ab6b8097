/*
 * What the small commands have in common: find the session, ask its recorder, print
 * the answer.
 */
#ifndef WEIR_APP_ASKING_H
#define WEIR_APP_ASKING_H

#include "app/client.h"
#include "app/command.h"
#include "app/place.h"

enum {
	ASKING_WORDS = 12,
	ASKING_WORD = 400
};

/* The words of a request, put together one by one. */
struct asking {
	char room[ASKING_WORDS][ASKING_WORD];
	const char *words[ASKING_WORDS];
	size_t count;
};

void asking_word(struct asking *asking, const char *word);
/* "KEY=VALUE"; false if that is too long. */
bool asking_pair(struct asking *asking, const char *key, const char *value);
void asking_number(struct asking *asking, const char *key, int64_t value);
/* The person who asks. */
void asking_author(struct asking *asking);

/* Whether the first word can name a window; says so where it cannot. */
bool asking_names_window(const struct arguments *arguments);

/* Connects to the recorder of the session that -s names. */
struct client *asking_connect(
	const struct arguments *arguments, struct place *place, struct fault *fault);

/* A verdict of PLACE is about to be shown: if it is being recorded, its recorder is
 * told. Whether it answers makes no difference to what is shown. */
void asking_looked(const struct place *place);

/* Does all of it: connects, asks, waits until it is saved, prints the answer. Returns
 * the exit status. */
int asking_run(const struct arguments *arguments, const struct asking *asking);

#endif
