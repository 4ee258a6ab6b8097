#!/bin/sh
# Every script passes shellcheck; it takes functions called by name for unreachable.
set -u
cd "$WEIR_SRC" || exit 1
if ! command -v shellcheck >/dev/null; then
	echo 'shellcheck is missing: apt-get install shellcheck'
	exit 77
fi
find bootstrap .ci tests -type f -exec grep -lE '^#!/bin/(ba)?sh' {} + | sort | xargs shellcheck -e SC2317
