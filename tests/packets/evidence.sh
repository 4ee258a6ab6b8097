#!/bin/sh
# Evidence from a capture file: `weir read --evidence`. The packets are there with those
# before and behind them, cut to headers and 64 bytes, each with a comment; and other
# programs read the file.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail()
{
	printf '%s\n' "$*"
	failed=1
}

# good, good, bad checksum, good, good, good: 1000 bytes each in one connection, and one
# packet of another connection between them
frames='tcp,len=1000 tcp,len=1000,seq=2000 tcp,len=1000,seq=3000,sum=bad udp,len=30
	tcp,len=1000,seq=3000 tcp,len=1000,seq=4000 tcp,len=1000,seq=5000'
# shellcheck disable=SC2086 # words
"$WEIR_BUILD/tests/packets/generate" $frames >"$work/in.pcap" || exit 1
cd "$work" || exit 1
"$WEIR_BUILD/weir" read --evidence out.pcapng in.pcap >text || fail 'not read'
[ "$(stat -c %a out.pcapng)" = 600 ] || fail 'others may read the file'
"$WEIR_BUILD/weir" read --evidence out.pcapng in.pcap >text 2>err && fail 'written over'
grep -q 'out.pcapng' err || fail 'no word about the file that is there'

# weir reads its own file
"$WEIR_BUILD/weir" read --format json out.pcapng >counts || fail 'own file not read'
grep -q '"packets":5,' counts || fail 'not five packets'

# nothing is wrong: a file without packets is a file all the same
"$WEIR_BUILD/tests/packets/generate" tcp,len=10 >good.pcap
"$WEIR_BUILD/weir" read --evidence none.pcapng good.pcap >text || fail 'good file not read'

# whole packets only on request
"$WEIR_BUILD/weir" read --whole --evidence whole.pcapng in.pcap >text || fail 'not whole'
[ "$(stat -c %s whole.pcapng)" -gt $((5 * 1040)) ] || fail 'whole packets are cut'
[ "$(stat -c %s out.pcapng)" -lt 3000 ] || fail 'packets are not cut'

# a flood of one class: bounded, and the rest of the file is still there
set -- tcp,len=10,sum=bad
for _ in 1 2 3 4 5 6 7 8 9 10; do
	set -- "$@" "$@"
done
"$WEIR_BUILD/tests/packets/generate" "$@" "$@" icmp,len=20,sum=bad >flood.pcap
"$WEIR_BUILD/weir" read --evidence flood.pcapng flood.pcap >text || fail 'flood not read'
"$WEIR_BUILD/weir" read --format json flood.pcapng >counts
grep -q '"icmp.cksum":1' counts || fail 'a flood of one class hid another'
count=$(sed 's/.*"packets":\([0-9]*\).*/\1/' counts)
[ "$count" -le 1100 ] || fail "not bounded: $count packets"

# each file is an interface, by the name that was given, also where they end alike
mkdir first second
for folder in first second; do
	"$WEIR_BUILD/tests/packets/generate" tcp,len=10,sum=bad >$folder/the-capture-of-the-switch.pcap
done
"$WEIR_BUILD/weir" read --evidence several.pcapng first/* second/* >text || fail 'not several'

if ! command -v tshark >/dev/null || ! command -v capinfos >/dev/null; then
	echo 'SKIP: no tshark to check the files with'
	[ $failed = 0 ] && exit 77
	exit 1
fi
export HOME="$work"
tshark -n -r several.pcapng -T fields -e frame.interface_name 2>err >names
printf '%s/the-capture-of-the-switch.pcap\n' first second | cmp -s - names || {
	fail 'files are not told apart'
	cat names
}
for file in out none whole flood several; do
	capinfos -M $file.pcapng >info 2>&1 || {
		fail "$file.pcapng: capinfos"
		cat info
	}
done
tshark -n -r out.pcapng -T fields -e frame.comment -e frame.cap_len -e frame.len \
	-e frame.time_epoch 2>err | sort -k 5 >seen || fail "tshark: $(cat err)"
wanted='finding 1: tcp.cksum|1 before finding 1|2 before finding 1|1 behind finding 1|2 behind finding 1'
[ "$(grep -cE "$wanted" seen)" = 5 ] || {
	fail 'the comments are others'
	cat seen
}
# Ethernet, IPv4 and TCP have 54 bytes; 64 behind them
[ "$(awk -F '\t' '$2 == 118 && $3 == 1054' seen | wc -l)" = 5 ] || {
	fail 'lengths are others'
	cat seen
}
exit $failed
