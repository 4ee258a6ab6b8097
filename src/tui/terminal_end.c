/* Signals of a program with a terminal; see the header. */
#include "config.h"

#include "tui/terminal_end.h"

#include "tui/terminal.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static bool have_before;
static volatile sig_atomic_t asked;

static const int ending[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
static const int killing[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

void terminal_end_save(void)
{
	have_before = !tcgetattr(STDIN_FILENO, &before);
}

/* The program may hang in a write to a terminal that was stopped: then the alarm
 * ends it, since nothing else can. */
static void ask(int number)
{
	asked = number;
	(void)alarm(3);
}

/* Only calls that are allowed in a handler: main screen, cursor, attributes, paste
 * mode, and the line settings. Then the signal does what it would have done. */
static void restore_and_die(int number)
{
	static const char reset[] = "\033[?2004l\033[?1049l\033[?25h\033[0m\r\n";
	ssize_t written = write(STDOUT_FILENO, reset, sizeof reset - 1);

	(void)written;
	if (have_before)
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
	(void)raise(number); /* SA_RESETHAND: the default */
}

void terminal_end_signals(void)
{
	struct sigaction action = {.sa_handler = ask};

	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		(void)sigaction(ending[i], &action, NULL);
	action.sa_handler = restore_and_die;
	action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
	for (size_t i = 0; i < sizeof killing / sizeof *killing; i++)
		(void)sigaction(killing[i], &action, NULL);
	action = (struct sigaction){.sa_handler = SIG_IGN};
	(void)sigaction(SIGPIPE, &action, NULL);
}

void terminal_end_done(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	for (size_t i = 0; i < sizeof killing / sizeof *killing; i++)
		(void)sigaction(killing[i], &action, NULL);
}

/* Curses has its own handler there: it gives the terminal back, stops, and takes it
 * again. */
void terminal_end_suspend(void)
{
	(void)raise(SIGTSTP);
}

int terminal_signal(void)
{
	return asked;
}
