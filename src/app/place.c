/* Finding sessions by name, path, or because there is only one; see the header. */
#include "config.h"

#include "app/place.h"

#include "app/folder.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char ending[] = ".weir";

static bool ends_in_weir(const char *text)
{
	size_t length = strlen(text);

	return length > sizeof ending - 1 &&
	       !strcmp(text + length - (sizeof ending - 1), ending);
}

bool place_name_valid(const char *name)
{
	size_t length = strlen(name);

	if (!length || length >= WINDOW_NAME || !isalnum((unsigned char)name[0]) ||
		ends_in_weir(name))
		return false;
	for (const char *at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
			return false;
	return true;
}

static bool bad_name(const char *name, struct fault *fault)
{
	return fault_set(fault,
		"'%.80s' is no session name: letters, digits, '.', '_' and '-', at "
		"most "
		"64, not ending in .weir",
		name);
}

bool place_answers(const char *socket_path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool answers;

	if (fd < 0 ||
		!text_copy(address.sun_path, sizeof address.sun_path, socket_path))
		answers = false;
	else
		/* EAGAIN: somebody listens and has its hands full */
		answers = connect(fd, (const struct sockaddr *)&address,
				  sizeof address) == 0 ||
			  errno == EAGAIN;
	if (fd >= 0)
		(void)close(fd); /* nothing was sent */
	return answers;
}

/* Fills all of PLACE from its folder and name. */
static bool fill(
	struct place *place, const char *folder, const char *name, struct fault *fault)
{
	char sockets[PATH_MAX];
	struct stat status;

	if (!text_copy(place->name, sizeof place->name, name) ||
		!text_copy(place->folder, sizeof place->folder, folder) ||
		!text_format(place->file, sizeof place->file, "%s/%s%s", folder, name,
			ending))
		return fault_set(fault, "the path of session %s is too long", name);
	if (!folder_sockets(sockets, sizeof sockets, fault))
		return false;
	if (!text_format(
		    place->socket, sizeof place->socket, "%s/%s.sock", sockets, name))
		return fault_set(fault,
			"the path of the socket of session %s is too long (%s)", name,
			sockets);
	place->exists = stat(place->file, &status) == 0;
	place->running = place_answers(place->socket);
	return true;
}

static bool by_path(const char *path, struct place *place, struct fault *fault)
{
	char name[NAME_MAX + 1];
	char *slash;

	if (!realpath(path, place->file))
		return fault_errno(fault, errno, "cannot find the session %s", path);
	slash = strrchr(place->file, '/');
	(void)text_copy(name, sizeof name, slash + 1); /* NAME_MAX is the bound */
	if (ends_in_weir(name))
		name[strlen(name) - (sizeof ending - 1)] = 0;
	(void)text_clean(place->name, sizeof place->name, name); /* a label here */
	(void)text_copy(place->folder, sizeof place->folder, place->file);
	place->folder[slash == place->file ? 1 : slash - place->file] = 0;
	place->exists = true;
	return true;
}

/* A path has a recorder only if it is what its name stands for. */
static bool find_path(const char *path, struct place *place, struct fault *fault)
{
	struct place *named;

	if (!by_path(path, place, fault))
		return false;
	named = xalloc(sizeof *named);
	if (place_name_valid(place->name) && folder_is_listed(place->folder) &&
		fill(named, place->folder, place->name, NULL) &&
		!strcmp(named->file, place->file))
		*place = *named;
	free(named);
	return true;
}

static bool find_name(const char *name, struct place *place, struct fault *fault)
{
	char(*list)[PATH_MAX];
	size_t count;
	bool found = false;

	if (!place_name_valid(name))
		return bad_name(name, fault);
	count = folder_list(&list);
	for (size_t i = 0; i < count && !found; i++)
		found = fill(place, list[i], name, fault) &&
			(place->exists || place->running);
	free(list);
	return found ||
	       fault_set(fault, "there is no session %s (weir list shows them)", name);
}

static bool several(const struct place *places, size_t count, struct fault *fault)
{
	char names[160] = "";
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof names; i++)
		if (places[i].running)
			used += (size_t)snprintf(names + used, sizeof names - used,
				"%s%s", used ? ", " : "", places[i].name);
	return fault_set(
		fault, "several sessions are running (%s): say which one", names);
}

static bool find_default(struct place *place, struct fault *fault)
{
	struct place *places = NULL;
	size_t count = place_list(&places, fault);
	size_t running = 0;
	bool found = count > 0;

	for (size_t i = 0; i < count; i++)
		if (places[i].running && running++ == 0)
			*place = places[i];
	if (running > 1)
		found = several(places, count, fault);
	else if (found && !running)
		*place = places[0];
	else if (!found)
		(void)fault_set(fault, "there is no session yet");
	free(places);
	return found;
}

