#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh
# Session files with bytes changed at random places: each is refused with a reason or
# read as far as it goes, none crashes a reader, hangs it, or is written to by it.
# WEIR_ROUNDS: how many (15).
. "$WEIR_SRC/tests/faults/lib.sh"
rounds=${WEIR_ROUNDS:-15}
"$weir" record -s good --no-capture -t 0.1 --for 2s </dev/null
good=$work/good.weir
sqlite3 "$folder/good.weir" "VACUUM INTO '$good'"
size=$(stat -c %s "$good")
file=$work/bad.weir
refused=0

# change PLACE BYTES: random bytes.
change()
{
	head -c "$2" /dev/urandom | dd of="$file" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

# Status 0 or 1 and, with 1, a line that says why; anything else is a finding.
run()
{
	timeout 60 "$weir" "$@" >"$work/out" 2>"$work/err"
	status=$?
	if [ $status -gt 1 ] || { [ $status -eq 1 ] && [ ! -s "$work/err" ]; }; then
		cp "$file" "${TMPDIR:-/tmp}/weir-finding.weir"
		check "weir $1 ends well (kept as weir-finding.weir)" "$status" '0 or 1'
		tail -n 20 "$work/err"
	fi
	[ $status -eq 0 ] || refused=$((refused + 1))
}

for _ in $(seq "$rounds"); do
	cp "$good" "$file"
	for _ in 1 2 3; do
		change "$(chance "$size")" $(($(chance 16) + 1))
	done
	[ "$(chance 8)" -ne 0 ] || truncate -s "$(chance "$size")" "$file"
	before=$(cksum <"$file")
	run export "$file" --format csv
	run report -s "$file"
	[ "$(cksum <"$file")" = "$before" ] || check 'the file is as it was' changed same
done
echo "$rounds files of $size bytes, $refused of $((2 * rounds)) readings refused"
check 'no reader came to harm' "$bad" 0
exit "$bad"
