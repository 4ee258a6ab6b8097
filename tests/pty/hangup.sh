#!/bin/sh
# The terminal goes away, as when a link dies: the screen ends by itself, also where
# nobody is told of it (SIGHUP is ignored, as below some sudo and nohup), also while it has
# much to draw; the recorder loses no tick, and whoever comes back is told what was missed.

# shellcheck disable=SC1091,SC2034,SC2154,SC2317
. "$WEIR_SRC/tests/pty/lib.sh"
command -v script >/dev/null || { echo 'script is missing: apt-get install bsdutils'; exit 77; }
state()
{
	printf 'state\n' | timeout 5 "$WEIR_BUILD/tests/app/ask" "$XDG_RUNTIME_DIR/weir/$name.sock" |
		sed -n "s/^state.* $1=\([^ ]*\).*/\1/p"
}
screen()
{
	pgrep -u "$(id -u)" -f "^$weir attach $name\$"
}
watched()
{
	[ "$(state viewers)" = "$1" ]
}
left()
{
	! kill -0 "$1" 2>/dev/null
}

"$weir" record -s "$name" -i lo --no-capture -t 0.2 </dev/null >/dev/null 2>&1 &
wait_until test -S "$top/run/weir/$name.sock"
mkfifo "$top/keys" || exit 1
exec 9<>"$top/keys" # a keyboard that is open and silent
for how in default ignored; do
	before=
	[ $how = default ] || before='trap "" HUP;'
	TERM=xterm script -qc "$before exec $weir attach $name" /dev/null <&9 >"$top/shown" &
	wait_until watched 1
	wait_until grep -q COVERAGE "$top/shown"
	pid=$(screen)
	cpu=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
	late=$(state late)
	kill -KILL "$(pgrep -u "$(id -u)" -f "^script -qc $before exec $weir attach $name")"
	wait_until left "$pid"
	wait_until watched 0
	echo "SIGHUP $how: the screen left by itself (it had used $cpu clock ticks)"
done
[ "$(state late)" -le "$late" ] || { echo 'NOT OK - a tick was late'; exit 1; }
ticks=$(state ticks)
"$weir" stop "$name" >/dev/null || exit 1
[ "$ticks" -ge 5 ] || exit 1
