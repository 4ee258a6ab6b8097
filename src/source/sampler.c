/*
 * The queue sampler; see the header. A pass costs one pread per active disk, and
 * nothing is opened or allocated in it. With so many disks that the samples would
 * take more than a hundredth of a core, the slots get longer, up to a second.
 */
#include "config.h"

#include "source/sampler.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/scan.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ACTIVE_FOR NSEC_PER_SEC
#define LONGEST    NSEC_PER_SEC                 /* no slot is longer */
#define GOLDEN     UINT64_C(0x9e3779b97f4a7c15) /* 2^64 times the golden ratio */

enum {
	BUSY_SHARE = 100, /* of a core, for the active disks; see struct pace */
	IDLE_SHARE = 200, /* and for the others */
	WINDOW = 16,      /* passes */
	STACK = 128 << 10 /* its own frames are small */
};

struct queue {
	struct sampled sampled;
	uint64_t limit; /* 0: not known */
	nsec active_until;
	int fd;
	bool used, broken;
};

/* How often disks are sampled: the slot, in short slots. */
struct pace {
	unsigned least, slots;
	unsigned share; /* of a core: one part in so many */
};

/* What a sample costs, waking up and all: CPU time over the last passes. */
struct price {
	unsigned passes;
	size_t samples;
	nsec since; /* CPU time of the thread when they began */
};

/* What one pass found and did. */
struct round {
	size_t active, idle; /* disks */
	size_t samples;
};

struct sampler {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop;
	struct queue *queues;
	size_t count, room;
	nsec slot;              /* a short one */
	struct pace busy, idle; /* of active disks; of idle ones */
	struct price price;
	unsigned slots; /* length of the slot in force, in short slots */
	uint64_t late;
};

static void hold(struct sampler *sampler)
{
	(void)pthread_mutex_lock(&sampler->lock); /* a plain mutex cannot fail here */
}

static void release(struct sampler *sampler)
{
	(void)pthread_mutex_unlock(&sampler->lock); /* held: cannot fail */
}

nsec sampler_jitter(uint64_t slot, nsec length)
{
	uint64_t fraction = (slot * GOLDEN) >> 32; /* of 2^32 */

	return (nsec)((fraction * (uint64_t)length) >> 32);
}

bool sampler_parse(const char *text, uint64_t *inflight)
{
	uint64_t reads, writes;

	if (!scan_u64(&text, &reads) || !scan_u64(&text, &writes) || !scan_end(text))
		return false;
	*inflight = reads + writes;
	return true;
}

/* ---- one sample ---- */

static bool look(struct queue *queue)
{
	char text[64];
	uint64_t inflight;
	ssize_t got = pread(queue->fd, text, sizeof text - 1, 0);

	if (got <= 0) {
		queue->broken |= got == 0 || errno != EINTR;
		return false;
	}
	text[got] = 0;
	if (!sampler_parse(text, &inflight)) {
		queue->broken = true;
		return false;
	}
	queue->sampled.last = inflight;
	if (!queue->sampled.fresh || inflight > queue->sampled.max)
		queue->sampled.max = inflight;
	queue->sampled.fresh = true;
	return true;
}

static void count_step(struct sampled *sampled, unsigned weight)
{
	int step = spread_step(sampled->last);

	if (step < 0)
		return;
	sampled->at[step] += weight; /* not full before years have passed */
	if (sampled->steps <= (unsigned)step)
		sampled->steps = (unsigned)step + 1;
}

static void sample(struct queue *queue, unsigned weight, nsec now)
{
	if (!look(queue))
		return;
	queue->sampled.sum += queue->sampled.last * weight;
	queue->sampled.count += weight;
	count_step(&queue->sampled, weight);
	if (queue->limit && queue->sampled.last >= queue->limit)
		queue->sampled.full += weight;
	if (queue->sampled.last)
		queue->active_until = now + ACTIVE_FOR;
}

