#!/bin/sh
# Each header compiles alone, with config.h in front as in every source file, and
# guards itself with the name of its path.
set -u
cd "$WEIR_BUILD" || exit 1 # the flags are made for there
bad=0
unit=tests/lint/headers.c
for path in "$WEIR_SRC"/include/*/*.h; do
	header=${path#"$WEIR_SRC/include/"}
	guard=WEIR_$(echo "${header%.h}" | tr a-z/ A-Z_)_H
	grep -q "^#ifndef $guard\$" "$path" || { echo "$header: the guard is not $guard"; bad=1; }
	! grep -q '"config.h"' "$path" || { echo "$header: includes config.h"; bad=1; }
	printf '#include "config.h"\n#include "%s"\nextern int unused;\n' "$header" >"$unit"
	eval "$CC $CPPFLAGS $CFLAGS -O1 -fsyntax-only" '"$unit"' || { echo "$header: not alone"; bad=1; }
done
rm -f "$unit"
exit $bad
