/* Hearing what peers did; see the header. Like all that the helper says it may be
 * anything. */
#include "config.h"

#include "packet/wire_peer.h"

#include "base/scan.h"
#include "base/text.h"

#include <arpa/inet.h>
#include <string.h>

/* The row NUMBER of those that are being heard. */
static struct peer_row *row_of(struct wire_input *input, const char **at)
{
	uint64_t number;

	if (!scan_u64(at, &number) || number >= PEER_ROWS)
		return NULL;
	return &input->peers->row[number];
}

static bool scan_number(const char **at, uint64_t most, uint64_t *value)
{
	return scan_u64(at, value) && *value <= most;
}

static bool scan_end_of(const char *word, struct peer_end *end)
{
	char address[PEER_TEXT];
	const char *colon = strrchr(word, ':');
	const char *port = colon ? colon + 1 : word;
	bool six = *word == '[';
	uint64_t number;
	size_t length;

	memset(end, 0, sizeof *end);
	if (!strcmp(word, "others"))
		return true;
	if (!colon || !scan_number(&port, UINT16_MAX, &number) || *port)
		return false;
	length = (size_t)(colon - word);
	if (length <= 2 || length >= sizeof address)
		return false;
	memcpy(address, word + six, length - six);
	address[length - six - (six && address[length - 2] == ']')] = 0;
	end->port = (uint16_t)number;
	end->version = six ? 6 : 4;
	return inet_pton(six ? AF_INET6 : AF_INET, address, end->address) == 1;
}

/* "KEY=" in front of what follows. */
static bool key(const char **at, const char *name)
{
	size_t length = strlen(name);

	while (**at == ' ')
		++*at;
	if (strncmp(*at, name, length) || (*at)[length] != '=')
		return false;
	*at += length + 1;
	return true;
}

static bool take_digest(const char **at, const char *name, uint8_t *digest)
{
	static const char *const words[] = {"unknown", "off", "on"};
	char word[16];

	if (!key(at, name) || !scan_word(at, word, sizeof word))
		return false;
	for (uint8_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(word, words[i])) {
			*digest = i;
			return true;
		}
	return false;
}

/* A later version may add keys behind these. */
bool wire_take_peer(struct wire_input *input, const char *at)
{
	struct peer_row *row, new = {.tenant = 0};
	uint64_t tenant, dialect;
	char end[PEER_TEXT];

	if (!input->peers)
		return true;
	row = row_of(input, &at);
	if (!row || !scan_number(&at, UINT32_MAX, &tenant) ||
		!scan_word(&at, end, sizeof end) || !scan_end_of(end, &new.end) ||
		!key(&at, "dialect") || !scan_number(&at, UINT16_MAX, &dialect) ||
		!take_digest(&at, "header", &new.header_digest) ||
		!take_digest(&at, "data", &new.data_digest))
		return false;
	if (tenant != row->tenant || memcmp(&row->end, &new.end, sizeof new.end)) {
		peer_add_up(&input->peers->given_up, row);
		memset(row, 0, sizeof *row);
	}
	row->end = new.end;
	row->tenant = (uint32_t)tenant;
	row->dialect = (uint16_t)dialect;
	row->header_digest = new.header_digest;
	row->data_digest = new.data_digest;
	return true;
}

static bool take_numbers(const char *at, uint64_t *to, unsigned count)
{
	uint64_t values[PEER_SLOWER];

	for (unsigned i = 0; i < count; i++)
		if (!scan_u64(&at, &values[i]))
			return false;
	if (!scan_end(at))
		return false;
	memcpy(to, values, count * sizeof *to);
	return true;
}

bool wire_take_peer_segments(struct wire_input *input, const char *at)
{
	struct peer_row *row;

	if (!input->peers)
		return true;
	row = row_of(input, &at);
	return row && take_numbers(at, row->segments, PACKET_DIRECTIONS);
}

bool wire_take_peer_class(struct wire_input *input, const char *at)
{
	uint64_t passed[PACKET_DIRECTIONS];
	struct peer_row *row;
	char id[64];
	int class;

	if (!input->peers)
		return true;
	row = row_of(input, &at);
	if (!row || !scan_word(&at, id, sizeof id))
		return false;
	class = packet_class_find(id);
	return take_numbers(
		at, class < 0 ? passed : row->count[class], PACKET_DIRECTIONS);
}

static struct response *response_of(struct wire_input *input, const char **at)
{
	struct peer_row *row = row_of(input, at);
	char word[16];

	if (!row || !scan_word(at, word, sizeof word))
		return NULL;
	for (unsigned i = 0; i < RESPONSE_KINDS; i++)
		if (!strcmp(word, packet_response_words[i]))
			return &row->response[i];
	return NULL;
}

bool wire_take_peer_times(struct wire_input *input, const char *at)
{
	struct response *response;
	uint64_t values[2];

	if (!input->peers)
		return true;
	response = response_of(input, &at);
	if (!response || !take_numbers(at, values, 2))
		return false;
	response->count = values[0];
	response->sum_us = values[1];
	return true;
}

bool wire_take_peer_slower(struct wire_input *input, const char *at)
{
	struct response *response;
	uint64_t from;
	unsigned count;

	if (!input->peers)
		return true;
	response = response_of(input, &at);
	if (!response || !scan_number(&at, RESPONSE_EDGES - 1, &from))
		return false;
	count = RESPONSE_EDGES - (unsigned)from;
	return take_numbers(
		at, response->slower + from, count < PEER_SLOWER ? count : PEER_SLOWER);
}
