/* Sources that had no readings, and why; see the header. */
#include "config.h"

#include "report/absent.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A stretch of time for which a fact held. */
struct stretch {
	nsec from, to;
};

static bool is_reason(const struct fact *fact)
{
	return fact->kind == KIND_SOURCE && !strcmp(fact->key, FACT_NOTHING);
}

/* Until the same source said something else. */
static struct stretch stretch_of(const struct comparison *comparison, size_t index)
{
	const struct facts *facts = &comparison->session->facts;
	struct fact fact = facts_at_index(facts, index);
	struct stretch stretch = {fact.at, comparison->last};

	for (size_t i = index + 1; i < facts->count; i++) {
		struct fact next = facts_at_index(facts, i);

		if (is_reason(&next) && !strcmp(next.name, fact.name)) {
			stretch.to = next.at;
			break;
		}
	}
	return stretch;
}

static nsec within(const struct comparison *comparison, const struct window *window,
	struct stretch stretch)
{
	nsec end = window_end(comparison, window);
	nsec from = stretch.from > window->from ? stretch.from : window->from;
	nsec to = stretch.to < end ? stretch.to : end;

	return to > from ? to - from : 0;
}

static nsec held(
	const struct comparison *comparison, size_t index, struct stretch stretch)
{
	nsec sum = 0;

	for (size_t i = 0; i < comparison->sides[index].count; i++)
		sum += within(comparison, side_window(comparison, index, i), stretch);
	return sum;
}

static nsec length(const struct comparison *comparison, size_t index)
{
	const struct stretch all = {INT64_MIN, INT64_MAX};

	return held(comparison, index, all);
}

/* VALUE is a word, a colon and a text. */
static struct absent *find(
	struct absent *list, size_t *count, const char *source, const char *value)
{
	size_t word = strcspn(value, ":");
	const char *text = value + word + strspn(value + word, ": ");
	struct absent *new = &list[*count];

	for (size_t i = 0; i < *count; i++)
		if (!strcmp(list[i].source, source) && !strcmp(list[i].text, text))
			return &list[i];
	(*count)++;
	*new = (struct absent){.source = source, .text = text};
	(void)text_format(new->kind, sizeof new->kind, "%.*s", (int)word, value);
	return new;
}

struct absent *absent_find(const struct comparison *comparison, size_t *count)
{
	const struct facts *facts = &comparison->session->facts;
	struct absent *list = NULL;
	size_t room = 0;

	*count = 0;
	for (size_t i = 0; i < facts->count; i++) {
		struct fact fact = facts_at_index(facts, i);
		nsec parts[REPORT_WINDOWS], any = 0;
		struct stretch stretch;
		struct absent *absent;

		if (!is_reason(&fact) || fact.why != WHY_NONE)
			continue;
		stretch = stretch_of(comparison, i);
		for (size_t w = 0; w < comparison->window_count; w++)
			any += parts[w] = held(comparison, w, stretch);
		if (!any)
			continue;
		xgrow(&list, &room, *count + 1, sizeof *list);
		absent = find(list, count, fact.name, fact.value);
		for (size_t w = 0; w < comparison->window_count; w++)
			absent->held[w] += parts[w];
	}
	return list;
}

/* What a thread says first may come a tick late. */
static bool is_all(
	const struct comparison *comparison, const struct absent *absent, size_t index)
{
	nsec slack = 2 * comparison->session->last.interval;

	return absent->held[index] &&
	       absent->held[index] + slack >= length(comparison, index);
}

void absent_where(const struct comparison *comparison, const struct absent *absent,
	char *text, size_t size)
{
	size_t all = 0;

	*text = 0;
	for (size_t w = 0; w < comparison->window_count; w++)
		all += is_all(comparison, absent, w);
	if (all == comparison->window_count)
		return;
	for (size_t w = 0; w < comparison->window_count; w++) {
		size_t used = strlen(text);

		if (absent->held[w])
			(void)text_format(text + used, size - used, "%s%s%s",
				used ? ", " : " (",
				is_all(comparison, absent, w) ? "" : "part of ",
				window_letter(w)); /* there is room */
	}
	(void)text_format(text + strlen(text), size - strlen(text), ")");
}
