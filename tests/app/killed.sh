#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# The recorder is killed: marks that were confirmed stay, at most one tick is missing,
# and the next recorder takes over from a socket on which nobody answers.
. "$WEIR_SRC/tests/app/common.sh"

has_ticks()
{
	[ "$(ticks day)" -ge "$1" ]
}

rounds=5
for round in $(seq $rounds); do
	before=0
	[ ! -e "$folder/day.weir" ] || before=$(ticks day)
	record day -t 0.1
	until_true 'it records' has_ticks $((before + 3))
	"$weir" mark "m$round" >/dev/null
	check "mark $round is confirmed" $? 0
	seen=$(ticks day)
	kill -9 "$recorder"
	wait "$recorder" 2>/dev/null
	kept=$(ticks day)
	[ "$kept" -ge "$seen" ]
	check "round $round lost no tick that was in the file" $? 0
	"$weir" list >"$work/list"
	says "round $round kept its mark" "^day .*stopped .* $round  " "$work/list"
	[ -S "$work/run/weir/day.sock" ]
	check "round $round left a socket behind" $? 0
done
record day -t 0.1
check 'the socket of the dead is taken over' $? 0
"$weir" stop day >/dev/null
check 'and removed at the end' "$(ls "$work/run/weir")" day.sock.lock
"$weir" export day --format csv | grep -c ',gap$' >"$work/gaps"
[ "$(cat "$work/gaps")" -ge $rounds ]
check 'each new run shows its gap' $? 0
exit "$bad"
