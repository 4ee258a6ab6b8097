/* Which mounts share connections; see the header. */
#include "config.h"

#include "source/mount_group.h"

#include "base/text.h"

#include <string.h>

enum {
	/* The lines of two mounts are not written at one moment: so many requests may
	 * lie between them. */
	BETWEEN = 1 << 14
};

/* "filer" of "filer:/vol", "[2001:db8::5]" of "[2001:db8::5]:/vol". */
static size_t host_length(const char *export)
{
	const char *end = strstr(export, ":/");

	return end ? (size_t)(end - export) : strlen(export);
}

static bool same_host(const struct nfs_mount *a, const struct nfs_mount *b)
{
	size_t length = host_length(a->subject.name);

	return length == host_length(b->subject.name) &&
	       !memcmp(a->subject.name, b->subject.name, length);
}

/* Under whatever name: "filer:/vol" and "10.1.0.20:/vol" may be one server. */
static bool same_server(const struct nfs_mount *a, const struct nfs_mount *b)
{
	bool same_address = *a->address && !strcmp(a->address, b->address);

	return (same_address || same_host(a, b)) && !strcmp(a->version, b->version);
}

/* Whether LATER can be what became of EARLIER while the file was written. */
static bool same_link(const struct nfs_link *earlier, const struct nfs_link *later)
{
	static const enum nfs_link_value grow[] = {LINK_SENDS, LINK_RECEIVES};

	if (strcmp(earlier->transport, later->transport) != 0 ||
		earlier->port != later->port || earlier->have != later->have ||
		earlier->values[LINK_CONNECTS] != later->values[LINK_CONNECTS])
		return false;
	for (size_t i = 0; i < sizeof grow / sizeof *grow; i++)
		if (later->values[grow[i]] < earlier->values[grow[i]] ||
			later->values[grow[i]] - earlier->values[grow[i]] > BETWEEN)
			return false;
	return true;
}

static bool shared(const struct nfs_mount *earlier, const struct nfs_mount *later)
{
	if (!earlier->link_count || earlier->link_count != later->link_count ||
		!same_server(earlier, later))
		return false;
	for (size_t i = 0; i < earlier->link_count; i++)
		if (!same_link(&earlier->links[i], &later->links[i]))
			return false;
	return true;
}

size_t mount_group_first(const struct nfs_mount *mounts, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (shared(&mounts[i], &mounts[at]))
			return i;
	return at;
}

/* What a mount's line says may be counted elsewhere: the calls that the kernel makes
 * for the server itself are printed under each mount of it, and all of them twice where
 * one export is mounted at two places. */
static bool is_counted(const struct nfs_mount *mounts, const size_t *firsts, size_t at,
	const struct nfs_call *call)
{
	size_t place = (size_t)(call - mounts[at].calls);

	for (size_t i = firsts[at]; i < at; i++)
		if (firsts[i] == firsts[at] && place < mounts[i].call_count &&
			mounts[i].calls[place].values[NFS_COUNT] ==
				call->values[NFS_COUNT] &&
			!memcmp(&mounts[i].calls[place], call, sizeof *call))
			return true;
	return false;
}

static void add_calls(struct nfs_mount *sum, const struct nfs_mount *mounts,
	const size_t *firsts, size_t at)
{
	for (size_t i = 0; i < mounts[at].call_count; i++) {
		const struct nfs_call *call = &mounts[at].calls[i];

		if (!call->values[NFS_TRANSMISSIONS] ||
			is_counted(mounts, firsts, at, call))
			continue;
		sum->retransmissions += mountstats_again(call);
		sum->ops[NFS_OTHER].rtt_ms += call->values[NFS_RTT_MS];
	}
}

struct nfs_mount mount_group_sum(const struct nfs_mount *mounts, const size_t *firsts,
	size_t count, size_t first)
{
	struct nfs_mount sum = {.sends = 0};
	size_t last = first;

	for (size_t i = first; i < count; i++)
		if (firsts[i] == first) {
			add_calls(&sum, mounts, firsts, i);
			last = i;
		}
	sum.have_traffic = mounts[last].have_traffic;
	sum.sends = mounts[last].sends;
	sum.receives = mounts[last].receives;
	sum.late = mounts[last].late;
	sum.connects = mounts[last].connects;
	sum.datagrams = mounts[last].datagrams;
	sum.links = mounts[last].links;
	sum.link_count = mounts[last].link_count;
	return sum;
}

struct subject mount_group_subject(const struct nfs_mount *first, unsigned number)
{
	struct subject subject = {.kind = KIND_MOUNT};
	const char *version = strrchr(first->version, '/');
	char tail[32] = "";

	if (number > 1)
		(void)text_format(tail, sizeof tail, " %u", number); /* fits */
	/* cut, a server is still its beginning */
	(void)text_format(subject.name, sizeof subject.name, "%.*s NFS%s, shared%s",
		(int)host_length(first->subject.name), first->subject.name,
		version ? version + 1 : "", tail);
	(void)text_copy(subject.id, sizeof subject.id, subject.name);
	(void)text_copy(subject.label, sizeof subject.label, subject.name);
	return subject;
}
