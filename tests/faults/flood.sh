#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154,SC2317 # inside.sh, lib.sh of the terminal tests
# Frames as fast as all cores can send them, short ones of every sort, while a screen is
# open: nothing crashes, no tick is late by more than half, the screen answers, and every
# frame that came is either counted or said to have been lost.
# WEIR_SECONDS: how long (6).
. "$WEIR_SRC/tests/faults/inside.sh"
. "$WEIR_SRC/tests/pty/lib.sh"
[ "$WEIR_INSIDE" = yes ] || { echo 'SKIP: namespaces cannot be made here'; exit 77; }
seconds=${WEIR_SECONDS:-6}
ask()
{
	printf 'state\n' | timeout 5 "$WEIR_BUILD/tests/app/ask" "$XDG_RUNTIME_DIR/weir/$name.sock"
}
state()
{
	ask | sed -n "s/^state.* $1=\([^ ]*\).*/\1/p"
}
bad=0
wrong()
{
	echo "NOT OK - $1"
	bad=1
}
# sum METRIC: over the whole session; a rate is of the second before it
sum()
{
	awk -F, -v metric="$1" '$3 == "right" && $4 == metric && $5 != "" { sum += $5 }
		END { printf "%.0f", sum }' "$top/all.csv"
}

open_terminal
run "$weir -s $name -i right"
wait_for 'COVERAGE 100%'
recorder=$(pgrep -f "weir .*$name" | while read -r pid; do
	pgrep -P "$pid" -x weir-capture >/dev/null && echo "$pid"
done)
helper=$(pgrep -P "$recorder" -x weir-capture)
key b
wait_for 'BEFORE begun'
ticks=$(state ticks)
late=$(state late)
received=$(cat /sys/class/net/right/statistics/rx_packets)
"$WEIR_BUILD/tests/faults/flood" left "$seconds" "$(nproc)" >"$top/sent" &
flood=$!
sleep $((seconds / 2))
key '?'
wait_for 'KEYS   Up and Down'
key q
wait_for '^b BEFORE c change'
wait "$flood" || wrong 'nothing was sent'
load=$(cut -d' ' -f1 /proc/loadavg)
late=$(($(state late) - late))
ticks=$(($(state ticks) - ticks))
received=$(($(cat /sys/class/net/right/statistics/rx_packets) - received))
settled()
{
	[ "$(state ticks)" -ge $((ticks + seen)) ]
}
seen=$(($(state ticks) - ticks + 3)) # what the kernel still held is counted by then
wait_until settled
key .
wait_for 'COVERAGE 100%'
[ "$late" -eq 0 ] || wrong "$late ticks were late by more than half"
[ "$ticks" -ge $((seconds - 1)) ] || wrong "only $ticks ticks in $seconds s"
[ "$(pgrep -P "$recorder" -x weir-capture)" = "$helper" ] || wrong 'the helper was started again'
key q
wait_for 'come back with'
"$weir" stop "$name" >/dev/null
"$weir" export "$name" --format csv >"$top/all.csv"
frames=$(sum capture.frames)
lost=$(sum capture.lost)
echo "$seconds s, load $load: $(cat "$top/sent") frames sent by $(nproc) processes, $received" \
	"arrived, $frames seen, $lost said to be lost; $ticks ticks, $late late by more than half"
# rates of ticks that are not exactly a second long: a few in a hundred; and of a tick that
# a busy host missed there is no rate at all
blind=$(awk -F, '$3 == "right" && $4 == "capture.frames" && $6 != "first" { all++; bad += $6 != "" }
	END { printf "%d", all ? 1000 * bad / all : 0 }' "$top/all.csv")
off=$((frames + lost - received))
[ $((${off#-} * 1000)) -le $((received * (20 + blind))) ] ||
	wrong "$off frames are neither seen nor lost ($blind of 1000 ticks have no figure)"
exit $bad
