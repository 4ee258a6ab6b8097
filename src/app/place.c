/* Finding sessions by name, path, or because there is only one; see the header. */
#include "config.h"

#include "app/place.h"

#include "app/folder.h"
#include "base/alloc.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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

/* The first of the home's sockets on which somebody answers, else the usual one. The
 * way to it is safe from everybody but its owner. */
static bool find_socket(struct place *place, const struct home *home)
{
	for (size_t i = 0; i < HOME_SOCKETS; i++) {
		char path[sizeof place->socket];

		if (home->sockets[i][0] &&
			text_format(path, sizeof path, "%s/%s.sock", home->sockets[i],
				place->name) &&
			access(path, F_OK) == 0 &&
			folder_check_of(home->sockets[i], home->owner, NULL) &&
			place_answers(path))
			return text_copy(place->socket, sizeof place->socket, path);
	}
	return false;
}

static bool fill_paths(struct place *place, const struct home *home, const char *name,
	struct fault *fault)
{
	place->owner = home->owner;
	if (!text_copy(place->name, sizeof place->name, name) ||
		!text_copy(place->folder, sizeof place->folder, home->folder) ||
		!text_format(place->file, sizeof place->file, "%s/%s%s", home->folder,
			name, ending))
		return fault_set(fault, "the path of session %s is too long", name);
	return text_format(place->socket, sizeof place->socket, "%s/%s.sock",
		       home->sockets[0], name) ||
	       fault_set(fault, "the path of the socket of session %s is too long (%s)",
		       name, home->sockets[0]);
}

bool place_fill(struct place *place, const struct home *home, const char *name,
	struct fault *fault)
{
	struct stat status;

	if (!fill_paths(place, home, name, fault))
		return false;
	place->exists = stat(place->file, &status) == 0;
	place->running = (place->exists || !home->second) && find_socket(place, home);
	return true;
}

bool place_fill_running(struct place *place, const struct home *home, const char *name)
{
	if (home->second || !fill_paths(place, home, name, NULL) ||
		!find_socket(place, home))
		return false;
	place->exists = place->running = true;
	return true;
}

bool place_is_own(const struct place *place)
{
	return place->owner == geteuid();
}

void place_owner_name(const struct place *place, char *name, size_t size)
{
	const struct passwd *user = getpwuid(place->owner);

	if (user)
		(void)text_clean(name, size, user->pw_name); /* cut is fine */
	else
		(void)text_format(name, size, "uid %u", (unsigned)place->owner);
}

/* What a session of somebody else is read from must be his file, and on a way that
 * nobody else can change: it may be root who looks. */
static bool check_foreign(const struct place *place, struct fault *fault)
{
	struct stat status;

	if (place_is_own(place) || lstat(place->file, &status) < 0)
		return true; /* opening it says what is wrong */
	if (!S_ISREG(status.st_mode) || status.st_uid != place->owner)
		return fault_set(fault, "%s is %s: it is not opened", place->file,
			S_ISREG(status.st_mode) ? "somebody else's file" : "a link");
	return folder_check_of(place->folder, place->owner, fault);
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
	place->owner = geteuid(); /* who names a file knows what it is */
	return true;
}

/* A path has a recorder only if it is what its name stands for. */
static bool find_path(const char *path, struct place *place, struct fault *fault)
{
	struct place *named;
	struct home *list;
	size_t count;

	if (!by_path(path, place, fault))
		return false;
	if (!place_name_valid(place->name))
		return true;
	count = homes_list(&list);
	named = xalloc(sizeof *named);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].folder, place->folder) &&
			place_fill(named, &list[i], place->name, NULL) &&
			!strcmp(named->file, place->file))
			*place = *named;
	free(named);
	free(list);
	return check_foreign(place, fault);
}

static bool ambiguous(const char *name, struct fault *fault)
{
	return fault_set(fault,
		"several people have a session %s: give the path of its file (weir "
		"list)",
		name);
}

/* One's own that is being recorded, without a look at its file. */
static bool find_running(const char *name, struct place *place)
{
	struct home *list;
	size_t count = homes_list(&list);
	bool found = false;

	for (size_t i = 0; i < count && !found; i++)
		found = list[i].owner == geteuid() &&
			place_fill_running(place, &list[i], name);
	free(list);
	return found;
}

