#!/bin/sh
# Start, mark, pause, help, leave; the recording goes on and can be attached to again.

# shellcheck disable=SC1091,SC2034,SC2154
. "$WEIR_SRC/tests/pty/lib.sh"
open_terminal
start
wait_for 'No BEFORE yet'
key b
wait_for 'BEFORE begun at .*, saved'
key b
wait_for 'BEFORE is open since'
key c
wait_for 'CHANGE begun at'
key a
wait_for 'AFTER v BEFORE'
key n
wait_for '^note:'
mux send-keys -l 'both paths up'
wait_for '^note: both paths up'
key Enter
wait_for ' n both paths up \('
key p
wait_for '^PAUSED at .*recording continues'
key .
wait_for 'AFTER v BEFORE'
key '?'
wait_for '^KEYS'
key q
wait_for '1 DISK'
key d
wait_for '^COMPARE'
key q
key w
wait_for 'report: .*case[0-9]*-report-[0-9T]*'
key q
wait_for 'case[0-9]*: recording goes on, come back with: weir attach case'
terminal_is_back
run "clear; $weir attach --read-only"
wait_for 'read-only'
key b
wait_for 'this screen is read-only'
key q
wait_for 'come back with'
ls "$top"/state/weir/case[0-9]*-report-*.txt >/dev/null || exit 1
