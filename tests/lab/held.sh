#!/bin/bash
# Disks that come to be held back or that go away under a load of a known depth: a map over
# two paths that are cut one after the other, a disk that is removed and comes again, an
# iSCSI disk whose link is cut; and a delay of the device mapper. weir beside iostat.
# The iSCSI case leaves its session in $OUT where that is set. Usage: held.sh WEIR [CASE]
# shellcheck disable=SC1091,SC2154,SC2034 # lib.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/iscsi.sh"
needs fio iostat modprobe dmsetup sqlite3 iscsiadm tgtd tc
[ ! -e /sys/module/scsi_debug ] || skip 'scsi_debug is in use'
only=${2:-}
cut=${WEIR_LAB_CUT:-30}
recorder=

# shellcheck disable=SC2317 # called by the trap
take_down()
{
	ip -n target link set san1 up
	dmsetup remove --retry weir-lab
	modprobe -r scsi_debug null_blk
	take_down_iscsi
} >/dev/null 2>&1

wanted() { [ -z "$only" ] || [ "$only" = "$1" ]; }

# start NAME DISKS: a recording of DISKS (a regular expression), iostat beside it
start()
{
	"$weir" record -s "$1" -D "^($2)\$" --no-capture >/dev/null 2>"$work/err" &
	recorder=$!
	wait_until 'the recorder answers' "$weir" mark -s "$1" ready
	# shellcheck disable=SC2046 # names without blanks
	S_COLORS=never iostat -dx $(echo "$2" | tr '|' ' ') 1 >"$work/iostat" &
	other=$!
}

stop()
{
	"$weir" stop -s "$1" >/dev/null 2>&1
	wait $recorder
	kill $other
	wait $other 2>/dev/null
}

now() { date +%s.%N; }

# span NAME DISK METRIC FROM TO: the figures of the ticks that lie in it whole
span()
{
	"$weir" export "$1" --format csv | awk -F, -v disk="$2" -v id="$3" -v from="$4" -v to="$5" '
		$2 != "disk" || $3 != disk || $4 != id || $1 < from + 1.2 || $1 > to {next}
		$5 != "" {printf "%s%.4g", (n++ ? " " : ""), $5; next}
		{printf "%s%s", (n++ ? " " : ""), ($6 == "no-completion" ? "?" : $6)}'
}

# holds NAME DISK FROM TO PERCENT LOW [HIGH]: the mean of disk.queue lies between; what is
# not known (a source that was late on a busy machine, a disk's first reading) is no figure,
# and never all
holds()
{
	span "$1" "$2" disk.queue "$3" "$4" | awk -v percent="$5" -v low="$6" -v high="${7:-$6}" '
		{for (i = 1; i <= NF; i++) if ($i + 0 > 0 || $i == "0") {n++; sum += $i} else if ($i != "?" && $i != "late" && ($i != "first" || i > 1)) odd++}
		END {
			if (n) printf "%.4g", sum / n
			exit !n || odd || sum / n < low * (1 - percent / 100) || sum / n > high * (1 + percent / 100)
		}'
}

# never NAME DISK FROM TO LOW HIGH: no figure outside, whatever else is said
never()
{
	span "$1" "$2" disk.queue "$3" "$4" | awk -v low="$5" -v high="$6" '
		{for (i = 1; i <= NF; i++) if ($i + 0 == $i && ($i < low || $i > high)) bad++}
		END {exit bad > 0}'
}

# line CASE TRUE NAME DISK FROM TO MEAN
line()
{
	echo "| $1 | $2 | $(span "$3" "$4" disk.queue "$5" "$6") | $(span "$3" "$4" disk.queue.weighted "$5" "$6") | $(iostat_figures "$4") | $7 |"
}

# stalls NAME: kind, began and ended (seconds since 1970), device of each
stalls()
{
	"$weir" report -s "$1" >"$work/report"
	grep -E 'FACT|event' "$work/report" | sed 's/^ */    /'
}

# ---- dm-delay ----

