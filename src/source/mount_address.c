/* Addresses of the servers of NFS mounts; see the header. */
#include "config.h"

#include "source/mount_address.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
	LIST_MOST = 8 << 20,
	WORD = 512,
	BEFORE_POINT = 4, /* words of a line before the mount point */
};

struct mount_address {
	char id[SUBJECT_ID], name[SUBJECT_NAME];
	char address[NFS_ADDRESS];
	bool seen;
};

/* The value of addr= among OPTIONS, "rw,vers=3,mountaddr=10.1.0.9,addr=10.1.0.20". */
static void take_option(const char *options, char *address, size_t size)
{
	static const char key[] = "addr=";
	char one[WORD];

	for (; *options; options += strcspn(options, ","), options += *options == ',') {
		if (strncmp(options, key, sizeof key - 1) != 0)
			continue;
		/* one that is cut would be another one */
		if (!text_format(one, sizeof one, "%.*s",
			    (int)strcspn(options, ",") - (int)(sizeof key - 1),
			    options + sizeof key - 1) ||
			!text_clean(address, size, one))
			address[0] = 0;
		return;
	}
}

/* ID PARENT MAJ:MIN ROOT POINT OPTIONS [TAG...] - TYPE SOURCE OPTIONS */
static bool take_line(const char *line, const char *id, char *address, size_t size)
{
	char word[WORD], point[SUBJECT_ID];
	const char *behind = strstr(line, " - ");

	for (int i = 0; i <= BEFORE_POINT; i++)
		if (!scan_word(&line, word, sizeof word))
			return false;
	scan_unescape(word);
	(void)text_clean(point, sizeof point, word); /* cut as the id is */
	if (!behind || strcmp(point, id) != 0)
		return false;
	behind += strlen(" - ");
	if (!scan_word(&behind, word, sizeof word) || strncmp(word, "nfs", 3) != 0 ||
		!scan_word(&behind, word, sizeof word))
		return false;
	address[0] = 0;
	take_option(behind + strspn(behind, " "), address, size);
	return true;
}

/* Of mounts that lie one over another the last one is seen. */
static void look(struct mount_addresses *addresses, const char *proc,
	struct mount_address *address)
{
	char *at, *line;

	if (!scan_file(proc, "/self/mountinfo", &addresses->text, LIST_MOST, NULL))
		return;
	at = buffer_string(&addresses->text);
	while ((line = scan_line(&at)))
		(void)take_line(line, address->id, address->address,
			sizeof address->address); /* most are of others */
}

void mount_address_find(
	struct mount_addresses *addresses, const char *proc, struct nfs_mount *mount)
{
	const struct subject *subject = &mount->subject;
	struct mount_address *address = addresses->list;
	size_t i = 0;

	for (; i < addresses->count; i++, address++)
		if (!strcmp(address->id, subject->id) &&
			!strcmp(address->name, subject->name))
			break;
	if (i == addresses->count) {
		xgrow(&addresses->list, &addresses->room, i + 1,
			sizeof *addresses->list);
		address = &addresses->list[addresses->count++];
		*address = (struct mount_address){.seen = true};
		memcpy(address->id, subject->id, sizeof address->id);
		memcpy(address->name, subject->name, sizeof address->name);
		look(addresses, proc, address);
	}
	address->seen = true;
	memcpy(mount->address, address->address, sizeof mount->address);
}

void mount_addresses_forget(struct mount_addresses *addresses)
{
	size_t kept = 0;

	for (size_t i = 0; i < addresses->count; i++) {
		if (!addresses->list[i].seen)
			continue;
		addresses->list[i].seen = false;
		addresses->list[kept++] = addresses->list[i];
	}
	addresses->count = kept;
}

void mount_addresses_fini(struct mount_addresses *addresses)
{
	free(addresses->list);
	buffer_fini(&addresses->text);
	*addresses = (struct mount_addresses){.count = 0};
}
