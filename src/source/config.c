/* Attributes as facts; see the header. */
#include "config.h"

#include "source/config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/fact.h"
#include "source/attr.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const nsec look_every = 60 * NSEC_PER_SEC;

bool config_is_due(struct config_beat *beat, const struct sink *sink, nsec now)
{
	if (beat->started && now - beat->read_at < look_every && !sink_is_marked(sink))
		return false;
	beat->started = true;
	beat->read_at = now;
	return true;
}

/* The first line; blanks and tabs become one blank, and none at the ends. */
static void squeeze(char *text)
{
	char *to = text;

	text[strcspn(text, "\n")] = 0;
	for (const char *at = text; *at; at++) {
		if (*at != ' ' && *at != '\t')
			*to++ = *at;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	while (to > text && to[-1] == ' ')
		to--;
	*to = 0;
}

enum why config_text(const char *folder, const char *path, char *text, size_t size)
{
	struct attr attr;
	enum why why;

	attr_open(&attr, folder, path);
	why = attr_text(&attr, text, size);
	attr_close(&attr);
	squeeze(text);
	return why;
}

/* "none [bfq] kyber" becomes "bfq"; without brackets it stays. */
static void choose(char *text)
{
	const char *from = strchr(text, '[');
	const char *to = from ? strchr(from, ']') : NULL;

	if (!to)
		return;
	memmove(text, from + 1, (size_t)(to - from - 1));
	text[to - from - 1] = 0;
}

void config_attr(struct sink *sink, const struct subject *subject, const char *folder,
	const struct config_row *row)
{
	char text[FACT_VALUE];
	enum why why;

	if (row->optional && !attr_exists(folder, row->path))
		return;
	why = config_text(folder, row->path, text, sizeof text);
	if (row->choice)
		choose(text);
	if (why != WHY_ABSENT) /* else the device has gone meanwhile */
		sink_fact(sink, subject, row->key, why == WHY_NONE ? text : NULL, why);
}

void config_attrs(struct sink *sink, const struct subject *subject, const char *folder,
	const struct config_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		config_attr(sink, subject, folder, &rows[i]);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int by_version(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

void config_each(const char *folder, const char *prefix,
	void (*each)(void *context, const char *name), void *context)
{
	struct dirent **list = NULL;
	int count = scandir(folder, &list, visible, by_version);

	for (int i = 0; i < count; i++) {
		if (!strncmp(list[i]->d_name, prefix, strlen(prefix)))
			each(context, list[i]->d_name);
		free(list[i]);
	}
	free(list);
}

static void add_name(void *context, const char *name)
{
	char *text = context;
	size_t used = strlen(text);

	(void)text_format(text + used, FACT_VALUE - used, "%s%s", used ? " " : "",
		name); /* a cut list is still its beginning */
}

void config_entries(struct sink *sink, const struct subject *subject, const char *key,
	const char *folder, const char *path)
{
	char full[ATTR_PATH];
	char text[FACT_VALUE] = "";

	if (!text_format(full, sizeof full, "%s/%s", folder, path))
		return;
	config_each(full, "", add_name, text);
	if (text[0])
		sink_fact(sink, subject, key, text, WHY_NONE);
}
