#!/bin/sh
# No two modules define the same public name: in static libraries the linker sees it
# only where both are pulled in.
set -u
cd "$WEIR_BUILD" || exit 1
twice=$(nm -g --defined-only lib*.a 2>/dev/null | awk 'NF == 3 {print $3}' |
	grep -vE '^(__|_[A-Z]|DW\.)' | sort | uniq -d)
[ -z "$twice" ] || printf 'defined twice: %s\n' "$twice"
[ -z "$twice" ]
