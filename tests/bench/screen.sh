#!/bin/sh
# Bytes of the screen per tick with every row changing, at two sizes, and htop in the
# same terminal under the load of this machine. Limits: 1229 bytes at 80x24, 3072 at
# 120x40, and fewer than htop where that is there.
set -u
bytes="$WEIR_BUILD/tests/bench/screen_bytes"
status=0
export WEIR_BENCH_THEMES="$WEIR_SRC/themes"
limit()
{
	said=$("$bytes" "$1" "$2") || exit 1
	echo "$said (limit $3)"
	[ "$(echo "$said" | sed 's/.*: \([0-9]*\) bytes.*/\1/')" -le "$3" ] || status=1
}
limit 24 80 1229
limit 40 120 3072
if command -v htop >/dev/null; then
	"$bytes" 24 80 htop -d 10
	"$bytes" 40 120 htop -d 10
fi
exit $status
