#!/bin/sh
# weir-capture beside `tcpdump -w /dev/null` on one virtual card, under TCP as fast as
# it goes between two network namespaces (iperf3 where it is there, else our own
# sender): CPU time of both as a ratio, and what each of them lost. Megabytes to send: the
# first argument. Ends with 1 where weir-capture loses frames and tcpdump does not, or
# takes more than twice its CPU time.
# shellcheck disable=SC2317 # functions that until_true and the trap call
set -u
helper=$WEIR_BUILD/weir-capture
load=$WEIR_BUILD/tests/live/load_tcp
megabytes=${1-4000}

skip()
{
	echo "SKIP: $1"
	exit 77
}

for tool in ip tcpdump; do
	command -v $tool >/dev/null || skip "$tool is missing"
done
if [ -z "${WEIR_INSIDE-}" ]; then
	user=-Ur
	[ "$(id -u)" -ne 0 ] || user=
	# shellcheck disable=SC2086 # empty or one word
	unshare $user -n true 2>/dev/null || skip 'network namespaces are not allowed here'
	# shellcheck disable=SC2086
	WEIR_INSIDE=yes exec unshare $user -n "$0" "$megabytes"
fi

work=$(mktemp -d) || exit 1
children=
status=0
clean_up()
{
	# shellcheck disable=SC2086 # a list of numbers
	[ -z "$children" ] || kill $children 2>/dev/null
	rm -rf "$work"
}
trap clean_up EXIT

until_true()
{
	what=$1
	shift
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -le 400 ] || {
			echo "gave up waiting: $what"
			exit 1
		}
		sleep 0.05
	done
}

apart()
{
	[ "$(readlink /proc/self/ns/net)" != "$(readlink "/proc/$other/ns/net")" ]
}

# Clock ticks of user and system time that PID used.
cpu()
{
	awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"
}

steady() # the last two reports of weir-capture say the same
{
	[ "$(awk '/^frames / { before = now; now = $0 } END { print now == before }' "$work/weir")" = 1 ]
}

unshare -n sleep 600 &
other=$!
children=$other
until_true 'the other namespace' apart
ip link add left type veth peer name right
ip link set right netns $other
ip addr add 192.0.2.1/30 dev left
ip link set left up
nsenter -n -t $other ip addr add 192.0.2.2/30 dev right
nsenter -n -t $other ip link set right up

# The server of one transfer at ADDRESS, in the namespace that the words before it enter.
serve() # ADDRESS WORD...
{
	address=$1
	shift
	if command -v iperf3 >/dev/null; then
		"$@" iperf3 --forceflush -s -1 -B "$address" >"$work/load" 2>&1 &
		until_true 'the server' grep -q listening "$work/load"
	else
		"$@" "$load" serve "$address" >"$work/load" &
		until_true 'the server' grep -q ready "$work/load"
	fi
}

send() # ADDRESS WORD...
{
	address=$1
	shift
	if command -v iperf3 >/dev/null; then
		"$@" iperf3 -c "$address" -n "${megabytes}M" -i 0 >"$work/sent" 2>&1
		awk '/ receiver/ { print "  iperf3: " $7, $8 }' "$work/sent"
	else
		"$@" "$load" send "$address" "$megabytes"
	fi
}

judge()
{
	awk -v w="$weir_cpu" -v d="$dump_cpu" '
		/^at / { lost = $4 }
		/dropped by kernel/ { dropped = $1 }
		END {
			if (lost > 0 && dropped == 0) { print "  FAIL: weir-capture alone lost frames"; bad = 1 }
			if (w > 2 * d) { print "  FAIL: more than twice the CPU time of tcpdump"; bad = 1 }
			exit bad
		}' "$work/weir" "$work/dump" || status=1
}

measure() # NAME SENDER: who sends decides whether left sees sent or received frames
{
	# through a pipe, as the recorder reads it: to write to a file is to wait for a disk
	mkfifo "$work/pipe"
	cat "$work/pipe" >"$work/weir" &
	"$helper" left >"$work/pipe" 2>/dev/null &
	weir=$!
	# the same ring for both; -n: no names, no privileges to change
	tcpdump -n -i left -B 32768 -w /dev/null 2>"$work/dump" &
	dump=$!
	children="$other $weir $dump"
	until_true 'weir-capture' grep -q '^frames' "$work/weir"
	until_true tcpdump grep -q listening "$work/dump"
	if [ "$2" = left ]; then
		serve 192.0.2.2 nsenter -n -t $other
		send 192.0.2.2 env
	else
		serve 192.0.2.1 env
		send 192.0.2.1 nsenter -n -t $other
	fi
	until_true 'the end of the reports' steady
	weir_cpu=$(cpu $weir)
	dump_cpu=$(cpu $dump)
	kill -INT $dump
	wait $dump
	kill $weir
	wait $weir 2>/dev/null
	rm "$work/pipe"
	echo "$1:"
	awk -v w="$weir_cpu" -v d="$dump_cpu" -v hz="$(getconf CLK_TCK)" 'BEGIN {
		printf "  CPU weir-capture %.2f s, tcpdump %.2f s, ratio %.2f\n", w / hz, d / hz,
			d ? w / d : 0 }'
	awk '/^at / { lost = $4; effort = $8; if (effort != "full") shed = effort }
		/^frames / { frames = $2 + $3 + $4 } /^cut / { cut = $2 }
		END { printf "  weir-capture: %d frames, %d lost, %d cut, effort %s\n", frames, lost,
			cut, shed ? shed : "full" }' "$work/weir"
	sed -n 's/^\([0-9].*\)/  tcpdump: \1/p' "$work/dump"
	judge
	children=$other
}
measure "$megabytes MB sent by this side" left
measure "$megabytes MB received by this side" right
exit $status
