#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# Several people on one machine: root finds, joins and marks the session of a user;
# members of group weir watch root's and change nothing; everybody else sees nothing; and
# what is not its owner's own file is not opened. Users, homes and /run are those of a
# mount namespace.
if [ "${WEIR_INSIDE:-}" != yes ]; then
	[ "$(id -u)" -eq 0 ] || { echo 'SKIP: only root can be several people'; exit 77; }
	unshare -m true 2>/dev/null || { echo 'SKIP: there are no namespaces here'; exit 77; }
	WEIR_INSIDE=yes exec unshare -m "$0"
fi
. "$WEIR_SRC/tests/app/common.sh"
command -v setpriv >/dev/null || skip 'setpriv is missing: apt-get install util-linux'
unset XDG_STATE_HOME XDG_RUNTIME_DIR HOME
mount --make-rprivate / || skip 'mounts cannot be made private here'
for place in /run /home /var/lib /var/tmp; do
	mount -t tmpfs tmpfs "$place" || skip 'no file system can be mounted here'
done
chmod 1777 /var/tmp
{
	cat /etc/passwd
	echo 'alice:x:61001:61001::/home/alice:/bin/sh'
	echo 'bob:x:61002:61002::/home/bob:/bin/sh'
	echo 'carol:x:61003:61003::/home/carol:/bin/sh'
} >/run/passwd
{
	grep -v '^weir:' /etc/group
	printf 'alice:x:61001:\nbob:x:61002:\ncarol:x:61003:\nweir:x:61009:bob\n'
} >/run/group
mount --bind /run/passwd /etc/passwd || skip 'files cannot be mounted here'
mount --bind /run/group /etc/group || skip 'files cannot be mounted here'
mkdir /run/bin
cp "$weir" /run/bin/weir
weir=/run/bin/weir
for user in alice bob carol; do
	mkdir -p "/home/$user" "/run/user/$(id -u $user)"
	chown "$user:$user" "/home/$user" "/run/user/$(id -u $user)"
	chmod 700 "/home/$user" "/run/user/$(id -u $user)"
done
chmod 755 "$work"

# as USER WORDS...: weir, as that user.
as()
{
	user=$1
	shift
	env "HOME=/home/$user" "XDG_RUNTIME_DIR=/run/user/$(id -u "$user")" \
		setpriv --reuid "$user" --regid "$user" --init-groups "$weir" "$@"
}
runs()
{
	$weir list | grep -q "^$1 .*recording"
}
# windows_of NAME: how many, by the list.
windows_of()
{
	$weir list | sed -n "s/^$1 .* \([0-9]*\)  20.*/\1/p"
}

env HOME=/home/alice XDG_RUNTIME_DIR=/run/user/61001 \
	setsid setpriv --reuid alice --regid alice --init-groups \
	"$weir" record -s hers --no-capture -t 0.2 </dev/null >/dev/null 2>"$work/hers.err" &
until_true "root sees the session of a user" runs hers
hers=$(pgrep -u 61001 -f 'record -s hers')
recorders=$hers
$weir list >"$work/list"
says 'with its owner and its file' \
	'^hers .*recording .* alice  */home/alice/.local/state/weir/hers.weir' "$work/list"
$weir mark before >"$work/out" 2>&1
check 'root marks it without naming it: it is the only one' $? 0
says 'and is answered as its owner is' '^BEFORE begun' "$work/out"
check 'the mark is in it' "$(windows_of hers)" 1
$weir attach -b -n 1 hers >"$work/out" 2>&1
check 'root watches it' $? 0
as alice list >"$work/list"
says 'it is still its owner who has it' '^hers .*recording .* 1  .* alice' "$work/list"
as carol list >"$work/list"
check 'another user sees none' "$(grep -c hers "$work/list")" 0
as carol mark x -s hers >"$work/out" 2>&1
check 'and cannot mark it' $? 1

setsid "$weir" record -s system --no-capture -t 0.2 </dev/null >/dev/null 2>"$work/system.err" &
recorders="$recorders $!"
until_true 'root records' runs system
as bob list >"$work/list"
says 'a member of group weir sees it' '^system .*recording .*B  *0  20.* root' "$work/list"
as bob attach -b -n 1 system >"$work/out" 2>"$work/err"
check 'and watches it' $? 0
says 'with all there is' 'COVERAGE' "$work/out"
as bob mark x -s system >"$work/out" 2>"$work/err"
check 'but sets no mark' $? 1
says 'and is told why' 'members of group weir may watch' "$work/err"
as bob stop system >"$work/out" 2>"$work/err"
check 'nor stops it' $? 1
as bob report -s system >"$work/out" 2>"$work/err"
check 'nor reads its file' $? 1
as carol list >"$work/list"
check 'who is not in the group sees nothing' "$(grep -c system "$work/list")" 0
check 'not even the socket' "$(setpriv --reuid carol --regid carol --clear-groups \
	ls /run/weir 2>/dev/null | wc -l)" 0
$weir mark before >"$work/out" 2>"$work/err"
check "root's own goes before that of others" $? 0
check 'so that is where the mark is' "$(windows_of system)" 1

kill -9 "$hers"
until_true 'the recorder is gone' is_gone "$hers"
$weir -s hers -b -n 1 >"$work/out" 2>"$work/err"
check "root does not go on with a user's session" $? 1
says 'and is told whose it is' 'belongs to alice' "$work/err"
$weir report -s hers >"$work/out" 2>"$work/err"
check 'but reads it' $? 0
check 'and leaves nothing of its own behind' \
	"$(find /home/alice -user root | wc -l)" 0
mv /home/alice/.local/state/weir/hers.weir /home/alice/kept.weir
ln -s /home/alice/kept.weir /home/alice/.local/state/weir/hers.weir
$weir report -s hers >"$work/out" 2>"$work/err"
check 'a link in its place is refused' $? 1
says 'by that name' 'is a link' "$work/err"
as alice record -s hers --for 1s --no-capture >"$work/out" 2>"$work/err"
check 'its owner is told to record under the real name' $? 1
says 'since locks go by the name' 'under the name of the session that it leads to' "$work/err"
rm /home/alice/.local/state/weir/hers.weir
cp /home/alice/kept.weir /home/alice/.local/state/weir/hers.weir
$weir report -s hers >"$work/out" 2>"$work/err"
check "a file that is not the user's is refused too" $? 1
says 'by that name' "somebody else's file" "$work/err"
$weir stop system >/dev/null
check 'the end is orderly' $? 0
# shellcheck disable=SC2317 # called by another function
no_locks()
{
	[ -z "$(find /run/weir /var/lib/weir -name '*.lock' -o -name '*.sock')" ]
}
until_true 'and leaves no locks' no_locks
exit "$bad"
