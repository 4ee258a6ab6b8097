#!/bin/sh
# weir read as a program: order of files, standard input, damaged and foreign files,
# formats, the reason on standard error and the exit status.
set -u
weir=$WEIR_BUILD/weir
generate=$WEIR_BUILD/tests/packets/generate
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# is TEXT EXPECTED GOT
is()
{
	[ "$2" = "$3" ] && return
	printf '%s: expected <%s>, got <%s>\n' "$1" "$2" "$3"
	failed=1
}

"$generate" tcp,len=100,sum=bad tcp,seq=1100,len=100 tcp,flags=R,seq=9 >three.pcap
head -c "$(($(wc -c <three.pcap) - 5))" three.pcap >short.pcap
printf 'no capture at all' >foreign
"$generate" link=sll udp,len=10,sum=bad,sll=0 udp,len=10,sum=bad,sll=4 >sll

field()
{
	sed -n "s/.*\"$1\":\([^,}]*\).*/\1/p"
}

out=$("$weir" read --format json three.pcap 2>err)
is 'status of a sound file' 0 $?
is 'packets' 3 "$(printf '%s\n' "$out" | field packets)"
is 'bytes as on the wire' 362 "$(printf '%s\n' "$out" | field bytes)"
is 'bad checksums' 1 "$(printf '%s\n' "$out" | field tcp.cksum)"
is 'resets' 1 "$(printf '%s\n' "$out" | field tcp.rst)"
is 'link type' '"EN10MB"' "$(printf '%s\n' "$out" | field linktype)"
is 'nothing on standard error' '' "$(cat err)"

out=$("$weir" read --format json short.pcap foreign missing three.pcap 2>err)
is 'status with damaged files' 1 $?
is 'one object per file, in order' '"short.pcap" "foreign" "missing" "three.pcap"' \
	"$(printf '%s\n' "$out" | field file | tr '\n' ' ' | sed 's/ $//')"
is 'what came before the cut' 2 "$(printf '%s\n' "$out" | sed -n 1p | field packets)"
is 'the cut is counted' 1 "$(printf '%s\n' "$out" | sed -n 1p | field rec.file_cut)"
is 'errors in the objects' 3 "$(printf '%s\n' "$out" | grep -c '"error":"')"
is 'reasons on standard error' 'weir: short.pcap weir: foreign weir: missing' \
	"$(sed 's/^\(weir: [a-z.]*\):.*/\1/' err | tr '\n' ' ' | sed 's/ $//')"

is 'standard input' "$("$weir" read three.pcap | sed 's/^three.pcap/-/')" "$("$weir" read - <three.pcap)"
is 'a pipe' "$("$weir" read three.pcap | sed 's/^three.pcap/-/')" "$(head -c 1000 three.pcap | "$weir" read -)"
is 'directions of a cooked capture' 1 \
	"$("$weir" read --format text sll | grep -c 'udp.cksum  *2 ')"

out=$("$weir" read --rules wireshark --format tsv three.pcap sll)
is 'a line of names and one per file' 'file three.pcap sll' \
	"$(printf '%s\n' "$out" | cut -f1 | tr '\n' ' ' | sed 's/ $//')"
is 'a value per name' '61 61 61' \
	"$(printf '%s\n' "$out" | awk -F'\t' '{ printf "%s%s", n++ ? " " : "", NF }')"
is 'frames and names' "$(printf '1\ttcp_ck_bad,tcp_ck_bad_outer\n3\ttcp_rst')" \
	"$("$weir" read --rules wireshark --per-packet three.pcap)"

for words in '--rules other three.pcap' '--format xml three.pcap' '--per-packet three.pcap sll' ''; do
	# shellcheck disable=SC2086 # words
	"$weir" read $words >out 2>err
	is "status of a wrong call ($words)" 2 $?
	is "output of a wrong call ($words)" 0 "$(wc -c <out)"
done
exit $failed
