#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # common.sh
# A big SAN host, synthetic: 200 disks with four paths each and 64 interfaces, or as many
# disks as WEIR_MAPS says (1,000 where two cores are free for a minute), under a
# tenth of which there is I/O. Every one of them is recorded, the screen scrolls to the last
# and filters, and descriptors are left for others.
. "$WEIR_SRC/tests/app/common.sh"

[ "$(id -u)" -eq 0 ] || skip 'only root can mount another /proc and /sys'
command -v tmux >/dev/null || skip 'tmux is missing: apt-get install tmux'
unshare --mount true 2>/dev/null || skip 'mount namespaces are not allowed here'
maps=${WEIR_MAPS:-200} paths=4 nics=64
disks=$((maps * (paths + 1)))
most=$(awk '/open files/ {print $5 == "unlimited" ? 1048576 : $5}' /proc/self/limits)
[ "$most" -ge $((disks * 4)) ] ||
	skip "so many disks need $((disks * 4)) descriptors, and no more than $most may be had"
mkdir "$work/tree"
mount -t tmpfs -o nr_inodes=0 tree "$work/tree" || skip 'no tmpfs can be mounted here'
mounted=$work/tree
tree=$WEIR_BUILD/tests/scale/tree
"$tree" "$work/tree" "$maps" $paths $nics || exit 1
"$tree" "$work/tree" "$maps" $paths $nics 10 &
recorders=$!
inside=$WEIR_SRC/tests/scale/inside.sh

setsid "$inside" "$work/tree" "$weir" record -s big --no-capture \
	</dev/null >"$work/big.out" 2>"$work/big.err" &
recorders="$recorders $!"
mux()
{
	tmux -S "$work/tmux" -f /dev/null "$@"
}
# shellcheck disable=SC2317 # called by the trap
take_down()
{
	mux kill-server 2>/dev/null
	clean_up
}
trap take_down EXIT
is_on_screen()
{
	mux capture-pane -p >"$work/screen"
	grep -Eq -e "$1" "$work/screen"
}
# shown WHAT PATTERN: the first look at so many takes its time
shown()
{
	tries=0
	until is_on_screen "$2"; do
		tries=$((tries + 1))
		if [ $tries -gt 300 ]; then
			echo "NOT OK - gave up waiting until $1"
			cat "$work/screen" "$work"/big.*
			exit 1
		fi
		sleep 0.2
	done
	echo "ok - $1"
}

until_true 'the recorder answers' answers big
mux new-session -d -x 100 -y 40 "env LC_ALL=C.UTF-8 '$weir' attach big"
shown 'busy maps are on the screen, and sampled' '^.lun00[0-9]+ .* 1\.00 .* 1 '
last=$(printf 'lun%04d' $((maps - 1)))
mux send-keys 1 # one key at a time: a burst would be taken for a paste
shown 'the disks have the focus' '^>1 DISK'
mux send-keys End
shown 'the screen scrolls to the end' '^ +[0-9]+ above'
mux send-keys /
shown 'a filter is asked for' 'show rows that match'
mux send-keys -l "$last|sddof"
mux send-keys Enter
shown "the filter finds $last" "^.$last .* 0 "
check 'and leaves no other' "$(grep -c '^.lun' "$work/screen")" 1
"$weir" list >"$work/list"
says 'the recorder answers others' '^big .*recording' "$work/list"
"$weir" stop big >/dev/null
check 'it ends well' $? 0

"$weir" export big --format csv | awk -F, '
	$5 != "" && !(($3, $4) in seen) {seen[$3, $4]; n[$2, $4]++}
	$4 == "disk.ops" && $5 > 150 {busy[$3] = 1}
	END {
		print n["disk", "disk.ops"] + 0, n["disk", "disk.inflight"] + 0,
			n["disk", "disk.state"] + 0, n["nic", "net.rx.dropped"] + 0, length(busy)
	}' >"$work/counts"
check 'each disk has operations, samples and a state, each interface its counters, and a tenth is busy' \
	"$(cat "$work/counts")" "$disks $disks $disks $nics $((disks / 10))"
exit "$bad"
