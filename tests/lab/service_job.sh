#!/bin/bash
# What service.sh runs in its machine at each boot: looks at the service that systemd has
# started by then, and brings the machine down in another way each time.
set -u
file=/var/lib/weir-service/weir/day.weir

says()
{
	if grep -q -e "$2" "$3"; then
		echo "ok - $1"
	else
		printf 'NOT OK - %s: "%s" is not in:\n' "$1" "$2"
		tail -n 20 "$3"
	fi
}
check()
{
	[ "$2" = "$3" ] && echo "ok - $1" && return
	echo "NOT OK - $1: got \"$2\", want \"$3\""
}
until_so()
{
	local tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 240 ] || { echo "NOT OK - gave up waiting for: $*"; return 1; }
		sleep 0.5
	done
}
notes()
{
	sqlite3 -readonly "$file" 'SELECT text FROM notes ORDER BY id' >/run/notes
}
# who NAME: user, effective and bounding capabilities of its process
who()
{
	local pid
	pid=$(pgrep -x "$1" | head -n 1)
	echo "$(stat -c %U "/proc/$pid") $(awk '$1 == "CapEff:" {print $2}' "/proc/$pid/status")"
}
counts_frames()
{
	[ "$(weir export day | awk -F, '$4 == "capture.frames" && $5 != "" {n++} END {print n + 0}')" -gt 0 ]
}

look()
{
	until_so systemctl is-active weir@day
	check "boot $boot: systemd has started it" "$(systemctl is-active weir@day)" active
	until_so pgrep -x weir-capture
	check 'the recorder is user weir and has no capability' "$(who weir)" 'weir 0000000000000000'
	check 'its helper too, once it has opened the card' "$(who weir-capture)" 'weir 0000000000000000'
	check 'the helper is its child' "$(ps -o ppid= -p "$(pgrep -x weir-capture)" | tr -d ' ')" \
		"$(systemctl show -P MainPID weir@day)"
	until_so weir note "boot $boot" -s day
	until_so counts_frames
	check 'each boot is a run' "$(sqlite3 -readonly "$file" 'SELECT count(*) FROM runs')" "$boot"
	check 'with a boot id of its own' \
		"$(sqlite3 -readonly "$file" 'SELECT count(DISTINCT boot_id) FROM runs')" "$boot"
	notes
}

sleep_a_little()
{
	echo "sleep: $(cat /sys/power/state), $(cat /sys/power/mem_sleep 2>/dev/null)"
	echo "before: $(date +%s) s, up $(cut -d' ' -f1 /proc/uptime) s"
	timeout 90 rtcwake -m mem -s 20 >/run/rtcwake 2>&1
	check 'the machine sleeps and wakes' $? 0
	echo "after: $(date +%s) s, up $(cut -d' ' -f1 /proc/uptime) s"
	sleep 4
	notes
	says 'the suspend is an event' 'the host was suspended' /run/notes
	check 'and a gap of its length' "$(sqlite3 -readonly "$file" \
		'SELECT at / 1e9 FROM ticks WHERE at >= (SELECT max(began) FROM runs) ORDER BY at' |
		awk 'NR > 1 && $1 - last > most { most = $1 - last } { last = $1 }
			END { print(most >= 15 && most <= 60 ? "15 to 60 s" : most " s") }')" '15 to 60 s'
}

boot=$(($(cat /opt/boots 2>/dev/null || echo 0) + 1))
echo "$boot" >/opt/boots
sync
look
case $boot in
1)
	weir mark before -s day
	weir note 'right before the reboot' -s day
	systemctl reboot
	;;
2)
	says 'the note before the reboot is there' 'right before the reboot' /run/notes
	says 'it was stopped in order, and the host rebooted' \
		'recording goes on after .*: it was stopped, the host was rebooted since' /run/notes
	weir mark after -s day
	weir note 'right before the reset' -s day
	echo b >/proc/sysrq-trigger
	;;
*)
	says 'the note before the reset is there' 'right before the reset' /run/notes
	says 'the host went down under it' \
		'recording goes on after .*: the host went down while it ran' /run/notes
	sleep_a_little
	weir report -s day >/run/report
	says 'both reboots are facts of the report' 'the host was rebooted 2 times' /run/report
	weir stop -s day
	check 'the file is sound' "$(sqlite3 "$file" 'PRAGMA integrity_check')" ok
	sqlite3 "$file" 'SELECT number, began/1e9, boot_id FROM runs'
	echo 'ok - the end'
	systemctl poweroff
	;;
esac
sleep 120
