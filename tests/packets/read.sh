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
# The head of a file claims frames of at most 60 bytes, and there is more of each.
{ head -c 16 three.pcap && printf '\074\000\000\000' && tail -c +21 three.pcap; } >claims.pcap
is 'what is there is read' "$("$weir" read three.pcap | tail -n +2)" "$("$weir" read claims.pcap | tail -n +2)"

# Two interfaces with different claims, in both byte orders: a section, both, a frame of 60 bytes.
frame=$(head -c 100 three.pcap | tail -c 60 | od -An -v -to1 | tr -d '\n' | sed 's/ /\\/g')
# shellcheck disable=SC2059 # the formats are bytes
{
	printf '\012\015\015\012\034\000\000\000\115\074\053\032\001\000\000\000'
	printf '\377\377\377\377\377\377\377\377\034\000\000\000'
	for most in '\100' '\000'; do
		printf '\001\000\000\000\024\000\000\000\001\000\000\000'"$most"'\001\000\000\024\000\000\000'
	done
	printf '\006\000\000\000\134\000\000\000\001\000\000\000\000\000\000\000\000\000\000\000'
	printf '\074\000\000\000\074\000\000\000'"$frame"'\134\000\000\000'
} >less.pcapng
# shellcheck disable=SC2059
{
	printf '\012\015\015\012\000\000\000\034\032\053\074\115\000\001\000\000'
	printf '\377\377\377\377\377\377\377\377\000\000\000\034'
	for most in '\100' '\000'; do
		printf '\000\000\000\001\000\000\000\024\000\001\000\000\000\000\001'"$most"'\000\000\000\024'
	done
	printf '\000\000\000\006\000\000\000\134\000\000\000\001\000\000\000\000\000\000\000\000'
	printf '\000\000\000\074\000\000\000\074'"$frame"'\000\000\000\134'
} >more.pcapng
is 'interfaces that claim different lengths' '1 1' \
	"$("$weir" read --format json less.pcapng more.pcapng | field packets | tr '\n' ' ' | sed 's/ $//')"
is 'a damaged length of a block' 1 \
	"$({ head -c 32 less.pcapng && printf '\001\000\000\000' && tail -c +37 less.pcapng; } | "$weir" read - 2>&1 | grep -c '^weir: -: ')"

{ head -c 36 three.pcap && printf '\060\000\000\000' && tail -c +41 three.pcap; } >much.pcap
is 'a record that holds more than was on the wire' 1 \
	"$("$weir" read --format json much.pcap | field rec.caplen_gt_len)"

# plain TEXT EXPECTED WORD...: the plain rules' names for the last frame
plain()
{
	text=$1
	expected=$2
	shift 2
	"$generate" "$@" >plain.pcap
	is "plain rules: $text" "$expected" \
		"$("$weir" read --rules wireshark --per-packet plain.pcap | sed -n "s/^$#	//p")"
}

zeros=00000000000000000000000000000000
plain 'a UDP length past the end' malformed_l2l4,udp_len_bad udp,data=aad300000001${zeros},udplen=99
plain 'the same, and the name in it too' udp_len_bad udp,port=53,data=aad3000000010000000000000477,udplen=99
plain 'the same, and the name is whole' malformed_l2l4,udp_len_bad \
	udp,port=53,data=aad3000000010000000000000177000001000100,udplen=99
plain 'what a reject quotes has no digest of its own' iscsi_hdr_digest,iscsi_reject \
	tcp,s,port=3260,seq=1,iscsi=0x25/0x80/0/9/100,hd,dd \
	tcp,s,port=3260,seq=157,iscsi=0x3f/0x80/0/0xffffffff/48,hd,dd
plain 'a status in Fibre Channel' scsi_check_condition \
	bytes,ethertype=0x8906,data=${zeros%????}070000010000000208${zeros%??}${zeros%??????????}02
plain 'another status there' '' \
	bytes,ethertype=0x8906,data=${zeros%????}070000010000000208${zeros%??}${zeros%??????????}08
command=tcp,port=3260,seq=1,iscsi=1/0xc0/0/9/0
answer=tcp,s,port=3260,seq=1000,ack=49,data=2581000000000bb8${zeros%????????????????}00000009${zeros}${zeros%????????},len=952
ack=tcp,port=3260,seq=49,ack=2000
plain 'the end of a PDU sent again behind a lost head' iscsi_resp_time,tcp_fast_retrans,tcp_retrans \
	"$command" "$answer" $ack tcp,s,port=3260,seq=4200,ack=49,len=100 $ack $ack $ack \
	tcp,s,port=3260,seq=2000,ack=49,len=2200
plain 'the head of a PDU sent again, whose rest was there before' tcp_fast_retrans,tcp_retrans \
	"$command" tcp,s,port=3260,seq=952,ack=49,iscsi=0x20/0x80/0/0/0 tcp,port=3260,seq=49,ack=1000 \
	tcp,s,port=3260,seq=2000,ack=49,len=2048 tcp,port=3260,seq=49,ack=1000 tcp,port=3260,seq=49,ack=1000 \
	tcp,port=3260,seq=49,ack=1000 "$answer"

is 'frames and names' "$(printf '1\ttcp_ck_bad,tcp_ck_bad_outer\n3\ttcp_rst')" \
	"$("$weir" read --rules wireshark --per-packet three.pcap)"

# pcapng with time in whole seconds, of which a frame claims more than nanoseconds can count.
{
	printf '\012\015\015\012\034\000\000\000\115\074\053\032\001\000\000\000'
	printf '\377\377\377\377\377\377\377\377\034\000\000\000'
	printf '\001\000\000\000\040\000\000\000\001\000\000\000\000\000\004\000'
	printf '\011\000\001\000\000\000\000\000\000\000\000\000\040\000\000\000'
	for time in '\0001\0000\0000\0000' '\0377\0377\0377\0017'; do
		printf '\006\000\000\000\134\000\000\000\000\000\000\000'
		printf '%b%b' "$time" "$time"
		printf '\074\000\000\000\074\000\000\000'
		tail -c 60 three.pcap | head -c 60
		printf '\134\000\000\000'
	done
} >far.pcapng
out=$("$weir" read --format json far.pcapng 2>err)
is 'status of a file from the end of all time' 0 $?
is 'its packets' 2 "$(printf '%s\n' "$out" | field packets)"
is 'no word' '' "$(cat err)"

for words in '--rules other three.pcap' '--format xml three.pcap' '--per-packet three.pcap sll' ''; do
	# shellcheck disable=SC2086 # words
	"$weir" read $words >out 2>err
	is "status of a wrong call ($words)" 2 $?
	is "output of a wrong call ($words)" 0 "$(wc -c <out)"
done
exit $failed
