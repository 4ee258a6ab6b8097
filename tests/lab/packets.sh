#!/bin/bash
# Bad packets against the kernels that got them: a real iSCSI disk over a link that damages
# PERCENT of the packets in both directions. weir-capture looks at both ends; when all is
# quiet, before and after, its counts and the kernels' are read at the same moment.
# Usage: packets.sh WEIR [PERCENT]
# shellcheck disable=SC1091,SC2154 # lib.sh
. "$(dirname "$0")/lib.sh"
needs fio iscsiadm tgtd tc nstat
modules sd_mod iscsi_tcp sch_netem veth
percent=${2:-2}
helper=$(dirname "$weir")/weir-capture
tgtd=
helpers=

# shellcheck disable=SC2317 # called by the trap
take_down()
{
	tc qdisc del dev san0 root 2>/dev/null
	iscsiadm -m node -u >/dev/null 2>&1
	# shellcheck disable=SC2086 # lists of numbers
	kill $helpers $tgtd $iscsid 2>/dev/null
	ip netns del target 2>/dev/null
}

within() { ip netns exec target "$@"; }
for module in sd_mod iscsi_tcp sch_netem veth; do modprobe $module; done
ip netns add target
ip link add san0 type veth peer name san1 netns target
ip addr add 10.77.0.1/24 dev san0
ip link set san0 up
ip -n target addr add 10.77.0.2/24 dev san1
ip -n target link set san1 up
ip -n target link set lo up
mkdir -p /run/tgtd
dd if=/dev/zero of=/dev/shm/lun bs=1M count=200 status=none
within tgtd -f >/dev/null 2>&1 &
tgtd=$!
admin() { within tgtadm --lld iscsi "$@"; }
wait_until 'the target answers' admin --op show --mode sys
admin --op new --mode target --tid 1 -T iqn.2026-01.test:lun1
admin --op new --mode logicalunit --tid 1 --lun 1 -b /dev/shm/lun
admin --op bind --mode target --tid 1 -I ALL
iscsid -f >/dev/null 2>&1 &
iscsid=$!
wait_until 'the target is found' iscsiadm -m discovery -t st -p 10.77.0.2
iscsiadm -m node -l >/dev/null
a_disk() { disk=$(for d in /sys/block/sd*; do [ -e "$d" ] && basename "$d"; done | head -1); [ -n "$disk" ]; }
wait_until 'there is a disk' a_disk

"$helper" san0 >"$work/san0" 2>"$work/san0.err" &
helpers=$!
within "$helper" san1 >"$work/san1" 2>"$work/san1.err" &
helpers="$helpers $!"
started() { grep -q '^frames' "$work/san0" && grep -q '^frames' "$work/san1"; }
wait_until 'both captures have begun' started

# column WORDS N FILE: field N of the last line that begins so
column() { awk -v words="$1 " -v n="$2" 'index($0, words) == 1 { v = $n } END { print v + 0 }' "$work/$3"; }
counters() # NAMESPACE: bad checksums received, segments sent again
{
	if [ "$1" = san0 ]; then nstat -asz; else within nstat -asz; fi |
		awk '$1 == "TcpInCsumErrors" { bad = $2 } $1 == "TcpRetransSegs" { again = $2 }
			END { print bad, again }'
}

# What both kernels and both captures know: a line of numbers.
all()
{
	for side in san0 san1; do
		echo "$(counters $side) $(column 'class tcp.cksum' 3 $side)" \
			"$(column 'class tcp.retrans' 4 $side) $(column 'class ip4.cksum' 3 $side)" \
			"$(awk '/^at / { n = $4 } END { print n + 0 }' "$work/$side")"
	done | tr '\n' ' '
}

# Nothing that went wrong does any more, for a second: then a look at all is one moment.
quiet()
{
	local before
	before=$(all)
	sleep 1
	[ "$before" = "$(all)" ]
}

wait_until 'all is quiet before' quiet
read -r -a before <<<"$(all)"
echo "damage begins on $disk" >&2
tc qdisc add dev san0 root netem corrupt "$percent%"
within tc qdisc add dev san1 root netem corrupt "$percent%"
fio --name=load --filename="/dev/$disk" --direct=1 --ioengine=libaio --iodepth=32 --rw=randrw \
	--bs=64k --runtime="$seconds" --time_based --eta=never --output=/dev/null
tc qdisc del dev san0 root
within tc qdisc del dev san1 root
wait_until 'all is quiet after' quiet
read -r -a after <<<"$(all)"

echo "kernel $(uname -r), $percent % of the packets damaged, $seconds s of 64 KiB reads and writes"
echo '| end | bad TCP checksums received, weir | kernel | sent again, weir | kernel | IPv4 checksums bad | lost by the capture |'
echo '|---|---|---|---|---|---|---|'
for side in 0 1; do
	for i in 0 1 2 3 4 5; do d[i]=$((after[side * 6 + i] - before[side * 6 + i])); done
	echo "| san$side | ${d[2]} | ${d[0]} | ${d[3]} | ${d[1]} | ${d[4]} | ${d[5]} |"
	[ "${d[0]}" -gt 0 ] || fail 'nothing was damaged'
	[ $((d[2] - d[0])) -le 1 ] || fail "san$side: more than one checksum too many"
	[ $((d[0] - d[2])) -le 1 ] ||
		fail "san$side: more than one checksum missing"
	awk -v weir="${d[3]}" -v kernel="${d[1]}" 'BEGIN {
		exit !(weir >= kernel * 0.95 && weir <= kernel * 1.05) }' ||
		fail "san$side: retransmissions differ by more than 5 %"
done
exit "$failed"
