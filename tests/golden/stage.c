/* Sessions made by hand; see the header. */
#include "config.h"

#include "stage.h"

#include "base/alloc.h"
#include "base/text.h"
#include "packet/class.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* 2026-10-01 02:06:10 +0200 */
static const nsec start = INT64_C(1790813170) * NSEC_PER_SEC;

void stage_init(struct stage *stage, const char *name)
{
	struct run run = {.number = 1,
		.wall = start,
		.boot_id = "5f1c",
		.kernel = "Linux 6.1",
		.host = "db07",
		.version = "0.1"};

	*stage = (struct stage){.session = session_new(name, 600)};
	stage->tick = (struct tick){.at = -NSEC_PER_SEC,
		.mono = 1000 * NSEC_PER_SEC,
		.wall = start - NSEC_PER_SEC,
		.zone_minutes = 120,
		.run = 1,
		.interval = NSEC_PER_SEC};
	session_run(stage->session, &run);
}

void stage_fini(struct stage *stage)
{
	session_free(stage->session);
	tick_encoder_fini(&stage->encoder);
	tick_decoder_fini(&stage->decoder);
	catalog_fini(&stage->catalog);
	free(stage->readings);
}

uint32_t stage_subject(
	struct stage *stage, enum kind kind, const char *name, const char *label)
{
	struct subject subject = {.kind = kind};
	bool changed;

	(void)text_clean(subject.name, sizeof subject.name, name);
	(void)text_clean(subject.label, sizeof subject.label, label);
	return catalog_subject(&stage->catalog, &subject, &changed);
}

static struct reading *reading_of(struct stage *stage, uint32_t subject, unsigned raw)
{
	struct series series = {.subject = subject, .raw = (uint16_t)raw};
	uint32_t at;

	for (at = 0; at < stage->catalog.series_count; at++)
		if (stage->catalog.series[at].subject == subject &&
			stage->catalog.series[at].raw == raw)
			return &stage->readings[at];
	at = catalog_series(&stage->catalog, series);
	xgrow(&stage->readings, &stage->room, at + 1u, sizeof *stage->readings);
	return &stage->readings[at];
}

void stage_set(struct stage *stage, uint32_t subject, unsigned raw, uint64_t value)
{
	*reading_of(stage, subject, raw) = (struct reading){value, WHY_NONE};
}

void stage_add(struct stage *stage, uint32_t subject, unsigned raw, uint64_t growth)
{
	struct reading *reading = reading_of(stage, subject, raw);

	reading->raw += growth;
	reading->why = WHY_NONE;
}

void stage_why(struct stage *stage, uint32_t subject, unsigned raw, enum why why)
{
	reading_of(stage, subject, raw)->why = (uint8_t)why;
}

void stage_tick(struct stage *stage, int seconds, enum tick_gap gap)
{
	struct buffer bytes = {0};
	struct fault fault;
	bool have = false, good;

	stage->tick.at += seconds * NSEC_PER_SEC;
	stage->tick.mono += seconds * NSEC_PER_SEC;
	stage->tick.wall += seconds * NSEC_PER_SEC;
	stage->tick.gap = stage->session->ticks ? gap : GAP_RUN;
	if (!stage->late)
		stage->tick.stamps[0] = stage->tick.mono;
	stage->tick.catalog = &stage->catalog;
	stage->tick.readings = stage->readings;
	(void)tick_encode(&stage->encoder, &stage->tick, false, &bytes);
	good = tick_decode(&stage->decoder, bytes.data, bytes.size, &have, &fault);
	assert(good && have);
	(void)good;
	session_put(stage->session, &stage->decoder);
	buffer_fini(&bytes);
}

void stage_window(
	struct stage *stage, enum role role, const char *name, int from, int to)
{
	struct window window = {.role = role,
		.id = stage->session->windows.last_id + 1,
		.from = from * NSEC_PER_SEC,
		.to = to < 0 ? WINDOW_OPEN : to * NSEC_PER_SEC};

	(void)text_copy(window.name, sizeof window.name, name);
	(void)session_window(stage->session, &window);
}

void stage_note(struct stage *stage, enum note_kind kind, int at, const char *text)
{
	struct note note = {.id = (uint32_t)stage->session->note_count + 1,
		.kind = kind,
		.at = at * NSEC_PER_SEC,
		.author = "root"};

	(void)text_clean(note.text, sizeof note.text, text);
	session_note(stage->session, &note);
}

/* One second of a disk: QUEUE outstanding on average, OPS reads of 64 KiB, each
 * taking WAIT ms. */
struct load {
	uint64_t queue, highest, ops, wait;
};

static void disk_second(struct stage *stage, uint32_t disk, struct load load)
{
	stage_add(stage, disk, RAW_DISK_READ_OPS, load.ops);
	stage_add(stage, disk, RAW_DISK_READ_SECTORS, load.ops * 128);
	stage_add(stage, disk, RAW_DISK_READ_MS, load.ops * load.wait);
	stage_add(stage, disk, RAW_DISK_WRITE_OPS, load.ops / 4);
	stage_add(stage, disk, RAW_DISK_WRITE_SECTORS, load.ops / 4 * 8);
	stage_add(stage, disk, RAW_DISK_WRITE_MS, load.ops / 4 * load.wait / 2);
	stage_add(stage, disk, RAW_DISK_WEIGHTED_MS, load.queue * 1000);
	stage_set(stage, disk, RAW_DISK_INFLIGHT_MAX, load.highest);
	stage_set(stage, disk, RAW_DISK_INFLIGHT, load.queue);
	stage_add(stage, disk, RAW_DISK_INFLIGHT_SUM, load.queue * 50);
	stage_add(stage, disk, RAW_DISK_SAMPLES, 50);
	stage_set(stage, disk, RAW_DISK_LIMIT, 64);
}

