/* Saying it: the helper's side of the line protocol; see the header. */
#include "config.h"

#include "packet/wire.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct out {
	char *to;
	size_t size, used;
};

/* A line that does not fit is left out whole; callers keep WIRE_LINE bytes free. */
__attribute__((format(printf, 2, 3))) static void say(
	struct out *out, const char *format, ...)
{
	size_t room = out->size - out->used;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(out->to + out->used, room, format, args);
	va_end(args);
	if (length > 0 && (size_t)length < room)
		out->used += (size_t)length;
}

size_t wire_hello(const struct wire_hello *hello, char *to, size_t size)
{
	struct out out = {to, size, 0};

	say(&out, "hello %u link=%d uid=%u cage=%s tx=%s\n", hello->version,
		hello->linktype, hello->uid, hello->caged ? "full" : "open",
		hello->tx_headers ? "headers" : "full");
	return out.used;
}

size_t wire_bye(enum wire_status status, const char *reason, char *to, size_t size)
{
	struct out out = {to, size, 0};
	char clean[64], quoted[3 * sizeof clean];

	(void)text_clean(clean, sizeof clean, reason); /* its beginning is enough */
	if (!text_quote(quoted, sizeof quoted, clean))
		(void)text_copy(quoted, sizeof quoted, "%");
	say(&out, "bye %d %s\n", (int)status, quoted);
	return out.used;
}

static void say_row(struct out *out, const char *word, const uint64_t *row)
{
	say(out, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", word, row[PACKET_RX],
		row[PACKET_TX], row[PACKET_UNKNOWN]);
}

static void say_head(
	struct out *out, const struct wire_report *report, const struct tally *now)
{
	static const char *const efforts[EFFORT_COUNT] = {
		[EFFORT_FULL] = "full",
		[EFFORT_RING] = "ring",
		[EFFORT_CPU] = "cpu",
	};

	say(out, "at %" PRId64 " lost %" PRIu64 " cpu %" PRIu64 " effort %s\n",
		report->at, report->lost, report->cpu, efforts[report->effort]);
	say_row(out, "frames", now->frames);
	say_row(out, "bytes", now->bytes);
	say_row(out, "segments", now->segments);
	say(out, "cut %" PRIu64 "\n", now->cut);
}

static bool is_news(const struct wire_speech *speech, unsigned row)
{
	static const uint64_t none[PACKET_DIRECTIONS];
	const uint64_t *other = speech->everything ? none : speech->sent->count[row];

	return memcmp(speech->now->count[row], other, sizeof none) != 0;
}

size_t wire_chunk(
	const struct wire_speech *speech, unsigned *from, char *to, size_t size)
{
	struct out out = {to, size, 0};

	say_head(&out, speech->report, speech->now);
	while (*from < packet_class_count && out.size - out.used >= WIRE_LINE) {
		char word[64];

		if (is_news(speech, *from) && text_format(word, sizeof word, "class %s",
						      packet_classes[*from].id))
			say_row(&out, word, speech->now->count[*from]);
		++*from;
	}
	return out.used;
}

void wire_sent(struct tally *sent, const struct tally *now, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		memcpy(sent->count[i], now->count[i], sizeof sent->count[i]);
}
