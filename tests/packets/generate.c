/*
 * Writes the capture that a case of tests/packets/list describes:
 *   generate WORD... >FILE           a pcap file
 *   generate --seed N WORD... >FILE  input for tests/fuzz/frame_fuzz.c, rules N
 */
#include "config.h"

#include "craft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	const char *link;
	bool seed;
	long time_us;
};

long word_number(const struct word *word, const char *key, long otherwise)
{
	for (size_t i = 0; i < word->count; i++)
		if (!strcmp(word->key[i], key))
			return strtol(word->value[i], NULL, 0);
	return otherwise;
}

bool word_has(const struct word *word, const char *key)
{
	for (size_t i = 0; i < word->count; i++)
		if (!strcmp(word->key[i], key))
			return true;
	return false;
}

const char *word_text(const struct word *word, const char *key)
{
	for (size_t i = 0; i < word->count; i++)
		if (!strcmp(word->key[i], key))
			return word->value[i];
	return "";
}

static bool parse(struct word *word, char *text)
{
	memset(word, 0, sizeof *word);
	word->kind = text;
	while ((text = strchr(text, ','))) {
		char *equals;
		*text++ = 0;
		if (word->count == sizeof word->key / sizeof *word->key)
			return false;
		word->key[word->count] = text;
		word->value[word->count] = "";
		equals = strpbrk(text, "=,");
		if (equals && *equals == '=') {
			*equals = 0;
			word->value[word->count] = equals + 1;
			text = equals + 1;
		}
		word->count++;
	}
	return word->kind[0] != 0;
}

static bool put(const void *data, size_t size)
{
	return size == 0 || fwrite(data, size, 1, stdout) == 1;
}

static bool begin(const struct writer *writer, long rules)
{
	int type = craft_linktype(writer->link);
	uint32_t head[6] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 262144, (uint32_t)type};
	uint8_t seed[2] = {(uint8_t)rules, (uint8_t)(type > 255 ? 255 : type)};

	if (type < 0)
		return false;
	return writer->seed ? put(seed, sizeof seed) : put(head, sizeof head);
}

/* wire=N: the frame ends there; cut=N: captured up to there; t=N: milliseconds since
 * the start; us=N: microseconds since the frame before. */
static bool write_frame(
	struct writer *writer, const struct word *word, const struct frame *frame)
{
	size_t wire = (size_t)word_number(word, "wire", (long)frame->size);
	size_t length = wire < frame->size ? wire : frame->size;
	size_t cut = (size_t)word_number(word, "cut", (long)length);
	size_t captured = cut < length ? cut : length;
	uint32_t head[4];

	writer->time_us = word_has(word, "t")
				  ? word_number(word, "t", 0) * 1000
				  : writer->time_us + word_number(word, "us", 1000);
	head[0] = (uint32_t)(1700000000 + writer->time_us / 1000000);
	head[1] = (uint32_t)(writer->time_us % 1000000);
	head[2] = (uint32_t)captured;
	head[3] = (uint32_t)length;
	if (writer->seed) {
		uint8_t seed[5] = {(uint8_t)(captured >> 8), (uint8_t)captured,
			(uint8_t)((length - captured) >> 8),
			(uint8_t)(length - captured), 1};
		return put(seed, sizeof seed) && put(frame->bytes, captured);
	}
	return put(head, sizeof head) && put(frame->bytes, captured);
}

static bool one(struct writer *writer, const char *text)
{
	static struct frame frame;
	char *copy = strdup(text);
	struct word word;
	bool good;

	if (!copy)
		return false;
	memset(&frame, 0, sizeof frame);
	good = parse(&word, copy) && craft_frame(&frame, writer->link, &word) &&
	       !frame.failed && write_frame(writer, &word, &frame);
	free(copy);
	return good;
}

int main(int argc, char **argv)
{
	struct writer writer = {.link = "eth"};
	long rules = 0;
	int at = 1;

	if (at + 1 < argc && !strcmp(argv[at], "--seed")) {
		writer.seed = true;
		rules = strtol(argv[at + 1], NULL, 10);
		at += 2;
	}
	if (at < argc && !strncmp(argv[at], "link=", 5))
		writer.link = argv[at++] + 5;
	if (!begin(&writer, rules))
		return EXIT_FAILURE;
	for (; at < argc; at++)
		if (!one(&writer, argv[at])) {
			(void)fprintf(stderr, "generate: cannot make %s\n", argv[at]);
			return EXIT_FAILURE;
		}
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
