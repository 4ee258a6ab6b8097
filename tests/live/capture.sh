#!/bin/sh
# shellcheck disable=SC2317 # functions that until_true and the trap call
# weir-capture on a pair of virtual cards in a network namespace of its own: damaged
# frames are counted exactly, clean ones with checksum offload not at all, directions
# are right, and what it dropped is confirmed by the kernel.
set -u
helper=$WEIR_BUILD/weir-capture
send=$WEIR_BUILD/tests/live/send_frames
load=$WEIR_BUILD/tests/live/load_tcp

skip()
{
	echo "SKIP: $1"
	exit 77
}

if [ -z "${WEIR_INSIDE-}" ]; then
	command -v ip >/dev/null || skip 'ip is missing: apt-get install iproute2'
	user=-Ur
	[ "$(id -u)" -ne 0 ] || user=
	# shellcheck disable=SC2086 # empty or one word
	unshare $user -n true 2>/dev/null || skip 'network namespaces are not allowed here'
	# shellcheck disable=SC2086
	WEIR_INSIDE=yes exec unshare $user -n "$0"
fi

work=$(mktemp -d) || exit 1
children=
clean_up()
{
	# shellcheck disable=SC2086 # a list of numbers
	[ -z "$children" ] || kill $children 2>/dev/null
	rm -rf "$work"
}
trap clean_up EXIT
bad=0

check()
{
	if [ "$2" = "$3" ]; then
		echo "ok - $1: $2"
	else
		echo "NOT OK - $1: $2, should be $3"
		bad=1
	fi
}

