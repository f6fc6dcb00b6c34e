/* SPDX-License-Identifier: MIT */
/*
 * The mailbox: registers for the control protocol, so that tests inside the guest can use it.
 * Four 32-bit registers from BOARD_MAILBOX_BASE on:
 *
 *  00 CONTROL  write 1: discard command and reply, begin a new command
 *              write 2: execute the command
 *              read: length of the reply in bytes
 *  04 COMMAND  write: append up to four bytes to the command, lowest first; of a word with
 *              a zero byte only those below it. Read: the command's length in bytes
 *  08 REPLY    read: the next four bytes of the reply, zeros past its end;
 *              write: continue at this byte
 *  0c ID       read: "MBOX"; identifies the mailbox
 *
 * A command is one line without newline, see Documentation/card/control.rst.
 */
#ifndef CARD_BOARD_MAILBOX_H
#define CARD_BOARD_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#define MAILBOX_CONTROL 0x00u
#define MAILBOX_COMMAND 0x04u
#define MAILBOX_REPLY 0x08u
#define MAILBOX_ID 0x0cu
#define MAILBOX_BYTES 0x10u

#define MAILBOX_BEGIN 1u
#define MAILBOX_GO 2u
#define MAILBOX_ID_VALUE 0x584f424du /* "MBOX" */

/* Longest command and reply, both with a zero byte at the end. */
#define CONTROL_LINE_BYTES 256u
#define CONTROL_REPLY_BYTES 16384u

struct mailbox {
	void (*execute)(void *ctx, const char *line, char *reply, unsigned int reply_bytes);
	void *ctx;
	char line[CONTROL_LINE_BYTES];
	unsigned int line_bytes;
	bool overlong; /* more was appended than fits */
	char reply[CONTROL_REPLY_BYTES];
	unsigned int reply_bytes, position;
};

/** mailbox_init - initialise; @execute executes a command like board_control() */
void mailbox_init(struct mailbox *box,
		  void (*execute)(void *ctx, const char *line, char *reply, unsigned int bytes),
		  void *ctx);

/** mailbox_reset - discard command and reply */
void mailbox_reset(struct mailbox *box);

/** mailbox_read, mailbox_write - 32-bit access at byte @offset of the mailbox, a multiple of 4 */
uint32_t mailbox_read(struct mailbox *box, uint32_t offset);
void mailbox_write(struct mailbox *box, uint32_t offset, uint32_t value);

#endif
