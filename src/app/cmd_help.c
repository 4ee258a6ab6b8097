/* `weir help [COMMAND]` and every --help: the rows, printed. */
#include "config.h"

#include "app/commands.h"

#include <stdio.h>
#include <string.h>

static void print_option(const struct option_info *option)
{
	char left[48];
	char letter[5] = "    ";

	if (option->letter)
		(void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
	(void)snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name,
		option->value && option->value[0] != '[' ? " " : "",
		option->value ? option->value : "");
	(void)printf("  %-26s %s\n", left, option->about);
}

static void print_command(const struct command *command)
{
	(void)printf("usage: weir %s%s%s%s\n\n%s\n", command->name,
		command->options[0] ? " [options]" : "", command->words[0] ? " " : "",
		command->words, command->about);
	if (command->more)
		(void)printf("\n%s\n", command->more);
	(void)puts("\nOptions:");
	for (size_t table = 0; command->options[table]; table++)
		for (const struct option_info *option = command->options[table];
			option->name; option++)
			print_option(option);
	print_option(&(struct option_info){"help", 'h', NULL, "print this and end"});
}

static void print_overview(void)
{
	(void)puts("usage: weir [COMMAND] [options]\n\n"
		   "Watches queue depth, throughput and bad packets while a server's\n"
		   "storage path is changed, and lays before and after side by side.\n"
		   "Without a command: weir live.\n\nCommands:");
	for (size_t i = 0; commands[i]; i++)
		(void)printf("  %-9s %s\n", commands[i]->name, commands[i]->about);
	(void)puts("\n  -V, --version prints the version; weir COMMAND --help prints\n"
		   "  what a command takes.\n\n"
		   "D is a duration: 90s 10m 2h 1d 1h30m. T is a time: Unix seconds,\n"
		   "HH:MM[:SS], 2026-10-01T02:06, or \"10m ago\". SESSION is a name, "
		   "or a\n"
		   "path if it has a '/' or ends in .weir; without one it is the only\n"
		   "session that is running, else the newest.\n\n"
		   "Exit status: 0 done, 1 failure, 2 wrong use.");
}

void help_print(const struct command *command)
{
	/* printing is checked once, at the end: commands_run() */
	if (command)
		print_command(command);
	else
		print_overview();
}

static int run(const struct arguments *arguments)
{
	const struct command *command;

	if (!arguments->word_count) {
		help_print(NULL);
		return EXIT_DONE;
	}
	command = commands_find(arguments->words[0]);
	if (!command)
		return commands_unknown(arguments->words[0]);
	help_print(command);
	return EXIT_DONE;
}

const struct command command_help = {
	.name = "help",
	.words = "[COMMAND]",
	.about = "print what the commands take",
	.most_words = 1,
	.run = run,
};
