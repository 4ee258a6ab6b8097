/*
 * The terminal through curses; see tui/terminal.h. Taken care of here: unknown
 * terminal types, a terminal that stops reading, one that goes away, pasted text,
 * and giving everything back on every way out.
 */
#include "config.h"

#include "tui/terminal.h"

#include "base/die.h"
#include "base/text.h"
#include "tui/actions.h"
#include "tui/terminal_end.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>

#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum {
	PASTE_BEGIN = 0700, /* key codes above those of curses */
	PASTE_END,
	EMPTY_READS = 20, /* "there is input" and none: nobody is there */
	ROW_MAX = 1024
};

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

static SCREEN *screen;
static bool colours, utf8, pasting;
static nsec pasted_at;
static int empty_reads;
static attr_t styles[CELL_COUNT];

/* Terminal types to try when the person's own is not known on this machine. */
static SCREEN *try_types(char *hint, size_t size)
{
	static const char *const types[] = {"xterm-256color", "xterm", "vt100"};
	const char *own = getenv("TERM");
	SCREEN *found = newterm(NULL, stdout, stdin);

	hint[0] = 0;
	for (size_t i = 0; !found && i < sizeof types / sizeof *types; i++) {
		found = newterm(types[i], stdout, stdin);
		if (found)
			(void)text_format(hint, size, "TERM %.20s unknown, drawn as %s",
				own ? own : "", types[i]); /* cut is fine */
	}
	return found;
}

/* ^C, ^Z and ^\ come as keys: they are in the table of actions. ^S and ^Q keep their
 * meaning. */
static void take_keys(void)
{
	struct termios mode;

	cbreak();
	noecho();
	nonl();
	if (!tcgetattr(STDIN_FILENO, &mode)) {
		mode.c_cc[VINTR] = mode.c_cc[VSUSP] = mode.c_cc[VQUIT] =
			_POSIX_VDISABLE;
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &mode);
	}
	def_prog_mode();
	set_escdelay(200);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	(void)define_key("\033[200~", PASTE_BEGIN);
	(void)define_key("\033[201~", PASTE_END);
}

/* A few bytes past curses; if they are lost, a paste is only less well guarded. */
static void say(const char *text)
{
	ssize_t written = write(STDOUT_FILENO, text, strlen(text));

	(void)written;
}

bool terminal_can(struct fault *fault)
{
	const char *type = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return fault_set(fault, "there is no screen without a terminal");
	return (type && *type && strcmp(type, "dumb")) ||
	       fault_set(fault, "there is no screen on a terminal with TERM=%s",
		       type ? type : "");
}

bool terminal_open(char *hint, size_t size, struct fault *fault)
{
	terminal_end_save();
	screen = try_types(hint, size);
	if (!screen)
		return fault_set(fault, "no terminal description is installed for %s",
			getenv("TERM"));
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	/* COLORS is 0 before start_color */
	colours = has_colors() && start_color() == OK && COLORS >= 8 &&
		  use_default_colors() == OK;
	take_keys();
	(void)curs_set(0); /* a terminal without that keeps its cursor */
	leaveok(stdscr, TRUE);
	say(paste_on);
	terminal_end_signals();
	die_hook(terminal_close);
	return true;
}

void terminal_close(void)
{
	if (!screen)
		return;
	say(paste_off);
	(void)curs_set(1);
	(void)endwin();
	delscreen(screen);
	screen = NULL;
	terminal_end_done();
}

void terminal_size(int *rows, int *columns)
{
	getmaxyx(stdscr, *rows, *columns);
}

bool terminal_utf8(void)
{
	return utf8;
}

void terminal_theme(const struct theme *theme)
{
	static const struct {
		unsigned char style;
		attr_t attribute;
	} map[] = {{STYLE_BOLD, A_BOLD}, {STYLE_UNDERLINE, A_UNDERLINE},
		{STYLE_REVERSE, A_REVERSE}, {STYLE_DIM, A_DIM}};

	for (int i = 0; i < CELL_COUNT; i++) {
		const struct style *style = &theme->styles[i];

		styles[i] = A_NORMAL;
		for (size_t n = 0; n < sizeof map / sizeof *map; n++)
			if (style->attributes & map[n].style)
				styles[i] |= map[n].attribute;
		if (colours)
			(void)init_pair((short)(i + 1), style->fore, style->back);
	}
}