/* ---- one pass ---- */

/* An idle disk is sampled once in EVERY slots, each at its own place in them. */
static bool is_turn(uint64_t slot, size_t index, unsigned every)
{
	return slot % every == (uint64_t)sampler_jitter(slot / every + index, every);
}

static struct round pass(struct sampler *sampler, uint64_t slot, nsec now)
{
	unsigned idle = sampler->idle.slots;
	unsigned every = idle > sampler->slots ? idle / sampler->slots : 1;
	struct round round = {0};

	for (size_t i = 0; i < sampler->count; i++) {
		struct queue *queue = &sampler->queues[i];
		bool active = queue->active_until > now;

		if (!queue->used || queue->broken)
			continue;
		if (active || is_turn(slot, i, every)) {
			sample(queue, sampler->slots * (active ? 1 : every), now);
			round.samples++;
			active = queue->active_until > now;
		}
		round.active += active;
		round.idle += !active;
	}
	return round;
}

/* The shortest slot in which samples that take COST stay inside their share. It gets
 * shorter only by much, so that it does not go back and forth. */
static void set_pace(const struct sampler *sampler, struct pace *pace, nsec cost)
{
	unsigned slots = pace->least;

	while (sampler->slot * slots < cost * pace->share &&
		sampler->slot * slots * 2 <= LONGEST)
		slots *= 2;
	if (slots > pace->slots || slots * 4 <= pace->slots || slots == pace->least)
		pace->slots = slots;
}

/* Chooses the slot for the next pass by what this one found, and the last ones cost. */
static void adapt(struct sampler *sampler, const struct round *round)
{
	struct price *price = &sampler->price;

	price->samples += round->samples;
	if (++price->passes >= WINDOW && price->samples) {
		nsec now = clock_cpu_thread();
		nsec each = (now - price->since) / (nsec)price->samples;

		set_pace(sampler, &sampler->busy, each * (nsec)round->active);
		set_pace(sampler, &sampler->idle, each * (nsec)round->idle);
		*price = (struct price){.since = now};
	}
	sampler->slots = round->active ? sampler->busy.slots : sampler->idle.slots;
}

static void wait_until(struct sampler *sampler, nsec deadline)
{
	struct timespec at = {.tv_sec = (time_t)(deadline / NSEC_PER_SEC),
		.tv_nsec = (long)(deadline % NSEC_PER_SEC)};

	while (!sampler->stop &&
		!pthread_cond_timedwait(&sampler->wake, &sampler->lock, &at))
		;
}

static void *run(void *memory)
{
	struct sampler *sampler = memory;

	hold(sampler);
	while (!sampler->stop) {
		nsec length = sampler->slot * (nsec)sampler->slots;
		uint64_t slot = (uint64_t)(clock_mono() / length) + 1;
		nsec start = (nsec)slot * length, now;
		struct round round;

		wait_until(sampler, start + sampler_jitter(slot, length));
		if (sampler->stop)
			break;
		now = clock_mono();
		if (now >= start + length)
			sampler->late++;
		round = pass(sampler, slot, now);
		adapt(sampler, &round);
	}
	release(sampler);
	return NULL;
}

/* ---- for its source ---- */

static bool start_thread(struct sampler *sampler)
{
	pthread_attr_t attr;
	sigset_t all, before;
	bool done;

	if (pthread_attr_init(&attr))
		return false;
	(void)pthread_attr_setstacksize(&attr, STACK);     /* else the default */
	(void)sigfillset(&all);                            /* cannot fail */
	(void)pthread_sigmask(SIG_SETMASK, &all, &before); /* signals go to the loop */
	done = !pthread_create(&sampler->thread, &attr, run, sampler);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)pthread_attr_destroy(&attr);
	return done;
}

