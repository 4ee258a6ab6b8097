#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# Wrong use: status 2, the thing that is wrong, and the way out.
. "$WEIR_SRC/tests/app/common.sh"

# wrong PATTERN WORDS...
wrong()
{
	pattern=$1
	shift
	"$weir" "$@" </dev/null >"$work/out" 2>"$work/err"
	check "weir $* is wrong use" $? 2
	says 'and says what' "$pattern" "$work/err"
	check 'on standard error only' "$(cat "$work/out")" ''
}

wrong "did you mean 'record'" recrod
wrong "did you mean 'mark'" makr before
wrong "no command 'zebra'" zebra
wrong "did you mean 'export'" help exprot
wrong "did you mean '--interval'" record --intervall 1
wrong 'needs a value: SECS' record -t
wrong "'0.05' is no interval.*0.1 to 3600" record -s a -t 0.05
wrong "'4000' is no interval" record -s a -t 4000
wrong "'x' is no interval" record -s a -t x
wrong "'2s' is no threshold of a stall.*0.5 to 3600" record -s a --stall 2s
wrong "'2' is no interval of the queue.*0.005 to 1" record -s a --queue-interval 2
wrong "'10' is no duration.*10m" record -s a --for 10
wrong "'\[' is no regular expression" record -s a -D '['
wrong "-D '' matches every disk" record -s a -D ''
wrong "'a,,b' is no list of interfaces" record -s a -i a,,b
wrong "'nope0': there is no such interface; there .*lo" record -s a -i nope0
wrong "'nope0,nope1': there is no such interface" -i nope0,nope1
wrong "from 'prt 80' on: " record -s a -f 'tcp prt 80'
wrong "from 'andd udp' on: " -f 'tcp port 80 andd udp'
wrong "from '((' on: " -f '(('
wrong 'exclude each other' record -s a -f tcp --no-capture
wrong "'a b' is no session name" record -s 'a b'
wrong "'../x' is no session name" record -s ../x
wrong 'one word too many' record -s a word
wrong 'weir mark needs' mark
wrong 'no name for a window' mark 'a/b'
wrong "'5' is no duration" mark a --last 5
wrong "'25:00' is no time" mark a --at 25:00
wrong "'?.2J?' is no name for a window" mark "$(printf '\033[2J\377')"
wrong "there is no command '?c'" "$(printf '\033c')"
wrong 'do not go with it' mark a --last 1m --for 1m
wrong 'only --at goes with it' mark a --close --last 1m
wrong 'either a text or --attach' note
wrong 'either a text or --attach' note text --attach title
wrong 'weir run needs' run name
wrong 'one word too many' stop a b
wrong "'yesterday' is no time" export --from yesterday
wrong "'25:00' is no time" export --to 25:00
wrong '--from is later than --to' export --from '1m ago' --to '2m ago'
wrong "METRIC=PERCENT%.*: disk.queue 20%" report --target 'disk.queue 20%'
wrong "did you mean 'disk.queue'" report --target disk.queu=20%
wrong "'x%' is no target" report --target disk.queue=20%,disk.read.await=x%
wrong "cannot fall by 100% or more" report --target disk.queue=100%
wrong "'20%,' is no\|METRIC=PERCENT%" report --target disk.queue=20%,
wrong "number of screens, not '0'" live -n 0
wrong "number of screens, not '2x'" live -b -n 2x
wrong "number of screens, not 'x'" attach -b -n x
wrong "takes no more words: 'extra'" --version extra
wrong "no option '-z'\|no such option: '-z'" list -z
for type in dumb ''; do
	TERM=$type "$weir" </dev/null >"$work/out" 2>"$work/err"
	check "without a terminal, TERM='$type': no screen" $? 1
	says 'and what there is instead' 'no screen without a terminal; -b prints' "$work/err"
done
check 'nothing was made on the way' "$(ls "$work/state" "$work/run")" "$(printf '%s:\n\n%s:' "$work/run" "$work/state")"

"$weir" --version >"$work/out"
check 'the version has a status of 0' $? 0
says 'and the name' '^weir [0-9]' "$work/out"
for command in $("$weir" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	"$weir" "$command" --help >"$work/out"
	check "weir $command --help" $? 0
	says 'shows its use' "^usage: weir $command" "$work/out"
	"$weir" help "$command" >"$work/again"
	check 'and help says the same' "$(cat "$work/again")" "$(cat "$work/out")"
done
"$weir" list >"$work/out"
check 'no sessions is no failure' $? 0
"$weir" stop >"$work/out" 2>"$work/err"
check 'but there is nothing to stop' $? 1
says 'and where it looked' "no session yet: weir starts one in $work/state/weir" "$work/err"
rm -rf "$work/state/weir"
: >"$work/state/weir"
"$weir" list >"$work/out" 2>"$work/err"
check 'a place that cannot be looked into is not an empty one' $? 1
says 'and is named' "cannot look into $work/state/weir: Not a directory" "$work/err"
"$weir" report >"$work/out" 2>"$work/err"
check 'nor for a report' $? 1
says 'which names it, too' "cannot look into $work/state/weir: Not a directory" "$work/err"
rm -f "$work/state/weir"
"$weir" --help >/dev/full 2>"$work/err"
check 'what cannot be printed is a failure' $? 1
exit "$bad"
