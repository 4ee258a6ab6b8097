/* Payloads: patterns, bytes as given, iSCSI, SMB 2, RPC; see craft.h. */
#include "config.h"

#include "craft.h"
#include "packet/crc32c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void add8(struct frame *frame, unsigned long value)
{
	if (frame->size < FRAME_MAX)
		frame->bytes[frame->size++] = (uint8_t)value;
	else
		frame->failed = true;
}

void add16(struct frame *frame, unsigned long value)
{
	add8(frame, value >> 8);
	add8(frame, value);
}

void add32(struct frame *frame, unsigned long value)
{
	add16(frame, value >> 16);
	add16(frame, value);
}

static void add_le32(struct frame *frame, unsigned long value)
{
	for (int i = 0; i < 4; i++)
		add8(frame, value >> 8 * i);
}

void add_hex(struct frame *frame, const char *hex)
{
	for (; hex[0] && hex[1]; hex += 2) {
		char digits[3] = {hex[0], hex[1], 0};
		add8(frame, strtoul(digits, NULL, 16));
	}
}

void add_frame(struct frame *frame, const struct frame *inner)
{
	for (size_t i = 0; i < inner->size; i++)
		add8(frame, inner->bytes[i]);
}

static void add_zeros(struct frame *frame, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add8(frame, 0);
}

/* Up to five numbers with '/' between them. */
static void numbers(const char *text, unsigned long *number)
{
	for (int i = 0; i < 5 && *text; i++) {
		char *end;
		number[i] = strtoul(text, &end, 0);
		text = *end == '/' ? end + 1 : end;
	}
}

static void add_digest(struct frame *frame, size_t from, const char *how)
{
	static struct crc32c crc;
	uint32_t state;

	crc32c_init(&crc);
	state = crc32c_add(
		&crc, (uint32_t)CRC32C_START, frame->bytes + from, frame->size - from);
	add_le32(frame, strcmp(how, "bad") ? ~state : state);
}

/* iscsi=OPCODE/FLAGS/STATUS/TAG/LENGTH, hd and dd: digests, or =bad. */
static void add_iscsi(struct frame *frame, const struct word *word)
{
	unsigned long n[5] = {0};
	size_t start = frame->size;

	numbers(word_text(word, "iscsi"), n);
	add8(frame, n[0]);
	add8(frame, n[1]);
	add8(frame, 0);
	add8(frame, n[2]);
	add32(frame, n[4]);
	add_zeros(frame, 8);
	add32(frame, n[3]);
	add_zeros(frame, 28);
	if (n[0] == 0x3f) /* a reject has no tag and needs a reason */
		frame->bytes[start + 2] = 2;
	if (word_has(word, "hd"))
		add_digest(frame, start, word_text(word, "hd"));
	start = frame->size;
	for (unsigned long i = 0; i < n[4]; i++)
		add8(frame, i * 7);
	while ((frame->size - start) % 4)
		add8(frame, 0);
	if (word_has(word, "dd"))
		add_digest(frame, start, word_text(word, "dd"));
}

/* smb=FLAGS/STATUS, or smb=253: an encrypted message. */
static void add_smb(struct frame *frame, const struct word *word)
{
	unsigned long n[5] = {0};
	bool plain;

	numbers(word_text(word, "smb"), n);
	plain = n[0] != 253;
	add32(frame, 64);
	add8(frame, plain ? 0xfe : 253);
	add_hex(frame, "534d42");
	add_hex(frame, "40000000");
	add_le32(frame, n[1]);
	add_zeros(frame, 4);
	add_le32(frame, plain ? n[0] : 0);
	add_zeros(frame, 44);
}

static void add_call(struct frame *frame, const unsigned long *n)
{
	add32(frame, n[0]);
	add32(frame, 0);
	add32(frame, 2);
	for (int i = 1; i < 4; i++)
		add32(frame, n[i]);
	add_zeros(frame, 16);
}

static void add_reply(struct frame *frame, const unsigned long *n)
{
	add32(frame, n[0]);
	add32(frame, 1);
	add32(frame, n[1]);
	add_zeros(frame, 8);
	add32(frame, n[2]);
	add32(frame, n[3]);
}

/* call=XID/PROGRAM/VERSION/PROCEDURE, reply=XID/DENIED/ACCEPTED/STATUS */
static void add_rpc(struct frame *frame, const struct word *word)
{
	struct frame *message = calloc(1, sizeof *message);
	unsigned long n[5] = {0};

	if (!message)
		abort();
	numbers(word_text(word, word_has(word, "call") ? "call" : "reply"), n);
	if (word_has(word, "call"))
		add_call(message, n);
	else
		add_reply(message, n);
	if (!strncmp(word->kind, "tcp", 3))
		add32(frame, 0x80000000 | message->size);
	add_frame(frame, message);
	free(message);
}

void craft_payload(struct frame *frame, const struct word *word)
{
	long length = word_number(word, "len", 0);
	long seq = word_number(word, "seq", 0) + word_number(word, "fill", 0);

	if (word_has(word, "iscsi"))
		add_iscsi(frame, word);
	if (word_has(word, "smb"))
		add_smb(frame, word);
	if (word_has(word, "call") || word_has(word, "reply"))
		add_rpc(frame, word);
	if (word_has(word, "data"))
		add_hex(frame, word_text(word, "data"));
	for (long i = 0; i < length; i++)
		add8(frame, (unsigned long)((seq + i) * 13 + ((seq + i) >> 8)));
}
