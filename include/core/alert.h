/*
 * Thresholds: a figure that is beyond a limit for a while is an alert, until it is not
 * any more. Pure: figures come from a session, what is found goes to a function.
 */
#ifndef WEIR_CORE_ALERT_H
#define WEIR_CORE_ALERT_H

#include "core/session.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	ALERT_PATTERN = 64
};

struct alert_state;

struct alert_rule {
	unsigned metric;
	char pattern[ALERT_PATTERN]; /* as typed */
	regex_t regex;               /* of the device's name or label */
	bool below;                  /* beyond is under the limit */
	double limit;
	nsec hold;                  /* so long it has to be beyond */
	struct alert_state *states; /* by track */
	size_t room;
};

struct alerts {
	struct alert_rule *rules;
	size_t count, room;
};

struct alert_event {
	const struct alert_rule *rule;
	const struct subject *subject;
	bool over;      /* false: it has just begun to be one */
	nsec since, at; /* session times: of the first figure beyond, of this one */
	double value, worst;
};

/* Takes RULE's regex. */
void alerts_add(struct alerts *alerts, const struct alert_rule *rule);
void alerts_fini(struct alerts *alerts);

/* After each tick that was put into SESSION. A figure that is missing changes nothing;
 * a device that is gone ends its alerts. */
void alerts_look(struct alerts *alerts, const struct session *session,
	void (*tell)(void *context, const struct alert_event *event), void *context);

/* "sda queue above 32.0 for 10s, now 57.0" (without "for" where it is new), "sda queue
 * no longer above 32.0: 55s, worst 61.0" */
void alert_words(char *to, size_t size, const struct alert_event *event);

#endif
