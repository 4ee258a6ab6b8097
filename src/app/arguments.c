/* Words of a command line into options and words; see the header. */
#include "config.h"

#include "app/arguments.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A walk through the words of one command line. */
struct walk {
	struct arguments *arguments;
	const char *const *words;
	size_t count, at;
	const char **room;
	bool help;
};

static bool usage(const struct walk *walk, const char *text, const char *word)
{
	char clean[80];

	(void)text_clean(clean, sizeof clean, word); /* a cut word is still a word */
	(void)usage_error(walk->arguments->command, "%s '%s'", text, clean);
	return false;
}

static const struct option_info *each_option(
	const struct command *command, size_t *table, size_t *row)
{
	while (command->options[*table]) {
		const struct option_info *option = &command->options[*table][*row];

		if (option->name) {
			++*row;
			return option;
		}
		++*table;
		*row = 0;
	}
	return NULL;
}

static const struct option_info *by_letter(const struct command *command, char letter)
{
	const struct option_info *option;
	size_t table = 0;
	size_t row = 0;

	while ((option = each_option(command, &table, &row)))
		if (option->letter == letter)
			return option;
	return NULL;
}

static const struct option_info *by_name(
	const struct command *command, const char *name, size_t length)
{
	const struct option_info *option;
	size_t table = 0;
	size_t row = 0;

	while ((option = each_option(command, &table, &row)))
		if (strlen(option->name) == length &&
			!strncmp(option->name, name, length))
			return option;
	return NULL;
}

static bool unknown_option(const struct walk *walk, const char *name)
{
	const struct command *command = walk->arguments->command;
	struct suggestion best = suggestion_start(name);
	const struct option_info *option;
	size_t table = 0;
	size_t row = 0;

	best.wanted[strcspn(best.wanted, "=")] = 0;
	while ((option = each_option(command, &table, &row)))
		suggestion_offer(&best, option->name);
	suggestion_offer(&best, "help");
	if (!best.word)
		return usage(walk, "there is no option", name - 2);
	(void)usage_error(command, "there is no option '--%s'; did you mean '--%s'?",
		best.wanted, best.word);
	return false;
}

static bool give(struct walk *walk, const struct option_info *option, const char *value)
{
	struct arguments *arguments = walk->arguments;

	if (arguments->given_count == ARGUMENT_MAX)
		return usage(walk, "too many options at", option->name);
	arguments->given[arguments->given_count] = option;
	arguments->values[arguments->given_count++] = value;
	return true;
}

/* "[=WORD]": a value only if it is glued on. */
static bool may_lack(const struct option_info *option)
{
	return option->value[0] == '[';
}

/* The value of an option that takes one: glued to it, or the next word. */
static bool take(struct walk *walk, const struct option_info *option, const char *glued)
{
	if (glued)
		return give(walk, option, glued);
	if (walk->at == walk->count) {
		(void)usage_error(walk->arguments->command, "--%s needs a value: %s",
			option->name, option->value);
		return false;
	}
	return give(walk, option, walk->words[walk->at++]);
}

static bool long_option(struct walk *walk, const char *name)
{
	const char *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_info *option =
		by_name(walk->arguments->command, name, length);

	if (!strcmp(name, "help")) {
		walk->help = true;
		return true;
	}
	if (!option)
		return unknown_option(walk, name);
	if (option->value && !may_lack(option))
		return take(walk, option, equals ? equals + 1 : NULL);
	if (equals && option->value)
		return give(walk, option, equals + 1);
	if (equals)
		return usage(walk, "this option takes no value:", name - 2);
	return give(walk, option, "");
}

static bool letters(struct walk *walk, const char *word)
{
	for (const char *at = word + 1; *at; at++) {
		const struct option_info *option =
			by_letter(walk->arguments->command, *at);
		bool is_help = !option && *at == 'h';

		if (is_help) {
			walk->help = true;
			continue;
		}
		if (!option)
			return usage(walk, "there is no such option:", word);
		if (option->value && !may_lack(option))
			return take(walk, option, at[1] ? at + 1 : NULL);
		if (!give(walk, option, ""))
			return false;
	}
	return true;
}