static void net_second(struct stage *stage, uint32_t nic, uint64_t rx, uint64_t tx)
{
	unsigned retrans = (unsigned)packet_class_find("tcp.retrans");
	unsigned good = (unsigned)packet_class_find("tcp.cksum.good");
	unsigned offloaded = (unsigned)packet_class_find("tcp.cksum.offloaded");
	uint64_t segments = (rx + tx) / 1448;

	stage_add(stage, nic, RAW_NET_RX_BYTES, rx);
	stage_add(stage, nic, RAW_NET_TX_BYTES, tx);
	stage_add(stage, nic, RAW_NET_RX_PACKETS, rx / 1448);
	stage_add(stage, nic, RAW_NET_TX_PACKETS, tx / 1448);
	stage_add(stage, nic, RAW_NET_RX_ERRORS, 0);
	stage_add(stage, nic, RAW_NET_TX_ERRORS, 0);
	stage_add(stage, nic, RAW_NET_RX_DROPPED, 0);
	stage_add(stage, nic, RAW_NET_TX_DROPPED, 0);
	stage_set(stage, nic, RAW_NET_LINK, 1);
	stage_add(stage, nic, RAW_CAPTURE_FRAMES, segments);
	stage_add(stage, nic, RAW_CAPTURE_SEGMENTS, segments);
	stage_add(stage, nic, RAW_CAPTURE_LOST, 0);
	stage_add(stage, nic, RAW_CAPTURE_CUT, 0);
	stage_add(stage, nic, RAW_CAPTURE_CPU_NS, 20000000);
	stage_add(stage, nic, raw_packet(retrans, PACKET_RX), 0);
	stage_add(stage, nic, raw_packet(good, PACKET_RX), rx / 1448);
	stage_add(stage, nic, raw_packet(offloaded, PACKET_TX), tx / 1448);
}

static void host_second(struct stage *stage, uint32_t host)
{
	stage_set(stage, host, RAW_CPU_BUSIEST, 980);
	stage_set(stage, host, RAW_CPU_BUSIEST_CORE, 3);
	stage_set(stage, host, RAW_CPU_BUSIEST_SOFTIRQ, 270);
	stage_add(stage, host, RAW_WEIR_CPU_NS, 3000000);
	stage_add(stage, host, RAW_TCP_RETRANS_SEGS, 0);
	stage_add(stage, host, RAW_TCP_OUT_SEGS, 1000);
	stage_set(stage, host, RAW_SAMPLER_US, 20000);
}

static struct load load_of(int second)
{
	uint64_t turn = second % 2 ? 5 : 3;

	if (second <= 130)
		return (struct load){turn, turn + 2, 400, 10};
	if (second <= 190)
		return (struct load){0, 0, 0, 0};
	return (struct load){12, 20, 400, 30};
}

static void play_second(struct stage *stage, int second)
{
	uint32_t host = stage_subject(stage, KIND_HOST, "host", "");
	uint32_t sda = stage_subject(stage, KIND_DISK, "sda", "");
	uint32_t sdb = stage_subject(stage, KIND_DISK, "sdb", "");
	uint32_t a = stage_subject(stage, KIND_DISK, "dm-0", "mpatha");
	uint32_t b = stage_subject(stage, KIND_DISK, "dm-1", "vg0-root");
	uint32_t eno1 = stage_subject(stage, KIND_NIC, "eno1", "");
	uint32_t ens5f0 = stage_subject(stage, KIND_NIC, "ens5f0", "");

	host_second(stage, host);
	disk_second(stage, sda, (struct load){0, 0, 0, 0});
	disk_second(stage, sdb, (struct load){0, 0, 0, 0});
	disk_second(stage, a, load_of(second));
	disk_second(stage, b, (struct load){1, 2, 40, 2});
	stage_set(stage, eno1, RAW_NET_SPEED, 1000000000);
	stage_set(stage, ens5f0, RAW_NET_SPEED, UINT64_C(25000000000));
	net_second(stage, eno1, 12500000, 1250000);
	net_second(stage, ens5f0, second <= 190 ? 625000000 : 312500000, 50000000);
	if (second > 250)
		stage_add(stage, ens5f0,
			raw_packet(
				(unsigned)packet_class_find("tcp.retrans"), PACKET_RX),
			3);
}

void stage_play(struct stage *stage, int end)
{
	for (int second = 0; second <= end; second++) {
		play_second(stage, second);
		if (second == 10)
			stage_window(stage, ROLE_BEFORE, "BEFORE", 10, -1);
		if (second == 100)
			stage_note(stage, NOTE_TEXT, 100, "copy started");
		if (second == 252)
			stage_note(stage, NOTE_ALERT, 252,
				"TCP retransmission 3.0/s on ens5f0");
		stage_tick(stage, 1, GAP_NONE);
		if (second == 130) {
			struct window window = stage->session->windows.list[0];

			window.to = 130 * NSEC_PER_SEC;
			(void)session_window(stage->session, &window);
			stage_window(stage, ROLE_CHANGE, "CHANGE", 130, -1);
		}
		if (second == 190) {
			struct window window = stage->session->windows.list[1];

			window.to = 190 * NSEC_PER_SEC;
			(void)session_window(stage->session, &window);
			stage_window(stage, ROLE_AFTER, "AFTER", 190, -1);
		}
	}
}
