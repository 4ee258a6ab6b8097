#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # lib.sh of the terminal tests
# 500 changes of size without a pause, from 1x1 to 200x60: the screen lives, settles,
# and uses next to nothing then; no tick is lost. WEIR_ROUNDS: how many (500).
. "$WEIR_SRC/tests/pty/lib.sh"
rounds=${WEIR_ROUNDS:-500}
number()
{
	echo $(($(od -An -N4 -tu4 /dev/urandom) % $1 + 1))
}

open_terminal
start
screen=$(pgrep -u "$(id -u)" -f "^$weir -s $name" | head -n 1)
cpu()
{
	awk '{ print $14 + $15 }' "/proc/$screen/stat"
}

mux set-option -g window-size manual
for _ in $(seq "$rounds"); do
	mux resize-window -x "$(number 200)" -y "$(number 60)"
done
mux resize-window -x 80 -y 24
wait_for '^b BEFORE c change'
wait_for 'COVERAGE 100%'
before=$(cpu)
sleep 3
used=$(($(cpu) - before))
echo "$rounds resizes; then $used clock ticks of CPU in 3 s"
[ "$used" -le 30 ] || { echo 'NOT OK - it does not come to rest'; exit 1; }
key q
wait_for 'case[0-9]*: the recording has ended|come back with'
terminal_is_back
