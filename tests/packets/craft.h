/*
 * Frames for the packet cases, made from words (tests/packets/list explains them).
 */
#ifndef WEIR_TESTS_CRAFT_H
#define WEIR_TESTS_CRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FRAME_MAX = 70000
};

/* One word: KIND,KEY=VALUE,KEY... */
struct word {
	const char *kind;
	const char *key[32];
	const char *value[32]; /* "" where there is none */
	size_t count;
};

struct frame {
	uint8_t bytes[FRAME_MAX];
	size_t size;
	bool failed; /* something did not fit, or a word is unknown */
};

/* The value of the key, or OTHERWISE. */
long word_number(const struct word *word, const char *key, long otherwise);
bool word_has(const struct word *word, const char *key);
const char *word_text(const struct word *word, const char *key);

void add8(struct frame *frame, unsigned long value);
void add16(struct frame *frame, unsigned long value);
void add32(struct frame *frame, unsigned long value);
void add_hex(struct frame *frame, const char *hex);
void add_frame(struct frame *frame, const struct frame *inner);

/* What lies inside TCP or UDP. */
void craft_payload(struct frame *frame, const struct word *word);

/* An IP packet, or an ARP packet, as WORD says. */
void craft_network(struct frame *frame, const struct word *word);

/* The link header of LINK in front of what WORD says. Returns false for a link that
 * it does not know. */
bool craft_frame(struct frame *frame, const char *link, const struct word *word);

/* The number that a capture file has for LINK, or -1. */
int craft_linktype(const char *link);

#endif
