/* What is said about a packet that was kept; see packet/evidence.h. */
#include "config.h"

#include "packet/evidence.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void evidence_classes(const uint64_t seen[EVIDENCE_WORDS], char *to, size_t size)
{
	size_t used = 0;

	*to = 0;
	for (unsigned row = 0; row < packet_class_count; row++) {
		const char *id = packet_classes[row].id;

		if (!(seen[row / 64] >> (row % 64) & 1) || !evidence_wants(row) ||
			used + strlen(id) + 2 > size)
			continue;
		(void)text_format(
			to + used, size - used, "%s%s", used ? " " : "", id); /* fits */
		used = strlen(to);
	}
}

/* "retransmissions: A segment was sent again." for the first of them. */
static void say_meaning(const char *classes, char *to, size_t size)
{
	char id[64];
	size_t length = strcspn(classes, " ");
	int row;

	*to = 0;
	if (length >= sizeof id)
		return;
	memcpy(id, classes, length);
	id[length] = 0;
	row = packet_class_find(id);
	if (row >= 0)
		(void)text_format(to, size, " (%s: %s)", packet_classes[row].title,
			packet_classes[row].means); /* its beginning will do */
}

void evidence_comment(
	const struct evidence_entry *entry, const char *classes, char *to, size_t size)
{
	const char *way =
		packet_direction_word((enum packet_direction)entry->direction);
	char meaning[400];

	say_meaning(classes, meaning, sizeof meaning);
	if (entry->place == 0)
		(void)text_format(to, size, "weir: finding %u%s%s: %s%s",
			entry->finding, *way ? ", " : "", way, classes, meaning);
	else
		(void)text_format(to, size,
			"weir: %d %s finding %u in its connection%s%s",
			abs(entry->place), entry->place < 0 ? "before" : "behind",
			entry->finding, *classes ? ": " : "", classes);
}
