/*
 * The configuration file: /etc/weir.conf, then $XDG_CONFIG_HOME/weir/weir.conf
 * (~/.config); lines "KEY = VALUE", "#" begins a comment. Neither has to be there. A
 * line that is wrong is a fault with its file and number: a threshold that silently is
 * not watched would be worse.
 *
 *   alert = METRIC DEVICE > LIMIT [for DURATION]
 *   bell = on|off             the terminal's, when an alert begins (off)
 *   on_alert = /PATH          a program that is started then, and at its end
 *   ring = MIB                of the capture on each interface, where --ring says none
 *   target = METRIC PERCENT%  what a change should gain: lines that are not clear say
 *                             whether that much is ruled out
 *   stall = SECONDS           without a completion, where --stall says none (2)
 */
#ifndef WEIR_APP_SETTINGS_H
#define WEIR_APP_SETTINGS_H

#include "base/fault.h"
#include "core/alert.h"
#include "core/target.h"

struct settings {
	struct alerts alerts;
	struct targets targets;
	bool bell;
	unsigned ring;      /* MiB; 0: none is said */
	nsec stall;         /* 0: none is said */
	char on_alert[256]; /* "": none */
};

bool settings_read(struct settings *settings, struct fault *fault);
/* The lines of TEXT, which is cut up; NAME is that of the file. */
bool settings_parse(
	struct settings *settings, const char *name, char *text, struct fault *fault);
/* One more target, from "METRIC PERCENT%". */
bool settings_target(struct targets *targets, const char *text, struct fault *fault);
void settings_fini(struct settings *settings);

#endif
