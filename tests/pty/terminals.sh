#!/bin/sh
# No terminal, unknown and dumb ones, the C locale, NO_COLOR.

# shellcheck disable=SC1091,SC2034,SC2154
. "$WEIR_SRC/tests/pty/lib.sh"
"$weir" record -s "$name" -i lo --no-capture </dev/null >/dev/null 2>&1 &
wait_until test -S "$top/run/weir/$name.sock"
said=$("$weir" attach "$name" </dev/null 2>&1) && exit 1
case $said in *'-b prints the screen as text'*) ;; *) exit 1 ;; esac
"$weir" attach -b -n 1 "$name" </dev/null | grep -q 'COVERAGE' || exit 1
LOCALE=C
open_terminal
run "TERM=dumb $weir attach $name"
wait_for 'with TERM=dumb; -b prints'
run "clear; TERM=no-such-terminal $weir attach $name"
wait_for 'TERM no-such-terminal unkn'
wait_for 'COVERAGE'
key '~'
wait_for 'UTF-8 locale'
key q
wait_for 'come back'
run "clear; NO_COLOR=1 $weir attach $name"
wait_for 'COVERAGE'
mux capture-pane -p -e | grep -q '[[;]3[0-7][;m]' && { echo 'colour in spite of NO_COLOR'; exit 1; }
key q
wait_for 'come back'
run "clear; $weir attach $name"
wait_for 'COVERAGE'
key q
wait_for 'come back'
