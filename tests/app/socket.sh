#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# The socket: bytes that are no protocol, connections that read nothing, and a folder
# that somebody removed.
. "$WEIR_SRC/tests/app/common.sh"
ask=$WEIR_BUILD/tests/app/ask
socket=$work/run/weir/day.sock

record day -t 0.1
check 'the socket is its owner'"'"'s alone' "$(stat -c %a "$socket" "$work/run/weir" | tr '\n' ' ')" '600 700 '
printf 'nonsense\n' | timeout 5 "$ask" "$socket" >"$work/out"
says 'an unknown request is an error' '^error ' "$work/out"
printf 'mark name=%%1B[2J author=x\n' | timeout 5 "$ask" "$socket" >"$work/out"
says 'a name with an escape is refused' '^error ' "$work/out"
printf 'mark name=a%%G0\n' | timeout 5 "$ask" "$socket" >"$work/out"
check 'a malformed line ends the connection' "$(cat "$work/out")" ''
head -c 3000000 /dev/zero | tr '\0' x | timeout 5 "$ask" "$socket" >"$work/out"
check 'and so does a line without an end' "$(cat "$work/out")" ''
head -c 300000 /dev/urandom | timeout 5 "$ask" "$socket" >"$work/out" 2>&1
for size in last=-5 last=99999999999999999999 last=9223372036854775807 for=0 for=-1 \
	wall=-9223372036854775808 at=-1 at=9223372036854775807 wall=0; do
	printf 'mark name=x %s\n' "$size" | timeout 5 "$ask" "$socket" >>"$work/sizes"
done
check 'impossible times are refused' "$(grep -c '^error' "$work/sizes")" 8
kill -0 "$recorder"
check 'the recorder takes no harm' $? 0

# ten viewers that read nothing
for _ in 1 2 3 4 5 6 7 8 9 10; do
	printf 'watch\n' | "$ask" --deaf "$socket" &
	echo "pid $!" >>"$work/pids"
done
all_watch()
{
	printf 'state\n' | timeout 1 "$ask" "$socket" | grep -q 'viewers=10'
}
until_true 'ten viewers watch' all_watch
late_before=$(printf 'state\n' | timeout 1 "$ask" "$socket" | sed 's/.* late=\([0-9]*\).*/\1/')
seen=$(ticks day)
grew()
{
	[ "$(ticks day)" -ge $((seen + 20)) ]
}
until_true 'two seconds of ticks are there' grew
late_after=$(printf 'state\n' | timeout 1 "$ask" "$socket" | sed 's/.* late=\([0-9]*\).*/\1/')
echo "late ticks: $late_before before, $late_after after"

rm -rf "$work/run/weir"
until_true 'the socket is made anew' test -S "$socket"
"$weir" mark again -s day >"$work/out"
check 'and answers' $? 0

# No descriptor is left for one more connection: it waits, and nothing spins. The rest of
# the time goes into ticks, so that most of it has to be idle.
busy()
{
	awk '{print $14 + $15}' "/proc/$recorder/stat"
}
if command -v prlimit >/dev/null; then
	limit=$(prlimit --pid "$recorder" --nofile --noheadings --output SOFT)
	prlimit --pid "$recorder" --nofile=20: # more than it waits for
	printf 'watch\n' | "$ask" --deaf "$socket" &
	echo "pid $!" >>"$work/pids"
	before=$(busy)
	seen=$(ticks day)
	until_true 'ticks go on without a descriptor' grew
	spent=$(($(busy) - before))
	[ "$spent" -lt 60 ]
	check "it does not spin ($spent of more than 200 hundredths of a second)" $? 0
	prlimit --pid "$recorder" --nofile="$limit:"
	"$weir" mark more -s day >/dev/null
	check 'with some it lets in who waits' $? 0
fi

# a mark in one breath with the end: its answer comes before the connection ends
mkfifo "$work/words"
exec 3<>"$work/words"
printf 'mark name=last author=x\nstop\n' >&3
timeout 20 "$ask" "$socket" <"$work/words" >"$work/out"
check 'the connection ends with the recording' $? 0
says 'what was set right before it is saved' "^saved $(sed -n 's/^marked \([0-9]*\) last.*/\1/p' "$work/out")\$" \
	"$work/out"
exit "$bad"
