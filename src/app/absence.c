/* Why a source has no readings; see the header. */
#include "config.h"

#include "app/absence.h"

#include "base/text.h"

#include <errno.h>
#include <string.h>

/* A source that has a reading every now and then would fill the file with its coming
 * and going: that it has none is told once that has lasted. */
static const nsec lasting = 10 * NSEC_PER_SEC;

static const char *fault_word(const struct fault *fault)
{
	return fault->code == EACCES || fault->code == EPERM ? "denied" : "failed";
}

/* Of a source that did not answer: "" where it is still at work. */
static void say_fault(
	const struct feed *feed, const struct tick *tick, char *text, size_t size)
{
	*text = 0;
	if (feed_age(feed, tick->mono) <= 0 && feed->fault.text[0])
		(void)text_format(text, size, "%s: %s", fault_word(&feed->fault),
			feed->fault.text); /* fits */
}

/* Of one that did; "" where it has readings, or says nothing. */
static void say_nothing(const struct feed *feed, char *text, size_t size)
{
	const struct sink *sink = &feed->sink;
	const char *words = sink->nothing ? sink->nothing : feed->source->none;
	enum why why = sink->nothing ? sink->nothing_why : WHY_ABSENT;

	*text = 0;
	if (!sink->reading_count && words)
		(void)text_format(
			text, size, "%s: %s", why_word(why), words); /* fits */
}

static struct fact fact_of(const struct feed *feed, nsec at)
{
	return (struct fact){.at = at,
		.kind = KIND_SOURCE,
		.name = feed->source->name,
		.id = "",
		.key = FACT_NOTHING,
		.value = "",
		.why = WHY_ABSENT};
}

/* Nothing new is put, but where an earlier run left something else. */
static void serves(struct absence *absence, const struct feed *feed,
	const struct tick *tick, struct facts *facts)
{
	struct fact fact = fact_of(feed, tick->at);

	absence->empty = 0;
	if (absence->is == ABSENCE_SERVES)
		return;
	absence->is = ABSENCE_SERVES;
	if (facts_at(facts, &fact, tick->at).why == WHY_NONE)
		(void)facts_put(facts, &fact); /* new, as was just seen */
}

static void has_nothing(struct absence *absence, const struct feed *feed,
	const char *reason, const struct tick *tick, struct facts *facts)
{
	struct fact fact = fact_of(feed, tick->at);

	if (absence->is == ABSENCE_SERVES) {
		if (!absence->empty)
			absence->empty = tick->mono;
		if (tick->mono - absence->empty < lasting)
			return;
		fact.at -= tick->mono - absence->empty;
	}
	absence->is = ABSENCE_NOTHING;
	fact.value = reason;
	fact.why = WHY_NONE;
	(void)facts_put(facts, &fact); /* mostly nothing new */
}

void absence_follow(struct absence *absence, const struct feed *feed, bool fresh,
	const struct tick *tick, struct facts *facts)
{
	char reason[FACT_VALUE], clean[FACT_VALUE];

	if (fresh)
		say_nothing(feed, reason, sizeof reason);
	else
		say_fault(feed, tick, reason, sizeof reason);
	(void)text_clean(clean, sizeof clean, reason); /* same size */
	if (*clean)
		has_nothing(absence, feed, clean, tick, facts);
	else if (fresh)
		serves(absence, feed, tick, facts);
}
