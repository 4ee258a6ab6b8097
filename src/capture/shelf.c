/* Mapping the shared memory; see the header. */
#include "config.h"

#include "capture/shelf.h"

#include "packet/evidence_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without the seals a file that is made shorter would end us with SIGBUS. */
static bool is_sealed(size_t size)
{
	const int needed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	struct stat status;
	int seals = fcntl(STDIN_FILENO, F_GET_SEALS);

	return seals >= 0 && (seals & needed) == needed &&
	       fstat(STDIN_FILENO, &status) == 0 && (size_t)status.st_size == size;
}

static bool let_go(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	bool done = null >= 0 && dup2(null, STDIN_FILENO) == STDIN_FILENO;

	if (null >= 0)
		(void)close(null); /* nothing was written */
	return done;
}

uint8_t *shelf_map(bool whole, struct fault *fault)
{
	size_t size = evidence_ring_size(whole);
	void *memory;

	if (!is_sealed(size)) {
		(void)fault_set(fault, "standard input is not the sealed memory that "
				       "--evidence needs");
		return NULL;
	}
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, STDIN_FILENO, 0);
	if (memory == MAP_FAILED || !let_go()) {
		(void)fault_errno(fault, errno, "cannot map the memory for evidence");
		return NULL;
	}
	return memory;
}
