/* Writing evidence as pcapng; see the header. */
#include "config.h"

#include "app/evidence_file.h"

#include "base/text.h"
#include "packet/pcapng.h"
#include "store/store.h"

#include <string.h>

void evidence_file_begin(
	struct evidence_file *file, struct buffer *out, const char *about)
{
	*file = (struct evidence_file){.out = out};
	pcapng_begin(out, about);
}

/* The number of the interface, said with its first packet; -1: there are too many. */
static int interface_of(
	struct evidence_file *file, const struct evidence_packet *packet)
{
	unsigned i = 0;

	while (i < file->interface_count &&
		(file->interfaces[i].linktype != packet->linktype ||
			strcmp(file->interfaces[i].name, packet->interface) != 0))
		i++;
	if (i == EVIDENCE_INTERFACES)
		return -1;
	if (i == file->interface_count) {
		file->interface_count++;
		file->interfaces[i].linktype = packet->linktype;
		memcpy(file->interfaces[i].name, packet->interface,
			sizeof packet->interface);
		pcapng_interface(file->out, packet->linktype, packet->interface);
	}
	return (int)i;
}

void evidence_file_add(struct evidence_file *file, const struct evidence_packet *packet,
	const char *classes)
{
	char comment[EVIDENCE_COMMENT];
	int interface = interface_of(file, packet);

	if (interface < 0) {
		file->left_out++;
		return;
	}
	evidence_comment(&packet->entry, classes, comment, sizeof comment);
	pcapng_packet(file->out, (unsigned)interface, &packet->entry, comment);
	file->packets++;
}

static void take(
	void *context, const struct evidence_packet *packet, const char *classes)
{
	evidence_file_add(context, packet, classes);
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
	store_close(store);
	return done;
}
