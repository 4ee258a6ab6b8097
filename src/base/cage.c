/*
 * Dropping identity, capabilities and resources; see the header. Capabilities are
 * only ever emptied here: no file of weir asks for one.
 */
#include "config.h"

#include "base/cage.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(WEIR_SANITIZED) || defined(WEIR_COVERAGE)
enum {
	FENCED = false
};
#else
enum {
	FENCED = true
};
#endif

struct identity {
	uid_t uid;
	gid_t gid;
};

/* The file and nothing else: a name service that asks the network would hang
 * exactly when the network is being worked on. */
static bool find_user(const char *name, struct identity *id)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry;
	bool found = false;

	if (!file)
		return false;
	while (!found && (entry = fgetpwent(file)))
		if (!strcmp(entry->pw_name, name) && entry->pw_uid) {
			*id = (struct identity){entry->pw_uid, entry->pw_gid};
			found = true;
		}
	(void)fclose(file); /* only read */
	return found;
}

/* A container may have no other user to become (EINVAL: not mapped) or no right
 * to become one. Then root stays, without a capability, and the caller says so. */
static bool no_other(int error)
{
	return error == EINVAL || error == EPERM;
}

static bool drop_identity(struct fault *fault)
{
	struct identity id = {getuid(), getgid()};
	bool root = id.uid == 0;

	if (root && !find_user("weir", &id) && !find_user("nobody", &id))
		id = (struct identity){65534, 65534};
	if (root && setgroups(0, NULL) && !no_other(errno))
		return fault_errno(fault, errno, "cannot drop the groups");
	if (setresgid(id.gid, id.gid, id.gid) && !(root && no_other(errno)))
		return fault_errno(fault, errno, "cannot become group %u", id.gid);
	if (setresuid(id.uid, id.uid, id.uid) && !(root && no_other(errno)))
		return fault_errno(fault, errno, "cannot become user %u", id.uid);
	return true;
}

static bool drop_capabilities(struct fault *fault)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0}};
	struct __user_cap_data_struct left[2] = {{0}};

	if (syscall(SYS_capset, &header, none))
		return fault_errno(fault, errno, "cannot drop the capabilities");
	if (syscall(SYS_capget, &header, left))
		return fault_errno(fault, errno, "cannot read the capabilities");
	if (memcmp(left, none, sizeof none))
		return fault_set(fault, "capabilities are left after dropping them");
	return true;
}

/* What was dropped must not come back by asking. */
static bool check_dropped(struct fault *fault)
{
	if (getuid() && !setresuid((uid_t)-1, 0, (uid_t)-1))
		return fault_set(fault, "root came back after it was dropped");
	return true;
}

static bool no_new_rights(struct fault *fault)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return fault_errno(fault, errno, "cannot forbid new privileges");
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		return fault_errno(fault, errno, "cannot forbid core dumps");
	return true;
}

/* Not here: 0 open files makes poll() fail, and a file size of 0 kills the process
 * when its output or errors go to a file. */
static bool limit(struct fault *fault)
{
	static const struct {
		__rlimit_resource_t what;
		rlim_t most;
	} limits[] = {
		{RLIMIT_NOFILE, 8},
		{RLIMIT_NPROC, 0},
		{RLIMIT_CORE, 0},
		{RLIMIT_MEMLOCK, 0},
		{RLIMIT_AS, (rlim_t)1 << 30},
	};

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct rlimit to = {limits[i].most, limits[i].most};

		if (setrlimit(limits[i].what, &to))
			return fault_errno(fault, errno, "cannot set a resource limit");
	}
	return true;
}

bool cage_enter(enum cage_kind kind, struct cage *got, struct fault *fault)
{
	if (!drop_identity(fault) || !drop_capabilities(fault) ||
		!check_dropped(fault) || !no_new_rights(fault))
		return false;
	*got = (struct cage){.uid = getuid(), .filter = FENCED};
	if (!FENCED)
		return true;
	return limit(fault) && cage_filter(kind, fault);
}
