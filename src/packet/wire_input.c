/*
 * Hearing it: the reader's side of the line protocol; see the header. What comes
 * in may be anything: the helper has looked at hostile frames. A line is taken
 * whole or not at all.
 */
#include "config.h"

#include "packet/wire.h"

#include "base/scan.h"
#include "base/text.h"
#include "packet/wire_peer.h"

#include <string.h>

static bool one_of(
	const char *word, const char *const *words, unsigned count, unsigned *index)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(word, words[i])) {
			*index = i;
			return true;
		}
	return false;
}

/* "KEY=" and then a number or one of two words. */
static bool key(const char **at, const char *name)
{
	size_t length = strlen(name);

	while (**at == ' ')
		++*at;
	if (strncmp(*at, name, length) || (*at)[length] != '=')
		return false;
	*at += length + 1;
	return true;
}

static bool key_number(
	const char **at, const char *name, uint64_t most, uint64_t *value)
{
	return key(at, name) && scan_u64(at, value) && *value <= most;
}

static bool key_word(const char **at, const char *name, const char *no, const char *yes,
	unsigned *value)
{
	const char *const words[] = {no, yes};
	char word[16];

	return key(at, name) && scan_word(at, word, sizeof word) &&
	       one_of(word, words, 2, value);
}

/* A later version may add keys behind these. */
static bool take_hello(struct wire_input *input, const char *at)
{
	uint64_t version, link, uid;
	unsigned caged, headers;

	if (!scan_u64(&at, &version) || !version || version > 1000 ||
		!key_number(&at, "link", INT32_MAX, &link) ||
		!key_number(&at, "uid", UINT32_MAX, &uid) ||
		!key_word(&at, "cage", "open", "full", &caged) ||
		!key_word(&at, "tx", "full", "headers", &headers))
		return false;
	input->hello = (struct wire_hello){
		(unsigned)version, (int)link, (unsigned)uid, caged != 0, headers != 0};
	return true;
}

static bool take_at(struct wire_input *input, const char *at)
{
	static const char *const efforts[EFFORT_COUNT] = {"full", "ring", "cpu"};
	struct wire_report report;
	char word[16];
	unsigned effort;

	if (!scan_i64(&at, &report.at) || report.at <= 0 || !scan_exact(&at, "lost") ||
		!scan_u64(&at, &report.lost) || !scan_exact(&at, "cpu") ||
		!scan_u64(&at, &report.cpu) || !scan_exact(&at, "effort") ||
		!scan_word(&at, word, sizeof word) ||
		!one_of(word, efforts, EFFORT_COUNT, &effort) || !scan_end(at))
		return false;
	report.effort = (enum wire_effort)effort;
	input->report = report;
	return true;
}

static bool take_row(const char *at, uint64_t *row)
{
	uint64_t values[PACKET_DIRECTIONS];

	for (unsigned i = 0; i < PACKET_DIRECTIONS; i++)
		if (!scan_u64(&at, &values[i]))
			return false;
	if (!scan_end(at))
		return false;
	memcpy(row, values, sizeof values);
	return true;
}

static bool take_frames(struct wire_input *input, const char *at)
{
	return take_row(at, input->tally.frames);
}

static bool take_bytes(struct wire_input *input, const char *at)
{
	return take_row(at, input->tally.bytes);
}

static bool take_segments(struct wire_input *input, const char *at)
{
	return take_row(at, input->tally.segments);
}

static bool take_cut(struct wire_input *input, const char *at)
{
	uint64_t cut;

	if (!scan_u64(&at, &cut) || !scan_end(at))
		return false;
	input->tally.cut = cut;
	return true;
}

static bool take_class(struct wire_input *input, const char *at)
{
	uint64_t passed[PACKET_DIRECTIONS];
	char id[64];
	int row;

	if (!scan_word(&at, id, sizeof id))
		return false;
	row = packet_class_find(id);
	return take_row(at, row < 0 ? passed : input->tally.count[row]);
}

static bool take_bye(struct wire_input *input, const char *at)
{
	char quoted[WIRE_LINE], reason[WIRE_LINE];
	uint64_t status;

	if (!scan_u64(&at, &status) || status > WIRE_DENIED ||
		!scan_word(&at, quoted, sizeof quoted) || !scan_end(at) ||
		!text_unquote(reason, sizeof reason, quoted))
		return false;
	input->ended = true;
	input->status = (enum wire_status)status;
	(void)text_clean(input->reason, sizeof input->reason, reason); /* a cut one */
	return true;
}

static const struct {
	const char *word;
	bool (*take)(struct wire_input *input, const char *at);
} lines[] = {
	{"class", take_class},
	{"peer-class", wire_take_peer_class},
	{"peer-slower", wire_take_peer_slower},
	{"peer-times", wire_take_peer_times},
	{"peer-segments", wire_take_peer_segments},
	{"peer", wire_take_peer},
	{"at", take_at},
	{"frames", take_frames},
	{"bytes", take_bytes},
	{"segments", take_segments},
	{"cut", take_cut},
	{"hello", take_hello},
	{"bye", take_bye},
};

static void take_line(struct wire_input *input)
{
	const char *at = input->line;
	char word[16];

	if (!scan_word(&at, word, sizeof word)) {
		input->bad++;
		return;
	}
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strcmp(word, lines[i].word) && !lines[i].take(input, at))
			input->bad++;
}

static void take_byte(struct wire_input *input, char byte)
{
	if (byte == '\n') {
		input->line[input->used] = '\0';
		if (input->skipping)
			input->bad++;
		else
			take_line(input);
		input->used = 0;
		input->skipping = false;
	} else if (input->used == sizeof input->line - 1 || byte < ' ' || byte > '~') {
		input->skipping = true;
	} else {
		input->line[input->used++] = byte;
	}
}

void wire_feed(struct wire_input *input, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		take_byte(input, bytes[i]);
}