static void add_word(struct walk *walk, const char *word)
{
	walk->room[walk->arguments->word_count++] = word;
}

static bool one_word(struct walk *walk, bool *only_words)
{
	const char *word = walk->words[walk->at++];

	if (!*only_words && !strcmp(word, "--")) {
		*only_words = true;
		return true;
	}
	if (!*only_words && !strncmp(word, "--", 2))
		return long_option(walk, word + 2);
	if (!*only_words && word[0] == '-' && word[1])
		return letters(walk, word);
	add_word(walk, word);
	return true;
}

/* `run NAME [options] [--] COMMAND`: from COMMAND on all is its own. */
static bool rest_begins(const struct walk *walk)
{
	const char *word = walk->words[walk->at];

	return walk->arguments->command->rest_is_command &&
	       walk->arguments->word_count == 1 &&
	       (word[0] != '-' || !strcmp(word, "--"));
}

static void rest_of_words(struct walk *walk)
{
	if (walk->at < walk->count && !strcmp(walk->words[walk->at], "--"))
		walk->at++;
	while (walk->at < walk->count)
		add_word(walk, walk->words[walk->at++]);
}

static bool right_count(const struct walk *walk)
{
	const struct command *command = walk->arguments->command;
	size_t count = walk->arguments->word_count;

	if (count > command->most_words)
		return usage(walk,
			"there is one word too many:", walk->room[command->most_words]);
	if (count < command->least_words) {
		(void)usage_error(
			command, "weir %s needs: %s", command->name, command->words);
		return false;
	}
	return true;
}

enum arguments_result arguments_parse(const struct command *command, size_t count,
	const char *const *words, const char **room, struct arguments *arguments)
{
	struct walk walk = {arguments, words, count, 0, room, false};
	bool only_words = false;

	*arguments = (struct arguments){.command = command, .words = room};
	while (walk.at < count) {
		if (rest_begins(&walk)) {
			rest_of_words(&walk);
			break;
		}
		if (!one_word(&walk, &only_words))
			return ARGUMENTS_BAD;
	}
	if (walk.help)
		return ARGUMENTS_HELP;
	return right_count(&walk) ? ARGUMENTS_GOOD : ARGUMENTS_BAD;
}

const char *argument(const struct arguments *arguments, const char *name)
{
	for (size_t i = arguments->given_count; i--;)
		if (!strcmp(arguments->given[i]->name, name))
			return arguments->values[i];
	return NULL;
}

bool argument_joined(
	const struct arguments *arguments, const char *name, char *to, size_t size)
{
	size_t used = 0;

	*to = 0;
	for (size_t i = 0; i < arguments->given_count; i++) {
		if (strcmp(arguments->given[i]->name, name) != 0)
			continue;
		if (!text_format(to + used, size - used, "%s%s", used ? "," : "",
			    arguments->values[i]))
			return false;
		used = strlen(to);
	}
	return true;
}

bool argument_given(const struct arguments *arguments, const char *name)
{
	return argument(arguments, name) != NULL;
}

const char *argument_session(const struct arguments *arguments)
{
	return arguments->word_count ? arguments->words[0]
				     : argument(arguments, "session");
}

int usage_error(const struct command *command, const char *format, ...)
{
	char text[512], clean[sizeof text];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args); /* a long word is cut */
	va_end(args);
	(void)text_clean(clean, sizeof clean, text); /* as long as the text */
	/* there is nowhere to tell of a standard error that cannot be written */
	(void)fprintf(stderr, "weir: %s\nTry 'weir %s%s--help'.\n", clean,
		command ? command->name : "", command ? " " : "");
	return EXIT_USAGE;
}

int failure(const struct fault *fault)
{
	(void)fprintf(stderr, "weir: %s\n", fault->text); /* as above */
	return EXIT_FAILED;
}
