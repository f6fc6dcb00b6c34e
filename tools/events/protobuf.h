/* SPDX-License-Identifier: MIT */
/*
 * Encoding of protocol buffers, as far as a trace needs it:
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef VIVGPU_TOOLS_PROTOBUF_H
#define VIVGPU_TOOLS_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#define MESSAGE_BYTES 8192

/** A message being written; zero at first. A field that does not fit is left out as a whole. */
struct message {
	size_t used;
	uint8_t bytes[MESSAGE_BYTES];
};

/** Append a field. A number is a varint, a negative one in two's complement of 64 bits. */
void message_put_number(struct message *message, uint32_t field, uint64_t value);
void message_put_fixed64(struct message *message, uint32_t field, uint64_t value);
void message_put_bytes(struct message *message, uint32_t field, const void *bytes, size_t count);
void message_put_text(struct message *message, uint32_t field, const char *text);
void message_put_message(struct message *message, uint32_t field, const struct message *inner);

#endif
