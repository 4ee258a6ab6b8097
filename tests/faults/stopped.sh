#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh
# The recorder is stopped and continued (SIGSTOP, as by a debugger, a cgroup freezer or a
# virtual machine that is moved): each hole is a gap, no figure is made over it, and there
# is no burst of ticks behind it. WEIR_ROUNDS: how many (4).
. "$WEIR_SRC/tests/faults/lib.sh"
rounds=${WEIR_ROUNDS:-4}

has_more()
{
	[ "$(state day ticks)" -ge $((before + 5)) ]
}

record day -t 0.1
for round in $(seq "$rounds"); do
	before=$(state day ticks)
	until_true "ticks come before stop $round" has_more
	kill -STOP "$recorder"
	sleep "0.$((5 + round % 5))"
	kill -CONT "$recorder"
	before=$(state day ticks)
	until_true "ticks come after stop $round" has_more
done
"$weir" stop day >/dev/null
check 'the recording ends well' $? 0
"$weir" export day --format csv >"$work/day.csv"
grep ',gap$' "$work/day.csv" | cut -d, -f1 | sort -u >"$work/gaps"
[ "$(wc -l <"$work/gaps")" -ge "$rounds" ]
check 'each stop is a gap' $? 0
check 'no figure has a value and a reason' \
	"$(awk -F, 'NR > 1 && $5 != "" && $6 != ""' "$work/day.csv" | head -n 3)" ''
check 'no figure is negative or no number' "$(absurd "$work/day.csv")" ''
# a beat is 100 ms; the tick at the end of a stop may be near the beat behind it, but
# three ticks in less than that would be a burst
sql day 'SELECT at FROM ticks ORDER BY at' |
	awk 'NR > 2 && $1 - before < 9e7 { near++ } { before = last; last = $1 }
		END { print near + 0 }' >"$work/near"
check 'no tick is made up for' "$(cat "$work/near")" 0
echo "$rounds stops, $(wc -l <"$work/gaps") gaps"
exit "$bad"
