// SPDX-License-Identifier: MIT

#include "protobuf.h"

#include <string.h>

/* Wire types: VARINT, I64 and LEN of the specification, which are 0, 1 and 2 */
enum {
	NUMBER,
	FIXED64,
	BYTES,
};

/* Bytes of a 64-bit number in base 128, at most */
#define NUMBER_BYTES 10

/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
static size_t encode(uint8_t bytes[NUMBER_BYTES], uint64_t value)
{
	size_t count = 0;

	for (; value > 0x7f; value >>= 7)
		bytes[count++] = value | 0x80;
	bytes[count++] = value;
	return count;
}

/*
 * A field: its key, then @value unless @type is FIXED64, then @count bytes. With BYTES, @value is
 * @count as well.
 */
static void put(struct message *message, uint32_t field, uint32_t type, uint64_t value,
		const void *bytes, size_t count)
{
	uint8_t head[2 * NUMBER_BYTES];
	size_t used = encode(head, (uint64_t)field << 3 | type);

	if (type != FIXED64)
		used += encode(head + used, value);
	if (message->used + used + count > MESSAGE_BYTES)
		return;
	memcpy(message->bytes + message->used, head, used);
	if (count)
		memcpy(message->bytes + message->used + used, bytes, count);
	message->used += used + count;
}

void message_put_number(struct message *message, uint32_t field, uint64_t value)
{
	put(message, field, NUMBER, value, NULL, 0);
}

void message_put_fixed64(struct message *message, uint32_t field, uint64_t value)
{
	uint8_t bytes[8];

	for (unsigned int i = 0; i < 8; i++)
		bytes[i] = value >> 8 * i;
	put(message, field, FIXED64, 0, bytes, sizeof(bytes));
}

void message_put_bytes(struct message *message, uint32_t field, const void *bytes, size_t count)
{
	put(message, field, BYTES, count, bytes, count);
}

void message_put_text(struct message *message, uint32_t field, const char *text)
{
	message_put_bytes(message, field, text, strlen(text));
}

void message_put_message(struct message *message, uint32_t field, const struct message *inner)
{
	message_put_bytes(message, field, inner->bytes, inner->used);
}
