/* The last line: keys, or what a key did, or the line in which something is typed. */
#include "config.h"

#include "base/text.h"
#include "tui/act.h"
#include "tui/lines.h"

#include <string.h>

bool line_keys_speaks(const struct scene *scene)
{
	const struct view *view = scene->view;

	return view->prompt.kind != PROMPT_NONE ||
	       (*view->message && scene->session->last.at < view->message_until);
}

/* The end of what is typed stays visible; the cell behind it is the cursor. */
static void draw_prompt(const struct view *view, struct canvas *canvas)
{
	int at = canvas_text(canvas, 0, 0, CELL_KEY, prompt_label(view->prompt.kind));
	int room = canvas->width - at - 1;
	const char *text = view->prompt.text;

	while (*text && (int)text_columns(text) > (room > 0 ? room : 0)) {
		text++;
		while (((unsigned char)*text & 0xc0) == 0x80)
			text++;
	}
	at = canvas_text(canvas, 0, at, CELL_PLAIN, text);
	canvas_text(canvas, 0, at, CELL_SELECT, " ");
}

static const char *const hints[] = {"b BEFORE", "c change", "a AFTER", "n note",
	"p pause", "d compare", "w report", "? help", "q leave", "/ filter", "s sort",
	"i explain", "[ ] marks", "M windows", "z zoom", "Tab pane", "U undo",
	"u units"};
static const char *const page_hints[] = {
	"q back", "Up Down scroll", "p pause", "w report", "? help"};
static const char *const digest_hints[] = {
	"Space live", "e all events", "g worst moment"};
static const char *const compare_hints[] = {"q back", "Up Down row", "Enter evidence",
	"s sort", "f clear ones", "? help", "M windows", "w report", "u units"};
static const char *const window_hints[] = {"q back", "r rename", "f begin", "t end",
	"a as A", "b as B", "D delete", "U undo", "d compare", "w report"};
static const char *const replay_hints[] = {"T t step", "[ ] marks", "g time",
	"d compare", "w report", "/ filter", "s sort", "i explain", "z zoom", "? help",
	"q leave"};

/* As many as fit; the key itself stands out. */
static void draw_hints(const char *const *list, size_t count, struct canvas *canvas)
{
	int at = 0;

	for (size_t i = 0; i < count; i++) {
		int columns = (int)strlen(list[i]);
		int key = (int)(strrchr(list[i], ' ') - list[i]);

		if (at + columns > canvas->width)
			continue;
		canvas_text(canvas, 0, at, CELL_PLAIN, list[i]);
		canvas_paint(canvas, 0, at, key, CELL_KEY);
		at += columns + 1;
	}
}

void line_keys(const struct scene *scene, struct canvas *canvas)
{
	const struct view *view = scene->view;

	if (view->prompt.kind != PROMPT_NONE)
		draw_prompt(view, canvas);
	else if (line_keys_speaks(scene))
		canvas_line(canvas, 0, view->message_alert ? CELL_ALERT : CELL_KEY,
			view->message);
	else if (view->page == PAGE_COMPARE)
		draw_hints(compare_hints, sizeof compare_hints / sizeof *compare_hints,
			canvas);
	else if (view->page == PAGE_DIGEST)
		draw_hints(digest_hints, sizeof digest_hints / sizeof *digest_hints,
			canvas);
	else if (view->page == PAGE_WINDOWS)
		draw_hints(window_hints, sizeof window_hints / sizeof *window_hints,
			canvas);
	else if (view->page != PAGE_NONE)
		draw_hints(page_hints, sizeof page_hints / sizeof *page_hints, canvas);
	else if (view->replay)
		draw_hints(replay_hints, sizeof replay_hints / sizeof *replay_hints,
			canvas);
	else
		draw_hints(hints, sizeof hints / sizeof *hints, canvas);
}
