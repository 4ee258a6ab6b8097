#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154,SC2317 # inside.sh, lib.sh; called by the loops
# Names that would do harm: escape sequences, newlines and bytes that are no UTF-8 in
# interfaces, their aliases, mounts, notes, commands, authors, and, put there by hand, in the
# session file. Whatever weir prints is text of one meaning: no control character reaches
# the terminal, every line of JSON is JSON, every row of CSV has its columns.
. "$WEIR_SRC/tests/faults/inside.sh"
. "$WEIR_SRC/tests/faults/lib.sh"
[ "$WEIR_INSIDE" = yes ] || skip 'namespaces cannot be made here'
command -v jq >/dev/null || skip 'jq is missing: apt-get install jq'
evil=$(printf '\033[2J\033]0;x\007\377\302\n"<,')
short=$(printf 'e\033[7m\377"')

# clean WHAT FILE: printable UTF-8 in lines, and not empty
clean()
{
	if [ ! -s "$2" ]; then
		check "$1 says something" nothing something
	elif ! iconv -f UTF-8 -t UTF-8 "$2" >/dev/null 2>&1; then
		check "$1 is UTF-8" no yes
	elif LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$2" | grep -q .; then
		check "$1 has no control characters" no yes
	else
		echo "ok - $1 is clean"
	fi
}
# is_json FILE: every line of it
is_json()
{
	jq -e . "$1" >/dev/null 2>"$work/jq.err"
	check "$2 is JSON" "$?$(cat "$work/jq.err")" 0
}
look()
{
	"$weir" list >"$work/out"
	clean "the list of $1" "$work/out"
	for format in text json; do
		"$weir" report -s "$2" --format $format >"$work/out" 2>"$work/err"
		clean "the report of $1 as $format" "$work/out"
	done
	is_json "$work/out" "the report of $1"
	"$weir" replay -b -n 1 "$2" >"$work/out" 2>"$work/err"
	clean "the screen of $1" "$work/out"
	"$weir" export "$2" --format json >"$work/out" 2>"$work/err"
	clean "the export of $1" "$work/out"
	is_json "$work/out" "the export of $1"
	"$weir" export "$2" --format csv >"$work/out" 2>"$work/err"
	clean "the export of $1 as CSV" "$work/out"
	check "each row of $1 has six columns" "$(python3 -c 'import csv, sys
print(sorted({len(row) for row in csv.reader(open(sys.argv[1], newline=""))}))' "$work/out")" '[6]'
}
has_ticks()
{
	[ "$(state day ticks)" -ge "$1" ]
}

ip link set left name "$short" || skip 'this kernel takes no such name'
ip link set "$short" alias "$evil"
ip link set "$short" up
mkdir "$work/mount$evil"
mount -t tmpfs "$short" "$work/mount$evil" || skip 'no such folder can be mounted'
setsid "$weir" record -s day --all -t 0.1 </dev/null >"$work/day.out" 2>"$work/day.err" &
recorders=$!
until_true 'it records' has_ticks 5
SUDO_USER=$evil "$weir" mark before >"$work/out" 2>&1
clean 'the answer to a mark' "$work/out"
"$weir" note "$evil and words" >"$work/out" 2>&1
clean 'the answer to a note' "$work/out"
printf '%s' "$evil" | "$weir" note --attach "$evil title" >"$work/out" 2>&1
clean 'the answer to an attachment' "$work/out"
"$weir" run evil -- sh -c 'exit 3' "$evil" >"$work/out" 2>&1
clean 'what a run says' "$work/out"
"$weir" mark "$evil" >"$work/out" 2>&1
clean 'the refusal of a name' "$work/out"
"$weir" report -s "$evil" >"$work/out" 2>&1
clean 'the refusal of a session' "$work/out"
until_true 'it records on' has_ticks 15
"$weir" attach -b -n 2 day >"$work/out"
clean 'the live screen' "$work/out"
for command in doctor sources; do
	"$weir" $command >"$work/out"
	clean "weir $command" "$work/out"
done
"$weir" stop day >/dev/null
check 'the recording ends well' $? 0
sql day "SELECT text FROM notes" >"$work/notes"
clean 'what is in the file' "$work/notes"
look 'what was recorded' day

# the same put into the file by somebody who means harm
hex=$(printf '%s' "$evil" | od -An -tx1 | tr -d ' \n')
sqlite3 "$folder/day.weir" "VACUUM INTO '$work/handed.weir'"
sqlite3 "$work/handed.weir" "UPDATE runs SET host = CAST(x'$hex' AS TEXT), kernel = CAST(x'$hex' AS TEXT),
	version = CAST(x'$hex' AS TEXT), boot_id = CAST(x'$hex' AS TEXT);
UPDATE windows SET name = CAST(x'$hex' AS TEXT), author = CAST(x'$hex' AS TEXT), command = CAST(x'$hex' AS TEXT);
UPDATE notes SET text = CAST(x'$hex' AS TEXT), author = CAST(x'$hex' AS TEXT);
UPDATE notes SET body = CAST(x'$hex' AS TEXT) WHERE body IS NOT NULL;
UPDATE meta SET value = CAST(x'$hex' AS TEXT);
UPDATE facts SET device = CAST(x'$hex' AS TEXT), key = CAST(x'$hex' AS TEXT), value = CAST(x'$hex' AS TEXT);"
check 'harm is in the file' $? 0
mv "$work/handed.weir" "$work/ha$(printf '\033')nded.weir"
look 'a file that was made for harm' "$work/ha$(printf '\033')nded.weir"
umount "$work/mount$evil"
exit "$bad"
