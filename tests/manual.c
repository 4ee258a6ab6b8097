/*
 * The parts of weir.1 that are tables in the program: copies a manual page to
 * standard output and writes each part between `.\" begin NAME` and `.\" end NAME`
 * anew from its table. `make manual` renews the page with it, tests/lint/manual.sh
 * compares.
 */
#include "config.h"

#include "app/command.h"
#include "tui/actions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_character(char character)
{
	static const char special[] = "-\\^~'`";
	static const char *const names[] = {
		"\\-", "\\e", "\\(ha", "\\(ti", "\\(aq", "\\(ga"};
	const char *found = strchr(special, character);

	if (found && *found)
		fputs(names[found - special], stdout);
	else
		putchar(character);
}

/* Text as roff: a hyphen that must stay one, no line that looks like a request. */
static void put(const char *text)
{
	bool fresh = true;

	for (; *text; text++) {
		if (fresh && (*text == '.' || *text == '\''))
			fputs("\\&", stdout);
		fresh = *text == '\n';
		if (fresh && text[1] == '\n') {
			fputs("\n.PP", stdout);
			text++;
		}
		put_character(*text);
	}
}

static void put_option(const struct option_info *option)
{
	fputs(".TP\n\\fB", stdout);
	if (option->letter)
		printf("\\-%c\\fR, \\fB", option->letter);
	fputs("\\-\\-", stdout);
	put(option->name);
	fputs("\\fR", stdout);
	if (option->value) {
		fputs(option->value[0] == '[' ? "\\fI" : " \\fI", stdout);
		put(option->value);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	put(option->about);
	putchar('\n');
}

static void put_command(const struct command *command)
{
	fputs(".SS weir ", stdout);
	put(command->name);
	putchar(*command->words ? ' ' : '\n');
	if (*command->words) {
		put(command->words);
		putchar('\n');
	}
	put(command->about);
	putchar('\n');
	if (command->more) {
		fputs(".PP\n", stdout);
		put(command->more);
		putchar('\n');
	}
	for (size_t table = 0; command->options[table]; table++)
		for (size_t i = 0; command->options[table][i].name; i++)
			put_option(&command->options[table][i]);
}

static void put_commands(void)
{
	for (size_t i = 0; commands[i]; i++)
		put_command(commands[i]);
}

/* Rows without help are further keys of the row before. */
static void put_actions(const struct action *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!rows[i].help)
			continue;
		fputs(".TP\n.B \"", stdout);
		put(rows[i].name);
		fputs("\"\n", stdout);
		put(rows[i].help);
		putchar('\n');
	}
}

static void put_keys(void)
{
	put_actions(actions, action_count);
	fputs(".PP\nOn the compare page\n.RB ( d ):\n", stdout);
	put_actions(compare_actions, compare_action_count);
	fputs(".PP\nIn the list of windows\n.RB ( M ):\n", stdout);
	put_actions(window_actions, window_action_count);
}

static const struct part {
	const char *name;
	void (*put)(void);
} parts[] = {
	{"commands", put_commands},
	{"keys", put_keys},
};

static const struct part *part_begun(const char *line)
{
	static const char mark[] = ".\\\" begin ";
	const char *name = line + sizeof mark - 1;

	if (strncmp(line, mark, sizeof mark - 1))
		return NULL;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcspn(name, "\n") == strlen(parts[i].name) &&
			!strncmp(name, parts[i].name, strlen(parts[i].name)))
			return &parts[i];
	return NULL;
}

int main(int argc, char **argv)
{
	FILE *page = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[512];
	bool inside = false;

	if (!page) {
		perror("usage: manual PAGE");
		return EXIT_FAILURE;
	}
	while (fgets(line, sizeof line, page)) {
		const struct part *part = part_begun(line);

		inside = inside && strncmp(line, ".\\\" end", 7) != 0;
		if (!inside)
			fputs(line, stdout);
		if (part) {
			part->put();
			inside = true;
		}
	}
	return fclose(page) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
