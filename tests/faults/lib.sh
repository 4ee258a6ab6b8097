# shellcheck shell=sh disable=SC1091,SC2154,SC2034
# For the tests of faults: what the whole-program tests share, and a look into the
# session file that does not go through weir.
. "$WEIR_SRC/tests/app/common.sh"
command -v sqlite3 >/dev/null || skip 'sqlite3 is missing: apt-get install sqlite3'
watch=$WEIR_BUILD/tests/faults/watch

# sql NAME QUERY: never writes, and leaves the log alone.
sql()
{
	sqlite3 -readonly "$folder/$1.weir" "$2"
}

# A number below $1, by chance: moments of a fault are not to be chosen.
chance()
{
	echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}

# A pause of up to $1 ms.
pause_by_chance()
{
	sleep "$(printf '0.%03d' "$(chance "$1")")"
}

# state NAME KEY: one value of the recorder's state line.
state()
{
	printf 'state\n' | timeout 5 "$WEIR_BUILD/tests/app/ask" "$work/run/weir/$1.sock" |
		sed -n "s/^state.* $2=\([^ ]*\).*/\1/p"
}

# absurd FILE: figures of an export that cannot be, at most three.
absurd()
{
	awk -F, 'NR > 1 && $5 != "" && ($5 + 0 < 0 || $5 ~ /nan|inf/)' "$1" | head -n 3
}

# keep_marking NAME PREFIX: marks and notes one after the other until one fails. Those
# that were confirmed as saved go to $work/confirmed.
keep_marking()
{
	number=0
	while :; do
		number=$((number + 1))
		if [ $number -le 2 ]; then
			"$weir" mark "$2-$number" --for 1s -s "$1" || return
		else
			"$weir" note "$2-$number" -s "$1" || return
		fi >/dev/null 2>&1
		echo "$2-$number" >>"$work/confirmed"
	done
}

# all_kept NAME: every confirmed mark is in the file.
all_kept()
{
	sql "$1" 'SELECT name FROM windows UNION SELECT text FROM notes' | sort >"$work/kept"
	sort -u "$work/confirmed" | comm -23 - "$work/kept" >"$work/missing"
	[ ! -s "$work/missing" ]
}
