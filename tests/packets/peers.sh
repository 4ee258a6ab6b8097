#!/bin/sh
# Who did it, and how long it took, from made captures: `weir read` in text and JSON.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# case NAME 'FRAMES' 'OPTIONS' 'WORDS OF THE JSON'...: each must be in what is read.
case_of()
{
	name=$1
	# shellcheck disable=SC2086 # words
	"$WEIR_BUILD/tests/packets/generate" $2 >"$work/pcap" || failed=1
	# shellcheck disable=SC2086 # words
	"$WEIR_BUILD/weir" read --format json $3 "$work/pcap" >"$work/json" || failed=1
	shift 3
	for wanted; do
		grep -qF -- "$wanted" "$work/json" || {
			printf '%s: no %s in\n' "$name" "$wanted"
			sed 's/.*"peers"/"peers"/' "$work/json"
			failed=1
		}
	done
}

ask='tcp,port=3260,iscsi=1/0xc0/0/9/0'
write='tcp,port=3260,iscsi=1/0xa0/0/9/0'
other='tcp,port=3260,iscsi=1/0x80/0/9/0'
answer='tcp,s,port=3260,seq=1,ack=1048,iscsi=0x21/0x80/0/9/0'

# frames are 1 ms apart
case_of read-1ms "$ask $answer" '' '"peer":"192.0.2.2:3260"' \
	'"read":{"count":1,"sum_us":1000,"slower_us":{"64":1,"128":1,"256":1,"512":1,"1024":0'
case_of write "$write $answer" '' '"write":{"count":1,"sum_us":1000,' '"read":{"count":0'
case_of other "$other $answer" '' '"other":{"count":1,"sum_us":1000,'
case_of answered-twice "$ask $answer tcp,s,port=3260,seq=49,ack=1048,iscsi=0x21/0x80/0/9/0" '' \
	'"read":{"count":1,'
case_of without-question "$answer" '' '"read":{"count":0' '"other":{"count":0'
case_of not-storage "tcp,port=3261,iscsi=1/0xc0/0/9/0 $answer" '' '"peers":[{"peer":"192.0.2.2:3260"' \
	'"read":{"count":0'
case_of damaged "$ask $answer,sum=bad" '' '"read":{"count":0' \
	'"tcp.cksum":{"rx":0,"tx":0,"unknown":1}'
case_of nfs 'tcp,port=2049,call=7/100003/3/6 tcp,s,port=2049,seq=1,reply=7/0/0/0' '' \
	'"peer":"192.0.2.2:2049"' '"read":{"count":1,"sum_us":1000'
case_of nfs-write 'tcp,port=2049,call=7/100003/3/7 tcp,s,port=2049,seq=1,reply=7/0/0/0' '' \
	'"write":{"count":1,"sum_us":1000'
case_of nfs-over-udp 'udp,port=2049,call=7/100003/3/1 udp,s,port=2049,reply=7/0/0/0' '' \
	'"other":{"count":1,"sum_us":1000'
case_of another-program 'tcp,port=2049,call=6/100003/3/1 tcp,port=2049,seq=1044,call=7/100005/3/6 tcp,s,port=2049,seq=1,reply=7/0/0/0' \
	'' '"read":{"count":0' '"other":{"count":0'

# whose direction it is says --host
case_of sent "$ask $answer" '--host 192.0.2.1' '"segments":{"rx":1,"tx":1,"unknown":0}'
case_of received "$ask,sum=bad $answer" '--host 192.0.2.9 --host 10.0.0.1,192.0.2.2' \
	'"tcp.cksum":{"rx":1,"tx":0,"unknown":0}'
case_of strangers "$ask $answer" '--host 192.0.2.9' '"segments":{"rx":0,"tx":0,"unknown":2}'
case_of six 'tcp6,port=445,len=10,sum=bad' '--host 2001:db8::1' '"peer":"[2001:db8::2]:445"'

for wrong in 10.0.0 "10.0.0.1,," host.example 10.0.0.1/8; do
	"$WEIR_BUILD/weir" read --host "$wrong" "$work/pcap" >"$work/out" 2>"$work/err"
	[ $? = 2 ] || {
		printf 'taken: --host %s\n' "$wrong"
		failed=1
	}
done

# for people: the peer, what was judged, and a bound for each share
# shellcheck disable=SC2086 # words
"$WEIR_BUILD/tests/packets/generate" $ask $answer >"$work/pcap"
"$WEIR_BUILD/weir" read "$work/pcap" >"$work/text" || failed=1
for line in 'peer 192.0.2.2:3260, 2 segments' 'checksums judged 2 of 2' \
	'read  1 answers, mean 1 ms, half <= 1.02 ms, 95 % <= 1.02 ms'; do
	grep -qF "$line" "$work/text" || {
		printf 'no "%s" in\n' "$line"
		cat "$work/text"
		failed=1
	}
done
exit $failed
