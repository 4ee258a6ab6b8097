/*
 * The columns of the comparison with another analyser (`weir read --rules
 * wireshark --format tsv`, `--per-packet`): names, order and meaning as there.
 * A packet has a column or not; a file has the number of packets that have it.
 */
#ifndef WEIR_PACKET_COLUMN_H
#define WEIR_PACKET_COLUMN_H

#include <stdint.h>

/* clang-format off */
#define PACKET_COLUMNS(X) \
	X(ip_ck_bad) X(tcp_ck_bad) X(udp_ck_bad) X(icmp_ck_bad) X(icmpv6_ck_bad) \
	X(tcp_retrans) X(tcp_fast_retrans) X(tcp_spurious_retrans) X(tcp_out_of_order) \
	X(tcp_dup_ack) X(tcp_lost_segment) X(tcp_ack_lost_segment) X(tcp_zero_window) \
	X(tcp_window_full) X(tcp_keep_alive) X(tcp_keep_alive_ack) \
	X(tcp_zero_window_probe) X(tcp_zero_window_probe_ack) X(tcp_window_update) \
	X(tcp_ports_reused) X(tcp_rst) X(icmp_unreach) X(icmp_frag_needed) \
	X(icmp_time_exceeded) X(icmpv6_unreach) X(icmpv6_too_big) \
	X(icmpv6_time_exceeded) X(icmp_error_any) X(ip_fragments) X(ip6_fragments) \
	X(ip_frag_overlap) X(arp_dup_ip) X(ip_bogus) X(ip6_plen_bad) X(tcp_hdr_bad) \
	X(tcp_option_bad) X(udp_len_bad) X(udp_ck_zero_illegal) X(iscsi) X(smb2) X(nfs) \
	X(smb2_signed) X(scsi_check_condition) X(iscsi_resp_time) X(iscsi_hdr_digest) \
	X(iscsi_data_digest) X(iscsi_reject) X(nfs_error) X(smb2_error) \
	X(tcp_only_retrans) X(ip_ck_bad_outer) X(tcp_ck_bad_outer) X(udp_ck_bad_outer) \
	X(tcp_pkts) X(udp_pkts) X(malformed_l2l4) X(iscsi_hdr_digest_bad) \
	X(iscsi_data_digest_bad) X(tcp_ck_partial) X(udp_ck_partial)
/* clang-format on */

#define X(name) COLUMN_##name,
enum column {
	PACKET_COLUMNS(X) COLUMN_COUNT
};
#undef X

_Static_assert(COLUMN_COUNT <= 64, "a packet's columns are one word");

extern const char *const packet_columns[COLUMN_COUNT];

/* Those that describe traffic, not findings: left out of lists per packet. */
extern const uint64_t packet_columns_plain;

#endif
