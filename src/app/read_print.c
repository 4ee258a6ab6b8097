/* The formats of `weir read` for programs; see the header. */
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

/* A JSON string; bytes that are not UTF-8 come out as '?', as everywhere. */
static void json_string(const char *text)
{
	char clean[4096];

	(void)text_clean(clean, sizeof clean, text); /* a longer path is cut */
	(void)putchar('"'); /* output errors are found at the end, by fflush */
	for (const char *p = clean; *p; p++) {
		if (*p == '"' || *p == '\\')
			(void)putchar('\\');
		(void)putchar(*p);
	}
	(void)putchar('"');
}

static void json_file(const struct read_result_of *result)
{
	(void)fputs("{\"file\":", stdout);
	json_string(result->name);
	(void)fputs(",\"linktype\":", stdout);
	if (result->linktype)
		json_string(result->linktype);
	else
		(void)fputs("null", stdout);
	(void)printf(",\"packets\":%" PRIu64 ",\"bytes\":%" PRIu64
		     ",\"segments\":%" PRIu64 ",\"classes\":{",
		result->packets, total(result->tally->bytes),
		total(result->tally->segments));
	for (unsigned i = 0; i < packet_class_count; i++)
		(void)printf("%s\"%s\":%" PRIu64, i ? "," : "", packet_classes[i].id,
			total(result->tally->count[i]));
	(void)putchar('}');
	read_peers_json(result->peers);
	if (result->error) {
		(void)fputs(",\"error\":", stdout);
		json_string(result->error);
	}
	(void)puts("}");
}

static void tsv_begin(void)
{
	(void)fputs("file", stdout);
	for (int i = 0; i < COLUMN_COUNT; i++)
		(void)printf("\t%s", packet_columns[i]);
	(void)putchar('\n');
}

static void tsv_file(const struct read_result_of *result)
{
	if (!result->linktype)
		return; /* not read: no row, for zeros would say that it is clean */
	for (const char *p = result->name; *p; p++)
		(void)putchar(*p == '\t' || *p == '\n' ? '?' : *p);
	for (int i = 0; i < COLUMN_COUNT; i++)
		(void)printf("\t%" PRIu64, result->columns[i]);
	(void)putchar('\n');
}

/* In alphabetical order, so that lists can be compared as text. */
static unsigned next_name(uint64_t columns)
{
	unsigned first = (unsigned)__builtin_ctzll(columns);

	for (unsigned i = first + 1; i < COLUMN_COUNT; i++)
		if (columns >> i & 1 &&
			strcmp(packet_columns[i], packet_columns[first]) < 0)
			first = i;
	return first;
}

static void packets_frame(uint64_t number, uint64_t columns)
{
	char separator = '\t';

	columns &= ~packet_columns_plain;
	if (!columns)
		return;
	(void)printf("%" PRIu64, number);
	while (columns) {
		unsigned column = next_name(columns);
		(void)printf("%c%s", separator, packet_columns[column]);
		columns &= ~(UINT64_C(1) << column);
		separator = ',';
	}
	(void)putchar('\n');
}

const struct read_format read_json = {.name = "json", .file = json_file};
const struct read_format read_tsv = {
	.name = "tsv", .begin = tsv_begin, .file = tsv_file};
const struct read_format read_packets = {.name = "packets", .frame = packets_frame};