# until_true WHAT COMMAND...: waits for COMMAND to come true, ten seconds at most.
until_true()
{
	what=$1
	shift
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		if [ $tries -gt 200 ]; then
			echo "NOT OK - gave up waiting: $what"
			tail -n 20 "$work"/*
			exit 1
		fi
		sleep 0.05
	done
}

# column WORDS N FILE: field N of the last line in FILE that begins with WORDS.
column()
{
	awk -v words="$1 " -v n="$2" 'index($0, words) == 1 { v = $n } END { print v + 0 }' "$work/$3"
}

class() # ID rx|tx INTERFACE
{
	case $2 in
	rx) column "class $1" 3 "$3" ;;
	*) column "class $1" 4 "$3" ;;
	esac
}

saw() # INTERFACE COUNT: a report about that many frames is complete
{
	[ "$(awk '/^frames / { n = $2 + $3 + $4 } END { print n + 0 }' "$work/$1")" -ge "$2" ] &&
		[ "$(tail -c 1 "$work/$1" | od -An -c | tr -d ' ')" = '\n' ]
}

said() # FILE PATTERN
{
	grep -q "$2" "$work/$1"
}

start() # INTERFACE
{
	"$helper" "$1" >"$work/$1" 2>"$work/$1.err" &
	eval "pid_$1=$!"
	children="$children $!"
	until_true "the first report of $1" said "$1" '^frames'
}

# Nothing but our own frames: no addresses, no IPv6.
ip link add left address 02:00:00:00:00:01 type veth peer name right address 02:00:00:00:00:02 ||
	skip 'no veth pair can be made here'
for side in left right; do
	echo 1 >/proc/sys/net/ipv6/conf/$side/disable_ipv6
	ip link set $side up
done
start left
start right

# ---- what it is allowed to do, as the kernel sees it
# shellcheck disable=SC2154 # set by start
status=/proc/$pid_left/status
field()
{
	awk -v name="$1:" '$1 == name { print $2 }' "$status"
}
for set in CapInh CapPrm CapEff CapAmb; do
	check "$set of the helper" "$(field $set)" 0000000000000000
done
check 'no new privileges' "$(field NoNewPrivs)" 1
if said left 'cage=full'; then
	check 'system call filter' "$(field Seccomp)" 2
else
	echo '# built with sanitizers or for coverage: no system call filter'
fi
if [ "$(awk '$1 == 0 { print $3 }' /proc/self/uid_map)" != 1 ]; then
	[ "$(field Uid)" != 0 ]
	check 'another user than root (0: yes)' $? 0
fi

# ---- every kind of frame, its own number of times, received on the right
total=0
put() # KIND COUNT
{
	"$send" left "$1" "$2" || exit 1
	total=$((total + $2))
}
put good-tcp 100
put good-tcp6 100
put good-udp 100
put good-icmp 10
put good-icmp6 10
put bad-ip4 3
put bad-tcp 5
put bad-tcp6 2
put bad-udp 7
put bad-icmp 11
put bad-icmp6 13
put partial-tcp 17
put partial-udp 19
put reset 23
put unreachable 29
until_true 'all frames on the right' saw right $total
until_true 'all frames on the left' saw left $total

check 'frames received' "$(column frames 2 right)" $total
check 'frames sent' "$(column frames 3 left)" $total
check 'frames of unknown direction' "$(column frames 4 right)" 0
check 'IPv4 checksums bad' "$(class ip4.cksum rx right)" 3
check 'TCP checksums bad' "$(class tcp.cksum rx right)" 7
check 'UDP checksums bad' "$(class udp.cksum rx right)" 7
check 'ICMP checksums bad' "$(class icmp.cksum rx right)" 11
check 'ICMPv6 checksums bad' "$(class icmp6.cksum rx right)" 13
check 'TCP left to the card' "$(class tcp.cksum.offloaded rx right)" 17
check 'UDP left to the card' "$(class udp.cksum.offloaded rx right)" 19
check 'resets' "$(class tcp.rst rx right)" 23
check 'ICMP errors' "$(class icmp.error.unreach rx right)" 29
check 'bad ones sent, seen on the right' "$(class tcp.cksum tx right)" 0
check 'bad ones received, seen on the left' "$(class tcp.cksum rx left)" 0
check 'resets sent' "$(class tcp.rst tx left)" 23
# The card of the left side makes checksums: its long frames are cut, not judged.
if said left 'tx=headers'; then
	check 'sent TCP called bad' "$(class tcp.cksum tx left)" 0
	check 'sent frames cut' "$(column cut 2 left)" $((total - 23))
fi

# ---- retransmissions: five of fifteen segments
put repeated 15
until_true 'the repeated ones on the right' saw right $total
until_true 'the repeated ones on the left' saw left $total
check 'retransmissions received' "$(class tcp.retrans rx right)" 5
check 'retransmissions sent' "$(class tcp.retrans tx left)" 5
check 'frames lost by the capture' "$(awk '/^at / { n = $4 } END { print n }' "$work/right")" 0

# ---- down and up again is no end; deleted is one
ip link set right down
ip link set right up
put good-udp 50
until_true 'frames after down and up' saw right $((total - 49))
kill -0 "$pid_left"
check 'alive after down and up (0: yes)' $? 0
ip link del left
for side in left right; do
	until_true "the end of $side" said $side '^bye 3 '
	eval "wait \$pid_$side"
	check "exit status when $side is gone" $? 3
done
children=

# ---- real TCP with checksum offload, between two namespaces
unshare -n sleep 60 &
other=$!
children=$other
apart()
{
	[ "$(readlink /proc/self/ns/net)" != "$(readlink "/proc/$other/ns/net")" ]
}
within()
{
	nsenter -n -t "$other" "$@"
}
until_true 'the other namespace' apart
ip link add left type veth peer name right
ip link set right netns "$other"
ip addr add 192.0.2.1/30 dev left
ip link set left up
within ip addr add 192.0.2.2/30 dev right
within ip link set right up
start left
within "$load" serve 192.0.2.2 >"$work/load" &
children="$children $!"
until_true 'the server' said load ready
"$load" send 192.0.2.2 40
check 'the load ran (0: yes)' $? 0
until_true 'its bytes' said load '^41943040$'
until_true 'a report about it' saw left 100
for id in ip4.cksum tcp.cksum udp.cksum icmp.cksum; do
	check "$id of clean traffic, received" "$(class $id rx left)" 0
	check "$id of clean traffic, sent" "$(class $id tx left)" 0
done

# ---- a reader that goes ends it
mkfifo "$work/pipe"
"$helper" left >"$work/pipe" 2>/dev/null &
last=$!
head -n 1 "$work/pipe" >/dev/null
wait $last
check 'exit status when nobody reads any more' $? 0
exit $bad
