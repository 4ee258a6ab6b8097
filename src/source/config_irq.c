/* The processors that serve a device's interrupts, one list for each; see the header.
 */
#include "config.h"

#include "source/config_parts.h"

#include "base/text.h"
#include "core/fact.h"
#include "source/attr.h"

#include <string.h>

struct interrupts {
	const char *proc;
	char text[FACT_VALUE];
	enum why why;
};

static void add_interrupt(void *context, const char *number)
{
	struct interrupts *interrupts = context;
	char path[64], one[64];
	size_t used = strlen(interrupts->text);

	if (!text_format(path, sizeof path, "irq/%s/effective_affinity_list", number))
		return;
	interrupts->why = config_text(interrupts->proc, path, one, sizeof one);
	if (interrupts->why == WHY_NONE)
		(void)text_format(interrupts->text + used,
			sizeof interrupts->text - used, "%s%s", used ? " " : "",
			*one ? one : "-"); /* a cut list is still its beginning */
}

void config_irq(const struct source_env *env, const char *folder, struct sink *sink,
	const struct subject *subject)
{
	/* a virtio device has none: they are its parent's */
	static const char *const places[] = {"device/msi_irqs", "device/../msi_irqs"};
	struct interrupts interrupts = {.proc = env->proc, .why = WHY_UNSUPPORTED};
	char path[ATTR_PATH];

	for (size_t i = 0; i < 2 && !interrupts.text[0]; i++)
		if (text_format(path, sizeof path, "%s/%s", folder, places[i]))
			config_each(path, "", add_interrupt, &interrupts);
	if (interrupts.text[0])
		sink_fact(sink, subject, "irq.cpus", interrupts.text, WHY_NONE);
	else
		sink_fact(sink, subject, "irq.cpus", NULL,
			interrupts.why == WHY_DENIED ? WHY_DENIED : WHY_UNSUPPORTED);
}
