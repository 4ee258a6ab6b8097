#!/bin/sh
# SIGTERM, a crash, ^Z and fg: the terminal is given back each time, the recording
# lives; and a recorder that is killed is said in line 2.

# shellcheck disable=SC1091,SC2034,SC2154
. "$WEIR_SRC/tests/pty/lib.sh"
screen()
{
	pgrep -u "$(id -u)" -f "^$weir (attach|-s $name)" | head -n 1
}
open_terminal
start
key b
wait_for 'BEFORE begun'
kill -TERM "$(screen)"
wait_for 'come back with: weir attach case'
terminal_is_back
run "clear; $weir attach $name"
wait_for 'COVERAGE'
key C-z
wait_for 'Stopped|ready>'
terminal_is_back
run 'clear; fg'
wait_for 'COVERAGE'
case $(nm -D "$weir" 2>/dev/null) in
*__asan_init*) ;; # has its own handler
*)
	kill -SEGV "$(screen)"
	wait_for 'ready>'
	terminal_is_back
	run "clear; $weir attach $name"
	wait_for 'COVERAGE'
	;;
esac
kill -KILL "$(pgrep -f "^weir record -s $name")"
wait_for '^RECORDER GONE'
key q
wait_for 'weir report -s case'
run "clear; $weir --resume -i lo --no-capture"
wait_for 'gap .*restart'
