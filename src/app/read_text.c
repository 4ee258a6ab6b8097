/* The table that `weir read` prints for people; see app/read_print.h. */
#include "config.h"

#include "app/read_print.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t total(const uint64_t counts[PACKET_DIRECTIONS])
{
	return counts[PACKET_RX] + counts[PACKET_TX] + counts[PACKET_UNKNOWN];
}

static void print_clean(const char *text)
{
	char clean[1024];

	(void)text_clean(clean, sizeof clean, text); /* a longer path is cut */
	(void)fputs(clean, stdout); /* output errors are found at the end, by fflush */
}

static void heading(const struct read_result_of *result)
{
	print_clean(result->name);
	if (!result->linktype) {
		(void)puts(": not read");
		return;
	}
	(void)printf(": %s, %" PRIu64 " packets, %" PRIu64 " bytes on the wire\n",
		result->linktype, result->packets, total(result->tally->bytes));
}

/* The four rows of a checksum follow each other in the class table. */
static bool begins_checksum(unsigned row)
{
	return row + 3 < packet_class_count &&
	       packet_classes[row + 1].sense == CLASS_JUDGED &&
	       packet_classes[row + 3].sense == CLASS_UNSURE;
}

static void checksums(const struct tally *tally)
{
	bool headed = false;

	for (unsigned row = 0; row < packet_class_count; row++) {
		uint64_t answer[4] = {0}, all = 0;
		for (unsigned i = 0; begins_checksum(row) && i < 4; i++)
			all += answer[i] = total(tally->count[row + i]);
		if (!all)
			continue;
		if (!headed)
			(void)printf("  %-25s %12s %12s %12s %12s\n", "checksums",
				"bad", "good", "offloaded", "not judged");
		headed = true;
		(void)printf("  %-25s %12" PRIu64 " %12" PRIu64 " %12" PRIu64
			     " %12" PRIu64 "\n",
			packet_classes[row].id, answer[0], answer[1], answer[2],
			answer[3]);
	}
}

static void per_million(uint64_t count, uint64_t segments)
{
	if (segments)
		(void)printf(" %12.1f", (double)count * 1e6 / (double)segments);
	else
		(void)printf(" %12s", "-");
}

static void class_line(unsigned row, const struct tally *tally)
{
	const uint64_t *count = tally->count[row];

	(void)printf("  %-25s %12" PRIu64, packet_classes[row].id, total(count));
	per_million(total(count), total(tally->segments));
	(void)printf("  %s", packet_classes[row].title);
	if (count[PACKET_RX] || count[PACKET_TX])
		(void)printf(" (rx %" PRIu64 ", tx %" PRIu64 ")", count[PACKET_RX],
			count[PACKET_TX]);
	(void)putchar('\n');
}

static void classes(const struct tally *tally)
{
	bool headed = false;

	for (unsigned row = 0; row < packet_class_count; row++) {
		if (begins_checksum(row)) {
			row += 3;
			continue;
		}
		if (!total(tally->count[row]))
			continue;
		if (!headed)
			(void)printf("  %-25s %12s %12s\n", "classes", "packets",
				"per million");
		headed = true;
		class_line(row, tally);
	}
	if (!headed)
		(void)puts("  nothing else was found");
}

static void text_file(const struct read_result_of *result)
{
	heading(result);
	if (result->linktype) {
		checksums(result->tally);
		classes(result->tally);
		read_peers_text(result->peers);
	}
	if (result->error) {
		(void)fputs("  error: ", stdout);
		print_clean(result->error);
		(void)putchar('\n');
	}
}

const struct read_format read_text = {.name = "text", .file = text_file};