/* One's own goes before that of others, which only one of them may have. */
static bool find_name(const char *name, struct place *place, struct fault *fault)
{
	struct place *one = xalloc(sizeof *one);
	struct home *list;
	size_t count = homes_list(&list);
	size_t found = 0;
	bool own = false;

	for (size_t i = 0; i < count && !own; i++) {
		*one = (struct place){0};
		if (!place_fill(one, &list[i], name, NULL) ||
			(!one->exists && !one->running))
			continue;
		own = place_is_own(one);
		found = own ? 1 : found + (!found || one->owner != place->owner);
		if (own || found == 1)
			*place = *one;
	}
	free(list);
	free(one);
	if (found > 1)
		return ambiguous(name, fault);
	if (!found)
		return fault_set(
			fault, "there is no session %s (weir list shows them)", name);
	return check_foreign(place, fault);
}

/* Own ones, or those of others. */
static size_t running(const struct place *places, size_t count, bool own, size_t *first)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (places[i].running && place_is_own(&places[i]) == own &&
			found++ == 0)
			*first = i;
	return found;
}

static bool several(
	const struct place *places, size_t count, bool own, struct fault *fault)
{
	char names[160] = "";
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof names; i++)
		if (places[i].running && place_is_own(&places[i]) == own)
			used += (size_t)snprintf(names + used, sizeof names - used,
				"%s%s", used ? ", " : "", places[i].name);
	return fault_set(
		fault, "several sessions are running (%s): say which one", names);
}

static bool none_yet(struct fault *fault)
{
	char folder[PATH_MAX];
	bool chosen;

	return folder_state(folder, sizeof folder, &chosen, fault) &&
	       folder_readable(folder, fault) &&
	       fault_set(
		       fault, "there is no session yet: weir starts one in %s", folder);
}

/* The only one that runs, if any does; else the newest. Own ones count first. */
static bool choose(struct place *places, size_t count, bool own, struct place *place,
	struct fault *fault)
{
	size_t first = 0;
	size_t found = running(places, count, own, &first);
	bool good = count > 0 || none_yet(fault);

	for (size_t i = count; !found && i--;)
		if (place_is_own(&places[i]))
			first = i;
	if (found > 1)
		good = several(places, count, own, fault);
	if (good)
		*place = places[first];
	free(places);
	return good && check_foreign(place, fault);
}

/* The disk under a session may hang: who only wants to one's own recorder does not have
 * to look there. */
static bool find_default(struct place *place, struct fault *fault)
{
	struct place *places;
	size_t first;
	size_t count = place_list(&places, false);
	bool own = running(places, count, true, &first) > 0;

	if (!own) {
		free(places);
		count = place_list(&places, true);
		own = running(places, count, true, &first) > 0;
	}
	return choose(places, count, own, place, fault);
}

bool place_find(const char *session, struct place *place, struct fault *fault)
{
	*place = (struct place){0};
	if (!session)
		return find_default(place, fault);
	if (strchr(session, '/') || ends_in_weir(session))
		return find_path(session, place, fault);
	if (!place_name_valid(session))
		return bad_name(session, fault);
	return find_running(session, place) || find_name(session, place, fault);
}

/* A recorder writes into a file of its own, and only under the file's own name: locks
 * and socket go by the name. */
static bool check_file(const char *file, struct fault *fault)
{
	struct stat status;

	if (lstat(file, &status) < 0)
		return errno == ENOENT ||
		       fault_errno(fault, errno, "cannot look at %s", file);
	if (S_ISLNK(status.st_mode))
		return fault_set(fault,
			"%s is a link: record under the name of the session that it "
			"leads to",
			file);
	if (!S_ISREG(status.st_mode))
		return fault_set(fault, "%s is no weir session, not even a file", file);
	return status.st_uid == geteuid() ||
	       fault_set(fault, "%s belongs to somebody else (uid %u)", file,
		       (unsigned)status.st_uid);
}

bool place_new(const char *name, struct place *place, bool *moved, struct fault *fault)
{
	struct home home = {.owner = geteuid()};
	char type[64];
	bool chosen;

	*place = (struct place){0};
	*moved = false;
	if (!place_name_valid(name))
		return bad_name(name, fault);
	if (!folder_state(home.folder, sizeof home.folder, &chosen, fault) ||
		!folder_sockets(home.sockets[0], sizeof *home.sockets, fault))
		return false;
	if (folder_on_network(home.folder, type, sizeof type)) {
		if (chosen)
			return fault_set(fault,
				"%s is on a network file system (%s), where a session "
				"is not safe: set XDG_STATE_HOME to a local folder",
				home.folder, type);
		folder_moved(home.folder, sizeof home.folder);
		*moved = true;
	}
	return folder_make(home.folder, fault) &&
	       place_fill(place, &home, name, fault) && check_file(place->file, fault);
}
