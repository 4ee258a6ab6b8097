#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # common.sh
# weir list comes to an end whatever hangs: a file costs its row the figures, a folder
# leaves what the recorders themselves say.
. "$WEIR_SRC/tests/app/common.sh"

record whole -t 0.2 --for 2s
until_true 'a first session is over' is_gone "$recorder"
record cut -t 0.2
kill -9 "$recorder"
until_true 'a second one was killed' is_gone "$recorder"
record live -t 0.2
mkfifo "$folder/stuck.weir"
cp "$folder/whole.weir" "$folder/bent.weir"
dd if=/dev/zero of="$folder/bent.weir" bs=4096 seek=6 count=1 conv=notrunc 2>"$work/err"

timeout 20 "$weir" list >"$work/list" 2>"$work/err"
check 'what is no session is no failure' $? 0
says 'its row says so' '^stuck .* cannot be read ' "$work/list"
says 'one that ended has its figures' '^whole  *stopped  *[0-9.]*kB  *0  20' "$work/list"
says 'one that is damaged is told to be' '^bent  *damaged  *[0-9.]*kB  *0  20' "$work/list"
says 'one that was killed is told apart' '^cut  *interrupted  *[0-9.]*kB  *0  20' "$work/list"
says 'one that is recorded too' '^live  *recording  *[0-9.]*kB  *0  20' "$work/list"
rm "$folder/stuck.weir"

[ "$(id -u)" -eq 0 ] && [ -c /dev/fuse ] || exit "$bad"
mkdir "$work/disk" "$work/back"
echo ok >"$work/mode"
"$WEIR_BUILD/tests/faults/brittle" "$work/disk" "$work/back" "$work/mode" 2>"$work/brittle.err" &
recorders="$recorders $!"
until_true 'a file system of our own stands' mountpoint -q "$work/disk"
mounted=$work/disk
export XDG_STATE_HOME="$work/disk"
folder=$work/disk/weir
for name in first second third; do
	record $name -t 0.2 --for 1s
	until_true "session $name is over" is_gone "$recorder"
done
echo 'stuck second.weir' >"$work/mode"
timeout 20 "$weir" list >"$work/list" 2>"$work/err"
check 'one file that hangs is no failure' $? 0
says 'its row says so' '^second  *? .* not answering ' "$work/list"
says 'the one before it has its figures' '^first  *stopped  *[0-9.]*kB  *0  20' "$work/list"
says 'and so has the one after it' '^third  *stopped  *[0-9.]*kB  *0  20' "$work/list"
echo ok >"$work/mode"
timeout 20 "$weir" list >"$work/list" 2>"$work/err"
says 'once it answers it is as the others' '^second  *stopped  *[0-9.]*kB  *0  20' "$work/list"
record frozen -t 0.2
echo hang >"$work/mode"
timeout 20 "$weir" list >"$work/list" 2>"$work/err"
check 'a folder that does not answer is one' $? 1
says 'and named' 'does not answer: only what is being recorded' "$work/err"
says 'what is recorded there is listed' '^frozen  *recording ' "$work/list"
echo ok >"$work/mode"
exit "$bad"