delayed()
{
	local ms=$1 depth=$2 size from to mean low high
	modules null_blk dm-delay
	modprobe dm-delay
	modprobe null_blk nr_devices=1 queue_mode=2 gb=1
	size=$(cat /sys/block/nullb0/size)
	dmsetup create weir-lab --table "0 $size delay /dev/nullb0 0 $ms" || { fail 'no dm-delay'; return; }
	disk=$(dmsetup info -c --noheadings -o blkdevname weir-lab)
	begin_load "/dev/$disk" "$depth"
	sleep 4
	start "delay$ms" "$disk|nullb0"
	sleep 7 # dm says that it counts, and what it hides, by what completes
	from=$(now)
	sleep "$seconds"
	to=$(now)
	stop "delay$ms"
	end_load
	high=$(by_fio)
	[ "$ms" -lt 1000 ] || high=$depth
	low=$(by_device "$ms")
	mean=$(holds "delay$ms" "$disk" "$from" "$to" 5 "$low" "$high") || fail "dm-delay: not within 5 % of $low to $high"
	line "dm-delay, $ms ms, depth $depth" "$low to $high" "delay$ms" "$disk" "$from" "$to" "$mean"
	dmsetup remove weir-lab
	modprobe -r null_blk
}

# ---- a map over two paths ----

two_disks()
{
	modprobe sd_mod
	modprobe scsi_debug add_host="$1" vpd_use_hostno=0 dev_size_mb=64 ndelay=20000000 max_queue=64
	wait_until 'its disks are there' sh -c "[ \$(ls -d /sys/block/sd* | wc -l) = $1 ]"
	udevadm settle 2>/dev/null
}

state() { echo "$2" >"/sys/block/$1/device/state"; }

multipath()
{
	local a b wwid size t
	modules scsi_debug dm-multipath dm-round-robin
	modprobe -a dm-multipath dm-round-robin
	two_disks 2
	read -r a b <<<"$(find /sys/block -name 'sd*' -printf '%f\n' | sort | tr '\n' ' ')"
	wwid=3$(sed 's/naa\.//' "/sys/block/$a/device/wwid")
	size=$(cat "/sys/block/$a/size")
	dmsetup create weir-lab --uuid "mpath-$wwid" --table "0 $size multipath 1 queue_if_no_path 0 1 1 \
		round-robin 0 2 1 $(cat "/sys/block/$a/dev") 1 $(cat "/sys/block/$b/dev") 1" || { fail 'no map'; return; }
	disk=$(dmsetup info -c --noheadings -o blkdevname weir-lab)
	begin_load "/dev/$disk" 16
	sleep 3
	start map "$disk|$a|$b"
	t[0]=$(now); sleep 10
	t[1]=$(now); state "$a" offline; sleep 10
	t[2]=$(now); state "$b" offline; sleep 10
	t[3]=$(now); state "$a" running; state "$b" running
	dmsetup message weir-lab 0 reinstate_path "$(cat "/sys/block/$a/dev")"
	dmsetup message weir-lab 0 reinstate_path "$(cat "/sys/block/$b/dev")"
	sleep 10
	t[4]=$(now)
	stop map
	end_load
	high=$(by_fio)
	for part in 0 1 2 3; do
		for one in "$disk" "$a" "$b"; do
			local from=${t[part]} to=${t[part + 1]}
			line "map, $(echo 'both paths:one cut:both cut:both again' | cut -d: -f$((part + 1))), $one" \
				"16" map "$one" "$from" "$to" "$(holds map "$one" "$from" "$to" 5 16)"
		done
	done
	stalls map
	dmsetup remove --retry weir-lab
	modprobe -r scsi_debug
}

# ---- a disk that goes and comes again ----

