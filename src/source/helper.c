/* Keeping one weir-capture running; see the header. */
#include "config.h"

#include "source/helper.h"

#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
	ARGUMENTS = 18,
	PIECES = 64, /* of PIECE bytes in one step: a flood must not hold us */
	PIECE = 4096
};

static const nsec shortest = NSEC_PER_SEC, longest = 60 * NSEC_PER_SEC;
static const nsec patience = 2 * WIRE_SILENCE;

static void be(struct helper *helper, enum helper_is is, const char *reason)
{
	helper->is = is;
	(void)text_copy(
		helper->reason, sizeof helper->reason, reason); /* cut is fine */
}

/* The next start, and a longer pause before the one after it. */
static void put_off(struct helper *helper, nsec now)
{
	if (helper->pause < shortest ||
		(helper->up_since && now - helper->up_since >= longest))
		helper->pause = shortest;
	helper->next = now + (helper->is == HELPER_DENIED ? longest : helper->pause);
	helper->pause = helper->pause * 2 < longest ? helper->pause * 2 : longest;
	helper->up_since = 0;
}

/* A new one counts from 0. */
static void forget(struct helper *helper)
{
	helper->input = (struct wire_input){.peers = &helper->peers};
	memset(&helper->peers, 0, sizeof helper->peers);
}

/* A new memory for each, so that what one had written is nothing to the next. Without
 * one the helper counts all the same. */
static bool take_shelf(struct helper *helper, const struct helper_order *order)
{
	struct fault fault;

	shelf_close(&helper->shelf);
	helper->linked = false;
	helper->no_shelf[0] = 0;
	if (!order->evidence)
		return false;
	if (shelf_open(&helper->shelf, order->whole, &fault))
		return true;
	(void)text_copy(helper->no_shelf, sizeof helper->no_shelf, fault.text);
	return false;
}

static void start(struct helper *helper, const struct helper_order *order, nsec now)
{
	const char *argv[ARGUMENTS] = {order->program};
	char ring[16];
	struct fault fault;
	unsigned n = 1;
	bool started;

	if (order->promiscuous)
		argv[n++] = "--promisc";
	if (order->ring) {
		(void)text_format(ring, sizeof ring, "%u", order->ring); /* fits */
		argv[n++] = "--ring";
		argv[n++] = ring;
	}
	if (order->filter) {
		argv[n++] = "--filter";
		argv[n++] = order->filter;
	}
	if (order->hosts) {
		argv[n++] = "--host";
		argv[n++] = order->hosts;
	}
	if (take_shelf(helper, order)) {
		argv[n++] = "--evidence";
		argv[n++] = order->whole ? "whole" : "headers";
	}
	argv[n++] = "--";
	argv[n] = order->interface;
	forget(helper);
	helper->starts++;
	started = child_start_input(&helper->child, argv, helper->shelf.fd, &fault);
	shelf_handed(&helper->shelf);
	if (started) {
		be(helper, HELPER_STARTING, "");
		helper->next = now + patience;
		return;
	}
	be(helper,
		fault.code == EACCES || fault.code == EPERM ? HELPER_DENIED
							    : HELPER_OFF,
		fault.text);
	put_off(helper, now);
}

static void listen(struct helper *helper)
{
	char piece[PIECE];
	ssize_t got;

	for (unsigned i = 0; i < PIECES; i++) {
		got = read(helper->child.out, piece, sizeof piece);
		if (got <= 0)
			break; /* nothing now, or its end, which child_ended tells */
		wire_feed(&helper->input, piece, (size_t)got);
	}
	if (helper->input.hello.version) {
		helper->linktype = helper->input.hello.linktype;
		helper->linked = true;
	}
	/* What it says to people is in its last line too; this only keeps the pipe from
	 * filling up. */
	got = read(helper->child.err, piece, sizeof piece);
	(void)got;
}

static void add_rows(uint64_t *to, const uint64_t *from)
{
	for (unsigned i = 0; i < PACKET_DIRECTIONS; i++)
		to[i] += from[i];
}

