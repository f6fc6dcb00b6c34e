// SPDX-License-Identifier: MIT
/* Registers of the mailbox. */
#include "board/mailbox.h"

#include <stdio.h>
#include <string.h>

void mailbox_init(struct mailbox *box,
		  void (*execute)(void *ctx, const char *line, char *reply, unsigned int bytes),
		  void *ctx)
{
	memset(box, 0, sizeof(*box));
	box->execute = execute;
	box->ctx = ctx;
}

void mailbox_reset(struct mailbox *box)
{
	box->line_bytes = 0;
	box->overlong = false;
	box->reply_bytes = 0;
	box->position = 0;
}

static void append(struct mailbox *box, uint32_t value)
{
	for (unsigned int i = 0; i < sizeof(value); i++, value >>= 8) {
		if (!(value & 0xff))
			return;
		if (box->line_bytes < CONTROL_LINE_BYTES - 1)
			box->line[box->line_bytes++] = (char)(value & 0xff);
		else
			box->overlong = true;
	}
}

static void execute(struct mailbox *box)
{
	box->line[box->line_bytes] = '\0';
	if (box->overlong)
		snprintf(box->reply, sizeof(box->reply), "error: the command is too long\n");
	else
		box->execute(box->ctx, box->line, box->reply, sizeof(box->reply));
	box->reply_bytes = strlen(box->reply);
	box->position = 0;
	box->line_bytes = 0;
	box->overlong = false;
}

static uint32_t next_of_reply(struct mailbox *box)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < sizeof(value) && box->position < box->reply_bytes; i++)
		value |= (uint32_t)(uint8_t)box->reply[box->position++] << 8 * i;
	return value;
}

uint32_t mailbox_read(struct mailbox *box, uint32_t offset)
{
	switch (offset) {
	case MAILBOX_CONTROL:
		return box->reply_bytes;
	case MAILBOX_COMMAND:
		return box->line_bytes;
	case MAILBOX_REPLY:
		return next_of_reply(box);
	case MAILBOX_ID:
		return MAILBOX_ID_VALUE;
	default:
		return UINT32_MAX;
	}
}

void mailbox_write(struct mailbox *box, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case MAILBOX_CONTROL:
		if (value == MAILBOX_BEGIN)
			mailbox_reset(box);
		else if (value == MAILBOX_GO)
			execute(box);
		break;
	case MAILBOX_COMMAND:
		append(box, value);
		break;
	case MAILBOX_REPLY:
		box->position = value < box->reply_bytes ? value : box->reply_bytes;
		break;
	}
}
