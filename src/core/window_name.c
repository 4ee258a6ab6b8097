/* Names and roles of windows (core/window.h). */
#include "config.h"

#include "base/text.h"
#include "core/window.h"
#include "core/window_name.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const role_words[] = {
	[ROLE_BEFORE] = "before",
	[ROLE_CHANGE] = "change",
	[ROLE_AFTER] = "after",
	[ROLE_OTHER] = "other",
	[ROLE_RUN] = "run",
};

/* What the windows of the three roles are called. */
static const char *const stems[] = {
	[ROLE_BEFORE] = "BEFORE", [ROLE_CHANGE] = "CHANGE", [ROLE_AFTER] = "AFTER"};

const char *role_word(enum role role)
{
	return (unsigned)role <= ROLE_RUN ? role_words[role] : "";
}

bool role_find(const char *word, enum role *role)
{
	for (unsigned i = 0; i <= ROLE_RUN; i++)
		if (!strcmp(role_words[i], word)) {
			*role = (enum role)i;
			return true;
		}
	return false;
}

static bool is_number(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && !text[digits];
}

bool window_name_valid(const char *name)
{
	size_t length = strlen(name);
	size_t plain = 0;

	while (isalnum((unsigned char)name[plain]) ||
		(plain && name[plain] && strchr("._-", name[plain])))
		plain++;
	if (!plain || length >= WINDOW_NAME)
		return false;
	return plain == length || (name[plain] == ' ' && is_number(name + plain + 1));
}

enum role window_name_role(const char *name, bool *numbered)
{
	for (unsigned i = 0; i < sizeof stems / sizeof *stems; i++) {
		size_t length = strlen(stems[i]);

		if (strncasecmp(name, stems[i], length))
			continue;
		*numbered = name[length] == ' ' && is_number(name + length + 1);
		if (!name[length] || *numbered)
			return (enum role)i;
	}
	*numbered = false;
	return ROLE_OTHER;
}

void window_name_upper(char *to, size_t size, const char *name)
{
	(void)text_copy(to, size, name); /* valid names fit */
	for (; *to; to++)
		*to = (char)toupper((unsigned char)*to);
}

bool window_name_next(
	const struct windows *windows, enum role role, char *name, size_t size)
{
	(void)text_copy(name, size, stems[role]); /* a few letters */
	for (unsigned n = 2; windows_by_name(windows, name); n++)
		if (!text_format(name, size, "%s %u", stems[role], n))
			return false;
	return true;
}
