/* Text from outside and text for people; see the header. */
#include "config.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* Decodes one character of RFC 3629 UTF-8. Returns its length, 0 if invalid. */
static size_t decode(const unsigned char *from, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = from[0] < 0x80   ? 1
			: from[0] < 0xc2 ? 0
			: from[0] < 0xe0 ? 2
			: from[0] < 0xf0 ? 3
			: from[0] < 0xf5 ? 4
					 : 0;

	if (length <= 1) {
		*code = from[0];
		return length;
	}
	*code = from[0] & (0xffu >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((from[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (from[i] & 0x3fu);
	}
	if (*code < least[length] || *code > 0x10ffff ||
		(*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return length;
}

/* Characters that move the cursor, change colours or reorder a line. */
static bool is_unsafe(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) ||
	       (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

static bool clean(char *to, size_t size, const char *from, const char *keep)
{
	const unsigned char *at = (const unsigned char *)from;
	size_t used = 0;

	while (*at) {
		uint32_t code;
		size_t length = decode(at, &code);
		bool bad =
			!length ||
			(is_unsafe(code) && !(code < 0x80 && strchr(keep, (int)code)));
		size_t out = bad ? 1 : length;

		if (used + out >= size)
			break;
		if (bad)
			to[used] = '?';
		else
			memcpy(to + used, at, length);
		used += out;
		at += length ? length : 1;
	}
	if (size)
		to[used] = 0;
	return !*at;
}

bool text_clean(char *to, size_t size, const char *from)
{
	return clean(to, size, from, "");
}

bool text_is_blank(const char *text)
{
	return !text[strspn(text, " \t\n\r\v\f")];
}

bool text_clean_lines(char *to, size_t size, const char *from)
{
	return clean(to, size, from, "\n\t");
}

bool text_copy(char *to, size_t size, const char *from)
{
	size_t length = strlen(from);
	bool fits = length < size;

	if (!size)
		return false;
	if (!fits) {
		length = size - 1;
		while (length && ((unsigned char)from[length] & 0xc0) == 0x80)
			length--;
	}
	memmove(to, from, length);
	to[length] = 0;
	return fits;
}

bool text_format(char *to, size_t size, const char *format, ...)
{
	va_list args;
	int need;

	va_start(args, format);
	need = vsnprintf(to, size, format, args);
	va_end(args);
	return need >= 0 && (size_t)need < size;
}

bool text_quote(char *to, size_t size, const char *from)
{
	size_t used = 0;

	if (!*from)
		return text_copy(to, size, "%");
	for (; *from; from++) {
		unsigned char byte = (unsigned char)*from;
		bool plain = byte > 0x20 && byte != '%' && byte != 0x7f;

		if (used + (plain ? 1 : 3) >= size) {
			to[used] = 0;
			return false;
		}
		if (plain)
			to[used++] = *from;
		else
			used += (size_t)snprintf(
				to + used, size - used, "%%%02X", byte);
	}
	to[used] = 0;
	return true;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool text_unquote(char *to, size_t size, const char *from)
{
	size_t used = 0;

	if (!size)
		return false;
	to[0] = 0;
	if (!strcmp(from, "%"))
		return true;
	while (*from) {
		char byte = *from++;

		if (byte == '%') {
			int high = digit(from[0]);
			int low = high < 0 ? -1 : digit(from[1]);

			if (low < 0 || (!high && !low))
				return false;
			byte = (char)(high << 4 | low);
			from += 2;
		}
		if (used + 1 >= size)
			return false;
		to[used++] = byte;
		to[used] = 0;
	}
	return true;
}

/* Columns of the character at AT, and its length in bytes. */
static size_t width(const char *at, size_t *length)
{
	uint32_t code;
	int columns;

	*length = decode((const unsigned char *)at, &code);
	if (!*length) {
		*length = 1;
		return 1;
	}
	columns = wcwidth((wchar_t)code);
	return columns < 0 ? 1 : (size_t)columns;
}

size_t text_columns(const char *text)
{
	size_t columns = 0;

	while (*text) {
		size_t length;

		columns += width(text, &length);
		text += length;
	}
	return columns;
}

/* Appends the characters of TEXT that lie wholly in columns FROM to UPTO. */
static void cut(char *to, size_t size, const char *text, size_t from, size_t upto)
{
	size_t used = strlen(to);
	size_t column = 0;

	while (*text) {
		size_t length;
		size_t wide = width(text, &length);

		if (column >= from && column + wide <= upto && used + length < size) {
			memcpy(to + used, text, length);
			used += length;
			to[used] = 0;
		}
		column += wide;
		text += length;
	}
}

void text_middle(char *to, size_t size, const char *text, size_t columns)
{
	size_t total = text_columns(text);
	size_t head = columns ? (columns - 1) / 2 : 0;

	if (!size)
		return;
	to[0] = 0;
	if (total <= columns) {
		cut(to, size, text, 0, total);
	} else if (columns) {
		cut(to, size, text, 0, head);
		cut(to, size, "~", 0, 1);
		cut(to, size, text, total - (columns - 1 - head), total);
	}
}
