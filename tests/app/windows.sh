#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2317 # common.sh; called by another function
# Windows renamed, moved and deleted after the fact: other viewers see it at once, it
# is in the file, and undo brings everything back.
. "$WEIR_SRC/tests/app/common.sh"

record day -t 0.2
"$weir" mark before >/dev/null
"$weir" mark change >/dev/null
"$weir" mark after >/dev/null
socket=$work/run/weir/day.sock

# A viewer that stays: what it is told is in $work/seen.
mkfifo "$work/feed"
"$WEIR_BUILD/tests/app/ask" "$socket" <"$work/feed" >"$work/seen" &
viewer=$!
exec 3>"$work/feed"
printf 'watch 0\n' >&3
told()
{
	grep -a -q -e "$1" "$work/seen"
}
until_true 'the viewer has the windows' told '^window 3 after AFTER '

ask()
{
	printf '%s\n' "$1" | "$WEIR_BUILD/tests/app/ask" "$socket" >"$work/answer"
}
ask 'edit id=1 name=old-hba author=me'
says 'a window is renamed' '^marked 1 old-hba' "$work/answer"
says 'and that is on the disk' '^saved 1' "$work/answer"
until_true 'the other viewer sees the new name' told '^window 1 other old-hba '
ask 'edit id=1 from=0 to=1000000 author=me'
says 'its edges move' '^marked 1 old-hba' "$work/answer"
until_true 'the other viewer sees it' told '^window 1 other old-hba 0 1000000 '
ask 'edit id=1 from=5000000 to=1000000 author=me'
says 'no window ends before it begins' '^error ' "$work/answer"
ask 'edit id=1 from=999000000000000 author=me'
says 'nor begins in the future' '^error that%20time' "$work/answer"
ask 'delete id=1 author=me'
until_true 'the other viewer loses it' told '^window-gone 1'
ask 'undo author=somebody-else'
says 'nobody undoes what another did' '^error ' "$work/answer"
ask 'mark name=late asked=1'
says 'what was asked long ago is not done' '^error that%20was%20asked%20.*not%20done' "$work/answer"
ask 'undo author=me asked=1'
says 'nor undone' '^error that%20was%20asked' "$work/answer"
for deed in deleted from renamed; do
	ask 'undo author=me'
	says "undone: $deed" '^marked 1 undone' "$work/answer"
done
until_true 'it is as it was' told '^window 1 before BEFORE '
ask 'edit id=3 name=second author=me'
ask 'edit id=2 to=open author=me'
says 'an end is taken away' 'is%20open' "$work/answer"
exec 3>&-
kill $viewer
wait $viewer 2>/dev/null
"$weir" stop day >/dev/null
"$weir" report -s day --format csv BEFORE second >"$work/report"
says 'the file has the names' '^head,windows,2,,,B,name,second$' "$work/report"
"$weir" report -s day old-hba >"$work/out" 2>&1
says 'and not those that were undone' 'there are: BEFORE, CHANGE, second' "$work/out"
exit "$bad"
