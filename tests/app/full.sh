#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2034 # common.sh
# The disk under the session fills up: recording goes on in memory, a mark is not
# called saved, and when there is room again all of it is written in order.
. "$WEIR_SRC/tests/app/common.sh"

mkdir "$work/small"
mount -t tmpfs -o "size=${WEIR_FULL_SIZE:-2m}" tmpfs "$work/small" 2>/dev/null ||
	skip 'no file system can be mounted here'
mounted=$work/small
export XDG_STATE_HOME="$work/small"

has_ticks()
{
	[ "$(ticks day)" -ge "$1" ]
}
says_full()
{
	printf 'state\n' | timeout 1 "$WEIR_BUILD/tests/app/ask" "$work/run/weir/day.sock" |
		grep -q 'trouble=the%20disk'
}
grew_by()
{
	[ "$(ticks day)" -ge $((before + $1)) ]
}

record day -t 0.1
until_true 'it records' has_ticks 3
"$weir" mark before >/dev/null
check 'a mark is saved while there is room' $? 0
dd if=/dev/zero of="$work/small/filler" bs=4k 2>/dev/null
until_true 'the recorder notices' says_full
"$weir" mark full >"$work/out" 2>&1
check 'a mark on a full disk does not pass for saved' $? 1
says 'but it is taken' '^full begun' "$work/out"
says 'and the words are clear' 'NOT SAVED YET' "$work/out"
rm "$work/small/filler"
before=$(ticks day)
until_true 'what waited is written' grew_by "${WEIR_WAIT_TICKS:-20}"
"$weir" mark room >/dev/null
check 'a mark is saved again' $? 0
"$weir" stop day >/dev/null
check 'the end is saved' $? 0
"$weir" list >"$work/list"
says 'all three marks are there' '^day .*stopped .* 3  ' "$work/list"
# 0.1 s apart and none missing: no two neighbours are further apart than 0.25 s
"$weir" export day --format csv | tail -n +2 | cut -d, -f1 | sort -un |
	awk 'NR > 1 && $1 - last > 0.25 { print last, $1 } { last = $1 }' >"$work/holes"
check 'no tick is missing' "$(cat "$work/holes")" ''
# the disk stays full to the end
name_full() { printf 'state\n' | timeout 1 "$WEIR_BUILD/tests/app/ask" "$work/run/weir/end.sock" | grep -q 'trouble=the%20disk'; }
record end -t 0.1
dd if=/dev/zero of="$work/small/filler" bs=4k 2>/dev/null
until_true 'the recorder notices that as well' name_full
"$weir" stop end >"$work/out" 2>&1
check 'an end that was not saved is no success' $? 1
says 'and what is lost is counted' 'did not take the last [1-9][0-9]* ticks: they are lost' "$work/out"
exit "$bad"