/* What the one that ended had counted stays counted. */
static void keep_counts(struct helper *helper)
{
	const struct tally *from = &helper->input.tally;

	for (unsigned i = 0; i < packet_class_count; i++)
		add_rows(helper->before.count[i], from->count[i]);
	add_rows(helper->before.frames, from->frames);
	add_rows(helper->before.bytes, from->bytes);
	add_rows(helper->before.segments, from->segments);
	helper->before.cut += from->cut;
	helper->before_lost += helper->input.report.lost;
	helper->before_cpu += helper->input.report.cpu;
	forget(helper);
}

static void ended(struct helper *helper, int status, nsec now)
{
	char reason[sizeof helper->reason];

	if (status == 128 + SIGSYS)
		(void)text_copy(reason, sizeof reason,
			"its cage ended it (a system call that is not allowed)");
	else if (helper->input.ended && helper->input.reason[0])
		(void)text_copy(reason, sizeof reason, helper->input.reason);
	else if (status > 128)
		(void)text_format(reason, sizeof reason, "signal %d", status - 128);
	else
		(void)text_format(reason, sizeof reason, "exit status %d", status);
	be(helper, status == WIRE_DENIED ? HELPER_DENIED : HELPER_OFF, reason);
	keep_counts(helper);
	child_stop(&helper->child); /* only the pipes are left of it */
	put_off(helper, now);
}

/* A time from it is not later than NOW, whatever it says. */
static void judge(struct helper *helper, nsec now)
{
	const struct wire_input *input = &helper->input;

	if (!input->hello.version || !input->report.at) {
		helper->is = now < helper->next ? HELPER_STARTING : HELPER_SILENT;
		return;
	}
	if (helper->input.report.at > now)
		helper->input.report.at = now;
	if (!helper->up_since)
		helper->up_since = now;
	helper->is = now - input->report.at < patience ? HELPER_UP : HELPER_SILENT;
}

bool helper_step(struct helper *helper, const struct helper_order *order, nsec now)
{
	enum helper_is before = helper->is;
	int status;
	bool gone;

	if (helper->child.pid <= 0) {
		if (now >= helper->next)
			start(helper, order, now);
		return helper->is != before;
	}
	gone = child_ended(&helper->child, &status);
	listen(helper); /* also what it said before its end */
	if (gone)
		ended(helper, status, now);
	else
		judge(helper, now);
	return helper->is != before;
}

void helper_drain(struct helper *helper)
{
	if (helper->child.pid > 0)
		listen(helper);
}

void helper_stop(struct helper *helper)
{
	if (helper->child.pid > 0)
		child_stop(&helper->child);
	keep_counts(helper);
	shelf_close(&helper->shelf);
	be(helper, HELPER_OFF, "");
	helper->up_since = 0;
	helper_hurry(helper);
}

void helper_hurry(struct helper *helper)
{
	helper->next = 0;
	helper->pause = shortest;
}

/* ---- counts of all of them ---- */

static uint64_t sum(const uint64_t *before, const uint64_t *now)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < PACKET_DIRECTIONS; i++)
		total += before[i] + now[i];
	return total;
}

uint64_t helper_class(const struct helper *helper, unsigned class, unsigned direction)
{
	return helper->before.count[class][direction] +
	       helper->input.tally.count[class][direction];
}

uint64_t helper_frames(const struct helper *helper)
{
	return sum(helper->before.frames, helper->input.tally.frames);
}

uint64_t helper_bytes(const struct helper *helper)
{
	return sum(helper->before.bytes, helper->input.tally.bytes);
}

uint64_t helper_segments(const struct helper *helper)
{
	return sum(helper->before.segments, helper->input.tally.segments);
}

uint64_t helper_cut(const struct helper *helper)
{
	return helper->before.cut + helper->input.tally.cut;
}

uint64_t helper_lost(const struct helper *helper)
{
	return helper->before_lost + helper->input.report.lost;
}

uint64_t helper_cpu(const struct helper *helper)
{
	return helper->before_cpu + helper->input.report.cpu;
}
