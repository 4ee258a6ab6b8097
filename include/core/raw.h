/*
 * What sources read, as the kernel gives it. A new reading is a row here and one in
 * metric_raw.c; what is made of it is a row of the metric table (core/metric.h).
 */
#ifndef WEIR_CORE_RAW_H
#define WEIR_CORE_RAW_H

/* Fixed raw readings. Their ids, not these numbers, are stored in sessions. */
enum raw {
	/* disk: /proc/diskstats (kernel: admin-guide/iostats) */
	RAW_DISK_READ_OPS,
	RAW_DISK_READ_SECTORS, /* of 512 bytes, whatever the device */
	RAW_DISK_READ_MS,
	RAW_DISK_WRITE_OPS,
	RAW_DISK_WRITE_SECTORS,
	RAW_DISK_WRITE_MS,
	RAW_DISK_PENDING,     /* field 12: in progress, gauge */
	RAW_DISK_WEIGHTED_MS, /* field 14: sum of requests in progress times ms */
	RAW_DISK_BUSY_MS,     /* field 13: ms in which something was in progress */
	RAW_DISK_OTHER_OPS,   /* fields 15 and 19: discards and flushes completed */
	/* disk: the queue sampler, /sys/block/D/inflight */
	RAW_DISK_INFLIGHT,     /* last sample, gauge */
	RAW_DISK_INFLIGHT_SUM, /* sum over all slots sampled so far */
	RAW_DISK_SAMPLES,      /* slots (of 20 ms) that samples stood for so far */
	RAW_DISK_INFLIGHT_MAX, /* highest sample since the last tick, gauge */
	RAW_DISK_FULL,         /* of the slots sampled, those at the limit */
	RAW_DISK_LIMIT,        /* requests that the device takes at once, gauge */
	RAW_DISK_LIMIT_LEAST,  /* as above, of its smallest hardware queue */
	RAW_DISK_STATE,        /* enum backlog_state, gauge */
	RAW_DISK_HOLD,         /* enum backlog_hold, gauge; only while it is held */
	RAW_DISK_GIVES_UP_S,   /* so long the kernel holds on; OFF: for ever */
	RAW_DISK_PATHS,        /* of a multipath device, gauge */
	RAW_DISK_PATHS_USABLE, /* of them, those whose state is well */
	/* disk: libstatgrab, where diskstats does not serve */
	RAW_DISK_SG_READ_BYTES,
	RAW_DISK_SG_WRITE_BYTES,
	/* nic: libstatgrab */
	RAW_NET_RX_BYTES,
	RAW_NET_TX_BYTES,
	RAW_NET_RX_PACKETS,
	RAW_NET_TX_PACKETS,
	RAW_NET_RX_ERRORS,
	RAW_NET_TX_ERRORS,
	RAW_NET_COLLISIONS,
	RAW_NET_SPEED,  /* bits per second, gauge */
	RAW_NET_DUPLEX, /* 1 half, 2 full, gauge */
	RAW_NET_LINK,   /* 1 up, 0 down, gauge */
	/* nic: /sys/class/net/I/statistics */
	RAW_NET_RX_DROPPED,
	RAW_NET_TX_DROPPED,
	RAW_NET_RX_MISSED,
	RAW_NET_RX_FIFO,
	RAW_NET_RX_CRC,
	RAW_NET_RX_FRAME,
	RAW_NET_RX_LENGTH,
	RAW_NET_RX_OVER,
	RAW_NET_RX_NOHANDLER,
	RAW_NET_TX_CARRIER,
	RAW_NET_TX_FIFO,
	RAW_NET_TX_ABORTED,
	RAW_NET_TX_HEARTBEAT,
	RAW_NET_TX_WINDOW,
	RAW_NET_MULTICAST,
	RAW_NET_CARRIER_CHANGES,
	/* nic: ethtool netlink, groups eth-phy, eth-mac, eth-ctrl, rmon, pause; in the
	 * order of enum hardware */
	RAW_NET_HW_SYMBOL,
	RAW_NET_HW_FCS,
	RAW_NET_HW_ALIGNMENT,
	RAW_NET_HW_LATE_COLLISION,
	RAW_NET_HW_TX_INTERNAL,
	RAW_NET_HW_CARRIER_SENSE,
	RAW_NET_HW_RX_INTERNAL,
	RAW_NET_HW_LENGTH,
	RAW_NET_HW_OUT_OF_RANGE,
	RAW_NET_HW_TOO_LONG,
	RAW_NET_HW_CONTROL,
	RAW_NET_HW_UNDERSIZE,
	RAW_NET_HW_OVERSIZE,
	RAW_NET_HW_FRAGMENTS,
	RAW_NET_HW_JABBERS,
	RAW_NET_TX_PAUSE,
	RAW_NET_RX_PAUSE,
	/* nic: weir-capture */
	RAW_CAPTURE_FRAMES,
	RAW_CAPTURE_BYTES,
	RAW_CAPTURE_SEGMENTS, /* wire segments: the exposure of packet rates */
	RAW_CAPTURE_LOST,     /* dropped by the kernel because weir was slow */
	RAW_CAPTURE_CUT,      /* frames taken with headers only, not judged whole */
	RAW_CAPTURE_CPU_NS,   /* CPU time of the helper */
	/* host: /proc/net/snmp, netstat, softnet_stat */
	RAW_TCP_IN_SEGS,
	RAW_TCP_OUT_SEGS,
	RAW_TCP_RETRANS_SEGS,
	RAW_TCP_IN_ERRS,
	RAW_TCP_IN_CSUM_ERRORS,
	RAW_TCP_OUT_RSTS,
	RAW_TCP_TIMEOUTS,
	RAW_TCP_FAST_RETRANS,
	RAW_TCP_LOST_RETRANS,
	RAW_TCP_OFO_QUEUE,
	RAW_TCP_BACKLOG_DROP,
	RAW_UDP_IN_ERRORS,
	RAW_UDP_IN_CSUM_ERRORS,
	RAW_IP_IN_HDR_ERRORS,
	RAW_IP_IN_CSUM_ERRORS,
	RAW_IP_REASM_FAILS,
	RAW_SOFTNET_DROPPED,
	RAW_SOFTNET_SQUEEZED,
	/* host: /proc/stat, of the core that was busiest since the last reading.
	 * Shares in 1/1000 of that core; gauges, since the core may change. */
	RAW_CPU_BUSIEST,
	RAW_CPU_BUSIEST_CORE,
	RAW_CPU_BUSIEST_USER,
	RAW_CPU_BUSIEST_SYSTEM,
	RAW_CPU_BUSIEST_SOFTIRQ,
	RAW_CPU_ALL, /* mean over all cores, 1/1000 */
	/* host: libstatgrab and weir itself */
	RAW_HOST_UPTIME_S,
	RAW_WEIR_CPU_NS,
	RAW_WEIR_MEMORY,  /* resident bytes of the recorder, gauge */
	RAW_SAMPLER_LATE, /* samples that came too late for their slot */
	RAW_SAMPLER_US,   /* sampling interval in force, microseconds, gauge */
	RAW_STALL_MS,     /* silence that is a stall (--stall), milliseconds, gauge */
	/* peer: struct tcp_info of its connections, summed (source/peers.h) */
	RAW_PEER_TX_BYTES, /* acknowledged by the other side */
	RAW_PEER_RX_BYTES,
	RAW_PEER_RETRANS_BYTES,
	RAW_PEER_TX_SEGS,
	RAW_PEER_RX_SEGS,
	RAW_PEER_RETRANS_SEGS,
	RAW_PEER_DSACK,
	RAW_PEER_OOO,
	RAW_PEER_CONNECTIONS, /* from here on gauges */
	RAW_PEER_UNACKED,     /* segments */
	RAW_PEER_RTT_US,
	RAW_PEER_MIN_RTT_US,
	RAW_PEER_CWND,
	RAW_PEER_DELIVERY, /* bytes per second */
	RAW_PEER_PMTU,
	RAW_PEER_SEGMENTS, /* wire segments that the capture saw: a counter again */
	/* mount: /proc/self/mountstats, sums over procedures and connections */
	RAW_MOUNT_READ_OPS,
	RAW_MOUNT_READ_RTT_MS,
	RAW_MOUNT_READ_EXECUTE_MS,
	RAW_MOUNT_WRITE_OPS,
	RAW_MOUNT_WRITE_RTT_MS,
	RAW_MOUNT_WRITE_EXECUTE_MS,
	RAW_MOUNT_OTHER_OPS,
	RAW_MOUNT_OTHER_RTT_MS,
	RAW_MOUNT_OTHER_EXECUTE_MS,
	RAW_MOUNT_READ_BYTES,
	RAW_MOUNT_WRITE_BYTES,
	RAW_MOUNT_RETRANS,
	RAW_MOUNT_TIMEOUTS,
	RAW_MOUNT_ERRORS,
	RAW_MOUNT_CONNECTS,
	RAW_MOUNT_CONNECTIONS, /* gauge */
	RAW_MOUNT_SIGNED,      /* 1 yes, 0 no; gauge */
	RAW_MOUNT_ENCRYPTED,   /* the same */
	RAW_MOUNT_INFLIGHT,    /* gauge */
	RAW_MOUNT_ANSWERS,     /* what stands still in a stall */
	/* connection of a mount: an xprt: line, or a channel of SMB */
	RAW_CONNECTION_SENDS,
	RAW_CONNECTION_ANSWERS,
	RAW_CONNECTION_LATE,
	RAW_CONNECTION_CONNECTS,
	RAW_CONNECTION_DEPTH,    /* sum over the sends: in flight then */
	RAW_CONNECTION_BACKLOG,  /* sum over the sends: calls without a slot */
	RAW_CONNECTION_WAITING,  /* sum over the sends: requests not sent yet */
	RAW_CONNECTION_INFLIGHT, /* from here on gauges */
	RAW_CONNECTION_SLOTS,
	RAW_CONNECTION_CREDITS,
	/* call: an operation kind of a mount */
	RAW_CALL_OPS,
	RAW_CALL_TX_BYTES,
	RAW_CALL_RX_BYTES,
	RAW_CALL_RETRANS,
	RAW_CALL_TIMEOUTS,
	RAW_CALL_ERRORS,
	RAW_CALL_QUEUE_US,
	RAW_CALL_RTT_US,
	RAW_CALL_EXECUTE_US,
	/* counter: of a driver, by its own name */
	RAW_COUNTER_EVENTS,
	/* transport: its state in /sys/class; /sys/block/DISK/stat of its disks */
	RAW_TRANSPORT_UP,       /* 1: LOGGED_IN, Online */
	RAW_TRANSPORT_STATE,    /* enum backlog_state */
	RAW_TRANSPORT_FAILURES, /* times it was lost */
	RAW_TRANSPORT_DISKS,    /* that are reached through it */
	RAW_TRANSPORT_READ_OPS, /* from here on sums over its disks */
	RAW_TRANSPORT_READ_SECTORS,
	RAW_TRANSPORT_READ_MS,
	RAW_TRANSPORT_WRITE_OPS,
	RAW_TRANSPORT_WRITE_SECTORS,
	RAW_TRANSPORT_WRITE_MS,
	RAW_TRANSPORT_PENDING, /* gauge */
	RAW_TRANSPORT_WEIGHTED_MS,
	/* transport: /sys/class/fc_host/HOST/statistics */
	RAW_FC_RX_FRAMES,
	RAW_FC_TX_FRAMES,
	RAW_FC_RX_WORDS, /* of 4 bytes */
	RAW_FC_TX_WORDS,
	RAW_FC_CRC,
	RAW_FC_INVALID_WORDS,
	RAW_FC_LOSS_OF_SYNC,
	RAW_FC_LOSS_OF_SIGNAL,
	RAW_FC_LINK_FAILURES,
	RAW_FC_PROTOCOL,
	RAW_FC_LIP,
	RAW_FC_NOS,
	RAW_FC_ERROR_FRAMES,
	RAW_FC_DUMPED_FRAMES,
	RAW_FC_ABORTS,
	RAW_FC_CONGESTION,
	RAW_FC_LINK_INTEGRITY,
	RAW_FIXED,
};

#endif
