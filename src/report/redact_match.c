/* Addresses and identities by their looks; see the header. */
#include "config.h"

#include "report/redact_match.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

enum {
	MAC_PAIRS = 6,
	WWN_PAIRS = 8, /* of Fibre Channel */
	ID_LEAST = 16, /* hexadecimal digits of an identity */
	ID_SURE = 32,  /* of one that may have no letter */
	UUID = 36,
};

static bool is_hex(char sign)
{
	return isxdigit((unsigned char)sign) != 0;
}

static bool goes_on(char sign)
{
	return isalnum((unsigned char)sign) || sign == '_';
}

/* LENGTH bytes at AT in small letters. */
static size_t keep(const char *at, size_t length, char known[REDACT_TOKEN])
{
	if (length >= REDACT_TOKEN)
		length = REDACT_TOKEN - 1;
	for (size_t i = 0; i < length; i++)
		known[i] = (char)tolower((unsigned char)at[i]);
	known[length] = 0;
	return length;
}

/* ---- "00:00:5e:00:53:10", "00-00-5E-00-53-10" ---- */

static size_t match_pairs(const char *at, size_t pairs, char known[REDACT_TOKEN])
{
	char separator = at[0] && at[1] ? at[2] : 0;
	size_t length = 3 * pairs - 1;
	bool zero = true, full = true;

	if (separator != ':' && separator != '-')
		return 0;
	for (size_t i = 0; i < length; i++) {
		if (i % 3 == 2 ? at[i] != separator : !is_hex(at[i]))
			return 0;
		zero = zero && (i % 3 == 2 || at[i] == '0');
		full = full && (i % 3 == 2 || tolower(at[i]) == 'f');
	}
	if (goes_on(at[length]) ||
		(at[length] == separator && is_hex(at[length + 1])) || zero || full)
		return 0;
	(void)keep(at, length, known);
	for (size_t i = 2; i < length; i += 3)
		known[i] = ':';
	return length;
}

/* ---- addresses ---- */

static bool is_public_knowledge(const struct in6_addr *address)
{
	const uint8_t *byte = address->s6_addr;

	if (IN6_IS_ADDR_LOOPBACK(address) || IN6_IS_ADDR_UNSPECIFIED(address))
		return true;
	return IN6_IS_ADDR_V4MAPPED(address) &&
	       (byte[12] == 0 || byte[12] == 127 || byte[12] == 255);
}

/* LENGTH bytes at AT as an address, v4 ones mapped into v6. */
static bool read_address(const char *at, size_t length, struct in6_addr *address)
{
	char text[INET6_ADDRSTRLEN + 8];
	bool mapped = !memchr(at, ':', length);
	size_t dots = 0;

	for (size_t i = 0; i < length; i++)
		dots += at[i] == '.';
	if (mapped && dots != 3) /* "::ffff:3260" would be one, too */
		return false;
	return text_format(text, sizeof text, "%s%.*s", mapped ? "::ffff:" : "",
		       (int)length, at) &&
	       inet_pton(AF_INET6, text, address) == 1;
}

/* A full stop or a colon behind an address is none of it; "2001:db8::" is one. */
static size_t without_end(const char *at, size_t length)
{
	while (length && (at[length - 1] == '.' ||
				 (at[length - 1] == ':' &&
					 !(length > 1 && at[length - 2] == ':'))))
		length--;
	return length;
}

static size_t match_address(const char *at, char known[REDACT_TOKEN])
{
	size_t length = without_end(at, strspn(at, "0123456789abcdefABCDEF:."));
	struct in6_addr address;

	if (!memchr(at, ':', length) || !read_address(at, length, &address))
		length = strspn(at, "0123456789."); /* may have a port behind it */
	length = without_end(at, length);
	if (!length || length > INET6_ADDRSTRLEN || goes_on(at[length]) ||
		!read_address(at, length, &address) || is_public_knowledge(&address))
		return 0;
	return inet_ntop(AF_INET6, &address, known, REDACT_TOKEN) ? length : 0;
}

/* ---- names and identities ---- */

static size_t match_prefixed(const char *at, const char *const *prefixes,
	const char *signs, char known[REDACT_TOKEN])
{
	for (size_t i = 0; prefixes[i]; i++) {
		size_t length = strlen(prefixes[i]);

		if (strncasecmp(at, prefixes[i], length) != 0)
			continue;
		for (; isalnum((unsigned char)at[length]) ||
			(at[length] && strchr(signs, at[length]));
			length++)
			;
		while (strchr(signs, at[length - 1]))
			length--;
		if (length > strlen(prefixes[i]))
			return keep(at, length, known);
	}
	return 0;
}

/* 8-4-4-4-12 */
static bool is_uuid(const char *at)
{
	for (size_t i = 0; i < UUID; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? at[i] != '-'
							    : !is_hex(at[i]))
			return false;
	return !goes_on(at[UUID]);
}

static size_t match_hex(const char *at, char known[REDACT_TOKEN])
{
	size_t prefix = at[0] == '0' && tolower(at[1]) == 'x' ? 2 : 0;
	size_t length = prefix;
	bool letter = false, digit = false;

	if (is_uuid(at))
		return keep(at, UUID, known);
	for (; is_hex(at[length]); length++) {
		letter = letter || isalpha((unsigned char)at[length]);
		digit = digit || isdigit((unsigned char)at[length]);
	}
	if (goes_on(at[length]) || length - prefix < ID_LEAST || !digit ||
		(!letter && !prefix && length < ID_SURE))
		return 0;
	(void)keep(at + prefix, length - prefix, known);
	return length;
}

static size_t match_identity(const char *at, char known[REDACT_TOKEN])
{
	static const char *const prefixes[] = {"naa.", "eui.", "t10.", "uuid.", NULL};
	size_t length = match_prefixed(at, prefixes, ".-_", known);

	if (!length)
		length = match_hex(at, known);
	return length ? length : match_pairs(at, WWN_PAIRS, known);
}

size_t redact_match(const char *at, enum redact_level level, enum redact_kind *kind,
	char known[REDACT_TOKEN])
{
	static const char *const targets[] = {"iqn.", "nqn.", NULL};
	size_t length;

	*kind = REDACT_TARGET;
	length = match_prefixed(at, targets, ".-:_", known);
	if (length)
		return length;
	*kind = REDACT_MAC;
	length = match_pairs(at, MAC_PAIRS, known);
	if (length)
		return length;
	*kind = REDACT_ADDRESS;
	length = match_address(at, known);
	if (length)
		return length;
	*kind = REDACT_WWID;
	return level == REDACT_ALL ? match_identity(at, known) : 0;
}
