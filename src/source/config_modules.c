/* Parameters of kernel modules as facts of the host; see the header. */
#include "config.h"

#include "source/config_parts.h"

#include "base/text.h"
#include "core/fact.h"
#include "source/attr.h"

#include <string.h>

enum {
	MODULES_MOST = 40,
	MODULE_NAME = 56
};

/* Those that are worth knowing wherever they are loaded. */
static const char *const always[] = {"nvme_core", "nvme", "nvme_tcp", "scsi_mod",
	"dm_mod", "dm_multipath", "libiscsi", "iscsi_tcp", "libiscsi_tcp", "nfs",
	"sunrpc", "cifs", "bonding"};

struct modules {
	const struct source_env *env;
	char names[MODULES_MOST][MODULE_NAME];
	size_t count;
};

static void add(struct modules *modules, const char *name)
{
	for (size_t i = 0; i < modules->count; i++)
		if (!strcmp(modules->names[i], name))
			return;
	if (modules->count < MODULES_MOST &&
		text_copy(modules->names[modules->count], MODULE_NAME, name))
		modules->count++;
}

static void add_card(void *context, const char *name)
{
	struct modules *modules = context;
	char folder[ATTR_PATH], module[MODULE_NAME];

	if (text_format(folder, sizeof folder, "%s/class/net/%s", modules->env->sys,
		    name) &&
		attr_link(folder, "device/driver/module", module, sizeof module))
		add(modules, module);
}

static void add_adapter(void *context, const char *name)
{
	struct modules *modules = context;
	char folder[ATTR_PATH], module[MODULE_NAME];

	if (text_format(folder, sizeof folder, "%s/class/scsi_host/%s",
		    modules->env->sys, name) &&
		config_text(folder, "proc_name", module, sizeof module) == WHY_NONE &&
		!strpbrk(module, "/<("))
		add(modules, module);
}

struct visit {
	struct sink *sink;
	const struct subject *host;
	const char *module, *folder;
};

static void put_parameter(void *context, const char *name)
{
	const struct visit *visit = context;
	char key[FACT_KEY], text[FACT_VALUE];
	enum why why;

	/* "parm" alone may mean many things: with its module it is clear */
	if (!text_format(key, sizeof key, "%s.%s", visit->module, name))
		return;
	why = config_text(visit->folder, name, text, sizeof text);
	if (why != WHY_ABSENT)
		sink_fact(visit->sink, visit->host, key, why == WHY_NONE ? text : NULL,
			why);
}

void config_modules(
	const struct source_env *env, struct sink *sink, const struct subject *host)
{
	struct modules modules = {.env = env};
	char folder[ATTR_PATH];

	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		add(&modules, always[i]);
	if (text_format(folder, sizeof folder, "%s/class/net", env->sys))
		config_each(folder, "", add_card, &modules);
	if (text_format(folder, sizeof folder, "%s/class/scsi_host", env->sys))
		config_each(folder, "host", add_adapter, &modules);
	for (size_t i = 0; i < modules.count; i++) {
		struct visit visit = {sink, host, modules.names[i], folder};

		if (text_format(folder, sizeof folder, "%s/module/%s/parameters",
			    env->sys, modules.names[i]))
			config_each(folder, "", put_parameter, &visit);
	}
}
