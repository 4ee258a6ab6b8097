/* Did you mean: the nearest word by edit distance. */
#include "config.h"

#include "app/arguments.h"

#include "base/text.h"

#include <stdint.h>
#include <string.h>

enum {
	WORD_MAX = 63
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: two neighbours that changed places count as one step. */
size_t edit_distance(const char *from, const char *to)
{
	size_t rows[3][WORD_MAX + 1] = {0};
	size_t height = strlen(from);
	size_t width = strlen(to);

	if (height > WORD_MAX || width > WORD_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= width; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= height; i++) {
		size_t *now = rows[i % 3];
		const size_t *last = rows[(i + 2) % 3];
		const size_t *before = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= width; j++) {
			now[j] = least(last[j - 1] + (from[i - 1] != to[j - 1]),
				least(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && from[i - 1] == to[j - 2] &&
				from[i - 2] == to[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return rows[height % 3][width];
}

struct suggestion suggestion_start(const char *wanted)
{
	struct suggestion start = {.distance = SIZE_MAX};

	(void)text_clean(start.wanted, sizeof start.wanted, wanted); /* cut is fine */
	return start;
}

void suggestion_offer(struct suggestion *suggestion, const char *word)
{
	size_t distance = edit_distance(suggestion->wanted, word);
	size_t length = strlen(suggestion->wanted);
	bool begins = length >= 2 && !strncmp(word, suggestion->wanted, length);

	if (begins)
		distance = 1;
	/* further away than a third of the word (at least two steps) is no typing
	 * error */
	if (distance > (length < 6 ? 2 : length / 3) || distance >= length + begins)
		return;
	if (distance < suggestion->distance) {
		suggestion->distance = distance;
		suggestion->word = word;
	}
}
