/* All places where sessions can be; see the header. */
#include "config.h"

#include "app/homes.h"

#include "app/folder.h"
#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"

#include <dirent.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PEOPLE_MAX = 1024
};

struct homes {
	struct home *list;
	size_t count, room;
};

/* A path that is too long is no place. */
static void add(struct homes *homes, uid_t owner, const char *folder,
	const char *sockets, const char *more)
{
	struct home *home;
	char type[64];

	if (folder_on_network(folder, type, sizeof type))
		return; /* nor is it touched: its server may be gone */
	xgrow(&homes->list, &homes->room, homes->count + 1, sizeof *homes->list);
	home = &homes->list[homes->count];
	home->owner = owner;
	home->second = homes->count && home[-1].owner == owner &&
		       !strcmp(home[-1].sockets[0], sockets);
	homes->count += text_copy(home->folder, sizeof home->folder, folder) &&
			text_copy(home->sockets[0], sizeof *home->sockets, sockets) &&
			text_copy(home->sockets[1], sizeof *home->sockets, more);
}

static void add_own(struct homes *homes, bool *chosen)
{
	char folder[PATH_MAX];
	char sockets[PATH_MAX];
	char more[PATH_MAX] = "";
	uid_t me = geteuid();

	if (!folder_sockets(sockets, sizeof sockets, NULL))
		return;
	/* the numbers fit */
	if (me && strncmp(sockets, "/tmp/", 5) != 0)
		(void)text_format(more, sizeof more, "/tmp/weir-%u", (unsigned)me);
	else if (me)
		(void)text_format(more, sizeof more, "/run/user/%u/weir", (unsigned)me);
	if (folder_state(folder, sizeof folder, chosen, NULL))
		add(homes, me, folder, sockets, *chosen ? "" : more);
	if (*chosen)
		return;
	folder_moved(folder, sizeof folder);
	add(homes, me, folder, sockets, more);
}

static void add_system(struct homes *homes)
{
	static const char service[] = "/var/lib/weir-service";
	struct stat status;

	if (geteuid() != 0)
		add(homes, 0, "/var/lib/weir", "/run/weir", "");
	if (stat(service, &status) == 0)
		add(homes, status.st_uid, "/var/lib/weir-service/weir",
			"/run/weir-service/weir", "");
}

/* ---- other people, for root ---- */

struct people {
	uid_t list[PEOPLE_MAX];
	size_t count;
};

static void meet(struct people *people, uid_t uid)
{
	for (size_t i = 0; i < people->count; i++)
		if (people->list[i] == uid)
			return;
	if (uid && people->count < PEOPLE_MAX)
		people->list[people->count++] = uid;
}

/* Folders that have the number of a user in their name. */
static void meet_numbers(struct people *people, const char *folder, const char *prefix)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;
	size_t length = strlen(prefix);

	while (entries && (entry = readdir(entries))) {
		const char *at = entry->d_name + length;
		uint64_t uid;

		if (!strncmp(entry->d_name, prefix, length) && scan_u64(&at, &uid) &&
			!*at && uid < (uid_t)-1)
			meet(people, (uid_t)uid);
	}
	if (entries)
		(void)closedir(entries); /* only read */
}

/* Those who are not logged in have a home all the same. */
static void meet_homes(struct people *people)
{
	char type[64];
	const struct dirent *entry;
	DIR *entries;

	if (folder_on_network("/home", type, sizeof type) ||
		!(entries = opendir("/home")))
		return;
	while ((entry = readdir(entries))) {
		char path[PATH_MAX];
		struct stat status;

		if (text_format(path, sizeof path, "/home/%s", entry->d_name) &&
			!folder_on_network(path, type, sizeof type) &&
			lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
			meet(people, status.st_uid);
	}
	(void)closedir(entries); /* only read */
}

static void add_person(struct homes *homes, uid_t uid)
{
	const struct passwd *user = getpwuid(uid);
	char login[PATH_MAX];
	char other[PATH_MAX];
	char folder[PATH_MAX];

	/* the numbers fit */
	(void)text_format(login, sizeof login, "/run/user/%u/weir", (unsigned)uid);
	(void)text_format(other, sizeof other, "/tmp/weir-%u", (unsigned)uid);
	if (user && user->pw_dir && user->pw_dir[0] == '/' &&
		text_format(
			folder, sizeof folder, "%s/.local/state/weir", user->pw_dir))
		add(homes, uid, folder, login, other);
	(void)text_format(folder, sizeof folder, "/var/tmp/weir-%u", (unsigned)uid);
	add(homes, uid, folder, login, other);
}

static void add_people(struct homes *homes)
{
	struct people *people = xalloc(sizeof *people);

	meet_numbers(people, "/run/user", "");
	meet_numbers(people, "/tmp", "weir-");
	meet_numbers(people, "/var/tmp", "weir-");
	meet_homes(people);
	for (size_t i = 0; i < people->count; i++)
		add_person(homes, people->list[i]);
	free(people);
}

size_t homes_list(struct home **list)
{
	struct homes homes = {0};
	bool chosen = false;

	add_own(&homes, &chosen);
	if (!chosen)
		add_system(&homes);
	if (!chosen && geteuid() == 0)
		add_people(&homes);
	*list = homes.list;
	return homes.count;
}
