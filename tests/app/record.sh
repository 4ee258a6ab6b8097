#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# Recording: how many ticks, who may record, what a resumed session looks like.
. "$WEIR_SRC/tests/app/common.sh"

"$weir" record -s short --no-capture -t 0.1 --for 1s </dev/null >"$work/out" 2>&1
check 'a recording with --for ends well' $? 0
check 'it has the first reading and ten ticks' "$(ticks short)" 11
check 'and says nothing' "$(cat "$work/out")" ''

record one -t 0.1
"$weir" record -s one --no-capture >"$work/second" 2>&1
check 'a second recorder of one session is refused' $? 1
says 'and told why' 'being recorded already' "$work/second"
has_ticks()
{
	[ "$(ticks one)" -ge "$1" ]
}
until_true 'there are five ticks' has_ticks 5
"$weir" list >"$work/list"
says 'list shows it running' '^one .*recording' "$work/list"

"$weir" stop one >"$work/out"
check 'stop ends it' $? 0
says 'and says so' 'recording ended' "$work/out"
until_true 'the recorder is gone' is_gone "$recorder"
wait "$recorder"
check 'its status is good' $? 0
"$weir" stop -s one >"$work/out" 2>&1
check 'what is not running cannot be stopped' $? 1
"$weir" mark x -s one >"$work/out" 2>&1
check 'nor marked' $? 1
says 'with the way out' 'weir record -s one' "$work/out"

before=$(ticks one)
record one -t 0.1
until_true 'the resumed session grows' has_ticks $((before + 3))
kill -TERM "$recorder"
wait "$recorder"
check 'SIGTERM ends it well' $? 0
"$weir" export one --format csv >"$work/one.csv"
says 'the new run begins with a gap' ',cpu.*,gap$\|,disk[^,]*,[^,]*,,gap$\|,gap$' "$work/one.csv"
check 'times only grow' "$(cut -d, -f1 "$work/one.csv" | tail -n +2 | sort -n -c 2>&1)" ''

record hup -t 0.1
kill -HUP "$recorder"
kill -PIPE "$recorder"
"$weir" note -s hup 'still there' >"$work/out"
check 'a lost terminal does not end a recording' $? 0
"$weir" -t 5 -D '^sd' -b -n 1 </dev/null >"$work/screen" 2>"$work/err"
check 'options of a recording that runs already are no failure' $? 0
says 'but are said to have no effect' \
	"^weir: -D ^sd, -t 5 have no effect: the recorder of .* runs with its own options, a tick every " \
	"$work/err"
kill -INT "$recorder"
wait "$recorder"
check 'SIGINT does' $? 0

# Where packets are not looked at, the first screen has the reason that all have.
"$weir" record -s reason -i lo -t 0.1 </dev/null >"$work/out" 2>&1 &
until_true 'a recording without --no-capture begins' test -S "$work/run/weir/reason.sock"
has_reason_ticks()
{
	[ "$(ticks reason)" -ge 5 ]
}
until_true 'its sources have answered' has_reason_ticks
"$weir" attach -b -n 1 reason </dev/null | grep 'no capture (' >"$work/attached"
"$weir" -b -n 1 -s reason </dev/null 2>"$work/err" | grep 'no capture (' >"$work/live"
check 'weir and weir attach give one reason' "$(cat "$work/live")" "$(cat "$work/attached")"
"$weir" stop reason >"$work/out"
exit "$bad"
