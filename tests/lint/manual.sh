#!/bin/sh
# weir.1 says of commands, options and keys what the tables say, and every page is
# clean for man.
set -u
status=0
"$WEIR_BUILD/tests/manual" "$WEIR_SRC/doc/weir.1" | diff "$WEIR_SRC/doc/weir.1" - || {
	echo 'doc/weir.1 is not as the tables have it: run make manual'
	status=1
}
for page in "$WEIR_SRC"/doc/*.[18]; do
	command -v man >/dev/null || break
	said=$(man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
	[ -z "$said" ] || { printf '%s: %s\n' "$page" "$said"; status=1; }
done
exit $status
