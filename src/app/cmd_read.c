/*
 * `weir read FILE...`: the packet engine over capture files. All files are opened
 * first; then the process enters the cage, and only then reads the first byte.
 */
#include "config.h"

#include "app/commands.h"
#include "app/read_evidence.h"
#include "app/read_file.h"
#include "app/read_print.h"
#include "base/alloc.h"
#include "base/cage.h"
#include "packet/class_id.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	FLOWS = 131072 /* a file may hold many more than a card at once */
};

/* One file of the command line. */
struct input {
	const char *name;
	FILE *file;  /* null: it could not be opened */
	int problem; /* why, as errno */
};

struct reading {
	enum packet_rules rules;
	struct packet_host hosts[PACKET_HOSTS]; /* --host */
	unsigned host_count;
	struct read_evidence *evidence; /* null: none is written */
	const struct read_format *format;
	int status;
};

static const struct option_info options_read[] = {
	{"rules", 0, "weir|wireshark", "what is counted (weir: with discounts)"},
	{"format", 0, "text|json|tsv", "text for people, one line per file otherwise"},
	{"evidence", 0, "FILE", "write the packets behind the findings, as pcapng"},
	{"whole", 0, NULL, "all bytes of them, not headers and 64 bytes"},
	{"host", 0, "ADDR,..", "addresses of this side: sent or received (repeatable)"},
	{"per-packet", 0, NULL,
		"one line per packet with a finding: FRAME<TAB>NAME,..."},
	{NULL, 0, NULL, NULL},
};

static FILE *open_input(const char *name)
{
	if (!strcmp(name, "-"))
		return fdopen(STDIN_FILENO, "rb");
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
	if (fd >= 0 && !file)
		(void)close(fd); /* only read */
	return file;
}

/* Every file is open before the cage, so there may be many at once. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit); /* else opening says what is wrong */
}

static struct input *open_all(const struct arguments *arguments)
{
	struct input *inputs = xarray(arguments->word_count, sizeof *inputs);

	allow_files();
	for (size_t i = 0; i < arguments->word_count; i++) {
		inputs[i].name = arguments->words[i];
		inputs[i].file = open_input(inputs[i].name);
		inputs[i].problem = inputs[i].file ? 0 : errno;
	}
	return inputs;
}

static void complain(
	struct reading *reading, const char *name, const struct fault *fault)
{
	struct fault full;

	(void)fault_set(&full, "%s: %s", name, fault->text);
	reading->status = failure(&full);
}

static void count_columns(struct read_result_of *result, uint64_t columns)
{
	for (; columns; columns &= columns - 1)
		result->columns[__builtin_ctzll(columns)]++;
}

/* All frames of the file; returns how it ended. */
static enum read_result frames(const struct reading *reading, struct read_file *file,
	struct engine *engine, struct read_result_of *result, struct fault *fault)
{
	struct packet_frame frame;
	enum read_result end;

	while ((end = read_file_next(file, &frame, fault)) == READ_FRAME) {
		uint64_t columns = engine_frame(engine, &frame);
		result->packets++;
		count_columns(result, columns);
		if (reading->format->frame)
			reading->format->frame(result->packets, columns);
	}
	if (end == READ_CUT)
		engine_count(engine, SEEN_REC_FILE_CUT);
	return end;
}

static bool read_open(const struct reading *reading, struct read_file *file,
	struct read_result_of *result, struct fault *fault)
{
	struct engine_options options = {.rules = reading->rules,
		.linktype = read_file_linktype(file),
		.flows = FLOWS,
		.hosts = reading->hosts,
		.host_count = reading->host_count,
		.evidence = read_evidence_for(
			reading->evidence, result->name, read_file_linktype(file))};
	struct engine *engine = engine_new(&options);

	result->linktype = read_file_linktype_name(file);
	if (!engine)
		return fault_set(fault, "link type %s is not one that weir reads",
			result->linktype);
	bool good = frames(reading, file, engine, result, fault) == READ_END;
	result->error = good ? NULL : fault->text;
	result->tally = engine_tally(engine);
	result->peers = engine_peers(engine);
	if (reading->format->file)
		reading->format->file(result);
	engine_free(engine);
	evidence_free(options.evidence);
	return good;
}

