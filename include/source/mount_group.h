/*
 * Mounts of one server and protocol version share their connections: the kernel counts
 * sends and receives of those once, and prints them under each of the mounts. What
 * waits for an answer is then known of all of them together, and of none alone. For the
 * source of mounts and its tests.
 */
#ifndef WEIR_SOURCE_MOUNT_GROUP_H
#define WEIR_SOURCE_MOUNT_GROUP_H

#include "source/mountstats.h"

/* The first of MOUNTS that has the connections of number AT; AT: none before it has. */
size_t mount_group_first(const struct nfs_mount *mounts, size_t at);

/* What those of COUNT mounts whose FIRSTS is FIRST did together, without calls of their
 * own; links are borrowed from the last of them. */
struct nfs_mount mount_group_sum(const struct nfs_mount *mounts, const size_t *firsts,
	size_t count, size_t first);

/* The row of connections that several mounts share; NUMBER, from 1, tells groups of one
 * server and version apart. */
struct subject mount_group_subject(const struct nfs_mount *first, unsigned number);

#endif