removed()
{
	local t ids
	modules scsi_debug
	two_disks 1
	disk=$(basename /sys/block/sd*)
	host=$(basename "$(readlink -f "/sys/block/$disk/device/../../..")" | tr -dc 0-9)
	begin_load "/dev/$disk" 16
	sleep 3
	start hotplug 'sd.*'
	t[0]=$(now); sleep 10
	t[1]=$(now); echo 1 >"/sys/block/$disk/device/delete"
	end_load
	sleep 6
	echo '- - -' >"/sys/class/scsi_host/host$host/scan"
	wait_until 'it is there again' sh -c 'ls -d /sys/block/sd*'
	again=$(basename /sys/block/sd*)
	begin_load "/dev/$again" 16
	sleep 1
	t[2]=$(now); sleep 10
	t[3]=$(now)
	stop hotplug
	end_load
	high=$(by_fio)
	low=$(by_device 20)
	mean=$(holds hotplug "$disk" "${t[0]}" "${t[1]}" 5 "$low" "$high") || fail 'before it was removed'
	line "before it is removed" "$low to $high" hotplug "$disk" "${t[0]}" "${t[1]}" "$mean"
	line "while it is away" "no disk" hotplug "$disk" "${t[1]}" "$(awk -v t="${t[1]}" 'BEGIN {printf "%.3f", t + 5}')" ''
	mean=$(holds hotplug "$again" "${t[2]}" "${t[3]}" 5 "$low" "$high") || fail 'after it was added'
	line "after it was added, as $again" "$low to $high" hotplug "$again" "${t[2]}" "${t[3]}" "$mean"
	# two rows of one name would say a figure twice
	ids=$("$weir" export hotplug --format csv | awk -F, '$2 == "disk" && $4 == "disk.queue" {print $1, $3}')
	echo "    names of the disk: $(cut -d' ' -f2 <<<"$ids" | sort -u | tr '\n' ' ')"
	[ -z "$(sort <<<"$ids" | uniq -d)" ] || fail 'the disk has two rows'
	stalls hotplug
	modprobe -r scsi_debug
}

# ---- an iSCSI disk whose link is cut ----

# When the session came to be failed, and when it served again.
watch_session()
{
	local was="" is
	while sleep 0.05; do
		is=$(cat /sys/class/iscsi_session/session*/state)
		[ "$is" = "$was" ] || echo "$(now) $is"
		was=$is
	done
}

iscsi_cut()
{
	local t failed_at blocked_at
	modules iscsi_tcp veth sch_netem
	modprobe sch_netem
	serve_iscsi
	tc qdisc add dev san0 root netem delay 50ms limit 10000
	begin_load "/dev/$disk" 16
	sleep 4
	watch_session >"$work/session" &
	local watcher=$!
	start iscsi "$disk"
	t[0]=$(now); sleep 10
	t[1]=$(now); ip -n target link set san1 down; sleep "$cut"
	t[2]=$(now); ip -n target link set san1 up
	serves() { [ "$(cat /sys/class/iscsi_session/session*/state)" = LOGGED_IN ]; }
	wait_until 'the session serves again' serves
	sleep 5
	t[3]=$(now); sleep 10
	t[4]=$(now)
	stop iscsi
	kill $watcher
	end_load
	high=16
	mean=$(holds iscsi "$disk" "${t[0]}" "${t[1]}" 5 "$high") || fail 'iSCSI before the cut'
	line 'iSCSI, before the cut' 16 iscsi "$disk" "${t[0]}" "${t[1]}" "$mean"
	never iscsi "$disk" "${t[0]}" "${t[4]}" 8 20 || fail 'iSCSI: a zero, or a jump'
	line "iSCSI, link cut for $cut s" 16 iscsi "$disk" "${t[1]}" "${t[2]}" ''
	line 'iSCSI, while it recovers' 16 iscsi "$disk" "${t[2]}" "${t[3]}" ''
	mean=$(holds iscsi "$disk" "${t[3]}" "${t[4]}" 5 "$high") || fail 'iSCSI after the cut'
	line 'iSCSI, restored' 16 iscsi "$disk" "${t[3]}" "${t[4]}" "$mean"
	echo "    cut at ${t[1]}, restored at ${t[2]}"
	sed 's/^/    /' "$work/session"
	sqlite3 "$XDG_STATE_HOME/weir/iscsi.weir" "SELECT s.*, (r.wall + s.began - r.began) / 1e9,
		(r.wall + s.held - r.began) / 1e9, (r.wall + s.ended - r.began) / 1e9 FROM stalls s, runs r"
	stalls iscsi
	[ -z "${OUT:-}" ] || cp "$XDG_STATE_HOME/weir/iscsi.weir" "$OUT/"
}

head_row
wanted delay && { delayed 20 8; delayed 2500 16; }
wanted map && multipath
wanted removed && removed
wanted iscsi && iscsi_cut
exit "$failed"
