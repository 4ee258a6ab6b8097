/* Messages of RPL in ICMPv6 (RFC 6550 6): their lengths, and those of their options. */
#include "config.h"

#include "packet/decode.h"

enum {
	HEADER = 4, /* of ICMPv6 */
	ADDRESS = 16,
	OPTION_PAD1 = 0,
	OPTION_ANY = UINT8_MAX, /* that many bytes or more */
};

/* Messages by code: bytes behind the header, and the bit in the second of them that
 * brings in an address. */
static const struct message {
	uint8_t size, address;
} messages[] = {
	{2, 0},    /* information solicitation */
	{24, 0},   /* information object */
	{4, 0x40}, /* destination advertisement */
	{4, 0x80}, /* its answer */
};

/* Sizes that an option may have. */
static const struct option {
	uint8_t type;
	uint8_t sizes[3];
} options[] = {
	{3, {6, 14, 22}},           /* route */
	{4, {14, 14, 14}},          /* configuration */
	{5, {2, 10, 18}},           /* target */
	{6, {4, 20, 20}},           /* transit */
	{7, {19, 19, 19}},          /* solicited */
	{8, {30, 30, 30}},          /* prefix */
	{9, {4, 4, 4}},             /* description of a target */
	{10, {18, 18, OPTION_ANY}}, /* route discovery */
};

static bool size_fits(uint8_t type, uint8_t size)
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		const uint8_t *sizes = options[i].sizes;

		if (options[i].type == type)
			return size == sizes[0] || size == sizes[1] ||
			       size == sizes[2] ||
			       (sizes[2] == OPTION_ANY && size >= sizes[0]);
	}
	return true;
}

/* One option at *AT; false where it does not fit. A cut by the capture ends them. */
static bool option_fits(const struct view *view, uint32_t *at)
{
	const uint8_t *head = view_bytes(view, *at, 2);
	uint8_t type;

	if (view_u8(view, *at, &type) && type == OPTION_PAD1) {
		++*at;
		return true;
	}
	enum view_end end = view_end(view, *at, head ? head[1] + 2u : 2);
	bool fits = end != VIEW_PAST && (!head || size_fits(head[0], head[1]));
	*at = end == VIEW_THERE && head ? *at + head[1] + 2 : view->length;
	return fits;
}

bool rpl_fits(const struct view *view)
{
	const uint8_t *head = view_bytes(view, 0, HEADER + 2);
	bool known = head && head[1] < sizeof messages / sizeof *messages;

	if (!known)
		return view_end(view, 0, HEADER + 2) != VIEW_PAST;
	const struct message *message = &messages[head[1]];
	uint32_t at = (uint32_t)HEADER + message->size +
		      (head[HEADER + 1] & message->address ? ADDRESS : 0);
	if (view_end(view, 0, at) == VIEW_PAST)
		return false;
	while (at < view->length)
		if (!option_fits(view, &at))
			return false;
	return true;
}
