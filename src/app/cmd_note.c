/* `weir note`: a line, or a text from standard input, beside the figures. */
#include "config.h"

#include "app/commands.h"

#include "app/asking.h"
#include "app/protocol.h"
#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All of standard input, at most an attachment. */
static bool read_body(char *body, size_t size, struct fault *fault)
{
	size_t used = fread(body, 1, size - 1, stdin);

	body[used] = 0;
	if (ferror(stdin))
		return fault_errno(fault, errno, "cannot read standard input");
	if (used == size - 1 && fgetc(stdin) != EOF)
		return fault_set(
			fault, "an attachment has at most %zu bytes", size - 1);
	if (!used)
		return fault_set(fault, "there is nothing on standard input to attach");
	for (size_t i = 0; i < used; i++)
		if (!body[i])
			return fault_set(fault, "only text can be attached");
	return true;
}

static int attach(const struct arguments *arguments, struct asking *asking)
{
	static const char key[] = "body=";
	const size_t before = sizeof key - 1;
	char *word = xarray(before + PROTOCOL_BODY, 1);
	struct fault fault = {0};
	int status;

	memcpy(word, key, before);
	if (read_body(word + before, PROTOCOL_BODY, &fault)) {
		asking_word(asking, word);
		status = asking_run(arguments, asking);
	} else {
		status = failure(&fault);
	}
	free(word);
	return status;
}

static int run(const struct arguments *arguments)
{
	const char *title = argument(arguments, "attach");
	struct asking asking = {0};

	if ((title != NULL) == (arguments->word_count > 0))
		return usage_error(
			arguments->command, "give either a text or --attach TITLE");
	asking_word(&asking, title ? "attach" : "note");
	if (!asking_pair(&asking, title ? "title" : "text",
		    title ? title : arguments->words[0]))
		return usage_error(arguments->command,
			"that is too long for a line; --attach takes long texts");
	asking_author(&asking);
	return title ? attach(arguments, &asking) : asking_run(arguments, &asking);
}

static const struct option_info options[] = {
	{"attach", 0, "TITLE", "keep standard input: counters of a switch, a log"},
	{0},
};

const struct command command_note = {
	.name = "note",
	.words = "[TEXT]",
	.about = "write a note at this second",
	.more = "A note that begins with \"ticket\" (ticket CHG-10442 new card in "
		"db07) "
		"stands in the head of reports.",
	.options = {options, options_session},
	.most_words = 1,
	.run = run,
};
