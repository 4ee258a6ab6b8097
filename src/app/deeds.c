/* Undo, by author; see the header. */
#include "config.h"

#include "app/deeds.h"

#include <string.h>

static void take_out(struct deeds *deeds, size_t at)
{
	deeds->count--;
	memmove(&deeds->list[at], &deeds->list[at + 1],
		(deeds->count - at) * sizeof *deeds->list);
}

void deeds_add(struct deeds *deeds, const struct deed *deed)
{
	if (deeds->count == DEEDS_MAX)
		take_out(deeds, 0);
	deeds->list[deeds->count++] = *deed;
}

static bool touch_the_same(const struct deed *a, const struct deed *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < b->count; j++)
			if (a->changes[i].id == b->changes[j].id)
				return true;
	return false;
}

bool deeds_take(
	struct deeds *deeds, const char *author, struct deed *deed, struct fault *fault)
{
	size_t at = deeds->count;

	while (at && strcmp(deeds->list[at - 1].author, author))
		at--;
	if (!at)
		return fault_set(
			fault, "there is nothing of %s that can be undone", author);
	at--;
	for (size_t later = at + 1; later < deeds->count; later++)
		if (touch_the_same(&deeds->list[at], &deeds->list[later]))
			return fault_set(fault, "%s has changed the same window since",
				deeds->list[later].author);
	*deed = deeds->list[at];
	take_out(deeds, at);
	return true;
}
