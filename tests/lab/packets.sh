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
. "$(dirname "$0")/iscsi.sh"
helpers=

# shellcheck disable=SC2317 # called by the trap
take_down()
{
	tc qdisc del dev san0 root 2>/dev/null
	# shellcheck disable=SC2086 # a list of numbers
	kill $helpers 2>/dev/null
	take_down_iscsi
}

modprobe sch_netem
serve_iscsi
"$helper" san0 >"$work/san0" 2>"$work/san0.err" &
helpers=$!
ip netns exec target "$helper" san1 >"$work/san1" 2>"$work/san1.err" &
helpers="$helpers $!"
# A third party that keeps what both ends received, for weir to read afterwards.
if command -v tcpdump >/dev/null; then
	tcpdump -q -Z root -i san0 -Q in -s 0 -B 65536 -w "$work/san0.pcap" 2>"$work/san0.dump" &
	helpers="$helpers $!"
	ip netns exec target tcpdump -q -Z root -i san1 -Q in -s 0 -B 65536 -w "$work/san1.pcap" 2>"$work/san1.dump" &
	helpers="$helpers $!"
fi
started() { grep -q '^frames' "$work/san0" && grep -q '^frames' "$work/san1"; }
wait_until 'both captures have begun' started

# column WORDS N FILE: field N of the last line that begins so
column() { awk -v words="$1 " -v n="$2" 'index($0, words) == 1 { v = $n } END { print v + 0 }' "$work/$3"; }
# A segment with an impossible data offset never gets as far as the checksum: below 5 it
# is TcpInErrs alone, past the end of the segment it is in no counter. Here, where nobody
# sends such a thing, it is damage that weir counts as tcp.cksum and tcp.doff.
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
			"$(awk '/^at / { n = $4 } END { print n + 0 }' "$work/$side")" \
			"$(column 'class tcp.doff' 3 $side)"
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
echo "$(cut -d" " -f1 /proc/uptime): damage begins on $disk" >&2
tc qdisc add dev san0 root netem corrupt "$percent%"
within tc qdisc add dev san1 root netem corrupt "$percent%"
fio --name=load --filename="/dev/$disk" --direct=1 --ioengine=libaio --iodepth=32 --rw=randrw \
	--bs=64k --runtime="$seconds" --time_based --eta=never --output=/dev/null
echo "$(cut -d" " -f1 /proc/uptime): damage ends" >&2
tc qdisc del dev san0 root
within tc qdisc del dev san1 root
wait_until 'all is quiet after' quiet
read -r -a after <<<"$(all)"

echo "kernel $(uname -r), $percent % of the packets damaged, $seconds s of 64 KiB reads and writes"
echo '| end | bad TCP checksums received, weir | of them in headers of impossible length | kernel | sent again, weir | kernel | IPv4 checksums bad | lost by the capture |'
echo '|---|---|---|---|---|---|---|---|'
for side in 0 1; do
	for i in 0 1 2 3 4 5 6; do d[i]=$((after[side * 7 + i] - before[side * 7 + i])); done
	reached=$((d[2] - d[6]))
	echo "| san$side | ${d[2]} | ${d[6]} | ${d[0]} | ${d[3]} | ${d[1]} | ${d[4]} | ${d[5]} |"
	[ "${d[0]}" -gt 0 ] || fail 'nothing was damaged'
	[ $((reached - d[0])) -le 1 ] || fail "san$side: more than one checksum too many"
	[ $((d[0] - reached)) -le 1 ] ||
		fail "san$side: more than one checksum missing"
	awk -v weir="${d[3]}" -v kernel="${d[1]}" 'BEGIN {
		exit !(weir >= kernel * 0.95 && weir <= kernel * 1.05) }' ||
		fail "san$side: retransmissions differ by more than 5 %"
done

# Where a difference would come from: work that the helper left out, frames that it lost, or
# its own judgement, which has another chance on what tcpdump wrote at the same end.
# A file does not say what came in: there TCP in damaged IP packets is bad as well.
# shellcheck disable=SC2086 # a list of numbers
kill $helpers
for side in san0 san1; do
	wait_until 'tcpdump has ended' grep -q 'dropped by kernel' "$work/$side.dump"
done
json() { grep -o "\"$1\":[0-9]*" "$work/read" | cut -d: -f2; }
efforts() { awk '/^at / && $8 != was {printf "%s%s", (was ? ", " : ""), $8; was = $8}' "$work/$1"; }
echo
# shellcheck disable=SC2016 # Markdown
echo '| end | received: sums good | bad | left to the card | not judged | effort | tcpdump and `weir read`: bad | not judged | lost by tcpdump |'
echo '|---|---|---|---|---|---|---|---|---|'
for side in san0 san1; do
	"$weir" read --format json "$work/$side.pcap" >"$work/read"
	echo "| $side | $(column 'class tcp.cksum.good' 3 $side) | $(column 'class tcp.cksum' 3 $side)" \
		"| $(column 'class tcp.cksum.offloaded' 3 $side) | $(column 'class tcp.cksum.unjudged' 3 $side)" \
		"| $(efforts $side) | $(json tcp.cksum) | $(json tcp.cksum.unjudged)" \
		"| $(awk '/dropped by kernel/ {print $1}' "$work/$side.dump") |"
done
exit "$failed"
