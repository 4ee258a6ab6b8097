/* Open, cage, loop; see the header. Nothing is allocated once the loop runs. */
#include "config.h"

#include "capture/capture.h"

#include "capture/fill.h"
#include "capture/own.h"
#include "capture/shed.h"
#include "capture/shelf.h"
#include "capture/speaker.h"

#include "base/cage.h"
#include "base/clock.h"
#include "packet/engine.h"
#include "packet/evidence_ring.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* So many findings of a class in so long: more of the same tell nothing new, and the
 * ring holds what all classes together may bring between two looks at it. */
enum {
	EVIDENCE_QUOTA = 8,
};
static const nsec evidence_period = 10 * NSEC_PER_SEC;

struct capture {
	struct tap *tap;
	struct engine *engine;
	struct own own;
	int linktype;
	struct wire_report report;
	struct speaker speaker;
	struct shed shed;
	struct fill fill;
	bool ring_half;
	struct evidence_writer writer;
	bool named; /* directions come from --host */
};

static void watch_ring(struct capture *capture, const struct tap_frame *frame)
{
	struct instant now;

	if (fill_is_new(&capture->fill, frame->time)) {
		clock_read(&now);
		fill_begin(&capture->fill, now.wall);
	}
	if (!fill_add(&capture->fill, frame->time, frame->captured) ||
		capture->ring_half)
		return;
	capture->ring_half = true;
	if (capture->shed.effort == EFFORT_FULL)
		tap_pause(capture->tap); /* relieve() is not to wait for the batch */
}

/* Named addresses decide instead of the interface's own, further in. */
static enum packet_direction direction_of(
	const struct capture *capture, const struct tap_frame *frame)
{
	if (capture->named)
		return PACKET_UNKNOWN;
	return own_direction(
		&capture->own, capture->linktype, frame->data, frame->captured);
}

static void take_frame(void *context, const struct tap_frame *frame)
{
	struct capture *capture = context;
	const struct packet_frame packet = {
		.data = frame->data,
		.captured = frame->captured,
		.length = frame->length,
		.time = frame->time,
		.direction = direction_of(capture, frame),
		/* Only our own filter and the length asked for cut a live frame. */
		.cut = frame->captured < frame->length,
	};

	watch_ring(capture, frame);
	engine_frame(capture->engine, &packet);
}

static uint64_t wire_bytes(const struct tally *tally)
{
	return tally->bytes[PACKET_RX] + tally->bytes[PACKET_TX] +
	       tally->bytes[PACKET_UNKNOWN];
}

/* Chooses the effort by how things stand. */
static bool relieve(struct capture *capture, nsec now, struct fault *fault)
{
	const struct shed_now state = {.mono = now,
		.cpu = clock_cpu(),
		.bytes = wire_bytes(engine_tally(capture->engine)),
		.ring_half = capture->ring_half};

	capture->ring_half = false;
	return !shed_step(&capture->shed, &state) ||
	       tap_cut_all(capture->tap, capture->shed.effort != EFFORT_FULL, fault);
}

static bool report(struct capture *capture, nsec now, struct fault *fault)
{
	uint64_t lost = tap_lost(capture->tap);

	capture->ring_half |= lost > capture->report.lost; /* it was full */
	capture->report.lost = lost;
	if (!relieve(capture, now, fault))
		return false;
	capture->report.cpu = (uint64_t)clock_cpu();
	capture->report.effort = capture->shed.effort;
	speaker_report(&capture->speaker, &capture->report, capture->engine, now);
	return true;
}

/* Until there are frames, a report is due or the reader is gone. */
static void wait_for_frames(struct capture *capture, nsec wait)
{
	struct pollfd items[] = {
		{.fd = tap_descriptor(capture->tap), .events = POLLIN},
		{.fd = STDOUT_FILENO}, /* only whether it was closed */
	};
	const struct timespec most = {
		.tv_sec = wait / NSEC_PER_SEC, .tv_nsec = wait % NSEC_PER_SEC};

	if (ppoll(items, 2, &most, NULL) < 0)
		return; /* interrupted: the loop asks again */
	if (items[1].revents)
		capture->speaker.deaf = true;
}

/* What is in the ring; headers only from now on where that is half of it. */
static bool empty_ring(
	struct capture *capture, enum wire_status *status, struct fault *fault)
{
	if (tap_read(capture->tap, take_frame, capture, status, fault) < 0)
		return false;
	if (!capture->ring_half || capture->shed.effort != EFFORT_FULL)
		return true;
	*status = WIRE_FAILED;
	return relieve(capture, clock_mono(), fault);
}

static enum wire_status loop(struct capture *capture, struct fault *fault)
{
	const struct tally *tally = engine_tally(capture->engine);
	enum wire_status status = WIRE_FAILED;

	while (!capture->speaker.deaf) {
		nsec now = clock_mono();
		nsec due = speaker_due(&capture->speaker, tally, now);

		if (due > now) {
			wait_for_frames(capture, due - now);
			if (!empty_ring(capture, &status, fault))
				return status;
		} else if (!report(capture, now, fault)) {
			return WIRE_FAILED;
		}
	}
	return WIRE_DONE;
}

/* Null and no fault where none is wanted. */
static struct evidence *open_evidence(struct capture *capture,
	const struct capture_options *options, struct fault *fault)
{
	if (!options->evidence)
		return NULL;
	capture->writer.whole = options->whole;
	capture->writer.memory = shelf_map(options->whole, fault);
	if (!capture->writer.memory)
		return NULL;
	return evidence_new(&(struct evidence_options){.whole = options->whole,
		.quota = EVIDENCE_QUOTA,
		.period = evidence_period,
		.put = evidence_writer_put,
		.context = &capture->writer});
}

static bool prepare(struct capture *capture, const struct capture_options *options,
	enum wire_status *status, struct fault *fault)
{
	capture->tap = tap_open(&options->tap, status, fault);
	if (!capture->tap)
		return false;
	*status = WIRE_FAILED;
	capture->fill.half = (uint64_t)options->tap.ring << 19;
	own_read(&capture->own, options->tap.interface);
	capture->linktype = tap_linktype(capture->tap);
	struct evidence *evidence = open_evidence(capture, options, fault);
	if (options->evidence && !evidence)
		return false;
	capture->engine = engine_new(&(struct engine_options){.rules = RULES_WEIR,
		.linktype = capture->linktype,
		.hosts = options->hosts,
		.host_count = options->host_count,
		.evidence = evidence});
	capture->named = options->host_count > 0;
	if (!capture->engine)
		return fault_set(fault, "%s: link type %d is not one that weir reads",
			options->tap.interface, capture->linktype);
	return true;
}

enum wire_status capture_run(const struct capture_options *options, struct fault *fault)
{
	static struct capture capture; /* too big for the stack */
	enum wire_status status;
	struct cage cage;

	if (!prepare(&capture, options, &status, fault))
		return status;
	if (!cage_enter(CAGE_CAPTURE, &cage, fault))
		return WIRE_FAILED;
	capture.speaker.hello = (struct wire_hello){.version = WIRE_VERSION,
		.linktype = capture.linktype,
		.uid = cage.uid,
		.caged = cage.filter,
		.tx_headers = tap_cuts_sent(capture.tap)};
	return loop(&capture, fault);
}
