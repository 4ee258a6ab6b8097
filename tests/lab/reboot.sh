#!/bin/sh
# A host that is suspended, whose clock is set, that loses its power while it records,
# and that comes up again with another boot id and a clock that was set back. Two boots of
# a virtual machine with one disk; run as root in the first and in the second:
#     reboot.sh first WEIR IMAGE      makes IMAGE, records into it, ends with the power cut
#     reboot.sh second WEIR IMAGE     resumes what is in a copy of it, and checks
set -u
part=$1 weir=$2 image=$3
bad=0
disk=$(mktemp -d)
export XDG_STATE_HOME="$disk" XDG_RUNTIME_DIR=/run/weir-reboot
mkdir -p "$XDG_RUNTIME_DIR"
modprobe -q loop
modprobe -q ext4

# says WHAT PATTERN FILE
says()
{
	if grep -q -e "$2" "$3"; then
		echo "ok - $1"
	else
		printf 'NOT OK - %s: "%s" is not in:\n' "$1" "$2"
		head -n 40 "$3"
		bad=1
	fi
}
# check WHAT GOT WANTED
check()
{
	[ "$2" = "$3" ] && echo "ok - $1" && return
	echo "NOT OK - $1: got \"$2\", want \"$3\""
	bad=1
}
notes()
{
	sqlite3 -readonly "$disk/weir/day.weir" 'SELECT text FROM notes ORDER BY id'
}

first()
{
	truncate -s 64M "$image"
	mkfs.ext4 -q "$image"
	mount -o loop "$image" "$disk" || exit 1
	"$weir" record -s day --no-capture </dev/null &
	until "$weir" mark before >/dev/null 2>&1; do sleep 0.5; done
	sleep 5
	date -s '+3 hours' >/dev/null
	sleep 3
	date -s '-5 hours' >/dev/null
	sleep 3
	asleep=no
	if grep -qw mem /sys/power/state && rtcwake -m mem -s 20 >"$disk/suspend" 2>&1; then
		asleep=yes
	fi
	echo "suspended: $asleep"
	sleep 3
	"$weir" note "suspended $asleep" && "$weir" mark after
	check 'a mark is saved' $? 0
	sleep 40 # the file is synced, and more comes after that
	"$weir" note 'the last one'
	check 'a note is saved right before the power goes' $? 0
	cat /proc/sys/kernel/random/boot_id
	echo "power cut at $(date +%T)"
	echo o >/proc/sysrq-trigger
	sleep 60
}

second()
{
	cp "$image" "/run/copy.img"
	mount -o loop /run/copy.img "$disk" || exit 1
	cat /proc/sys/kernel/random/boot_id
	date -s '-2 hours' >/dev/null
	check 'the file is sound' \
		"$(sqlite3 "$disk/weir/day.weir" 'PRAGMA integrity_check')" ok
	notes >"$disk/before"
	says 'the note from right before the cut is there' 'the last one' "$disk/before"
	says 'a step of the clock is an event' 'the clock was set by +10[78][0-9][0-9]\.' "$disk/before"
	says 'backwards too' 'the clock was set by -1[78][0-9][0-9][0-9]\.' "$disk/before"
	grep -q 'suspended yes' "$disk/before" &&
		says 'so is the suspend' 'the host was suspended' "$disk/before"
	"$weir" record -s day --no-capture --for 10s </dev/null
	check 'it goes on' $? 0
	notes >"$disk/after"
	says 'and says how the hole came about' \
		'recording goes on after .*: the host went down while it ran' "$disk/after"
	"$weir" report -s day >"$disk/report"
	check 'there is a report' $? 0
	says 'the reboot is a fact of it' 'the host was rebooted 1 time' "$disk/report"
	says 'and the hole' 'no recorder was running (stopped, or the host rebooted)' "$disk/report"
	"$weir" export "$disk/weir/day.weir" --format csv >"$disk/csv"
	check 'no figure is negative or no number' "$(awk -F, \
		'NR > 1 && $5 != "" && ($5 + 0 < 0 || $5 ~ /nan|inf/)' "$disk/csv" | head -n 3)" ''
	check 'session time only grows' "$(sqlite3 "$disk/weir/day.weir" \
		'SELECT count(*) FROM runs a JOIN runs b ON b.number = a.number + 1 AND b.began <= a.began')" 0
	sqlite3 "$disk/weir/day.weir" 'SELECT max(at)/1e9, count(*) FROM ticks'
	echo "largest hole: $(sqlite3 "$disk/weir/day.weir" 'SELECT at/1e9 FROM ticks ORDER BY at' |
		awk 'NR > 1 && $1 - last > most { most = $1 - last } { last = $1 } END { print most }') s"
	umount "$disk"
	exit "$bad"
}

"$part"
