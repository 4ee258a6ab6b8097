#!/bin/sh
# Every C file is as clang-format 14 would write it (.clang-format).
set -u
cd "$WEIR_SRC" || exit 1
if ! command -v clang-format >/dev/null; then
	echo 'clang-format is missing: apt-get install clang-format'
	exit 77
fi
case $(clang-format --version) in
*' version 14.'*) ;;
*)
	echo "another clang-format breaks lines elsewhere: $(clang-format --version)"
	exit 77
	;;
esac
find src include tests \( -name '*.c' -o -name '*.h' \) -print0 |
	xargs -0 clang-format --style=file --dry-run -Werror
