#!/bin/sh
# Calls that lose an error or an end, words that stand for a machine of ours, and bytes
# that a terminal could take for something else. Each row: what, pattern, files.
set -u
cd "$WEIR_SRC" || exit 1
LC_ALL=C
export LC_ALL
bad=0

none()
{
	what=$1 pattern=$2
	shift 2
	found=$(grep -rnE --exclude-dir=lint --exclude-dir=packets "$pattern" "$@" 2>/dev/null)
	[ -z "$found" ] && return
	printf '%s:\n%s\n' "$what" "$found"
	bad=1
}

c='src include tests'
# shellcheck disable=SC2086 # words
{
	none 'no bounds, no error or no state: see doc/hacking.md' \
		'(^|[^a-z_A-Z0-9>.])(strcpy|strcat|strncpy|strncat|sprintf|vsprintf|gets|scanf|atoi|atol|atof|system|popen|rand|srand|strtok|tmpnam|mktemp|alloca|setjmp|longjmp)\(' \
		--include='*.[ch]' $c
	none 'memory comes from base/alloc.h' \
		'(^|[^a-z_A-Z0-9>.])(malloc|calloc|realloc|reallocarray|strdup|strndup|asprintf|vasprintf)\(' \
		--include='*.[ch]' --exclude=alloc.[ch] src include
	none 'only ASCII in sources' "[^ -~	]" --include='*.[ch]' --include='*.sh' $c
	none 'no dead code' '^[[:space:]]*#[[:space:]]*if[[:space:]]+0' --include='*.[ch]' $c
	none 'no second thoughts' '\b(TODO|FIXME|XXX|HACK)\b' $c doc README.md bootstrap
	none 'a path of one machine' \
		'(^|[^a-zA-Z0-9._])/(wor[k]|root|tmp/buil[d]|tmp/ins[t])/' \
		$c doc themes README.md NEWS.md Makefile.am configure.ac bootstrap
}
exit $bad