struct sampler *sampler_start(nsec slot, struct fault *fault)
{
	struct sampler *sampler = xalloc(sizeof *sampler);
	unsigned idle = slot < SAMPLER_REST ? (unsigned)(SAMPLER_REST / slot) : 1;
	pthread_condattr_t attr;

	sampler->slot = slot;
	sampler->busy = (struct pace){.least = 1, .slots = 1, .share = BUSY_SHARE};
	sampler->idle =
		(struct pace){.least = idle, .slots = idle, .share = IDLE_SHARE};
	sampler->slots = idle;
	(void)pthread_mutex_init(&sampler->lock, NULL); /* cannot fail on Linux */
	(void)pthread_condattr_init(&attr);             /* nor this */
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&sampler->wake, &attr);
	(void)pthread_condattr_destroy(&attr);
	if (start_thread(sampler))
		return sampler;
	free(sampler);
	(void)fault_set(fault, "cannot start the thread of the queue sampler");
	return NULL;
}

void sampler_stop(struct sampler *sampler)
{
	if (!sampler)
		return;
	hold(sampler);
	sampler->stop = true;
	(void)pthread_cond_signal(&sampler->wake); /* cannot fail */
	release(sampler);
	(void)pthread_join(sampler->thread, NULL); /* a thread of our own */
	for (size_t i = 0; i < sampler->count; i++)
		if (sampler->queues[i].used)
			(void)close(sampler->queues[i].fd); /* only read */
	(void)pthread_cond_destroy(&sampler->wake);
	(void)pthread_mutex_destroy(&sampler->lock);
	free(sampler->queues);
	free(sampler);
}

/* The samples must go on while the host is short of memory and the swap is the
 * disk that hangs. Locking may be refused; then there is nothing better. */
static void lock_memory(const struct sampler *sampler)
{
	(void)mlock(sampler, sizeof *sampler);
	(void)mlock(sampler->queues, sampler->room * sizeof *sampler->queues);
}

void sampler_add(struct sampler *sampler, size_t index, int fd)
{
	hold(sampler);
	if (index >= sampler->room) {
		xgrow(&sampler->queues, &sampler->room, index + 1,
			sizeof *sampler->queues);
		lock_memory(sampler);
	}
	if (index >= sampler->count)
		sampler->count = index + 1;
	sampler->queues[index] = (struct queue){.fd = fd, .used = true};
	release(sampler);
}

void sampler_remove(struct sampler *sampler, size_t index)
{
	hold(sampler);
	if (index < sampler->count && sampler->queues[index].used) {
		(void)close(sampler->queues[index].fd); /* only read */
		sampler->queues[index].used = false;
	}
	release(sampler);
}

void sampler_limit(struct sampler *sampler, size_t index, uint64_t limit)
{
	hold(sampler);
	if (index < sampler->count)
		sampler->queues[index].limit = limit;
	release(sampler);
}

void sampler_wake(struct sampler *sampler, size_t index)
{
	hold(sampler);
	if (index < sampler->count)
		sampler->queues[index].active_until = clock_mono() + ACTIVE_FOR;
	release(sampler);
}

bool sampler_take(struct sampler *sampler, size_t index, struct sampled *sampled)
{
	struct queue *queue = NULL;
	bool done;

	hold(sampler);
	if (index < sampler->count)
		queue = &sampler->queues[index];
	done = queue && queue->used && !queue->broken &&
	       (queue->sampled.fresh || look(queue));
	if (done) {
		/* of most disks no step was reached, and there are thousands */
		memcpy(sampled, &queue->sampled,
			offsetof(struct sampled, at) +
				queue->sampled.steps * sizeof *sampled->at);
		queue->sampled.fresh = false;
	} else {
		*sampled = (struct sampled){.fresh = false};
	}
	release(sampler);
	return done;
}

void sampler_state(struct sampler *sampler, nsec *slot, uint64_t *late)
{
	hold(sampler);
	*slot = sampler->slot * (nsec)sampler->slots;
	*late = sampler->late;
	release(sampler);
}
