#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2317 # common.sh; called by another function
# Whether anybody compared a window while it ran is kept with it: a screen that watches
# does, and a report of one that is not over.
. "$WEIR_SRC/tests/app/common.sh"
command -v sqlite3 >/dev/null || skip 'sqlite3 is missing'

# how NAME: what the file says of that window
how()
{
	sqlite3 -readonly "$folder/day.weir" "SELECT backwards FROM windows WHERE name = '$1'"
}
is()
{
	[ "$(how "$1")" = "$2" ]
}

record day -t 0.2
socket=$work/run/weir/day.sock
"$weir" mark before >/dev/null
"$weir" mark change >/dev/null
check 'nobody was there' "$(how BEFORE)" 3
"$weir" mark after >/dev/null
check 'and is there' "$(how AFTER)" 3
"$weir" list >"$work/page"
says 'a list has no verdict' '^day .*recording' "$work/page"
check 'and is no look' "$(how AFTER)" 3
"$weir" report >"$work/page"
says 'a report of it is written' 'B  AFTER' "$work/page"
until_true 'that was a look' is AFTER 0
"$weir" mark after >/dev/null
"$weir" mark after --close >/dev/null
check 'the next one nobody saw' "$(how 'AFTER 2')" 3
"$weir" report BEFORE 'AFTER 2' >"$work/page"
check 'a report of what is over is none' "$(how 'AFTER 2')" 3

mkfifo "$work/feed"
"$WEIR_BUILD/tests/app/ask" "$socket" <"$work/feed" >"$work/seen" &
viewer=$!
exec 3>"$work/feed"
"$weir" mark after >/dev/null
check 'before a screen comes' "$(how 'AFTER 3')" 3
printf 'watch 0\n' >&3
until_true 'a screen looks at it' is 'AFTER 3' 0
told()
{
	grep -a -q -e "$1" "$work/seen"
}
"$weir" mark after >/dev/null
until_true 'the screen has the next one' told '^window 6 after AFTER%204 [0-9]* open [^ ]* live '
check 'which was never unseen' "$(how 'AFTER 4')" 0
printf 'leave\n' >&3
until_true 'it is left' told '^marked 0 '
"$weir" mark after >/dev/null
check 'what it did not see' "$(how 'AFTER 5')" 3
check 'and what it saw once' "$(how 'AFTER 4')" 0
exec 3>&-
kill $viewer
wait $viewer 2>/dev/null
"$weir" mark after >/dev/null
"$weir" stop day >/dev/null
check 'the recording ends' "$(how 'AFTER 6')" 3
record day -t 0.2
until_true 'who looked while it stood is not known' is 'AFTER 6' 0
check 'of what was over before it does not matter' "$(how 'AFTER 5')" 3
"$weir" stop day >/dev/null
exit "$bad"
