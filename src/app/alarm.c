/* Thresholds watched by the recorder; see the header. */
#include "config.h"

#include "app/alarm.h"

#include "app/recorder.h"
#include "base/text.h"

#include <inttypes.h>
#include <unistd.h>

bool alarm_open(struct alarm *alarm, struct fault *fault)
{
	alarm->child = (struct child){.out = -1, .err = -1};
	if (!settings_read(&alarm->settings, fault))
		return false;
	if (alarm->settings.alerts.count)
		alarm->session = session_new("alarm", 0);
	return true;
}

void alarm_close(struct alarm *alarm)
{
	child_stop(&alarm->child);
	settings_fini(&alarm->settings);
	tick_decoder_fini(&alarm->decoder);
	if (alarm->session)
		session_free(alarm->session);
	alarm->session = NULL;
}

/* What it writes is nobody's: but a full pipe would hold it for ever. */
static void drain(int fd)
{
	char bytes[4096];

	while (fd >= 0 && read(fd, bytes, sizeof bytes) > 0)
		;
}

static bool is_running(struct alarm *alarm)
{
	int status;

	if (!alarm->child.pid)
		return false;
	drain(alarm->child.out);
	drain(alarm->child.err);
	if (!child_ended(&alarm->child, &status))
		return true;
	child_stop(&alarm->child); /* closes the pipes */
	return false;
}

/* PROGRAM begin|end METRIC DEVICE LIMIT VALUE: words, not a line for a shell. */
static void start_program(struct recorder *recorder, const struct alert_event *event)
{
	struct alarm *alarm = &recorder->alarm;
	char limit[32], value[32];
	const char *const words[] = {alarm->settings.on_alert,
		event->over ? "end" : "begin", metric_at(event->rule->metric)->id,
		event->subject->name, limit, value, NULL};
	struct fault fault;

	if (!*alarm->settings.on_alert)
		return;
	if (is_running(alarm)) {
		if (throttle_pass(&recorder->throttle, recorder->tick.mono))
			recorder_event(recorder,
				"on_alert is still running: not started again");
		return;
	}
	/* numbers are short */
	(void)text_format(limit, sizeof limit, "%.9g", event->rule->limit);
	(void)text_format(
		value, sizeof value, "%.9g", event->over ? event->worst : event->value);
	if (!child_start(&alarm->child, words, CHILD_PIPES, &fault))
		recorder_event(recorder, "on_alert: %s", fault.text);
}

static void tell(void *context, const struct alert_event *event)
{
	struct recorder *recorder = context;
	char text[200];

	start_program(recorder, event);
	if (!throttle_pass(&recorder->alarm.throttle, recorder->tick.mono))
		return;
	alert_words(text, sizeof text, event);
	if (event->over)
		recorder_event(recorder, "%s", text);
	else
		recorder_alert(recorder, "%s", text);
}

static void tell_left_out(struct recorder *recorder)
{
	uint64_t count = throttle_tell(&recorder->alarm.throttle, recorder->tick.mono);

	if (count)
		recorder_event(recorder,
			"%" PRIu64
			" lines of alerts were left out: there were too many",
			count);
}

void alarm_tick(struct recorder *recorder, const struct buffer *bytes)
{
	struct alarm *alarm = &recorder->alarm;
	struct fault fault;
	bool have = false;

	if (!alarm->session)
		return;
	(void)is_running(alarm); /* collected if it has ended */
	if (!tick_decode(&alarm->decoder, bytes->data, bytes->size, &have, &fault) ||
		!have)
		return; /* it waits for the next full one */
	session_put(alarm->session, &alarm->decoder);
	tell_left_out(recorder);
	alerts_look(&alarm->settings.alerts, alarm->session, tell, recorder);
}
