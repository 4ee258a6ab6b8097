/* The rows of the subcommands, and the choice between them. */
#include "config.h"

#include "app/commands.h"

#include "app/arguments.h"
#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which help shows them. */
const struct command *const commands[] = {
	&command_live,
	&command_attach,
	&command_replay,
	&command_record,
	&command_mark,
	&command_note,
	&command_undo,
	&command_run,
	&command_stop,
	&command_list,
	&command_report,
	&command_export,
	&command_evidence,
	&command_bundle,
	&command_read,
	&command_sources,
	&command_doctor,
	&command_help,
	NULL,
};

/* What `weir` without a command word means. */
static const char default_command[] = "live";

const struct command *commands_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

int commands_unknown(const char *word)
{
	struct suggestion best = suggestion_start(word);

	for (size_t i = 0; commands[i]; i++)
		suggestion_offer(&best, commands[i]->name);
	if (best.word)
		return usage_error(NULL, "there is no command '%s'; did you mean '%s'?",
			best.wanted, best.word);
	return usage_error(NULL, "there is no command '%s'", best.wanted);
}

static bool is_word(const char *word, const char *one, const char *other)
{
	return !strcmp(word, one) || !strcmp(word, other);
}

static int run_command(
	const struct command *command, size_t count, const char *const *words)
{
	struct arguments arguments;
	const char **room = xarray(count + 1, sizeof *room);
	int status = EXIT_FAILED;

	switch (arguments_parse(command, count, words, room, &arguments)) {
	case ARGUMENTS_GOOD:
		status = command->run(&arguments);
		break;
	case ARGUMENTS_HELP:
		help_print(command);
		status = EXIT_DONE;
		break;
	case ARGUMENTS_BAD:
		status = EXIT_USAGE;
		break;
	}
	free(room);
	return status;
}

/* Output that could not be written is a failure, not a success nobody saw. */
static int finish(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	perror("weir: cannot write to standard output");
	return status == EXIT_DONE ? EXIT_FAILED : status;
}

int commands_run(size_t count, const char *const *words)
{
	const char *first = count > 1 ? words[1] : default_command;
	bool named = count > 1 && first[0] != '-';
	const struct command *command;

	if (count > 2 && is_word(first, "-V", "--version"))
		return usage_error(
			NULL, "%s takes no more words: '%.80s'", first, words[2]);
	if (is_word(first, "-V", "--version")) {
		(void)puts(PACKAGE_NAME " " PACKAGE_VERSION); /* see finish() */
		return finish(EXIT_DONE);
	}
	if (is_word(first, "-h", "--help")) {
		help_print(NULL);
		return finish(EXIT_DONE);
	}
	command = commands_find(named ? first : default_command);
	if (!command)
		return commands_unknown(named ? first : default_command);
	words += named ? 2 : 1;
	count -= named ? 2 : (count ? 1 : 0);
	return finish(run_command(command, count, words));
}
