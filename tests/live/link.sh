#!/bin/sh
# shellcheck disable=SC2317 # functions that until_true and the trap call
# weir-capture at both ends of a wire that drops, doubles, swaps and damages segments of a
# real TCP connection (tap_link.c): each fault is counted as what it is and as often as it
# was made, and segments sent again as often as the kernel says.
set -u
helper=$WEIR_BUILD/weir-capture
load=$WEIR_BUILD/tests/live/load_tcp
wire=$WEIR_BUILD/tests/live/tap_link

skip()
{
	echo "SKIP: $1"
	exit 77
}

if [ -z "${WEIR_INSIDE-}" ]; then
	for tool in ip nstat; do
		command -v $tool >/dev/null || skip "$tool is missing: apt-get install iproute2"
	done
	[ -w /dev/net/tun ] || skip '/dev/net/tun is missing'
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

until_true()
{
	what=$1
	shift
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		if [ $tries -gt 400 ]; then
			echo "NOT OK - gave up waiting: $what"
			tail -n 5 "$work"/*
			exit 1
		fi
		sleep 0.05
	done
}

apart() { [ "$(readlink /proc/self/ns/net)" != "$(readlink "/proc/$other/ns/net")" ]; }
within() { nsenter -n -t "$other" "$@"; }
said() { grep -q "$2" "$work/$1"; }
class() # ID FIELD SIDE
{
	awk -v words="class $1 " -v n="$2" 'index($0, words) == 1 { v = $n } END { print v + 0 }' "$work/$3"
}
counter() { nstat -asz "$1" | awk -v name="$1" '$1 == name { print $2 }'; }
reports() { grep -c '^frames' "$work/$1"; }
same() # LEFT RIGHT: two reports of each side came since then, about as many frames
{
	[ "$(reports left)" -ge $(($1 + 2)) ] && [ "$(reports right)" -ge $(($2 + 2)) ] || return 1
	for side in left right; do
		[ "$(awk '/^frames / { before = now; now = $0 } END { print now == before }' "$work/$side")" = 1 ] || return 1
	done
}

ip link set lo up
unshare -n sleep 300 &
other=$!
children=$other
until_true 'the other namespace' apart

try() # FAULT COUNT
{
	"$wire" "/proc/$other/ns/net" "$1" "$2" >"$work/wire" 2>/dev/null &
	wire_pid=$!
	until_true 'the wire' said wire ready
	ip addr add 192.0.2.1/30 dev left
	ip link set left up
	within ip addr add 192.0.2.2/30 dev right
	within ip link set right up
	"$helper" left >"$work/left" 2>/dev/null &
	left=$!
	within "$helper" right >"$work/right" 2>/dev/null &
	right=$!
	children="$other $wire_pid $left $right"
	until_true 'left' said left '^frames'
	until_true 'right' said right '^frames'
	again=$(counter TcpRetransSegs)
	damaged=$(within nstat -asz TcpInCsumErrors | awk '$1 == "TcpInCsumErrors" { print $2 }')
	within "$load" serve 192.0.2.2 >"$work/load" &
	until_true 'the server' said load ready
	"$load" send 192.0.2.2 4 || exit 1
	until_true 'the bytes' said load '^4194304$'
	until_true 'the end of the reports' same "$(reports left)" "$(reports right)"
	again=$(($(counter TcpRetransSegs) - again))
	damaged=$(($(within nstat -asz TcpInCsumErrors | awk '$1 == "TcpInCsumErrors" { print $2 }') - damaged))
	kill $wire_pid
	wait $wire_pid 2>/dev/null
	check "$1: made" "$(awk '/^done/ { n = $2 } END { print n + 0 }' "$work/wire")" "$2"
	check "$1: sent again, as the kernel says" "$(class tcp.retrans 4 left)" "$again"
	check "$1: bad checksums received, as the kernel says" "$(class tcp.cksum 3 right)" "$damaged"
	case $1 in
	damage) check 'bad checksums received' "$(class tcp.cksum 3 right)" "$2" ;;
	double) check 'frames seen twice' "$(class tcp.hw_dup 3 right)" "$2" ;;
	swap) check 'out of order' "$(class tcp.ooo 3 right)" "$2" ;;
	drop) check 'segments missing' "$(class tcp.gap 3 right)" "$2" ;;
	esac
	[ "$1" = double ] || check "$1: frames seen twice" "$(class tcp.hw_dup 3 right)" 0
	[ "$1" = damage ] || check "$1: bad checksums received" "$(class tcp.cksum 3 right)" 0
	wait $left $right 2>/dev/null
	rm -f "$work"/*
	children=$other
}

try none 0
try damage 20
try double 20
try drop 20
try swap 20
exit $bad
