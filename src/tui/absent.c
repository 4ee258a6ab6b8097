/* Why a zoomed pane lacks rows; see the header. */
#include "config.h"

#include "tui/absent.h"

#include "base/text.h"
#include "core/fact.h"

#include <string.h>

/* "no NFS mount is there: ...", without the word before it; "" if there are readings.
 */
static const char *reason(const struct scene *scene, const char *source)
{
	struct fact fact = {.kind = KIND_SOURCE,
		.name = source,
		.id = "",
		.key = FACT_NOTHING,
		.value = ""};
	const char *colon;

	fact = facts_at(&scene->session->facts, &fact, scene->at);
	if (fact.why != WHY_NONE)
		return "";
	colon = strstr(fact.value, ": ");
	return colon ? colon + 2 : fact.value;
}

struct canvas absent_draw(const char *const *sources, const struct scene *scene,
	struct canvas *canvas, int above)
{
	struct canvas left = *canvas;
	size_t count = 0;

	while (sources[count])
		count++;
	while (count-- && left.height > above + 1) { /* the last one lowest */
		const char *why = reason(scene, sources[count]);
		char text[FACT_VALUE];

		if (!*why)
			continue;
		(void)text_format(text, sizeof text, "   %s", why); /* or its start */
		canvas_line(&left, left.height - 1, CELL_DIM, text);
		left = canvas_part(&left, 0, 0, left.height - 1, left.width);
	}
	return left;
}
