/* Requests that wait for their answer; see the header. */
#include "config.h"

#include "packet/calls.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	SETS = 4096,
	WAYS = 4
};

struct calls {
	struct call call[SETS][WAYS];
};

struct calls *calls_new(void)
{
	return xalloc(sizeof(struct calls));
}

void calls_free(struct calls *calls)
{
	free(calls);
}

static struct call *set_of(struct calls *calls, uint64_t owner, uint32_t id)
{
	uint64_t hash = (owner ^ id * UINT64_C(0xc2b2ae3d27d4eb4f)) *
			UINT64_C(0x9e3779b97f4a7c15);

	return calls->call[hash >> 40 & (SETS - 1)];
}

struct call *calls_find(struct calls *calls, uint64_t owner, uint32_t id)
{
	struct call *set = set_of(calls, owner, id);

	for (int i = 0; i < WAYS; i++)
		if (set[i].owner == owner && set[i].id == id)
			return &set[i];
	return NULL;
}

struct call *calls_add(struct calls *calls, const struct call *call)
{
	struct call *old = calls_find(calls, call->owner, call->id);
	struct call *set = set_of(calls, call->owner, call->id);

	if (old)
		return old;
	memmove(set + 1, set, (WAYS - 1) * sizeof *set);
	set[0] = *call;
	return NULL;
}
