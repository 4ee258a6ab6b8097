/* Asking a recorder from the command line; see the header. */
#include "config.h"

#include "app/asking.h"

#include "app/protocol.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

static const nsec patience = PROTOCOL_PATIENCE;

void asking_word(struct asking *asking, const char *word)
{
	if (asking->count == ASKING_WORDS)
		return; /* no request has so many: a slip that a test would find */
	asking->words[asking->count++] = word;
}

bool asking_pair(struct asking *asking, const char *key, const char *value)
{
	char *room = asking->room[asking->count];

	if (asking->count == ASKING_WORDS ||
		!text_format(room, ASKING_WORD, "%s=%s", key, value))
		return false;
	asking_word(asking, room);
	return true;
}

void asking_number(struct asking *asking, const char *key, int64_t value)
{
	char text[24];

	(void)snprintf(text, sizeof text, "%" PRId64, value); /* always fits */
	(void)asking_pair(asking, key, text);
}

void asking_author(struct asking *asking)
{
	char author[AUTHOR_NAME];

	place_author(author, sizeof author);
	(void)asking_pair(asking, "author", author); /* a name is short */
}

bool asking_names_window(const struct arguments *arguments)
{
	if (window_name_valid(arguments->words[0]))
		return true;
	(void)usage_error(arguments->command, /* its status is always the same */
		"'%.80s' is no name for a window: letters, digits, '.', '_' and "
		"'-', at most 64",
		arguments->words[0]);
	return false;
}

struct client *asking_connect(
	const struct arguments *arguments, struct place *place, struct fault *fault)
{
	if (!place_find(argument(arguments, "session"), place, fault))
		return NULL;
	if (!place->running) {
		(void)fault_set(fault,
			"session %s is not being recorded (weir record -s %s goes on "
			"with it)",
			place->name, place->name);
		return NULL;
	}
	return client_connect(place->socket, place->owner, fault);
}

void asking_looked(const struct place *place)
{
	const char *const words[] = {"looked"};
	struct client_answer answer;
	struct client *client;

	if (!place->running)
		return;
	client = client_connect(place->socket, place->owner, NULL);
	if (client)
		(void)client_ask(client, words, 1, false, patience, &answer, NULL);
	client_free(client);
}

int asking_run(const struct arguments *arguments, const struct asking *asking)
{
	struct client_answer answer;
	struct fault fault = {0};
	struct place place;
	struct client *client = asking_connect(arguments, &place, &fault);
	bool good;

	if (!client)
		return failure(&fault);
	good = client_ask(
		client, asking->words, asking->count, true, patience, &answer, &fault);
	client_free(client);
	if (!good)
		return failure(&fault);
	(void)printf("%s\n", answer.text); /* checked at the end of the program */
	if (answer.saved)
		return EXIT_DONE;
	(void)fault_set(&fault,
		"NOT SAVED YET: the recorder has it in memory, the disk "
		"has not taken it");
	return failure(&fault);
}
