/* Requests that wait for their answer; see the header. */
#include "config.h"

#include "packet/calls.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	WAYS = 4
};

struct calls {
	size_t sets; /* a power of two */
	struct call *call;
};

struct calls *calls_new(size_t room)
{
	struct calls *calls = xalloc(sizeof *calls);

	for (calls->sets = 1; calls->sets * WAYS < room;)
		calls->sets *= 2;
	calls->call = xarray(calls->sets, WAYS * sizeof *calls->call);
	return calls;
}

void calls_free(struct calls *calls)
{
	if (calls)
		free(calls->call);
	free(calls);
}

static struct call *set_of(struct calls *calls, uint64_t owner, uint32_t id)
{
	uint64_t hash = (owner ^ id * UINT64_C(0xc2b2ae3d27d4eb4f)) *
			UINT64_C(0x9e3779b97f4a7c15);

	return calls->call + (hash >> 40 & (calls->sets - 1)) * WAYS;
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
