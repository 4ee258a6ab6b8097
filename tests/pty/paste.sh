#!/bin/sh
# Text that was meant for another window sets no mark: bracketed or all at once.

# shellcheck disable=SC1091,SC2034,SC2154
. "$WEIR_SRC/tests/pty/lib.sh"
open_terminal
start
mux set-buffer 'cbaq
c'
mux paste-buffer -p
mux send-keys -l 'abcq'
wait_for '4 keys at once were ignored'
shown | grep -q 'No BEFORE yet' || exit 1
key n
wait_for '^note:'
key x
wait_for '^note: x'
key Escape
wait_for 'b BEFORE'
