/* A screen without a terminal; see the header. */
#include "config.h"

#include "desk.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool request(
	void *context, const char *const *words, size_t count, struct fault *fault)
{
	struct asked *asked = context;
	char line[256] = "";

	for (size_t i = 0; i < count; i++) {
		size_t used = strlen(line);

		assert_true(text_format(line + used, sizeof line - used, "%s%s",
			i ? " " : "", words[i]));
	}
	if (strstr(line, "refuse"))
		return fault_set(fault, "refused");
	assert_true(text_format(asked->text + strlen(asked->text),
		sizeof asked->text - strlen(asked->text), "%s\n", line));
	return true;
}

static bool report(void *context, char *message, size_t size)
{
	struct asked *asked = context;

	asked->reports++;
	return text_copy(message, size, "report: /x");
}

/* "N" means second N of the session on the wall clock. */
static bool read_time(void *context, const char *text, nsec *wall, struct fault *fault)
{
	(void)context;
	if (*text < '0' || *text > '9')
		return fault_set(fault, "no time: %s", text);
	*wall = (INT64_C(1790813170) + strtol(text, NULL, 10)) * NSEC_PER_SEC;
	return true;
}

static bool read_duration(
	void *context, const char *text, nsec *duration, struct fault *fault)
{
	(void)context;
	if (strcmp(text, "10m"))
		return fault_set(fault, "no duration: %s", text);
	*duration = 600 * NSEC_PER_SEC;
	return true;
}

static void leave(void *context)
{
	((struct asked *)context)->left++;
}

static void suspend(void *context)
{
	((struct asked *)context)->suspended++;
}

static void redraw(void *context)
{
	((struct asked *)context)->redrawn++;
}

static void theme(void *context, unsigned number)
{
	((struct asked *)context)->theme = number;
}

int set_up(void **state)
{
	struct set *set = calloc(1, sizeof *set);

	assert_non_null(set);
	stage_init(&set->stage, "hba2nic");
	stage_play(&set->stage, 310);
	view_init(&set->view);
	set->status.recording = true;
	set->host = (struct host){&set->asked, request, report, report, read_time,
		read_duration, leave, suspend, redraw, theme};
	set->desk =
		(struct desk){set->stage.session, &set->view, &set->status, &set->host};
	*state = set;
	return 0;
}

int tear_down(void **state)
{
	struct set *set = *state;

	stage_fini(&set->stage);
	view_fini(&set->view);
	free(set);
	return 0;
}

void press(struct set *set, int key)
{
	actions_keys(&set->desk, &key, 1);
}

void type(struct set *set, const char *text)
{
	for (; *text; text++)
		press(set, *text);
}
