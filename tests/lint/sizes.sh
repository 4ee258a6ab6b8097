#!/bin/sh
# What one reads at once stays small: lines of a file, a header and a function, and
# the parameters of a function (the size of a buffer and the fault are not counted: they
# go with another one). The few larger headers are contracts of many layers; tests may be
# longer, since they are read a case at a time.
set -u
cd "$WEIR_SRC" || exit 1
if ! ctags --version 2>/dev/null | grep -q Universal; then
	echo 'ctags is missing: apt-get install universal-ctags'
	exit 77
fi
large='include/core/(metric|raw|session|tick)\.h'
# A place and a role in front of what is drawn; two ends of an interval as results.
wide='canvas_format canvas_fill interval limits'

files()
{
	find src -name '*.c' -exec wc -l {} + |
		awk '$2 != "total" && $1 > 400 {print $2 ": " $1 " lines, at most 400"}'
	find tests -name '*.c' -exec wc -l {} + |
		awk '$2 != "total" && $1 > 800 {print $2 ": " $1 " lines, at most 800"}'
	find include tests -name '*.h' -exec wc -l {} + | awk -v large="$large" '
		$2 == "total" {next}
		{limit = $2 ~ large ? 230 : 130}
		$1 > limit {print $2 ": " $1 " lines, at most " limit}'
}

functions()
{
	find src tests -name '*.c' | sort | ctags -x --kinds-C=f --_xformat='%F:%n %e %N %S' -L - |
		awk -v wide=" $wide " '{
			split($1, place, ":")
			lines = $2 - place[2] + 1
			limit = $1 ~ /^tests/ ? 60 : 50
			if (lines > limit)
				print $1 ": " $3 " has " lines " lines, at most " limit
			list = $0
			sub(/^[^(]*\(/, "", list)
			while (gsub(/\([^()]*\)/, "", list)) # commas of function pointers
				;
			gsub(/,(size_t|struct fault) [^,]*/, "", list)
			if ($1 ~ /^src/ && gsub(/,/, "", list) + 1 > 5 && !index(wide, " " $3 " "))
				print $1 ": " $3 " has more than 5 parameters"
		}'
}

bad=$(files; functions)
[ -z "$bad" ] || printf '%s\n' "$bad"
[ -z "$bad" ]
