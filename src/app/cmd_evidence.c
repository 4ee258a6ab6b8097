/* `weir evidence`: the packets behind the findings of a session, as pcapng. */
#include "config.h"

#include "app/commands.h"
#include "app/evidence_file.h"
#include "app/output.h"
#include "app/place.h"

#include <stdio.h>
#include <unistd.h>

/* clang-format off */
static const struct option_info options_evidence[] = {
	{"output", 'o', "FILE", "a new file; - is standard output"},
	{NULL, 0, NULL, NULL},
};
/* clang-format on */

static bool deliver(const char *path, struct buffer *page, struct fault *fault)
{
	struct output output;
	bool done;

	if (!output_open(&output, *path == '-' && !path[1] ? NULL : path, fault))
		return false;
	done = output_write(&output, page, fault);
	return output_close(&output, done, done ? fault : NULL) && done;
}

static int run(const struct arguments *arguments)
{
	const char *path = argument(arguments, "output");
	struct buffer page = {0};
	struct place place;
	struct fault fault, none = {0};
	size_t packets = 0;
	bool done;

	if (!path)
		return usage_error(arguments->command, "-o FILE is needed");
	if (!place_find(argument(arguments, "session"), &place, &fault))
		return failure(&fault);
	done = evidence_file_of_session(place.file, &page, &packets, &none);
	if (!done)
		fault = none;
	else if (!packets)
		done = fault_set(&fault, "session %s holds no evidence: %s", place.name,
			none.text);
	done = done && deliver(path, &page, &fault);
	buffer_fini(&page);
	if (!done)
		return failure(&fault);
	(void)fprintf(stderr, "%zu packets\n", packets); /* beside the file */
	return *none.text ? failure(&none) : EXIT_DONE;
}

const struct command command_evidence = {
	.name = "evidence",
	.words = "",
	.about = "write the packets behind the findings, as pcapng",
	.more = "Each packet says in its comment why it is there. Headers and 64 bytes "
		"behind\nthem are kept, and of each class at most 32 findings between "
		"two marks. The\nfile may hold addresses and the start of payloads: it "
		"is "
		"not redacted.",
	.options = {options_session, options_evidence},
	.run = run,
};
