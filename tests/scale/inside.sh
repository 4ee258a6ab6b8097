#!/bin/sh
# Runs a command where /proc and /sys are those of a synthetic host, made by tree.c: in a
# mount namespace of its own, so that the program is the real one and nothing else sees it.
# What the tree has not is that of the real /proc.
#   inside.sh TREE COMMAND...    TREE holds proc and sys
set -eu
tree=$(realpath "$1")
shift
if [ "${WEIR_INSIDE:-}" != "$tree" ]; then
	WEIR_INSIDE=$tree exec unshare --mount --propagation private "$0" "$tree" "$@"
fi
unset WEIR_INSIDE
link_rest() # FROM TO PREFIX: links for what is in FROM and not in TO
{
	for entry in "$1"/* ; do
		name=${entry##*/}
		[ -e "$2/$name" ] || [ -L "$2/$name" ] || ln -s "$3/$name" "$2/$name"
	done
}
if [ ! -d "$tree/proc/real" ]; then
	mkdir "$tree/proc/real"
	link_rest /proc "$tree/proc" real
	link_rest /proc/self/net "$tree/proc/net" ../real/self/net
fi
mount -t proc proc "$tree/proc/real"
mount --rbind "$tree/sys" /sys
mount --rbind "$tree/proc" /proc
exec "$@"
