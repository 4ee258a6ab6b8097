#!/bin/sh
# A real recording of a loop device under fio: the figures of the report and of the export
# against /proc/diskstats as this script reads it around each window.
set -eu
weir=$WEIR_BUILD/weir

skip()
{
	echo "$1"
	exit 77
}

[ "$(id -u)" = 0 ] || skip 'loop devices need root'
command -v fio >/dev/null || skip 'fio is missing: apt-get install fio'
command -v losetup >/dev/null || skip 'losetup is missing: apt-get install mount'
dir=$(mktemp -d)
loop=
recorder=
leave()
{
	[ -z "$recorder" ] || kill "$recorder" 2>/dev/null || true
	[ -z "$recorder" ] || wait "$recorder" 2>/dev/null || true
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$dir"
}
trap leave EXIT
truncate -s 64M "$dir/image"
loop=$(losetup -f --show "$dir/image" 2>/dev/null) || skip 'no loop device can be set up here'
disk=$(basename "$loop")
mkdir -m 700 "$dir/state" "$dir/run"
export XDG_STATE_HOME="$dir/state" XDG_RUNTIME_DIR="$dir/run"

# Reads completed, sectors read, ms of reading, weighted ms.
counters()
{
	awk -v disk="$disk" '$3 == disk {print $4, $6, $7, $14}' /proc/diskstats
}

# window NAME BLOCK OPS FILE: marks, reads OPS blocks, marks again. The disk is idle at both
# marks, so the counters here are exactly those at the edges of the window.
window()
{
	counters >"$dir/$4.from"
	"$weir" mark -s e2e "$1" >/dev/null
	fio --name=w --filename="$loop" --rw=read --bs="$2" --direct=1 --ioengine=psync \
		--io_size="$(($3 * ${2%k}))k" --size=64M --rate_iops=100 >/dev/null
	"$weir" mark -s e2e "$1" --close >/dev/null
	counters >"$dir/$4.to"
}

"$weir" record -s e2e -D "^$disk\$" --no-capture >"$dir/log" 2>&1 &
recorder=$!
tries=0
until "$weir" note -s e2e ready >/dev/null 2>&1; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || { cat "$dir/log"; exit 1; }
	sleep 0.1
done
window before 64k 300 a
window after 16k 200 b
"$weir" run -s e2e copy -- dd if=/dev/zero of="$loop" bs=1M count=8 oflag=direct 2>/dev/null
"$weir" stop e2e >/dev/null
wait "$recorder"
recorder=

"$weir" report -s e2e >"$dir/report.txt"
"$weir" report -s e2e --format json >"$dir/report.json"
"$weir" report -s e2e copy --format json >"$dir/run.json"
"$weir" export e2e >"$dir/export.csv"
command -v python3 >/dev/null || skip 'python3 is missing: JSON cannot be checked'

# Totals are exact: the same counters, read while nothing moved. Means carry the length of
# the window, which both sides know to the millisecond or so: 1 % of a window of 2 s and
# more. Waits and the queue are ratios of those counters, whole ms each.
python3 - "$dir" "$disk" <<'PY'
import csv, json, sys

folder, disk = sys.argv[1:3]
report = json.load(open(folder + "/report.json"))
run = json.load(open(folder + "/run.json"))


def counters(name):
    ends = [list(map(int, open(f"{folder}/{name}.{end}").read().split()))
            for end in ("from", "to")]
    return [b - a for a, b in zip(*ends)]


def near(what, found, wanted, tolerance):
    print(f"{what}: {found} against {wanted}")
    assert abs(found - wanted) <= tolerance * max(abs(wanted), 1e-9), what


rows = {r["metric"]: r for r in report["disks"]["figures"] if r["device"] == disk}
windows = {w["letter"]: w for w in report["head"]["windows"]}
for letter, name, wanted_ops in (("A", "a", 300), ("B", "b", 200)):
    ops, sectors, ms, weighted = counters(name)
    seconds = windows[letter]["seconds"]
    assert ops >= wanted_ops, (ops, wanted_ops)
    near(letter + " ops", rows["disk.read.ops"][letter]["mean"] * seconds, ops, 0.01)
    near(letter + " bytes", rows["disk.read.bytes"][letter]["mean"] * seconds,
         sectors * 512, 0.01)
    near(letter + " wait", rows["disk.read.await"][letter]["mean"], ms / 1000 / ops, 0.001)
    near(letter + " queue", rows["disk.queue"][letter]["mean"] * seconds,
         weighted / 1000, 0.01)

facts = run["result"]["runs"]
assert len(facts) == 1 and facts[0]["exit_status"] == 0, facts
assert facts[0]["written_bytes"] == 8 << 20, facts

# The export holds the same recording: its rates, summed over the ticks' intervals.
lines = list(csv.DictReader(open(folder + "/export.csv")))
kinds = ["host", "disk", "nic", "peer", "mount", "connection", "call", "counter", "transport"]
# those that say why a source has nothing stand behind the devices, in an order of their own
order = [(float(r["time"]), kinds.index(r["kind"]), r["device"], r["metric"])
         for r in lines if r["kind"] != "source"]
assert order == sorted(order), "rows are not in order"
assert all((r["value"] == "") == (r["why"] != "") for r in lines)
last, total = None, 0
for r in lines:
    if (r["device"], r["metric"]) == (disk, "disk.read.bytes"):
        if r["value"] and last is not None:
            total += float(r["value"]) * (float(r["time"]) - last)
        last = float(r["time"])
near("export", total, (counters("a")[1] + counters("b")[1]) * 512, 0.01)
PY
grep -q '^A  BEFORE ' "$dir/report.txt"
grep -q '^B  AFTER ' "$dir/report.txt"
if "$weir" report -s e2e nosuch 2>"$dir/error"; then exit 1; fi
grep -q "no window 'nosuch'; there are: " "$dir/error"
status=0
"$weir" report -s e2e --check >/dev/null || status=$?
[ $status = 4 ]
