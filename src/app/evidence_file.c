/* Writing evidence as pcapng; see the header. */
#include "config.h"

#include "app/evidence_file.h"

#include "base/alloc.h"
#include "packet/pcapng.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

struct evidence_interface {
	char name[16];
	int linktype;
	unsigned number;
};

void evidence_file_begin(
	struct evidence_file *file, struct buffer *out, const char *about)
{
	*file = (struct evidence_file){.out = out};
	pcapng_begin(out, about);
}

void evidence_file_end(struct evidence_file *file)
{
	free(file->list);
	*file = (struct evidence_file){.out = NULL};
}

unsigned evidence_file_interface(
	struct evidence_file *file, int linktype, const char *name)
{
	pcapng_interface(file->out, linktype, name);
	return file->interfaces++;
}

/* The number of the interface, said with its first packet. */
static unsigned interface_of(
	struct evidence_file *file, const struct evidence_packet *packet)
{
	struct evidence_interface *one;

	for (size_t i = 0; i < file->count; i++)
		if (file->list[i].linktype == packet->linktype &&
			!strcmp(file->list[i].name, packet->interface))
			return file->list[i].number;
	xgrow(&file->list, &file->room, file->count + 1, sizeof *file->list);
	one = &file->list[file->count++];
	*one = (struct evidence_interface){.linktype = packet->linktype};
	memcpy(one->name, packet->interface, sizeof one->name);
	one->number = evidence_file_interface(file, packet->linktype, one->name);
	return one->number;
}

void evidence_file_put(struct evidence_file *file, unsigned interface,
	const struct evidence_entry *entry, const char *classes)
{
	char comment[EVIDENCE_COMMENT];

	evidence_comment(entry, classes, comment, sizeof comment);
	pcapng_packet(file->out, interface, entry, comment);
	file->packets++;
}

void evidence_file_add(struct evidence_file *file, const struct evidence_packet *packet,
	const char *classes)
{
	evidence_file_put(file, interface_of(file, packet), &packet->entry, classes);
}

static void take(
	void *context, const struct evidence_packet *packet, const char *classes)
{
	evidence_file_add(context, packet, classes);
}

/* What the last recorder was told about it. */
static void why_none(struct store *store, struct fault *fault)
{
	char kept[16];

	if (!store_meta(store, "evidence", kept, sizeof kept))
		kept[0] = 0; /* from before it was noted */
	if (store_damage(store, fault))
		return; /* or nobody can say */
	if (!strcmp(kept, "off"))
		(void)fault_set(fault, "no packets were kept (--evidence off)");
	else if (!strcmp(kept, "none"))
		(void)fault_set(fault, "no packets were captured (--no-capture)");
	else
		(void)fault_set(fault,
			"no packet was found wrong, as far as any were captured");
}

bool evidence_file_of_session(
	const char *path, struct buffer *out, size_t *packets, struct fault *fault)
{
	struct store *store = store_open(path, STORE_READ, fault);
	struct evidence_file file;
	bool done;

	*packets = 0;
	if (!store)
		return false;
	evidence_file_begin(&file, out, "packets behind the findings of weir");
	done = store_evidence_each(store, take, &file, fault);
	*packets = file.packets;
	if (done && !store_damage(store, fault)) {
		*fault = (struct fault){0};
		if (!file.packets)
			why_none(store, fault);
	} else if (!file.packets) {
		done = false;
	}
	evidence_file_end(&file);
	store_close(store);
	return done;
}
