#!/bin/sh
# Settings of a real loop device, changed between the windows of a real recording: the
# report lists exactly those changes, announced if a note named them, else not.
set -eu
weir=$WEIR_BUILD/weir

skip()
{
	echo "$1"
	exit 77
}

[ "$(id -u)" = 0 ] || skip 'loop devices need root'
command -v losetup >/dev/null || skip 'losetup is missing: apt-get install mount'
command -v python3 >/dev/null || skip 'python3 is missing: JSON cannot be checked'
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
truncate -s 16M "$dir/image"
loop=$(losetup -f --show "$dir/image" 2>/dev/null) || skip 'no loop device can be set up here'
disk=$(basename "$loop")
queue=/sys/block/$disk/queue
echo 128 2>/dev/null >"$queue/read_ahead_kb" || skip "settings of $disk cannot be changed here"
echo 0 >"$queue/nomerges"
mkdir -m 700 "$dir/state" "$dir/run"
export XDG_STATE_HOME="$dir/state" XDG_RUNTIME_DIR="$dir/run"

record()
{
	"$weir" record -s changed -D "^$disk\$" -t 0.2 --no-capture >"$dir/log" 2>&1 &
	recorder=$!
	tries=0
	until "$weir" note -s changed ready >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || { cat "$dir/log"; exit 1; }
		sleep 0.1
	done
}

end()
{
	"$weir" stop changed >/dev/null
	wait "$recorder"
	recorder=
}

# window NAME: a mark reads everything, whatever the minute says.
window()
{
	"$weir" mark -s changed "$1" >/dev/null
	sleep 1
	"$weir" mark -s changed "$1" --close >/dev/null
}

record
window one
echo 512 >"$queue/read_ahead_kb"
window two
"$weir" note -s changed "nomerges of $disk to 2" >/dev/null
echo 2 >"$queue/nomerges"
window three
end
# a fact that outlives the recorder is not written again; one that changed meanwhile is
echo 256 >"$queue/read_ahead_kb"
record
window four
end
"$weir" report -s changed one --format json >"$dir/one.json"
"$weir" report -s changed one two --format json >"$dir/one two.json"
"$weir" report -s changed two three --format json >"$dir/two three.json"
"$weir" report -s changed three four --format json >"$dir/three four.json"
"$weir" report -s changed one two >"$dir/report.txt"

python3 - "$dir" "$disk" <<'PY'
import json, sys

folder, disk = sys.argv[1:3]


def changes(name):
    rows = json.load(open(f"{folder}/{name}.json"))["changed"]["changes"]
    for row in rows:
        print(name, row)
    # what else goes on on this machine is not this test's business
    return [(r["sign"], r["device"], r["key"], r["a"], r["b"], r["announced"])
            for r in rows if r["device"] == disk]


assert changes("one two") == [("~", disk, "read_ahead_kb", "128", "512", False)]
assert changes("two three") == [("~", disk, "nomerges", "0", "2", True)]
assert changes("one") == []
assert changes("three four") == [("~", disk, "read_ahead_kb", "512", "256", False)]
notes = json.load(open(f"{folder}/three four.json"))["notes"]["notes"]
texts = [n["text"] for n in notes if n["kind"] == "event" and disk in n["text"]]
print(texts)
for change in ("read_ahead_kb 128 > 512", "nomerges 0 > 2", "read_ahead_kb 512 > 256"):
    assert texts.count(f"{disk} {change}") == 1, change
PY
grep -q 'not announced by any note' "$dir/report.txt"
grep -Eq "^ +~ $disk +read_ahead_kb +128 > 512\$" "$dir/report.txt"
grep -Eq 'otherwise no difference in [0-9]{2,} facts' "$dir/report.txt"
