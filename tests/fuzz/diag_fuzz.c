/*
 * libFuzzer: answers of the kernel's socket diagnosis. Whatever the bytes, sums only
 * grow from look to look, and no more connections are kept than were told.
 */
#include "config.h"

#include "source/ethgenl.h"
#include "source/peers.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t look(struct peers *peers, const uint8_t *data, size_t size)
{
	struct diag_reader reader = {.data = data, .size = size};
	struct diag_socket one;
	enum diag_step step;
	size_t count = 0;

	peers_begin(peers);
	while ((step = diag_next(&reader, &one)) == DIAG_SOCKET) {
		if (count & 1)
			peers_ended(peers, &one, NSEC_PER_SEC);
		peers_add(peers, &one);
		count++;
	}
	if ((step == DIAG_FAILED) != (reader.error != 0) || reader.at > size)
		abort();
	peers_end(peers);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct peers peers = {0};
	uint8_t *copy = malloc(size ? size : 1); /* so that a byte beyond is noticed */
	struct hardware_counts counts = {.have = 0};
	struct fault fault;
	int error;
	size_t told;

	if (!copy)
		abort();
	memcpy(copy, data, size);
	if (!ports_set(&peers.ports, NULL, &fault))
		abort();
	(void)ethgenl_take(&counts, copy, size, &error);
	(void)ethgenl_family(copy, size);
	told = look(&peers, copy, size);
	if (peers.connection_count > told || peers.count > told)
		abort();
	(void)look(&peers, copy, size / 2);
	(void)look(&peers, copy, size / 2);
	for (size_t i = 0; i < peers.count; i++)
		if (!memchr(peers.list[i].subject.name, 0, SUBJECT_NAME) ||
			!peers.list[i].subject.name[0])
			abort();
	peers_fini(&peers);
	free(copy);
	return 0;
}
