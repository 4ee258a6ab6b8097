/* Strict reading of kernel text; see the header. */
#include "config.h"

#include "base/scan.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *skip(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static bool ends_number(char c)
{
	return !isalnum((unsigned char)c) && c != '_';
}

static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (isxdigit((unsigned char)c))
		return (unsigned)((c | 0x20) - 'a' + 10);
	return UINT_MAX;
}

static bool digits(const char **at, uint64_t *value, unsigned base)
{
	const char *p = *at;
	uint64_t sum = 0;

	for (;; p++) {
		unsigned digit = digit_of(*p);

		if (digit >= base)
			break;
		if (sum > (UINT64_MAX - digit) / base)
			return false;
		sum = sum * base + digit;
	}
	if (p == *at || !ends_number(*p))
		return false;
	*at = p;
	*value = sum;
	return true;
}

bool scan_u64(const char **at, uint64_t *value)
{
	const char *p = skip(*at);

	if (!digits(&p, value, 10))
		return false;
	*at = p;
	return true;
}

bool scan_i64(const char **at, int64_t *value)
{
	const char *p = skip(*at);
	bool negative = *p == '-';
	uint64_t size;

	p += negative;
	if (!digits(&p, &size, 10) || size > (uint64_t)INT64_MAX)
		return false;
	*value = negative ? -(int64_t)size : (int64_t)size;
	*at = p;
	return true;
}

bool scan_hex(const char **at, uint64_t *value)
{
	const char *p = skip(*at);

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	if (!digits(&p, value, 16))
		return false;
	*at = p;
	return true;
}

bool scan_real(const char **at, double *value)
{
	const char *p = skip(*at);
	bool negative = *p == '-';
	double sum = 0, scale = 1;
	const char *start;

	p += negative;
	start = p;
	for (; isdigit((unsigned char)*p); p++)
		sum = sum * 10 + (*p - '0');
	if (p == start)
		return false;
	if (*p == '.')
		for (p++; isdigit((unsigned char)*p); p++) {
			scale *= 10;
			sum = sum * 10 + (*p - '0');
		}
	if (!ends_number(*p))
		return false;
	*value = (negative ? -sum : sum) / scale;
	*at = p;
	return true;
}

bool scan_word(const char **at, char *word, size_t size)
{
	const char *p = skip(*at);
	size_t length = strcspn(p, " \t\n");

	if (!length || length >= size)
		return false;
	memcpy(word, p, length);
	word[length] = 0;
	*at = p + length;
	return true;
}

bool scan_exact(const char **at, const char *word)
{
	const char *p = skip(*at);
	size_t length = strlen(word);

	if (strncmp(p, word, length) || !strchr(" \t\n", p[length]))
		return false;
	*at = p + length;
	return true;
}

bool scan_end(const char *at)
{
	return !at[strspn(at, " \t\r\n")];
}

char *scan_line(char **at)
{
	char *line = *at;
	char *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	if (end) {
		*end = 0;
		*at = end + 1;
	} else {
		*at = line + strlen(line);
	}
	return line;
}

/* Reads FD to its end; a short read is not the end (/proc gives one page). */
static bool drain(int fd, struct buffer *buffer, size_t limit)
{
	char chunk[8192];
	ssize_t got;

	while (buffer->size <= limit) {
		got = read(fd, chunk, sizeof chunk);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (!got)
			return true;
		buffer_add(buffer, chunk, (size_t)got);
	}
	errno = EFBIG;
	return false;
}

void scan_unescape(char *text)
{
	char *to = text;

	for (; *text; to++) {
		unsigned value = 0;
		int digits = 0;

		while (*text == '\\' && digits < 3 && text[1 + digits] >= '0' &&
			text[1 + digits] <= '7')
			value = value * 8 + (unsigned)(text[1 + digits++] - '0');
		if (digits == 3 && value && value < 256) {
			*to = (char)value;
			text += 4;
		} else {
			*to = *text++;
		}
	}
	*to = 0;
}

bool scan_file(const char *root, const char *path, struct buffer *buffer, size_t limit,
	struct fault *fault)
{
	char full[PATH_MAX];
	int fd, error;
	bool done;

	buffer_clear(buffer);
	if (!text_format(full, sizeof full, "%s%s", root, path))
		return fault_errno(fault, ENAMETOOLONG, "cannot read %s", path);
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fault_errno(fault, errno, "cannot open %s", full);
	done = drain(fd, buffer, limit);
	error = errno;
	(void)close(fd); /* nothing was written */
	if (!done)
		return fault_errno(fault, error, "cannot read %s", full);
	(void)buffer_string(buffer);
	return true;
}

/* Small attributes are at most a page. */
static bool small_file(const char *root, const char *path, char *text, size_t size,
	struct fault *fault)
{
	struct buffer buffer = {0};
	bool done = scan_file(root, path, &buffer, 65536, fault);

	if (done)
		(void)text_copy(
			text, size, buffer_string(&buffer)); /* first line only */
	buffer_fini(&buffer);
	return done;
}

bool scan_file_u64(
	const char *root, const char *path, uint64_t *value, struct fault *fault)
{
	char text[64];
	const char *at = text;

	if (!small_file(root, path, text, sizeof text, fault))
		return false;
	if (!scan_u64(&at, value) || !scan_end(at))
		return fault_set(fault, "%s%s: not a number", root, path);
	return true;
}

bool scan_file_text(const char *root, const char *path, char *text, size_t size,
	struct fault *fault)
{
	char raw[4096];

	if (!small_file(root, path, raw, sizeof raw, fault))
		return false;
	raw[strcspn(raw, "\n")] = 0;
	(void)text_clean(text, size, raw); /* a cut name is still its beginning */
	return true;
}
