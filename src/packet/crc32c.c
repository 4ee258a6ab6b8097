/* CRC32C by table, eight bytes at a time; see the header. */
#include "config.h"

#include "packet/crc32c.h"

#include "packet/view.h"

#define POLYNOMIAL UINT32_C(0x82f63b78) /* reflected */

void crc32c_init(struct crc32c *crc)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t state = byte;
		for (int bit = 0; bit < 8; bit++)
			state = state >> 1 ^ (state & 1 ? POLYNOMIAL : 0);
		crc->table[0][byte] = state;
	}
	for (int row = 1; row < 8; row++)
		for (int byte = 0; byte < 256; byte++) {
			uint32_t before = crc->table[row - 1][byte];
			crc->table[row][byte] =
				before >> 8 ^ crc->table[0][before & 0xff];
		}
}

static uint32_t add_word(const struct crc32c *crc, uint32_t state, const uint8_t *data)
{
	uint32_t low = state ^ load_le32(data);

	return crc->table[7][low & 0xff] ^ crc->table[6][low >> 8 & 0xff] ^
	       crc->table[5][low >> 16 & 0xff] ^ crc->table[4][low >> 24] ^
	       crc->table[3][data[4]] ^ crc->table[2][data[5]] ^
	       crc->table[1][data[6]] ^ crc->table[0][data[7]];
}

uint32_t crc32c_add(
	const struct crc32c *crc, uint32_t state, const uint8_t *data, size_t size)
{
	for (; size >= 8; size -= 8, data += 8)
		state = add_word(crc, state, data);
	for (; size > 0; size--, data++)
		state = state >> 8 ^ crc->table[0][(state ^ *data) & 0xff];
	return state;
}
