#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # lib.sh of the terminal tests
# A terminal that stops reading for a minute while all cores are busy: no sample of the
# recorder is late by more than half a tick, and the screen goes on when it is read again.
# WEIR_SECONDS: how long it is frozen (60).
. "$WEIR_SRC/tests/pty/lib.sh"
seconds=${WEIR_SECONDS:-60}
state()
{
	printf 'state\n' | timeout 5 "$WEIR_BUILD/tests/app/ask" "$XDG_RUNTIME_DIR/weir/$name.sock" |
		sed -n "s/^state.* $1=\([^ ]*\).*/\1/p"
}

open_terminal
start
key b
wait_for 'BEFORE begun'
loads=
for _ in $(seq "$(nproc)"); do
	# ends by itself, whatever becomes of this test
	timeout "$seconds" sh -c 'while :; do :; done' &
	loads="$loads $!"
done
ticks=$(state ticks)
late=$(state late)
key C-s
sleep "$seconds"
late=$(($(state late) - late))
ticks=$(($(state ticks) - ticks))
key C-q
# shellcheck disable=SC2086 # a list of numbers
wait $loads
echo "$seconds s frozen, $(nproc) busy loops, load $(cut -d' ' -f1 /proc/loadavg):" \
	"$ticks ticks, $late late by more than half a tick"
[ "$ticks" -ge "$((seconds - 1))" ] || { echo "NOT OK - ticks are missing"; exit 1; }
[ "$late" -eq 0 ] || { echo "NOT OK - $late ticks were late"; exit 1; }
key .
wait_for 'COVERAGE 100%'
key q
wait_for 'come back with'
