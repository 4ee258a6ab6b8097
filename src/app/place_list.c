/* Listing sessions: files, and recorders whose files this person cannot see. */
#include "config.h"

#include "app/place.h"

#include "base/alloc.h"
#include "base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

struct listing {
	bool files; /* else nothing is touched but sockets */
	struct found *list;
	size_t count, room;
};

static bool is_listed(const struct listing *listing, const struct place *place)
{
	for (size_t i = 0; i < listing->count; i++)
		if (!strcmp(listing->list[i].place.file, place->file))
			return true;
	return false;
}

/* The name of a session in that of a file that ends in ENDING. */
static bool name_in(const char *file, const char *ending, char *name, size_t size)
{
	size_t length = strlen(file);
	size_t tail = strlen(ending);

	if (length <= tail || strcmp(file + length - tail, ending) != 0 ||
		!text_copy(name, size, file))
		return false;
	name[length - tail] = 0;
	return place_name_valid(name);
}

static void add(struct listing *listing, const struct home *home, const char *name)
{
	struct found one = {0};

	if (listing->files ? !place_fill(&one.place, home, name, NULL)
			   : !place_fill_running(&one.place, home, name))
		return;
	if (is_listed(listing, &one.place) ||
		(!one.place.running && access(one.place.file, R_OK) < 0))
		return;
	if (listing->files)
		one.changed = last_change(one.place.file);
	xgrow(&listing->list, &listing->room, listing->count + 1,
		sizeof *listing->list);
	listing->list[listing->count++] = one;
}

static void list_folder(struct listing *listing, const struct home *home,
	const char *folder, const char *ending)
{
	DIR *entries = *folder ? opendir(folder) : NULL;
	const struct dirent *entry;
	char name[NAME_MAX + 1];

	if (!entries)
		return; /* not there or not ours to read: no sessions */
	while ((entry = readdir(entries)))
		if (name_in(entry->d_name, ending, name, sizeof name))
			add(listing, home, name);
	(void)closedir(entries); /* only read */
}

size_t place_list(struct place **places, bool files)
{
	struct listing listing = {.files = files};
	struct home *homes;
	size_t home_count = homes_list(&homes);

	for (size_t i = 0; i < home_count; i++) {
		if (files)
			list_folder(&listing, &homes[i], homes[i].folder, ".weir");
		for (size_t k = 0; k < HOME_SOCKETS; k++)
			list_folder(&listing, &homes[i], homes[i].sockets[k], ".sock");
	}
	free(homes);
	if (listing.count)
		qsort(listing.list, listing.count, sizeof *listing.list, newest_first);
	*places = xarray(listing.count, sizeof **places);
	for (size_t i = 0; i < listing.count; i++)
		(*places)[i] = listing.list[i].place;
	free(listing.list);
	return listing.count;
}
