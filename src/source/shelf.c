/* Making the shared memory; see the header. */
#include "config.h"

#include "source/shelf.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static bool make(int fd, size_t size, struct fault *fault)
{
	if (fd < 0)
		return fault_errno(fault, errno, "cannot make a memory for evidence");
	if (ftruncate(fd, (off_t)size))
		return fault_errno(fault, errno, "cannot size the memory for evidence");
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return fault_errno(fault, errno, "cannot seal the memory for evidence");
	return true;
}

bool shelf_open(struct shelf *shelf, bool whole, struct fault *fault)
{
	size_t size = evidence_ring_size(whole);
	int fd = memfd_create("weir-evidence", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *memory = MAP_FAILED;

	*shelf = (struct shelf){.fd = -1};
	if (make(fd, size, fault))
		memory = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		if (fd >= 0)
			(void)close(fd); /* nothing is in it */
		return false;
	}
	*shelf = (struct shelf){fd, memory, size, {.memory = memory, .whole = whole}};
	return true;
}

void shelf_handed(struct shelf *shelf)
{
	if (shelf->memory && shelf->fd >= 0)
		(void)close(shelf->fd); /* the mapping stays */
	shelf->fd = -1;
}

void shelf_close(struct shelf *shelf)
{
	shelf_handed(shelf);
	if (shelf->memory)
		(void)munmap(shelf->memory, shelf->size); /* it is there */
	*shelf = (struct shelf){.fd = -1};
}
