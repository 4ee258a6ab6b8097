#!/bin/sh
# A big host, synthetic (tests/scale/tree): 1,000 maps with four paths each and 64 interfaces,
# I/O on a tenth of them. CPU of the recorder per tick of 1 s, as a ratio to a plain read of
# the files that a tick reads, and its peak of memory. Limits: 128 MiB, and RATIO.
# Usage: scale.sh [SECONDS]
set -u
seconds=${1:-30}
maps=1000 paths=4 nics=64
ratio=8
disks=$((maps * (paths + 1)))
skip()
{
	echo "SKIP: $1"
	exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'only root can mount another /proc and /sys'
unshare --mount true 2>/dev/null || skip 'mount namespaces are not allowed here'
most=$(awk '/open files/ {print $5 == "unlimited" ? 1048576 : $5}' /proc/self/limits)
[ "$most" -ge $((disks * 4)) ] || skip "so many disks need $((disks * 4)) descriptors"
work=$(mktemp -d "${TMPDIR:-/tmp}/weir-scale.XXXXXX") || exit 1
mkdir -m 700 "$work/tree" "$work/state" "$work/run"
export XDG_STATE_HOME="$work/state" XDG_RUNTIME_DIR="$work/run" XDG_CONFIG_HOME="$work/config"
load='' recorder=''
# shellcheck disable=SC2317 # called by the trap
clean_up()
{
	for pid in $load $recorder; do
		kill -9 "$pid" 2>/dev/null
	done
	wait 2>/dev/null
	umount "$work/tree" 2>/dev/null
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
mount -t tmpfs -o nr_inodes=0 tree "$work/tree" || skip 'no tmpfs can be mounted here'
tree=$WEIR_BUILD/tests/scale/tree
inside=$WEIR_SRC/tests/scale/inside.sh
"$tree" "$work/tree" $maps $paths $nics || exit 1
"$tree" "$work/tree" $maps $paths $nics 10 &
load=$!

"$inside" "$work/tree" "$WEIR_BUILD/weir" record -s big --no-capture >"$work/out" 2>&1 &
recorder=$!
# the first look at so many takes its time: what counts is the time after it
tries=0
until [ "$("$WEIR_BUILD/weir" export big --format csv 2>/dev/null |
	awk -F, '$4 == "disk.queue" && $5 != "" {n[$1]++} END {for (t in n) if (n[t] > m) m = n[t]; print m + 0}')" -ge "$disks" ]; do
	tries=$((tries + 1))
	kill -0 $recorder 2>/dev/null || {
		wait $recorder
		echo "the recorder ended with $?:"
		cat "$work/out"
		exit 1
	}
	[ $tries -lt 120 ] || { echo 'the recorder does not see all disks'; exit 1; }
	sleep 1
done

# ticks of 10 ms of CPU, user and system, of the recorder and what it waited for
used()
{
	awk '{sub(/.*\) /, ""); print $12 + $13}' "/proc/$recorder/stat"
}
began=$(date +%s)
before=$(used)
sleep "$seconds"
# in the same seconds, so that both have the same neighbours
plain=$("$inside" "$work/tree" "$WEIR_BUILD/tests/bench/scale_bare" 40 /proc/diskstats \
	'/sys/block/*/inflight' '/sys/block/sd*/device/state' '/sys/class/net/*/statistics/*') || exit 1
after=$(used)
spent=$(($(date +%s) - began))
memory=$(awk '/VmHWM/ {print $2}' "/proc/$recorder/status")
hertz=$(getconf CLK_TCK)
kill -TERM $recorder
wait $recorder
ended=$?
recorder=''
echo "$plain" | awk -v cpu=$((after - before)) -v hertz="$hertz" -v seconds="$spent" -v memory="$memory" \
	-v disks=$disks -v nics=$nics -v ratio=$ratio -v ended=$ended '{
		tick = cpu * 1000 / hertz / seconds
		printf "%d disks, %d interfaces: %.1f ms of CPU per tick, %.1f %% of a core\n", disks, nics, tick, tick / 10
		printf "plain read of %d files: %.1f ms\n", $2, $1
		printf "ratio: %.1f (limit %d)\n", tick / $1, ratio
		printf "memory at most: %.0f MiB (limit 128)\n", memory / 1024
		printf "ended with: %d\n", ended
		exit tick / $1 > ratio || memory > 128 * 1024 || ended != 0
	}'