static const struct tally nothing;

/* Errors go out after what came before them, in the order of the files. */
static void read_one(struct reading *reading, const struct input *input)
{
	struct read_result_of result = {.name = input->name, .tally = &nothing};
	struct read_file *file = NULL;
	struct fault fault = {0};
	bool good = false;

	if (input->file)
		file = read_file_open(input->file, &fault);
	else
		(void)fault_errno(&fault, input->problem, "cannot open");
	if (file)
		good = read_open(reading, file, &result, &fault);
	if (!good && !result.error) {
		result.error = fault.text;
		if (reading->format->file)
			reading->format->file(&result);
	}
	if (!good)
		complain(reading, input->name, &fault);
	read_file_close(file);
}

static int read_all(struct reading *reading, const struct input *inputs, size_t count)
{
	struct cage cage;
	struct fault fault;

	if (!cage_enter(CAGE_READ, &cage, &fault))
		return failure(&fault);
	if (reading->format->begin)
		reading->format->begin();
	for (size_t i = 0; i < count; i++)
		read_one(reading, &inputs[i]);
	if (reading->evidence && !read_evidence_close(reading->evidence, &fault))
		reading->status = failure(&fault);
	return reading->status;
}

static bool choose_hosts(const struct arguments *arguments, struct reading *reading)
{
	char list[PACKET_HOSTS * INET6_ADDRSTRLEN];

	return !argument_given(arguments, "host") ||
	       (argument_joined(arguments, "host", list, sizeof list) &&
		       packet_hosts_scan(list, reading->hosts, &reading->host_count));
}

static bool choose(
	const struct arguments *arguments, struct reading *reading, struct fault *fault)
{
	static const struct read_format *const formats[] = {
		&read_text, &read_json, &read_tsv};
	const char *rules = argument(arguments, "rules");
	const char *format = argument(arguments, "format");

	if (rules && strcmp(rules, "weir") && strcmp(rules, "wireshark"))
		return fault_set(
			fault, "--rules is weir or wireshark, not '%s'", rules);
	reading->rules =
		rules && !strcmp(rules, "wireshark") ? RULES_WIRESHARK : RULES_WEIR;
	reading->format = format ? NULL : &read_text;
	for (size_t i = 0; format && i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(format, formats[i]->name))
			reading->format = formats[i];
	if (argument_given(arguments, "per-packet"))
		reading->format = &read_packets;
	return reading->format ||
	       fault_set(fault, "--format is text, json or tsv, not '%s'", format);
}

static int run_read(const struct arguments *arguments)
{
	struct reading reading = {.status = EXIT_DONE};
	struct fault fault;

	if (!choose(arguments, &reading, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	if (!choose_hosts(arguments, &reading))
		return usage_error(arguments->command,
			"--host takes at most %d numeric addresses", PACKET_HOSTS);
	if (argument_given(arguments, "per-packet") && arguments->word_count > 1)
		return usage_error(arguments->command, "--per-packet takes one file");
	if (argument_given(arguments, "evidence")) {
		reading.evidence = read_evidence_open(argument(arguments, "evidence"),
			argument_given(arguments, "whole"), &fault);
		if (!reading.evidence)
			return failure(&fault);
	}
	struct input *inputs = open_all(arguments);
	int status = read_all(&reading, inputs, arguments->word_count);
	free(inputs);
	return status;
}

const struct command command_read = {
	.name = "read",
	.words = "FILE...",
	.about = "count bad packets in capture files (pcap, pcapng, - for standard "
		 "input)",
	.more = "Needs no privilege and gives up all of them before it reads a byte. "
		"A\n"
		"damaged file is counted up to the damage; the exit status is then 1.",
	.options = {options_read},
	.least_words = 1,
	.most_words = SIZE_MAX,
	.run = run_read,
};
