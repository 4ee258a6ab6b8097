#!/bin/sh
# What tshark says about every packet of a capture, in the columns of
# `weir read --rules wireshark --per-packet`: FRAME<TAB>COLUMN, sorted.
#   reference.sh CAPTURE
set -eu
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
HOME=$home TZ=UTC LC_ALL=C tshark -n -r "$1" -o tcp.check_checksum:TRUE -o udp.check_checksum:TRUE \
	-o ip.check_checksum:TRUE -o tcp.desegment_tcp_streams:TRUE -T fields -E separator=/t -E occurrence=a \
	-e frame.number -e ip.checksum.status -e tcp.checksum.status -e udp.checksum.status \
	-e icmp.checksum.status -e icmpv6.checksum.status \
	-e tcp.analysis.retransmission -e tcp.analysis.fast_retransmission \
	-e tcp.analysis.spurious_retransmission -e tcp.analysis.out_of_order \
	-e tcp.analysis.duplicate_ack -e tcp.analysis.lost_segment -e tcp.analysis.ack_lost_segment \
	-e tcp.analysis.zero_window -e tcp.analysis.window_full -e tcp.analysis.keep_alive \
	-e tcp.analysis.keep_alive_ack -e tcp.analysis.zero_window_probe \
	-e tcp.analysis.zero_window_probe_ack -e tcp.analysis.window_update \
	-e tcp.analysis.reused_ports -e tcp.flags.reset \
	-e icmp.type -e icmp.code -e icmpv6.type -e ip.flags.mf -e ip.frag_offset \
	-e ipv6.fraghdr.more -e ipv6.fraghdr.offset -e ip.fragment.overlap -e ipv6.fragment.overlap \
	-e arp.duplicate-address-detected \
	-e ip.bogus_ip_length -e ip.bogus_header_length -e ip.bogus_ip_version \
	-e ipv6.plen_exceeds_framing -e ipv6.plen_zero -e ipv6.bogus_ipv6_version -e ipv6.invalid_header \
	-e tcp.short_segment -e tcp.bogus_header_length \
	-e tcp.option.len.invalid -e tcp.suboption_malformed -e tcp.options.wscale.shift.invalid \
	-e udp.length.bad -e udp.length.bad_zero \
	-e smb2.flags.signature -e scsi.status -e iscsi.scsiresponse.status -e iscsi.time \
	-e iscsi.headerdigest32 -e iscsi.datadigest32 -e iscsi.opcode -e nfs.nfsstat4 -e nfs.status2 -e nfs.status3 \
	-e smb2.nt_status -e frame.protocols -e _ws.malformed -e _ws.expert.message 2>/dev/null |
awk -F'\t' '
function has(text, item,   n, i, part) {
	n = split(text, part, ",")
	for (i = 1; i <= n; i++) if (part[i] == item) return 1
	return 0
}
function nonzero(text,   n, i, part) {
	n = split(text, part, ",")
	for (i = 1; i <= n; i++) if (part[i] != "" && part[i] !~ /^0(x0+)?$/ && part[i] != "False") return 1
	return 0
}
function say(what) { print $1 "\t" what }
function malformed(   name, names, n, i) {
	if ($59 == "") return 0
	if (match($59, /\[Malformed Packet: [^]]*\]/)) {
		name = substr($59, RSTART + 19, RLENGTH - 20)
		return name ~ /^(Ethernet|VLAN|802.1Q|SLL|Null|Raw|ARP|IPv4|IPv6|TCP|MPTCP|UDP|ICMP)/
	}
	return $60 ~ /Bad length value|[Ll]ength (field )?value goes past|Frame length is less than captured|Unknown Data \(not interpreted\)|Invalid Option Length|Bogus IP|Invalid IPv6|Jumbo/
}
{
	status["ip_ck_bad"] = $2; status["tcp_ck_bad"] = $3; status["udp_ck_bad"] = $4
	status["icmp_ck_bad"] = $5; status["icmpv6_ck_bad"] = $6
	for (name in status) if (has(status[name], "0") || has(status[name], "Bad")) say(name)
	if ($2 ~ /^0/) say("ip_ck_bad_outer")
	if ($3 ~ /^0/) say("tcp_ck_bad_outer")
	if ($4 ~ /^0/) say("udp_ck_bad_outer")
	if (has($4, "4")) say("udp_ck_zero_illegal")
	n = split("tcp_retrans tcp_fast_retrans tcp_spurious_retrans tcp_out_of_order tcp_dup_ack tcp_lost_segment tcp_ack_lost_segment tcp_zero_window tcp_window_full tcp_keep_alive tcp_keep_alive_ack tcp_zero_window_probe tcp_zero_window_probe_ack tcp_window_update tcp_ports_reused", names, " ")
	for (i = 1; i <= n; i++) if ($(6 + i) != "") say(names[i])
	if ($7 != "" && $8 == "" && $9 == "") say("tcp_only_retrans")
	if (has($22, "1")) say("tcp_rst")
	split($23, type, ","); split($24, code, ","); split($25, type6, ",")
	if ($23 != "") {
		if (type[1] == 3) say("icmp_unreach")
		if (type[1] == 3 && code[1] == 4) say("icmp_frag_needed")
		if (type[1] == 11) say("icmp_time_exceeded")
	}
	if ($25 != "") {
		if (type6[1] == 1) say("icmpv6_unreach")
		if (type6[1] == 2) say("icmpv6_too_big")
		if (type6[1] == 3) say("icmpv6_time_exceeded")
	}
	if (($23 != "" && type[1] ~ /^(3|4|5|11|12)$/) || ($25 != "" && type6[1] ~ /^[1234]$/)) say("icmp_error_any")
	if (nonzero($26) || nonzero($27)) say("ip_fragments")
	if (nonzero($28) || nonzero($29)) say("ip6_fragments")
	if (nonzero($30) || nonzero($31)) say("ip_frag_overlap")
	if ($32 != "") say("arp_dup_ip")
	if ($33 $34 $35 != "") say("ip_bogus")
	if ($36 $37 $38 != "") say("ip6_plen_bad")
	if ($40 $41 != "") say("tcp_hdr_bad")
	if ($42 $43 $44 != "") say("tcp_option_bad")
	if ($45 != "") say("udp_len_bad")
	if (nonzero($47)) say("smb2_signed")
	if (has($48, "0x02") || has($49, "0x02") || has($48, "2") || has($49, "2")) say("scsi_check_condition")
	if ($50 != "") say("iscsi_resp_time")
	if ($51 != "") say("iscsi_hdr_digest")
	if ($52 != "") say("iscsi_data_digest")
	if (has($53, "63") || has($53, "0x3f")) say("iscsi_reject")
	if (nonzero($54) || nonzero($55) || nonzero($56)) say("nfs_error")
	if (nonzero($57)) say("smb2_error")
	if (malformed()) say("malformed_l2l4")
}' | sort
