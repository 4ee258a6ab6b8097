/*
 * The recorder's watch over the thresholds of the configuration: figures are made from
 * its own ticks as a viewer makes them. Without a threshold there is no watch.
 */
#ifndef WEIR_APP_ALARM_H
#define WEIR_APP_ALARM_H

#include "app/settings.h"
#include "app/throttle.h"
#include "base/buffer.h"
#include "base/child.h"
#include "core/tick.h"

struct recorder;

struct alarm {
	struct settings settings;
	struct session *session; /* null: nothing is watched */
	struct tick_decoder decoder;
	struct child child; /* the program of on_alert */
	struct throttle
		throttle; /* of its lines: a storm of other events takes none away */
};

/* Reads the configuration. */
bool alarm_open(struct alarm *alarm, struct fault *fault);
void alarm_close(struct alarm *alarm);
/* After each tick, with its encoded BYTES. */
void alarm_tick(struct recorder *recorder, const struct buffer *bytes);

#endif