static void put_row(const struct canvas *canvas, int row, int columns)
{
	static cchar_t line[ROW_MAX];
	const struct canvas_cell *cells =
		&canvas->cells[(size_t)row * (size_t)canvas->columns];

	for (int i = 0; i < columns; i++) {
		wchar_t text[2] = {(wchar_t)cells[i].code, 0};

		if (cells[i].code >= 0x80 && !utf8)
			text[0] = L'#';
		(void)setcchar(&line[i], text, styles[cells[i].role],
			(short)(colours ? cells[i].role + 1 : 0), NULL);
	}
	(void)mvadd_wchnstr(row, 0, line, columns);
}

bool terminal_draw(const struct canvas *canvas)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
	int rows, columns;

	if (poll(&out, 1, 0) != 1 || !(out.revents & POLLOUT))
		return false;
	terminal_size(&rows, &columns);
	rows = rows < canvas->rows ? rows : canvas->rows;
	columns = columns < canvas->columns ? columns : canvas->columns;
	columns = columns < ROW_MAX ? columns : ROW_MAX;
	for (int row = 0; row < rows; row++)
		put_row(canvas, row, columns);
	wnoutrefresh(stdscr);
	doupdate();
	return true;
}

void terminal_redraw(void)
{
	clearok(stdscr, TRUE);
}

void terminal_bell(void)
{
	(void)beep(); /* a terminal without one stays silent */
}

void terminal_suspend(void)
{
	say(paste_off);
	terminal_end_suspend();
	say(paste_on);
	terminal_redraw();
}

/* Curses names of keys to ours. */
static int translate(wint_t code, bool function)
{
	static const struct {
		wint_t curses;
		int ours;
	} map[] = {{KEY_UP, TUI_UP}, {KEY_DOWN, TUI_DOWN}, {KEY_LEFT, TUI_LEFT},
		{KEY_RIGHT, TUI_RIGHT}, {KEY_PPAGE, TUI_PAGE_UP},
		{KEY_NPAGE, TUI_PAGE_DOWN}, {KEY_HOME, TUI_HOME}, {KEY_END, TUI_END},
		{KEY_F(1), TUI_F1}, {KEY_BACKSPACE, TUI_BACKSPACE},
		{KEY_ENTER, TUI_ENTER}};

	if (!function)
		return code == '\r'                ? TUI_ENTER
		       : code == 0x7f || code == 8 ? TUI_BACKSPACE
						   : (int)code;
	for (size_t i = 0; i < sizeof map / sizeof *map; i++)
		if (map[i].curses == code)
			return map[i].ours;
	return 0;
}

static void take_key(struct terminal_input *input, wint_t code, bool function)
{
	int key = translate(code, function);

	if (function && code == KEY_RESIZE)
		input->resized = true;
	else if (function && (code == PASTE_BEGIN || code == PASTE_END))
		pasting = code == PASTE_BEGIN;
	else if (key && !pasting && input->count < sizeof input->keys / sizeof(int))
		input->keys[input->count++] = key;
}

void terminal_input(struct terminal_input *input, short events, nsec now)
{
	int result, read_keys = 0;
	wint_t code;

	*input = (struct terminal_input){
		.lost = events & (POLLHUP | POLLERR | POLLNVAL)};
	/* a paste whose end got lost must not swallow keys for ever */
	if (pasting && now - pasted_at > 2 * NSEC_PER_SEC)
		pasting = false;
	while (!input->lost && (result = get_wch(&code)) != ERR) {
		take_key(input, code, result == KEY_CODE_YES);
		read_keys++;
		if (pasting)
			pasted_at = now;
	}
	empty_reads = (events & POLLIN) && !read_keys ? empty_reads + 1 : 0;
	input->lost |= empty_reads > EMPTY_READS;
}
