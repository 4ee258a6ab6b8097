/* Finding what changed, and who said so before; see the header. */
#include "config.h"

#include "report/changes.h"

#include "base/alloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	SUFFIX_LEAST = 5 /* "rx" alone says nothing; "rx-usecs" does */
};

void changes_fini(struct changes *changes)
{
	free(changes->list);
	*changes = (struct changes){0};
}

const char *change_sign(const struct change *change)
{
	return change->a.why == WHY_ABSENT   ? "+"
	       : change->b.why == WHY_ABSENT ? "-"
					     : "~";
}

/* ---- announced by a note ---- */

static bool is_letter(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

/* Whether a name goes on at AT: "eth0" is not named by "eth0.100" or "veth0". */
static bool goes_on(const char *at)
{
	return is_letter(*at) || (*at && strchr(".-", *at) && is_letter(at[1]));
}

static bool begins_before(const char *text, const char *at)
{
	return at > text &&
	       (is_letter(at[-1]) || at[-1] == '-' || (at[-1] == '.' && at - 1 > text));
}

static bool names(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; length && *at; at++)
		if (!strncasecmp(at, word, length) && !begins_before(text, at) &&
			!goes_on(at + length))
			return true;
	return false;
}

/* "net.ipv4.tcp_sack" is also named by "tcp_sack". */
static bool names_key(const char *text, const char *key)
{
	const char *dot = strrchr(key, '.');

	return names(text, key) ||
	       (dot && strlen(dot + 1) >= SUFFIX_LEAST && names(text, dot + 1));
}

/* By its name or by what people call it. There is only one host: to name it names
 * nothing. */
static bool names_device(
	const struct session *session, const char *text, const struct fact *fact)
{
	int subject;

	if (fact->kind == KIND_HOST)
		return false;
	if (names(text, fact->name))
		return true;
	subject = session_find_subject(session, fact->kind, fact->name);
	return subject >= 0 && names(text, session->subjects[subject].label);
}

static const struct note *announcement(
	const struct comparison *comparison, const struct fact *fact)
{
	const struct session *session = comparison->session;

	for (size_t i = 0; i < session->note_count; i++) {
		const struct note *note = &session->notes[i];
		bool spoken = note->kind == NOTE_TEXT || note->kind == NOTE_ATTACHMENT;

		if (!spoken || note->at < comparison_from(comparison) ||
			note->at > comparison_to(comparison))
			continue;
		if (names_key(note->text, fact->key) ||
			names_device(session, note->text, fact))
			return note;
	}
	return NULL;
}

/* ---- finding ---- */

struct search {
	struct changes *changes;
	const struct comparison *comparison;
	size_t window;
};

static void add(
	struct search *search, const struct fact *a, const struct fact *b, bool differs)
{
	const struct comparison *comparison = search->comparison;
	struct changes *changes = search->changes;

	xgrow(&changes->list, &changes->room, changes->count + 1,
		sizeof *changes->list);
	changes->list[changes->count++] = (struct change){.a = *a,
		.b = *b,
		.window = search->window,
		.differs = differs,
		.inside = side_inside(comparison, search->window, b->at),
		.note = announcement(comparison, b)};
}

static void add_difference(void *context, const struct fact *a, const struct fact *b)
{
	add(context, a, b, true);
}

/* Whether it is there already as what tells the windows apart. */
static bool is_listed(const struct search *search, const struct fact *b)
{
	for (size_t i = 0; i < search->changes->count; i++) {
		const struct change *known = &search->changes->list[i];

		/* facts of one device and key share its texts */
		if (known->window == search->window && known->b.at == b->at &&
			known->b.key == b->key && known->b.name == b->name)
			return true;
	}
	return false;
}

static void find_inside(struct search *search)
{
	const struct comparison *comparison = search->comparison;
	const struct facts *facts = &comparison->session->facts;

	for (size_t i = 0; i < facts->count; i++) {
		struct fact now = facts_at_index(facts, i);
		struct fact before;

		if (!side_inside(comparison, search->window, now.at))
			continue;
		before = facts_before(facts, i);
		if (fact_changed(&before, &now) && !is_listed(search, &now))
			add(search, &before, &now, false);
	}
}

/* Stable: by window, those that nobody announced first. */
static void sort(struct changes *changes)
{
	struct change *sorted = xarray(changes->count, sizeof *sorted);
	size_t count = 0;

	for (size_t w = 0; w < REPORT_WINDOWS; w++)
		for (int announced = 0; announced < 2; announced++)
			for (size_t i = 0; i < changes->count; i++)
				if (changes->list[i].window == w &&
					!changes->list[i].note == !announced)
					sorted[count++] = changes->list[i];
	free(changes->list);
	changes->list = sorted;
	changes->room = changes->count;
}

void changes_find(struct changes *changes, const struct comparison *comparison)
{
	const struct facts *facts = &comparison->session->facts;
	struct search search = {changes, comparison, 0};
	nsec a = window_end(comparison, comparison->windows[0]);

	*changes = (struct changes){0};
	for (; search.window < comparison->window_count; search.window++) {
		size_t w = search.window;

		if (w)
			changes->compared[w] = facts_difference(facts, a,
				window_end(comparison, comparison->windows[w]),
				add_difference, &search);
		find_inside(&search);
	}
	sort(changes);
}
