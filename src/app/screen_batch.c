/* -b: screens as text, for a terminal that cannot be drawn on, a pipe or a log. */
#include "config.h"

#include "app/screen.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

const struct option_info options_batch[] = {
	{"batch", 'b', NULL, "print screens as text instead of drawing them"},
	{"count", 'n', "COUNT", "with -b: so many screens, then exit"},
	{0},
};

enum {
	FIRST_TICKS = 2, /* one alone holds no rates */
	SILENCE_S = 20
};

static void print(struct screen *screen)
{
	struct winsize size = {.ws_row = 0};
	struct buffer out = {0};
	bool known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row > 1 &&
		     size.ws_col > 1;

	canvas_resize(&screen->canvas, known ? size.ws_row - 1 : 24,
		known ? size.ws_col : 80);
	view_judge(&screen->view, screen->session);
	screen_draw(screen->session, &screen->view, &screen->status, &screen->canvas);
	canvas_print(&screen->canvas, &out, false);
	(void)fwrite(out.data, 1, out.size, stdout); /* errors are seen at the end */
	(void)fflush(stdout);
	buffer_fini(&out);
}

/* Waits until the session has LEAST ticks, and all that the recorder says at first. */
static bool wait_for(struct screen *screen, uint64_t least, struct fault *fault)
{
	nsec until = clock_mono() + SILENCE_S * NSEC_PER_SEC +
		     2 * screen->session->last.interval;

	while (screen->session->ticks < least || !client_state(screen->client)->known) {
		struct pollfd polled = {
			.fd = client_fd(screen->client), .events = POLLIN};

		if (screen->gone)
			return fault_set(fault, "%s", screen->status.trouble);
		if (clock_mono() > until)
			return fault_set(fault, "the recorder sends nothing");
		if (poll(&polled, 1, 1000) < 0 && errno != EINTR)
			return fault_errno(fault, errno, "cannot wait");
		screen_receive(screen);
	}
	return true;
}

int screen_batch(struct screen *screen, unsigned count)
{
	struct fault fault = {0, ""};
	uint64_t least = FIRST_TICKS;

	for (unsigned i = 0; !count || i < count; i++) {
		if (screen->client && !wait_for(screen, least, &fault))
			return failure(&fault);
		if (i)
			(void)putchar('\n'); /* errors are seen at the end */
		print(screen);
		if (ferror(stdout) || (!screen->client && !count))
			break;
		least = screen->session->ticks + 1;
	}
	screen->leaving = true;
	screen_end(screen);
	return EXIT_DONE;
}
