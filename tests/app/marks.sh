#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # common.sh; words for another shell
# Marks, notes, undo and commands with a window around them.
. "$WEIR_SRC/tests/app/common.sh"

# ask STATUS WHAT WORDS...: its output is in $work/out.
ask()
{
	want=$1
	what=$2
	shift 2
	"$weir" "$@" >"$work/out" 2>&1
	check "$what" $? "$want"
}

record day -t 0.2
ask 0 'before begins' mark before
says 'and says when' '^BEFORE begun at [0-9:]*$' "$work/out"
ask 1 'before cannot begin twice' mark before
says 'and it is said since when' 'BEFORE is open since' "$work/out"
ask 0 'change closes it' mark change
ask 0 'after begins' mark after
ask 0 'and again' mark after
says 'as the second one' '^AFTER 2 begun' "$work/out"
ask 0 'an open one is closed by name' mark after --close
ask 1 'what is not open cannot be closed' mark before --close
ask 1 'nothing is before the session' mark long --last 10m
ask 1 'nor after now' mark far --at '2037-01-01T00:00Z'
until_true 'the session is old enough' "$weir" mark tail --last 0.2s
ask 0 'and one that ends by itself' mark soon --for 1s
ask 0 'a line is noted' note 'changed the cable'
ask 1 'one that is too long is not' note "$(printf '%0300d' 7)"
ask 1 'nor is one with nothing in it' note '  	'
printf 'crc 12\nruns 3\n' | "$weir" note --attach 'switch port 7' >"$work/out"
check 'a text is attached' $? 0
head -c 70000 /dev/zero | tr '\0' x | "$weir" note --attach big >"$work/out" 2>&1
check 'one beyond all bounds is not' $? 1
"$weir" note --attach empty </dev/null >"$work/out" 2>&1
check 'nor is nothing' $? 1
ask 0 'the last deed is undone' undo
says 'and named' 'undone: note "switch port 7"' "$work/out"
ask 0 'and the one before' undo
says 'and named' 'changed the cable' "$work/out"
ask 0 'and the window' undo
says 'by its name' 'undone: soon' "$work/out"

"$weir" run copy -- sh -c 'head -c 20000000 /dev/urandom >"$0"; sync "$0"; exit 7' \
	"$work/data" >"$work/out" 2>"$work/err"
check 'a command keeps its exit status' $? 7
says 'its window says how it ended' 'copy: .* exit status 7' "$work/err"
says 'and what was written' 'disks written' "$work/err"
"$weir" run quick -- sh -c 'cat; echo out; echo err >&2' \
	<"$0" >"$work/out" 2>"$work/err"
check 'its input and output are its own' "$(tail -n 1 "$work/out")" out
says 'all three of them' '^err$' "$work/err"
"$weir" run none -- /nowhere/at/all >"$work/out" 2>&1
check 'a command that is not there has a status too' $? 127
"$weir" run killed -- sh -c 'kill -9 $$' >"$work/out" 2>&1
check 'death by signal is 128 and more' $? 137
says 'and says so' 'exit status 137 (as of signal 9' "$work/out"

started()
{
	[ -s "$work/started" ]
}
"$weir" run long -- sh -c 'trap "exit 9" TERM; echo yes >"$0"; while :; do sleep 0.1; done' \
	"$work/started" >"$work/out" 2>&1 &
runner=$!
until_true 'the command runs' started
kill -TERM $runner
wait $runner
check 'signals reach the command' $? 9

"$weir" stop day >/dev/null
"$weir" list >"$work/list"
# BEFORE, CHANGE, AFTER, AFTER 2, tail, copy, quick, none, killed, long
says 'all windows are in the file' '^day .* 10 ' "$work/list"
exit "$bad"
