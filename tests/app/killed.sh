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
	says "round $round kept its mark" "^day .*interrupted .* $round  " "$work/list"
	[ -S "$work/run/weir/day.sock" ]
	check "round $round left a socket behind" $? 0
done
record day -t 0.1
check 'the socket of the dead is taken over' $? 0
"$weir" stop day >/dev/null
check 'and removed at the end, with its lock' "$(ls "$work/run/weir")" ''
"$weir" export day --format csv | grep -c ',gap$' >"$work/gaps"
[ "$(cat "$work/gaps")" -ge $rounds ]
check 'each new run shows its gap' $? 0
# killed in its first moment: a file without a byte
: >"$folder/young.weir"
"$weir" report -s young >"$work/out" 2>"$work/err"
check 'an empty session cannot be read' $? 1
says 'and is said to be that' 'is empty: its recorder ended before' "$work/err"
"$weir" record -s young -t 0.1 --for 1s --no-capture </dev/null
check 'but it can be recorded into' $? 0
"$weir" report -s young >"$work/out" 2>&1
check 'and be read then' $? 0
ln -s young.weir "$folder/alias.weir"
"$weir" record -s alias -t 0.1 --for 1s --no-capture </dev/null 2>"$work/err"
check 'a link is not recorded into' $? 1
says 'since two recorders could have one file' 'is a link: record under' "$work/err"
check 'no lock and no socket is left over' "$(find "$folder" "$work/run" -name '*.lock' -o -name '*.sock')" ''
exit "$bad"
