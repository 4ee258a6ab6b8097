#!/bin/sh
# Which layer may include which (doc/design.md), and which few files may know a
# library, the terminal, the clock or a privilege.
set -u
cd "$WEIR_SRC" || exit 1
bad=0

complain()
{
	printf '%s\n' "$1"
	bad=1
}

# may LAYER ALLOWED: every include of another layer from src/ or include/LAYER.
may()
{
	found=$(grep -rnE '#include "[a-z]+/' "src/$1" "include/$1" 2>/dev/null |
		grep -vE "#include \"($2)/")
	[ -z "$found" ] || complain "$1 may only include $2:
$found"
}

may base base
may packet 'packet|base'
# The class table and what is counted per peer feed METRICS; core reads no more of packet.
grep -rnE '#include "packet/' src/core include/core |
	grep -vE '"packet/(class|peer).h"' &&
	complain 'core may only include packet/class.h and packet/peer.h of packet'
may core 'core|base|packet'
may source 'source|core|packet|base'
may store 'store|core|packet|base'
may report 'report|core|packet|base'
may tui 'tui|core|packet|base'
may app 'app|tui|report|store|source|core|packet|base'
may capture 'capture|packet|base'

for folder in src/*/ include/*/; do
	grep -q "^may $(basename "$folder") " tests/lint/layers.sh ||
		complain "$folder is no layer that layers.sh knows"
done

# only WHAT PATTERN FILES: PATTERN stands in no other file of src and include.
only()
{
	found=$(grep -rnE "$2" src include | grep -vE "^($3):")
	[ -z "$found" ] || complain "$1 belongs to $3 alone:
$found"
}

only sqlite '#include <sqlite3' 'src/store/[a-z_]+\.[ch]|include/store/store_private\.h'
only pcap '#include <pcap' 'src/capture/[a-z_]+\.c|src/app/(read_file|filter)\.c'
only statgrab '#include <statgrab' 'src/source/statgrab\.c'
only curses '#include <n?curses' 'src/tui/screen_curses\.c'
only zlib '#include <zlib' 'src/app/archive\.c'
only nettle '#include <nettle' 'src/app/archive\.c'
only seccomp '#include <seccomp' 'src/base/cage_filter\.c'
only 'the clock' '\b(clock_gettime|gettimeofday|time|clock)\((NULL|&|CLOCK|0\))' 'src/base/clock\.c'
only 'privilege' 'capset|setres[ug]id|setgroups|PR_SET|SECCOMP_SET|[^P]CAP_NET' \
	'src/base/cage[a-z_]*\.c|src/capture/[a-z_]*\.c'
exit $bad
