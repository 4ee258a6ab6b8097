#!/bin/sh
# Down to 1x1 and back: nothing dies, everything is there again.

# shellcheck disable=SC1091,SC2034,SC2154
. "$WEIR_SRC/tests/pty/lib.sh"
open_terminal
start
mux set-option -g window-size manual
for size in '40 10' '1 1' '200 60' '3 2' '132 43'; do
	# shellcheck disable=SC2086 # two words are meant
	set -- $size
	mux resize-window -x "$1" -y "$2"
	wait_until test "$(mux display -p '#{pane_width}x#{pane_height}')" = "$1x$2"
done
wait_for 'at dev'
mux resize-window -x 80 -y 24
wait_for '^b BEFORE c change'
wait_for 'COVERAGE 100%'
key q
wait_for 'case[0-9]*: the recording has ended|come back with'
terminal_is_back
