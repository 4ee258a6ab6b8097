#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh
# The newest session was cut off: weir asks on a terminal whether to go on with it, and
# takes no for an answer.
. "$WEIR_SRC/tests/pty/lib.sh"

cut_off()
{
	kill -9 "$(pgrep -f "^weir record -s $name")"
}
is_cut()
{
	"$weir" list | grep -q "^$name .*interrupted"
}

open_terminal
run "$weir --new -s x"
wait_for 'exclude each other'
run "clear; $weir --resume"
wait_for 'no session of yours to go on with'

start
key b
wait_for 'BEFORE begun'
key q
wait_for 'recording goes on'
cut_off || exit 1
wait_until is_cut

run "clear; $weir -i lo --no-capture"
wait_for "Session $name was cut off at .*, 1 window, "
wait_for 'Go on with it'
run x
wait_for 'Go on with it.*$'
run q
wait_for 'nothing was started'

run "clear; $weir -i lo --no-capture"
wait_for 'Go on with it'
run y
wait_for 'COVERAGE'
wait_for "$name"
key q
wait_for "$name: recording goes on"
cut_off || exit 1
wait_until is_cut

run "clear; $weir -i lo --no-capture"
wait_for 'Go on with it'
run n
wait_for 'COVERAGE 100%'
is_cut || exit 1
key q
wait_for 'the recording has ended'
