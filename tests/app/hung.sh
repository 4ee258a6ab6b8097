#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # common.sh
# The file system under the session hangs: ticks go on in memory and none is late, a
# mark is answered, and when it is back all of it is there.
. "$WEIR_SRC/tests/app/common.sh"

[ "$(id -u)" -eq 0 ] || skip 'only root can mount a file system'
command -v mkfs.ext4 >/dev/null || skip 'mkfs.ext4 is missing: apt-get install e2fsprogs'
command -v fsfreeze >/dev/null || skip 'fsfreeze is missing: apt-get install util-linux'
truncate -s 32M "$work/image"
mkdir "$work/frozen"
mkfs.ext4 -q "$work/image"
mount -o loop "$work/image" "$work/frozen" 2>/dev/null ||
	skip 'loop devices cannot be mounted here'
mounted=$work/frozen
export XDG_STATE_HOME="$work/frozen"
# shellcheck disable=SC2317 # called by the trap
thaw()
{
	fsfreeze -u "$work/frozen" 2>/dev/null
	clean_up
}
trap thaw EXIT

# ask WORDS: the answer is in $work/answer.
ask()
{
	printf '%s\n' "$1" | timeout 5 "$WEIR_BUILD/tests/app/ask" \
		"$work/run/weir/day.sock" >"$work/answer"
}
hangs()
{
	ask state
	grep -q 'trouble=the%20disk%20has%20not%20answered' "$work/answer"
}
waiting()
{
	ask state
	sed 's/.* unsaved=\([0-9]*\).*/\1/' "$work/answer"
}
none_waits()
{
	[ "$(waiting)" -eq 0 ]
}
many_wait()
{
	[ "$(waiting)" -ge "${WEIR_WAIT_TICKS:-15}" ]
}

record day -t 0.2
until_true 'ticks are written' none_waits
fsfreeze -f "$work/frozen"
until_true 'the recorder says that the disk does not answer' hangs
until_true 'ticks wait' many_wait
ask 'mark name=before author=me'
says 'a mark is answered all the same' '^marked 1 BEFORE' "$work/answer"
check 'and not called saved' "$(grep -c '^saved' "$work/answer")" 0
fsfreeze -u "$work/frozen"
until_true 'all is written when it is back' none_waits
"$weir" stop day >/dev/null
check 'and the end too' $? 0
"$weir" list >"$work/list"
says 'the mark is there' '^day .*stopped .* 1  ' "$work/list"
"$weir" export day --format csv | grep -c ',gap$' >"$work/gaps"
check 'no tick was missed' "$(cat "$work/gaps")" 0
exit "$bad"
