#!/bin/sh
# weir-capture beside `tcpdump -w /dev/null` on one virtual card, under TCP as fast as
# it goes between two network namespaces: CPU time of both as a ratio, and what each
# of them lost. Megabytes to send: the first argument.
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

measure() # NAME SENDER: who sends decides whether left sees sent or received frames
{
	"$helper" left >"$work/weir" 2>/dev/null &
	weir=$!
	# the same ring for both; -n: no names, no privileges to change
	tcpdump -n -i left -B 32768 -w /dev/null 2>"$work/dump" &
	dump=$!
	children="$other $weir $dump"
	until_true 'weir-capture' grep -q '^frames' "$work/weir"
	until_true tcpdump grep -q listening "$work/dump"
	if [ "$2" = left ]; then
		nsenter -n -t $other "$load" serve 192.0.2.2 >"$work/load" &
		until_true 'the server' grep -q ready "$work/load"
		"$load" send 192.0.2.2 "$megabytes"
	else
		"$load" serve 192.0.2.1 >"$work/load" &
		until_true 'the server' grep -q ready "$work/load"
		nsenter -n -t $other "$load" send 192.0.2.1 "$megabytes"
	fi
	until_true 'the end of the reports' steady
	weir_cpu=$(cpu $weir)
	dump_cpu=$(cpu $dump)
	kill -INT $dump
	wait $dump
	kill $weir
	wait $weir 2>/dev/null
	echo "$1:"
	awk -v w="$weir_cpu" -v d="$dump_cpu" -v hz="$(getconf CLK_TCK)" 'BEGIN {
		printf "  CPU weir-capture %.2f s, tcpdump %.2f s, ratio %.2f\n", w / hz, d / hz,
			d ? w / d : 0 }'
	awk '/^at / { lost = $4; effort = $8; if (effort != "full") shed = effort }
		/^frames / { frames = $2 + $3 + $4 } /^cut / { cut = $2 }
		END { printf "  weir-capture: %d frames, %d lost, %d cut, effort %s\n", frames, lost,
			cut, shed ? shed : "full" }' "$work/weir"
	sed -n 's/^\([0-9].*\)/  tcpdump: \1/p' "$work/dump"
	children=$other
}
measure "$megabytes MB sent by this side" left
measure "$megabytes MB received by this side" right
