/* libFuzzer: command lines. The first byte chooses the command, the rest are words with
 * a 0 behind each; they go through the parser, and as times, durations, options of a
 * recording and names of sessions. Nothing runs. */
#include "config.h"

#include "app/arguments.h"
#include "app/commands.h"
#include "app/place.h"
#include "app/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	WORDS = 64,
	BYTES = 4096
};

static const int64_t noon = INT64_C(1790813170) * NSEC_PER_SEC;

static void one_word(const char *word)
{
	int64_t number;

	if (parse_duration(word, &number, NULL) && number < 0)
		abort();
	(void)parse_time(word, noon, &number, NULL);
	if (place_name_valid(word) && (strchr(word, '/') || strlen(word) > 64))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[BYTES];
	const char *words[WORDS];
	const char *room[WORDS + 1];
	struct arguments arguments;
	struct record_options options;
	size_t commands_count = 0;
	size_t count = 0;

	if (!size || size > sizeof text)
		return 0;
	if (!freopen("/dev/null", "w", stderr)) /* what is wrong is said there */
		abort();
	while (commands[commands_count])
		commands_count++;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = 0;
	for (size_t at = 0; at < size && count < WORDS; at += strlen(text + at) + 1) {
		words[count++] = text + at;
		one_word(text + at);
	}
	if (arguments_parse(commands[data[0] % commands_count], count, words, room,
		    &arguments) == ARGUMENTS_GOOD &&
		!argument(&arguments, "filter")) /* libpcap is not ours to try */
		(void)record_options(&arguments, &options, NULL);
	return 0;
}
