/* Who may come to a recorder's socket; see the header. */
#include "config.h"

#include "app/share.h"

#include "base/alloc.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct share share_find(void)
{
	const struct group *group = getgrnam(SHARE_GROUP);
	struct share share = {0};

	if (!group || (geteuid() != 0 && getegid() != group->gr_gid))
		return share;
	share.with_group = true;
	share.group = group->gr_gid;
	return share;
}

void share_open(const struct share *share, const char *folder, const char *socket)
{
	const uid_t same = (uid_t)-1;

	if (!share->with_group)
		return;
	/* the group first: never are others let in by the mode */
	if (chown(folder, same, share->group) == 0)
		(void)chmod(folder, 0750); /* else it stays shut */
	if (chown(socket, same, share->group) == 0)
		(void)chmod(socket, 0660);
}

static bool has_group(int fd, gid_t group)
{
	socklen_t size = 0;
	gid_t *groups;
	bool found = false;

	/* asked without room it says how much it wants */
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &size) == 0 ||
		errno != ERANGE)
		return false;
	groups = xarray(size, 1);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) == 0)
		for (size_t i = 0; i < size / sizeof *groups; i++)
			found |= groups[i] == group;
	free(groups);
	return found;
}

enum share_right share_right(const struct share *share, int fd)
{
	struct ucred peer;
	socklen_t size = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return SHARE_NOTHING;
	if (peer.uid == 0 || peer.uid == geteuid())
		return SHARE_ALL;
	if (share->with_group &&
		(peer.gid == share->group || has_group(fd, share->group)))
		return SHARE_WATCH;
	return SHARE_NOTHING;
}
