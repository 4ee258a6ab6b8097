/* Ticks on trial; see the header. */
#include "config.h"

#include "app/trial.h"

#include "base/clock.h"

#include <time.h>

enum {
	STEPS = 4 /* after the first tick */
};

static void pause_a_little(void)
{
	const struct timespec quarter = {.tv_nsec = 250000000};

	(void)nanosleep(&quarter, NULL); /* cut short is fine */
}

static void count(struct trial *trial, const struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->subject_count; i++)
		trial->subjects[catalog->subjects[i].kind]++;
	trial->series = catalog->series_count;
}

void trial_init(struct trial *trial, const struct record_options *options)
{
	struct tick_encoder encoder = {0};
	struct buffer bytes = {0};
	struct tick tick = {.run = 1, .interval = options->interval};
	nsec cpu = 0;

	*trial = (struct trial){.env = {.proc = "/proc",
					.sys = "/sys",
					.helper = WEIR_HELPER,
					.interval = options->interval,
					.selection = &options->selection}};
	trial->collector = collector_new(sources, &trial->env);
	for (int i = 0; i <= STEPS; i++) {
		struct instant now;

		if (i == 1) /* the first one opens and discovers: not the rule */
			cpu = clock_cpu();
		clock_read(&now);
		tick.at = tick.mono = now.mono;
		tick.wall = now.wall;
		(void)collector_read(trial->collector, now.mono + NSEC_PER_SEC, &tick);
		buffer_clear(&bytes);
		(void)tick_encode(&encoder, &tick, i == STEPS, &bytes);
		if (i < STEPS)
			trial->step_bytes = bytes.size;
		pause_a_little();
	}
	trial->full_bytes = bytes.size;
	trial->cpu = (clock_cpu() - cpu) / STEPS;
	count(trial, tick.catalog);
	buffer_fini(&bytes);
	tick_encoder_fini(&encoder);
}

void trial_fini(struct trial *trial)
{
	collector_free(trial->collector);
	*trial = (struct trial){0};
}
