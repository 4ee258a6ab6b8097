/* Thresholds on figures; see the header. */
#include "config.h"

#include "core/alert.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/unit.h"

#include <stdlib.h>

enum concern {
	CONCERN_UNKNOWN,
	CONCERN_YES,
	CONCERN_NO
};

/* Of one track. */
struct alert_state {
	uint8_t concern; /* whether the pattern means its device */
	bool beyond, told;
	nsec since;
	double worst;
};

void alerts_add(struct alerts *alerts, const struct alert_rule *rule)
{
	xgrow(&alerts->rules, &alerts->room, alerts->count + 1, sizeof *alerts->rules);
	alerts->rules[alerts->count++] = *rule;
}

void alerts_fini(struct alerts *alerts)
{
	for (size_t i = 0; i < alerts->count; i++) {
		regfree(&alerts->rules[i].regex);
		free(alerts->rules[i].states);
	}
	free(alerts->rules);
	*alerts = (struct alerts){0};
}

static bool concerns(const struct alert_rule *rule, const struct subject *subject)
{
	return !regexec(&rule->regex, subject->name, 0, NULL, 0) ||
	       (*subject->label && !regexec(&rule->regex, subject->label, 0, NULL, 0));
}

struct look {
	const struct session *session;
	void (*tell)(void *context, const struct alert_event *event);
	void *context;
};

static void say(const struct look *look, const struct alert_rule *rule,
	const struct track *track, const struct alert_state *state)
{
	const struct alert_event event = {.rule = rule,
		.subject = &look->session->subjects[track->subject],
		.over = !state->beyond,
		.since = state->since,
		.at = look->session->last.at,
		.value = track->now.value,
		.worst = state->worst};

	look->tell(look->context, &event);
}

static void go_on(const struct look *look, const struct alert_rule *rule,
	const struct track *track, struct alert_state *state)
{
	double value = track->now.value;
	nsec now = look->session->last.at;

	if (!state->beyond)
		*state = (struct alert_state){.concern = state->concern,
			.beyond = true,
			.since = now,
			.worst = value};
	if (rule->below ? value < state->worst : value > state->worst)
		state->worst = value;
	if (state->told || now - state->since < rule->hold)
		return;
	state->told = true;
	say(look, rule, track, state);
}

static void end(const struct look *look, const struct alert_rule *rule,
	const struct track *track, struct alert_state *state)
{
	bool told = state->told;

	state->beyond = state->told = false;
	if (told)
		say(look, rule, track, state);
}

static void look_at(const struct look *look, struct alert_rule *rule, size_t index)
{
	const struct track *track = &look->session->tracks[index];
	struct alert_state *state = &rule->states[index];
	const struct value *now = &track->now;

	if (state->concern == CONCERN_UNKNOWN)
		state->concern =
			concerns(rule, &look->session->subjects[track->subject])
				? CONCERN_YES
				: CONCERN_NO;
	if (state->concern == CONCERN_NO)
		return;
	if (now->why == WHY_NONE &&
		(rule->below ? now->value < rule->limit : now->value > rule->limit))
		go_on(look, rule, track, state);
	else if (now->why == WHY_NONE || now->why == WHY_ABSENT)
		end(look, rule, track, state);
}

void alerts_look(struct alerts *alerts, const struct session *session,
	void (*tell)(void *context, const struct alert_event *event), void *context)
{
	const struct look look = {session, tell, context};

	for (size_t r = 0; r < alerts->count; r++) {
		struct alert_rule *rule = &alerts->rules[r];

		xgrow(&rule->states, &rule->room, session->track_count,
			sizeof *rule->states);
		for (size_t t = 0; t < session->track_count; t++)
			if (session->tracks[t].metric == rule->metric)
				look_at(&look, rule, t);
	}
}

void alert_words(char *to, size_t size, const struct alert_event *event)
{
	const struct metric *metric = metric_at(event->rule->metric);
	enum unit_system system =
		metric->kind == KIND_NIC ? UNITS_SI_BITS : UNITS_SI_BYTES;
	const char *side = event->rule->below ? "below" : "above";
	char limit[32], value[32], length[32];

	unit_value(limit, sizeof limit, metric, event->rule->limit, system);
	unit_duration(length, sizeof length, event->at - event->since);
	unit_value(value, sizeof value, metric,
		event->over ? event->worst : event->value, system);
	/* a cut line is a line */
	if (event->over)
		(void)text_format(to, size, "%s %s no longer %s %s: %s, worst %s",
			event->subject->name, metric->title, side, limit, length,
			value);
	else
		(void)text_format(to, size, "%s %s %s %s%s%s, now %s",
			event->subject->name, metric->title, side, limit,
			event->at > event->since ? " for " : "",
			event->at > event->since ? length : "", value);
}
