#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # lib.sh
# A disk that is full, read-only, failing (EIO) or hanging under the session, one after
# the other: recording goes on in memory, the screen's first lines say so, a mark is taken
# and not called saved, and when the disk is back all of it is written in order. The disk
# is a file system of our own that fails when told to (brittle.c).
# WEIR_WAIT_TICKS: how many ticks of 0.1 s have to wait each time (15).
. "$WEIR_SRC/tests/faults/lib.sh"
wait_ticks=${WEIR_WAIT_TICKS:-15}
[ "$(id -u)" -eq 0 ] || skip 'only root can mount a file system'
[ -w /dev/fuse ] || skip 'there is no /dev/fuse here'

# shellcheck disable=SC2317 # called by the trap
unmount()
{
	echo ok >"$work/mode"
	# those who still wait in it get an error and can end
	for place in /sys/fs/fuse/connections/*; do
		id=${place##*/}
		[ "$(stat -c %d "$work/disk" 2>/dev/null)" != "$id" ] ||
			echo 1 >"/sys/fs/fuse/connections/$id/abort"
	done
	umount -l "$work/disk" 2>/dev/null
	clean_up
}
trap unmount EXIT
mkdir "$work/disk" "$work/back"
echo ok >"$work/mode"
"$WEIR_BUILD/tests/faults/brittle" "$work/disk" "$work/back" "$work/mode" 2>"$work/brittle.err" &
until_true 'the file system is there' mountpoint -q "$work/disk"
export XDG_STATE_HOME="$work/disk"
folder=$work/back/weir

ask()
{
	printf '%s\n' "$1" | timeout 5 "$WEIR_BUILD/tests/app/ask" \
		"$work/run/weir/day.sock" >"$work/answer"
}
listens()
{
	[ "$(state day stopping)" = 0 ]
}
many_wait()
{
	[ "$(state day unsaved)" -ge "$wait_ticks" ]
}
none_waits()
{
	[ "$(state day unsaved)" -eq 0 ]
}

setsid "$weir" record -s day --no-capture -t 0.1 </dev/null >"$work/day.out" 2>"$work/day.err" &
recorder=$!
recorders=$recorder
until_true 'the recorder listens' listens
count=0
# fails MODE WORDS: the words that the first lines of the screen have for it
fails()
{
	count=$((count + 1))
	late=$(state day late)
	until_true 'ticks are written' none_waits
	echo "$1" >"$work/mode"
	until_true "ticks wait ($1)" many_wait
	ask "mark name=m$count author=me"
	says "$1: a mark is taken" "^marked $count m$count" "$work/answer"
	check "$1: and not called saved" "$(grep -c '^saved' "$work/answer")" 0
	timeout 20 "$weir" attach -b -n 1 day >"$work/screen" 2>&1
	head -n 1 "$work/screen" >"$work/first"
	says "$1: the first line of the screen says so" 'REC TROUBLE' "$work/first"
	head -n 2 "$work/screen" >"$work/first"
	says "$1: and the second why" "$2" "$work/first"
	waited=$(state day unsaved)
	echo ok >"$work/mode"
	until_true "all is written when it is back ($1)" none_waits
	echo "$1: $waited ticks waited, $(($(state day late) - late)) were late"
}

fails full 'is full: [0-9]* ticks wait'
fails readonly 'read-only'
fails eio 'the disk under the session fails'
fails hang 'the disk has not answered for'
timeout 60 "$weir" stop day >/dev/null
check 'the recording ends well' $? 0
check 'all marks are there, in order' \
	"$(sql day 'SELECT name FROM windows ORDER BY began' | tr '\n' ' ')" 'm1 m2 m3 m4 '
check 'the file is sound' "$(sql day 'PRAGMA integrity_check')" ok
# a tick may be late on a busy machine, but then it is its own gap and not the disk's
sql day 'SELECT at FROM ticks ORDER BY at' |
	awk 'NR > 1 && $1 - last > 1e9 { print last, $1 } { last = $1 }' >"$work/holes"
check 'no tick is missing' "$(cat "$work/holes")" ''
check 'as many as the recorder made' "$(sql day 'SELECT count(*) >= 60 FROM ticks')" 1
exit "$bad"
