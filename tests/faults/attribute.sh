#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154,SC2317 # lib.sh; called by until_true
# Attributes of one disk that do not answer, on a synthetic host of many: its state hangs
# in the middle of a recording, and its queue depth and accounting from the start. That
# disk is late alone, with its age; all others go on; and it is well again when they are.
. "$WEIR_SRC/tests/faults/lib.sh"

[ "$(id -u)" -eq 0 ] || skip 'only root can mount another /proc and /sys'
unshare --mount true 2>/dev/null || skip 'mount namespaces are not allowed here'
[ -c /dev/fuse ] || skip '/dev/fuse is missing'
mkdir "$work/tree" "$work/fuse" "$work/real"
"$WEIR_BUILD/tests/scale/tree" "$work/tree" 4 2 1 || exit 1
echo running >"$work/real/state"
echo direct >"$work/mode"
cat >"$work/start" <<'END'
#!/bin/sh
# in a mount namespace: the fuse file over the state of sda, pipes over others
set -e
"$WEIR_BUILD/tests/faults/brittle" "$work/fuse" "$work/real" "$work/mode" &
tries=0
until [ -f "$work/fuse/state" ] || [ $tries -gt 200 ]; do
	tries=$((tries + 1))
	sleep 0.05
done
mkfifo "$work/depth" "$work/iostats"
device=$(readlink -f "$work/tree/sys/block/sda/device")
mount --bind "$work/fuse/state" "$device/state"
mount --bind "$work/depth" "$device/queue_depth"
mount --bind "$work/iostats" "$(readlink -f "$work/tree/sys/block/sda")/queue/iostats"
exec "$WEIR_SRC/tests/scale/inside.sh" "$work/tree" "$weir" record -s day --no-capture \
	-t 0.5 --all
END
chmod +x "$work/start"
export weir work
setsid unshare --mount --propagation private "$work/start" \
	</dev/null >"$work/day.out" 2>"$work/day.err" &
recorders=$!

# reads DISK METRIC: the last value, or why there is none
reads()
{
	"$weir" export day --from "3s ago" --format csv 2>/dev/null |
		awk -F, -v disk="$1" -v metric="$2" '
			$3 == disk && $4 == metric {last = $5 != "" ? $5 : $6} END {print last}'
}
known()
{
	case $(reads "$1" "$2") in
	[0-9]*) ;;
	*) return 1 ;;
	esac
}
is_late()
{
	[ "$(reads sda disk.state)" = late ]
}
late_alone()
{
	is_late && known sdb disk.state && known sdh disk.state &&
		known sdb disk.inflight && known sda disk.inflight && known sda disk.ops
}
says_so()
{
	state day sources | grep -q "sda%20late%20[0-9]*s"
}

until_true 'the recorder answers' answers day
until_true 'the disk with a hanging depth has a queue' known sda disk.inflight
until_true 'and figures of its counters' known sda disk.ops
until_true 'and its state' known sda disk.state
echo hang >"$work/mode"
until_true 'its state is late' is_late
until_true 'the recorder says so, with the age' says_so
until_true 'it is late alone: the others have states, and it has a queue' late_alone
echo direct >"$work/mode"
until_true 'it is well again' known sda disk.state
says_so
check 'and is not said to be late' $? 1
"$weir" stop day >/dev/null
check 'it ends well' $? 0
exit "$bad"