bool place_find(const char *session, struct place *place, struct fault *fault)
{
	*place = (struct place){0};
	if (!session)
		return find_default(place, fault);
	if (strchr(session, '/') || ends_in_weir(session))
		return find_path(session, place, fault);
	return find_name(session, place, fault);
}

bool place_new(const char *name, struct place *place, bool *moved, struct fault *fault)
{
	char folder[PATH_MAX];
	char type[64];
	bool chosen;

	*place = (struct place){0};
	*moved = false;
	if (!place_name_valid(name))
		return bad_name(name, fault);
	if (!folder_state(folder, sizeof folder, &chosen, fault))
		return false;
	if (folder_on_network(folder, type, sizeof type)) {
		if (chosen)
			return fault_set(fault,
				"%s is on a network file system (%s), where a session "
				"is not safe: set XDG_STATE_HOME to a local folder",
				folder, type);
		folder_moved(folder, sizeof folder);
		*moved = true;
	}
	return folder_make(folder, fault) && fill(place, folder, name, fault);
}

void place_fresh_name(char *name, size_t size)
{
	struct instant now;
	struct tm local = {0};
	time_t seconds;

	clock_read(&now);
	seconds = (time_t)(now.wall / NSEC_PER_SEC);
	(void)localtime_r(&seconds, &local); /* zeros make a name as well */
	if (!strftime(name, size, "%Y%m%d-%H%M%S", &local))
		(void)text_copy(name, size, "session");
}

void place_author(char *author, size_t size)
{
	char login[128];
	const char *sudo = getenv("SUDO_USER");
	const struct passwd *user;

	if (sudo && *sudo && geteuid() == 0) {
		(void)text_clean(author, size, sudo); /* a cut name is still a name */
		return;
	}
	if (getlogin_r(login, sizeof login) == 0 && *login) {
		(void)text_clean(author, size, login);
		return;
	}
	user = getpwuid(geteuid());
	if (user)
		(void)text_clean(author, size, user->pw_name);
	else
		(void)text_format(author, size, "uid %u", (unsigned)geteuid());
}

/* ---- listing ---- */

struct found {
	struct place place;
	struct timespec changed;
};

/* The log beside the file is where a session grows; looked at, never opened. */
static struct timespec last_change(const char *file)
{
	char log[PATH_MAX + 8];
	struct stat status;
	struct timespec newest = {0};

	if (stat(file, &status) == 0)
		newest = status.st_mtim;
	if (text_format(log, sizeof log, "%s-wal", file) && stat(log, &status) == 0 &&
		(status.st_mtim.tv_sec > newest.tv_sec ||
			(status.st_mtim.tv_sec == newest.tv_sec &&
				status.st_mtim.tv_nsec > newest.tv_nsec)))
		newest = status.st_mtim;
	return newest;
}

static int newest_first(const void *a, const void *b)
{
	const struct timespec *x = &((const struct found *)a)->changed;
	const struct timespec *y = &((const struct found *)b)->changed;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? 1 : -1;
	if (x->tv_nsec != y->tv_nsec)
		return x->tv_nsec < y->tv_nsec ? 1 : -1;
	return 0;
}

static void list_folder(
	const char *folder, struct found **list, size_t *count, size_t *room)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	if (!entries)
		return; /* not there or not ours to read: no sessions */
	while ((entry = readdir(entries))) {
		char name[NAME_MAX + 1];
		struct found one = {0};

		if (!ends_in_weir(entry->d_name) ||
			!text_copy(name, sizeof name, entry->d_name))
			continue;
		name[strlen(name) - (sizeof ending - 1)] = 0;
		if (!place_name_valid(name) || !fill(&one.place, folder, name, NULL) ||
			access(one.place.file, R_OK) < 0)
			continue;
		one.changed = last_change(one.place.file);
		xgrow(list, room, *count + 1, sizeof **list);
		(*list)[(*count)++] = one;
	}
	(void)closedir(entries); /* only read */
}

size_t place_list(struct place **places, struct fault *fault)
{
	char(*list)[PATH_MAX];
	size_t folder_count = folder_list(&list);
	struct found *found = NULL;
	size_t count = 0;
	size_t room = 0;

	(void)fault; /* an unreadable folder holds no sessions for this person */
	for (size_t i = 0; i < folder_count; i++)
		list_folder(list[i], &found, &count, &room);
	free(list);
	if (count)
		qsort(found, count, sizeof *found, newest_first);
	*places = xarray(count, sizeof **places);
	for (size_t i = 0; i < count; i++)
		(*places)[i] = found[i].place;
	free(found);
	return count;
}
