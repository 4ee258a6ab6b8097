/*
 * Whether the newest session, whose recording was cut off or has an open window, goes
 * on: asked on a terminal, answered by --resume or --new; without a terminal it goes
 * on.
 */
#ifndef WEIR_APP_RESUME_H
#define WEIR_APP_RESUME_H

#include "app/command.h"
#include "app/place.h"

extern const struct option_info options_resume[]; /* --resume --new */

enum resume {
	RESUME_NEW, /* a new session */
	RESUME_IT,
	RESUME_NEITHER, /* the person left, or options exclude it: the fault says why */
};

/* PLACE: what place_find() found without a name, its file if it is not being recorded.
 */
enum resume resume_choose(const struct arguments *arguments, const struct place *place,
	struct fault *fault);

#endif
