#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154,SC2317 # inside.sh, lib.sh; called by until_true
# What can happen to an interface and to the capture on it: the helper is killed, stopped
# and continued, the interface goes down, disappears, returns, and is renamed. Each is
# shown as an event, the helper is started again after a pause that grows, and what
# is sent then is counted again; nothing else of the recording notices.
. "$WEIR_SRC/tests/faults/inside.sh"
. "$WEIR_SRC/tests/faults/lib.sh"
[ "$WEIR_INSIDE" = yes ] || skip 'namespaces cannot be made here'
send=$WEIR_BUILD/tests/live/send_frames

helper_of()
{
	pgrep -P "$recorder" -f "weir-capture .*$1\$"
}
# has_note TEXT COUNT: at least so many events with it
has_note()
{
	[ "$(sql day "SELECT count(*) FROM notes WHERE text LIKE '%$1%'")" -ge "$2" ]
}
cards()
{
	ip link set left address 02:00:00:00:00:01
	ip link set "$1" address 02:00:00:00:00:02
	ip link set left up
	ip link set "$1" up
}
# counted INTERFACE: frames with a bad checksum of TCP, in the whole session
counted()
{
	"$weir" export day --format csv | grep ",$1,packets.tcp.cksum.rx," |
		awk -F, '$5 != "" { sum += $5 * 0.2 } END { printf "%.0f", sum }'
}
more_than()
{
	[ "$(counted "$1")" -gt "$2" ]
}
# sees INTERFACE WHEN: bad frames that are sent now are counted
sees()
{
	before=$(counted "$1")
	tries=0
	until more_than "$1" "$before"; do
		tries=$((tries + 1))
		if [ $tries -gt 30 ]; then
			check "$2 frames are counted" none some
			return
		fi
		"$send" left bad-tcp 5 || return
		sleep 0.5
	done
	check "$2 frames are counted" yes yes
}

cards right
setsid "$weir" record -s day -i right,later -t 0.2 </dev/null >"$work/day.out" 2>"$work/day.err" &
recorder=$!
recorders=$recorder
until_true 'the recorder has a helper' helper_of right
until_true 'what is not there yet is said' has_note 'there is no interface later yet' 1
sees right 'at first'
first=$(helper_of right)
kill -9 "$first"
until_true 'its death is said' has_note 'packets on right are not counted: signal 9' 1
until_true 'it is started again' has_note 'packets on right are counted again' 1
check 'by another process' "$([ "$(helper_of right)" != "$first" ] && echo yes)" yes
sees right 'after its death'
killed=$(date +%s)
kill -9 "$(helper_of right)"
until_true 'the second time too' has_note 'packets on right are counted again' 2
echo "started again $(($(date +%s) - killed)) s after its second death"
kill -STOP "$(helper_of right)"
until_true 'that it is stopped is said' has_note 'weir-capture on right does not report' 1
kill -CONT "$(helper_of right)"
until_true 'it goes on' has_note 'packets on right are counted again' 3
sees right 'after a stop'
ip link set right down
sleep 1
ip link set right up
sees right 'after down and up'
ip link del left
until_true 'it is gone' sh -c "! '$weir' attach -b -n 1 day | grep -q '^.right '"
ip link add left type veth peer name right
cards right
sees right 'after it came back'
ip link set right down
ip link set right name later
ip link set later up
until_true 'the other name is followed' helper_of later
sees later 'after it was renamed'
check 'the recorder lives' "$(is_gone "$recorder" || echo yes)" yes
"$weir" stop day >/dev/null
check 'the recording ends well' $? 0
"$weir" export day --format csv >"$work/day.csv"
check 'no figure is negative or no number' "$(absurd "$work/day.csv")" ''
sql day "SELECT text FROM notes WHERE text LIKE '%right%' OR text LIKE '%later%'" >"$work/notes"
says 'its end was an event' 'right.*\(gone\|disappeared\|is no longer\)' "$work/notes"
exit "$bad"
