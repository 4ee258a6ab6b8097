/* The settings of systemd-logind, as logind.conf(5) says; see the header. */
#include "config.h"

#include "app/logout.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/scan.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char logout_advice[] =
	"systemd ends it when you log out (KillUserProcesses=yes). What stays: the "
	"service weir@NAME, or loginctl enable-linger and then "
	"systemd-run --user --scope weir record -s NAME";

enum {
	FILE_MOST = 1 << 18
};

/* From the weakest to the strongest: of two drop-ins of one name the latter counts. */
static const char *const folders[] = {
	"usr/lib/systemd", "usr/local/lib/systemd", "run/systemd", "etc/systemd"};

enum {
	FOLDERS = sizeof folders / sizeof *folders
};

struct drop_in {
	char name[NAME_MAX + 1];
	char path[PATH_MAX];
};

static bool is_true(const char *value)
{
	static const char *const words[] = {"1", "yes", "true", "on", "y", "t"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcasecmp(words[i], value))
			return true;
	return false;
}

/* "  KillUserProcesses = yes  ": the value, without blanks; null: another line. */
static char *value_of(char *line)
{
	static const char key[] = "KillUserProcesses";
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	if (strncmp(line, key, sizeof key - 1) != 0)
		return NULL;
	line += sizeof key - 1;
	while (isspace((unsigned char)*line))
		line++;
	if (*line++ != '=')
		return NULL;
	while (isspace((unsigned char)*line))
		line++;
	end = line + strlen(line);
	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	return line;
}

static void read_settings(const char *path, bool *kills)
{
	struct buffer file = {0};
	char *next;

	if (scan_file("", path, &file, FILE_MOST, NULL)) {
		char *text = xstrdup(buffer_string(&file));

		for (char *line = text; line; line = next) {
			const char *value;

			next = strchr(line, '\n');
			if (next)
				*next++ = 0;
			value = value_of(line);
			if (value)
				*kills = *value && is_true(value);
		}
		free(text);
	}
	buffer_fini(&file);
}

static void add(
	struct drop_in **list, size_t *count, size_t *room, const struct drop_in *one)
{
	for (size_t i = 0; i < *count; i++) {
		if (!strcmp((*list)[i].name, one->name)) {
			(*list)[i] = *one;
			return;
		}
	}
	xgrow(list, room, *count + 1, sizeof **list);
	(*list)[(*count)++] = *one;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(
		((const struct drop_in *)a)->name, ((const struct drop_in *)b)->name);
}

static size_t find_drop_ins(const char *root, struct drop_in **list)
{
	size_t count = 0;
	size_t room = 0;

	for (size_t i = 0; i < FOLDERS; i++) {
		char folder[PATH_MAX];
		const struct dirent *entry;
		struct drop_in one;
		DIR *entries;

		if (!text_format(folder, sizeof folder, "%s/%s/logind.conf.d", root,
			    folders[i]) ||
			!(entries = opendir(folder)))
			continue;
		while ((entry = readdir(entries)))
			if (entry->d_name[0] != '.' &&
				text_copy(one.name, sizeof one.name, entry->d_name) &&
				text_format(one.path, sizeof one.path, "%s/%s", folder,
					entry->d_name))
				add(list, &count, &room, &one);
		(void)closedir(entries); /* only read */
	}
	if (count)
		qsort(*list, count, sizeof **list, by_name);
	return count;
}

/* The main file, the strongest one that is there, then the drop-ins by name. */
static bool is_set(const char *root)
{
	struct drop_in *list = NULL;
	size_t count = find_drop_ins(root, &list);
	bool kills = false;
	char path[PATH_MAX];

	for (size_t i = 0; i < FOLDERS; i++)
		if (text_format(
			    path, sizeof path, "%s/%s/logind.conf", root, folders[i]))
			read_settings(path, &kills);
	for (size_t i = 0; i < count; i++)
		read_settings(list[i].path, &kills);
	free(list);
	return kills;
}

/* Only what is in the control group of a login goes with it. */
static bool in_login(const char *root, int pid)
{
	char path[PATH_MAX];
	struct buffer file = {0};
	bool found = text_format(path, sizeof path, "%s/proc/%d/cgroup", root, pid) &&
		     scan_file("", path, &file, FILE_MOST, NULL) &&
		     strstr(buffer_string(&file), "/session-") != NULL;

	buffer_fini(&file);
	return found;
}

bool logout_kills(const char *root, unsigned uid, int pid)
{
	/* root is left out unless somebody changed KillExcludeUsers */
	return uid != 0 && in_login(root, pid) && is_set(root);
}
