/* Snapshot lengths of capture files; see the header. 0 stands for none in both formats
 * and in both byte orders. */
#include "config.h"

#include "app/unsnapped.h"

#include "base/alloc.h"
#include "packet/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	KIND_UNKNOWN,
	KIND_PCAP,
	KIND_NG,      /* numbers in network order */
	KIND_NG_LESS, /* the other */
	KIND_OTHER,   /* left as it is */
	PCAP_AT = 16, /* where the length lies in the head of the file */
	NG_AT = 12,   /* and in the description of an interface */
	FIELD = 4,
	BLOCK_LEAST = 12,
};

static const uint32_t section = 0x0a0d0d0a, interface = 1, order = 0x1a2b3c4d;

static uint8_t kind_of(const uint8_t *head)
{
	static const uint32_t pcaps[] = {0xa1b2c3d4, 0xa1b23c4d, 0xa1b2cd34};
	uint32_t more = load_be32(head), less = load_le32(head);

	for (size_t i = 0; i < sizeof pcaps / sizeof *pcaps; i++)
		if (more == pcaps[i] || less == pcaps[i])
			return KIND_PCAP;
	return more == section ? KIND_NG : KIND_OTHER;
}

static uint32_t number(const struct unsnapped *place, const uint8_t *bytes)
{
	return place->kind == KIND_NG_LESS ? load_le32(bytes) : load_be32(bytes);
}

/* The head of a block is there: a section says in which order its numbers are. */
static void begin_block(struct unsnapped *place)
{
	const uint8_t *head = place->head;

	if (load_be32(head) == section)
		place->kind = load_le32(head + 8) == order ? KIND_NG_LESS : KIND_NG;
	place->size = number(place, head + 4);
	if (place->size < BLOCK_LEAST)
		place->kind = KIND_OTHER; /* damaged: libpcap says so */
}

static bool in_field(const struct unsnapped *place)
{
	uint64_t from = place->kind == KIND_PCAP ? PCAP_AT : NG_AT;

	if (place->kind != KIND_PCAP &&
		(place->size == 0 || number(place, place->head) != interface))
		return false;
	return place->at >= from && place->at < from + FIELD;
}

/* One byte of a head. */
static void step(struct unsnapped *place, uint8_t *byte)
{
	if (place->at < sizeof place->head)
		place->head[place->at] = *byte;
	if (in_field(place))
		*byte = 0;
	place->at++;
	if (place->kind == KIND_UNKNOWN && place->at == FIELD)
		place->kind = kind_of(place->head);
	if (place->at == sizeof place->head && place->kind != KIND_PCAP)
		begin_block(place);
	if (place->size && place->at == place->size)
		place->at = place->size = 0;
}

/* How many of SIZE bytes are neither head nor end of a block. */
static size_t inside(const struct unsnapped *place, size_t size)
{
	uint64_t left;

	if (place->kind == KIND_OTHER)
		return size;
	if (place->at < PCAP_AT + FIELD)
		return 0;
	if (place->kind == KIND_PCAP)
		return size; /* records */
	left = place->size - place->at - 1;
	return left < size ? (size_t)left : size;
}

void unsnapped_clear(struct unsnapped *place, uint8_t *data, size_t size)
{
	while (size > 0) {
		size_t plain = inside(place, size);

		place->at += plain;
		data += plain;
		size -= plain;
		if (size > 0) {
			step(place, data++);
			size--;
		}
	}
}

struct cookie {
	FILE *file;
	struct unsnapped place;
};

static ssize_t take(void *context, char *data, size_t size)
{
	struct cookie *cookie = context;
	ssize_t got = read(fileno(cookie->file), data, size);

	if (got > 0)
		unsnapped_clear(&cookie->place, (uint8_t *)data, (size_t)got);
	return got;
}

static int let_go(void *context)
{
	struct cookie *cookie = context;
	int result = fclose(cookie->file);

	free(cookie);
	return result;
}

FILE *unsnapped_open(FILE *file)
{
	struct cookie *cookie = xalloc(sizeof *cookie);
	FILE *wrapped;

	cookie->file = file;
	wrapped = fopencookie(
		cookie, "r", (cookie_io_functions_t){.read = take, .close = let_go});
	if (!wrapped)
		(void)let_go(cookie); /* only read */
	return wrapped;
}
