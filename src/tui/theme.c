/* Theme files; see the header. */
#include "config.h"

#include "tui/theme.h"

#include "base/scan.h"
#include "base/text.h"

#include <string.h>

const char *const theme_names[] = {"default", "light", "colour-blind", "mono"};
const unsigned theme_count = sizeof theme_names / sizeof *theme_names;

static const char *const colours[] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"};

static const struct {
	const char *word;
	unsigned char attribute;
} attributes[] = {
	{"plain", 0},
	{"bold", STYLE_BOLD},
	{"underline", STYLE_UNDERLINE},
	{"reverse", STYLE_REVERSE},
	{"dim", STYLE_DIM},
};

static const unsigned char builtin[CELL_COUNT] = {
	[CELL_TITLE] = STYLE_BOLD,
	[CELL_HEADER] = STYLE_UNDERLINE,
	[CELL_WORSE] = STYLE_BOLD,
	[CELL_ALERT] = STYLE_REVERSE | STYLE_BOLD,
	[CELL_PAUSED] = STYLE_REVERSE,
	[CELL_FOCUS] = STYLE_BOLD | STYLE_UNDERLINE,
	[CELL_SELECT] = STYLE_REVERSE,
	[CELL_KEY] = STYLE_BOLD,
	[CELL_WINDOW_AFTER] = STYLE_BOLD,
};

void theme_builtin(struct theme *theme)
{
	*theme = (struct theme){.name = "built-in"};
	for (unsigned i = 0; i < CELL_COUNT; i++)
		theme->styles[i] =
			(struct style){COLOUR_DEFAULT, COLOUR_DEFAULT, builtin[i]};
}

static int find_colour(const char *word)
{
	for (int i = 0; i < 8; i++)
		if (!strcmp(colours[i], word))
			return i;
	return strcmp(word, "default") ? -2 : COLOUR_DEFAULT;
}

static bool add_word(struct style *style, const char *word, bool back)
{
	int colour = find_colour(word);

	if (colour > -2) {
		*(back ? &style->back : &style->fore) = (signed char)colour;
		return true;
	}
	for (unsigned i = 0; !back && i < sizeof attributes / sizeof *attributes; i++) {
		if (strcmp(attributes[i].word, word))
			continue;
		style->attributes |= attributes[i].attribute;
		return true;
	}
	return false;
}

static bool parse_style(const char *at, struct style *style)
{
	struct style parsed = {COLOUR_DEFAULT, COLOUR_DEFAULT, 0};
	char word[16] = "";
	bool back = false, any = false;

	while (scan_word(&at, word, sizeof word) && *word != '#') {
		bool on = !strcmp(word, "on");

		if ((on && back) || (!on && !add_word(&parsed, word, back)))
			return false;
		back = on;
		any = true;
	}
	if (back || !any || (*word != '#' && !scan_end(at)))
		return false;
	*style = parsed;
	return true;
}

static int find_role(const char *word)
{
	for (int i = 0; i < CELL_COUNT; i++)
		if (!strcmp(cell_word((enum role_cell)i), word))
			return i;
	return -1;
}

/* One line: empty, a comment, or ROLE = WORDS. */
static bool parse_line(struct theme *theme, const char *at, bool *defined)
{
	char word[32];
	int role;

	if (scan_end(at))
		return true;
	if (!scan_word(&at, word, sizeof word))
		return false;
	if (*word == '#')
		return true;
	role = find_role(word);
	if (role < 0 || !scan_exact(&at, "=") || !parse_style(at, &theme->styles[role]))
		return false;
	defined[role] = true;
	return true;
}

bool theme_parse(
	struct theme *theme, const char *name, const char *text, struct fault *fault)
{
	bool defined[CELL_COUNT] = {false}, good = true;
	char line[256];

	theme_builtin(theme);
	(void)text_copy(theme->name, sizeof theme->name, name); /* a label */
	for (unsigned number = 1; *text; number++) {
		size_t length = strcspn(text, "\n");
		bool fits = length < sizeof line;

		memcpy(line, text, fits ? length : 0);
		line[fits ? length : 0] = 0;
		if ((!fits || !parse_line(theme, line, defined)) && good)
			good = fault_set(fault, "theme %s: line %u is not understood",
				name, number);
		text += length + (text[length] == '\n');
	}
	for (unsigned i = 0; i < CELL_COUNT && good; i++)
		if (!defined[i])
			good = fault_set(fault, "theme %s: %s is not set", name,
				cell_word((enum role_cell)i));
	return good;
}

bool theme_load(
	struct theme *theme, const char *folder, const char *name, struct fault *fault)
{
	struct buffer file = {0};
	char path[512];
	bool good;

	theme_builtin(theme);
	if (!text_format(path, sizeof path, "%s/%s.theme", folder, name))
		return fault_set(fault, "theme %s: the path is too long", name);
	good = scan_file("", path, &file, 64 * 1024, fault);
	if (good)
		good = theme_parse(theme, name, buffer_string(&file), fault);
	buffer_fini(&file);
	return good;
}

void theme_strip(struct theme *theme)
{
	for (unsigned i = 0; i < CELL_COUNT; i++) {
		struct style *style = &theme->styles[i];

		style->fore = style->back = COLOUR_DEFAULT;
		style->attributes &= (unsigned char)~STYLE_DIM;
	}
}
