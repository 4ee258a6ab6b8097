#!/bin/sh
# A terminal that is stopped, and a reader that stops reading: the recorder loses no
# tick, and the screen goes on when it is read again.

# shellcheck disable=SC1091,SC2034,SC2154
. "$WEIR_SRC/tests/pty/lib.sh"
open_terminal
start
key b
wait_for 'BEFORE begun'
key C-s
from=$("$weir" attach -b -n 1 "$name" </dev/null | sed -n 's/^COVERAGE 100%: all \([0-9]*\).*/\1/p')
# six more ticks, counted by another viewer, while this one is frozen
"$weir" attach -b -n 6 "$name" </dev/null >"$top/screens"
to=$(sed -n 's/^COVERAGE 100%: all \([0-9]*\).*/\1/p' "$top/screens" | tail -n 1)
[ "$to" -ge $((from + 5)) ] || { echo "ticks: $from to $to"; exit 1; }
key C-q
wait_for "all ($((to + 1))|$((to + 2))|$((to + 3))|$((to + 4))) ticks"
grep -q 'late' "$top/screens" && { cat "$top/screens"; exit 1; }
key q
wait_for 'come back with'
