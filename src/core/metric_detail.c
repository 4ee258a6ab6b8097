/* Metrics of what makes up a mount: its connections and its operation kinds. Where each
 * comes from, and how it can mislead. */
#include "config.h"

#include "core/metric_rows.h"

#define XPRT  "/proc/self/mountstats, xprt: line (SMB: DebugData), "
#define PEROP "/proc/self/mountstats, per-op statistics (SMB: Stats), "
#define EVENTS(id, title, kind, better, raw, where, trap)                              \
	{                                                                              \
		id, title, kind, METRIC_RATE, UNIT_PER_S, better, raw, 0, 1, 0, where, \
			trap, 0                                                        \
	}
#define BYTES(id, title, raw, where, trap)                                             \
	{                                                                              \
		id, title, KIND_CALL, METRIC_RATE, UNIT_BYTES_S, BETTER_NEITHER, raw,  \
			0, 1, 0, where, trap, 0                                        \
	}
#define PER_SEND(id, title, raw, where, trap)                                          \
	{                                                                              \
		id, title, KIND_CONNECTION, METRIC_RATIO, UNIT_COUNT, BETTER_LOWER,    \
			raw, RAW_CONNECTION_SENDS, 1, "connection.sends", where, trap, \
			0                                                              \
	}
#define PER_CALL(id, title, raw, where, trap)                                          \
	{                                                                              \
		id, title, KIND_CALL, METRIC_RATIO, UNIT_SECONDS, BETTER_LOWER, raw,   \
			RAW_CALL_OPS, 1e-6, "call.ops", where, trap, 0                 \
	}
#define STATE(id, title, better, raw, where, trap)                                     \
	{                                                                              \
		id, title, KIND_CONNECTION, METRIC_GAUGE, UNIT_COUNT, better, raw, 0,  \
			1, 0, where, trap, 0                                           \
	}

#define AT_SENDS "Weighted by the sends: an idle connection says nothing."
#define WHOLE_MS                                                                       \
	"Kept in whole milliseconds (SMB: ticks of the kernel): fast ones are 0."
#define ON_END "Counted when the call ends."

static const struct metric rows[] = {
	STATE("connection.inflight", "in flight", BETTER_LOWER, RAW_CONNECTION_INFLIGHT,
		XPRT "sends minus receives",
		"What a lost connection took with it stays in it where a mount has "
		"several of them."),
	EVENTS("connection.sends", "sends", KIND_CONNECTION, BETTER_NEITHER,
		RAW_CONNECTION_SENDS, XPRT "sends",
		"What was sent again counts again."),
	EVENTS("connection.answers", "answers", KIND_CONNECTION, BETTER_NEITHER,
		RAW_CONNECTION_ANSWERS, XPRT "receives",
		"Of every mount that uses the connection."),
	EVENTS("connection.late", "late answers", KIND_CONNECTION, BETTER_LOWER,
		RAW_CONNECTION_LATE, XPRT "bad xids",
		"Answers to calls that were given up, or came twice."),
	EVENTS("connection.connects", "connects", KIND_CONNECTION, BETTER_LOWER,
		RAW_CONNECTION_CONNECTS, XPRT "connects (SMB: instance)",
		"An idle connection is closed after minutes and made anew on use."),
	PER_SEND("connection.depth", "in flight at sends", RAW_CONNECTION_DEPTH,
		XPRT "req_u / sends", AT_SENDS),
	PER_SEND("connection.backlog", "calls without slot", RAW_CONNECTION_BACKLOG,
		XPRT "bklog_u / sends",
		AT_SENDS " Above 0 the client's slots are the limit, not the server."),
	PER_SEND("connection.waiting", "waiting to be sent", RAW_CONNECTION_WAITING,
		XPRT "sending_u / sends", AT_SENDS),
	STATE("connection.slots", "slots used", BETTER_NEITHER, RAW_CONNECTION_SLOTS,
		XPRT "max_slots", "The most that were ever in use at once."),
	STATE("connection.credits", "credits", BETTER_NEITHER, RAW_CONNECTION_CREDITS,
		XPRT "Number of credits",
		"Requests that the server allows to be sent at this moment."),
	EVENTS("call.ops", "calls", KIND_CALL, BETTER_NEITHER, RAW_CALL_OPS,
		PEROP "first", "Counted when they end: a hang shows as 0."),
	BYTES("call.tx.bytes", "sent", RAW_CALL_TX_BYTES, PEROP "fourth",
		"With the headers of the calls."),
	BYTES("call.rx.bytes", "received", RAW_CALL_RX_BYTES, PEROP "fifth",
		"With the headers of the answers."),
	PER_CALL("call.rtt", "round trip", RAW_CALL_RTT_US,
		PEROP "seventh (SMB: Total Time / Number)", WHOLE_MS),
	PER_CALL("call.execute", "whole", RAW_CALL_EXECUTE_US, PEROP "eighth",
		"From the call to its end, the wait for a free slot included."),
	PER_CALL("call.queue", "before sending", RAW_CALL_QUEUE_US, PEROP "sixth",
		"Wait for a free slot and for the connection."),
	EVENTS("call.retrans", "sent again", KIND_CALL, BETTER_LOWER, RAW_CALL_RETRANS,
		PEROP "second less first", ON_END),
	EVENTS("call.timeouts", "major timeouts", KIND_CALL, BETTER_LOWER,
		RAW_CALL_TIMEOUTS, PEROP "third", ON_END),
	EVENTS("call.errors", "failed", KIND_CALL, BETTER_LOWER, RAW_CALL_ERRORS,
		PEROP "ninth",
		"Some are ordinary answers, such as a name that is not there."),
	EVENTS("counter.events", "events", KIND_COUNTER, BETTER_LOWER,
		RAW_COUNTER_EVENTS, "ETHTOOL_GSTATS, the counter of that name",
		"What it counts only its driver says; the same trouble may be in "
		"several "
		"counters, and some are harmless. Shown once it has moved."),
};

const struct metric_rows metric_rows_detail = {rows, sizeof rows / sizeof *rows};
