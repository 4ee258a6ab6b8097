/* Names of the comparison columns; see the header. */
#include "config.h"

#include "packet/column.h"

#define X(name) [COLUMN_##name] = #name,
const char *const packet_columns[COLUMN_COUNT] = {PACKET_COLUMNS(X)};
#undef X

#define BIT(name) (UINT64_C(1) << COLUMN_##name)
const uint64_t packet_columns_plain = BIT(tcp_pkts) | BIT(udp_pkts) | BIT(iscsi) |
				      BIT(smb2) | BIT(nfs) | BIT(tcp_ck_partial) |
				      BIT(udp_ck_partial);
