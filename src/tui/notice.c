/* What a key did, where that takes more than the last line has room for: over the lines
 * above it, for as long as it is shown. */
#include "config.h"

#include "base/text.h"
#include "tui/lines.h"

#include <string.h>

enum {
	MOST_ROWS = 5,
	LEFT_ALONE = 3 /* rows at the top */
};

/* How many bytes of TEXT the next row takes: whole words, of which the first may be
 * cut where it alone is too long. */
static size_t row_of(const char *text, int width)
{
	char room[256];
	size_t end = 0, length = strlen(text);

	for (size_t i = 0; i <= length && i < sizeof room; i++) {
		if (text[i] != ' ' && text[i])
			continue;
		memcpy(room, text, i);
		room[i] = 0;
		if (end && text_columns(room) > (size_t)width)
			break;
		end = i;
	}
	return end;
}

void notice_draw(const struct scene *scene, struct canvas *canvas)
{
	const struct view *view = scene->view;
	const char *rows[MOST_ROWS];
	size_t lengths[MOST_ROWS];
	int count = 0;

	if (view->prompt.kind != PROMPT_NONE || !line_keys_speaks(scene) ||
		text_columns(view->message) <= (size_t)canvas->width)
		return;
	for (const char *at = view->message; *at && count < MOST_ROWS; count++) {
		rows[count] = at;
		lengths[count] = row_of(at, canvas->width);
		at += lengths[count];
		at += *at == ' ';
	}
	if (count > canvas->height - LEFT_ALONE)
		return; /* the last line has its beginning */
	for (int i = 0; i < count; i++) {
		struct canvas row = canvas_part(
			canvas, canvas->height - count + i, 0, 1, canvas->width);
		char text[256];

		(void)text_format(text, sizeof text, "%.*s", (int)lengths[i],
			rows[i]); /* as long as the message at most */
		canvas_clear(&row);
		canvas_line(&row, 0, view->message_alert ? CELL_ALERT : CELL_KEY, text);
	}
}
