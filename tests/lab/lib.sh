# shellcheck shell=bash disable=SC2034 # used by the scripts that read this
# What the lab's scripts share: what they need, a load of a known depth, weir and iostat
# beside each other over the same seconds, and one row of a Markdown table for each case.
# A script is run as root on a machine, or a virtual one, where nobody else uses the devices
# that it makes; it ends with 77 where it cannot run.
set -u
weir=$(realpath "${1:?usage: ${0##*/} WEIR}")
seconds=${WEIR_LAB_SECONDS:-12}
failed=0
load=

skip()
{
	echo "skipped: $1"
	exit 77
}

# needs TOOL...
needs()
{
	[ "$(id -u)" = 0 ] || skip 'needs root'
	for tool; do
		command -v "$tool" >/dev/null || skip "needs $tool"
	done
	work=$(mktemp -d)
	export XDG_STATE_HOME=$work XDG_RUNTIME_DIR=$work
	trap 'end_load; take_down; rm -rf "$work"' EXIT
}

# modules NAME...: what this kernel must be able to load
modules()
{
	for module; do
		modprobe -n "$module" 2>/dev/null || skip "this kernel has no $module"
	done
}

# A script has its own, if there is something to take down.
take_down() { :; }

# wait_until WHAT COMMAND...: half a minute at most
wait_until()
{
	local what=$1 tries=0
	shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || { echo "gave up waiting until $what"; failed=1; return 1; }
		sleep 0.1
	done
}

# begin_load DEVICE DEPTH [OPTION...]: fio keeps DEPTH reads of 4 KiB outstanding
begin_load()
{
	local device=$1 depth=$2
	shift 2
	fio --name=load --filename="$device" --direct=1 --ioengine=libaio --iodepth="$depth" \
		--rw=randread --bs=4k --runtime=600 --time_based --eta=never --minimal \
		--output="$work/fio" "$@" &
	load=$!
	# an emulated machine takes its time to start it
	wait_until "$depth are outstanding" is_outstanding "${device#/dev/}" "$depth"
}

is_outstanding()
{
	[ "$(awk -v disk="$1" '$3 == disk {print $12}' /proc/diskstats)" -ge $(($2 / 20 + 1)) ]
}

end_load()
{
	[ -z "$load" ] || { kill "$load"; wait "$load"; } 2>/dev/null
	load=
}

# What fio saw itself, by Little's law: completions per second times their mean time from
# submission to the moment in which fio looked.
by_fio() { awk -F';' 'NF > 100 {printf "%.4g", $8 * $40 / 1e6}' "$work/fio"; }

# And times MS, what the device itself takes: without the way back to fio.
by_device() { awk -F';' -v ms="$1" 'NF > 100 {printf "%.4g", $8 * ms / 1e3}' "$work/fio"; }

# beside DISK NAME: records NAME, iostat over the same seconds
beside()
{
	S_COLORS=never iostat -dxy "$1" 1 "$seconds" >"$work/iostat" &
	local other=$!
	"$weir" record -s "$2" -D "^$1\$" --no-capture --for "${seconds}s" >/dev/null 2>"$work/err" ||
		{ cat "$work/err"; failed=1; }
	wait $other
}

# figures NAME METRIC: what weir said in each tick but the first: "64 >=16 ?"
figures()
{
	"$weir" export "$1" --format csv | awk -F, -v id="$2" '
		$2 != "disk" || $4 != id || !n++ {next}
		$5 != "" {printf "%s%.4g", (n > 2 ? " " : ""), $5; next}
		{printf "%s%s", (n > 2 ? " " : ""), ($6 == "no-completion" ? "?" : $6)}'
}

iostat_figures() { awk -v disk="$1" '$1 == disk {printf "%s%.4g", (n++ ? " " : ""), $(NF - 1)}' "$work/iostat"; }

# judge NAME PERCENT EACH LOW [HIGH]: the mean lies between LOW and HIGH, PERCENT allowed, and
# where EACH is 1 every tick does. What is not known must be "?" and nothing else; never all.
judge()
{
	figures "$1" disk.queue | awk -v percent="$2" -v each="$3" -v low="$4" -v high="${5:-$4}" '
	function far(value) {
		return value < low * (1 - percent / 100) || value > high * (1 + percent / 100)
	}
	{
		for (i = 1; i <= NF; i++) {
			if ($i + 0 > 0) {n++; sum += $i; bad += each && far($i)}
			else if ($i != "?") bad++
		}
		if (n) printf "%.4g", sum / n
		exit !n || bad || far(sum / n)
	}'
}

# row CASE TRUE NAME DISK MEAN: a row of the table
row()
{
	echo "| $1 | $2 | $(figures "$3" disk.queue) | $(figures "$3" disk.queue.weighted) | $(iostat_figures "$4") | $5 |"
}

head_row()
{
	echo "kernel $(uname -r), $(nproc) processors, ticks of 1 s"
	# shellcheck disable=SC2016 # Markdown
	echo '| case | true | `disk.queue` | weighted time alone | iostat aqu-sz | mean |'
	echo '|---|---|---|---|---|---|'
}

# verdict STATUS WORDS
fail()
{
	echo "FAILED: $1"
	failed=1
}
