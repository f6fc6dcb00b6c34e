// SPDX-License-Identifier: MIT
/*
 * The control protocol through the mailbox (board/mailbox.h). Its registers are accessed
 * through the card's window in PCI configuration space, because a guest of User-Mode Linux
 * cannot map BARs to user space. The configuration space is the file of sysfs, which libraries
 * read and write as well. A command's execution sets the mailbox to the reply's first byte; each
 * read of MAILBOX_REPLY goes on from there.
 */
#include "control/channel.h"

#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "board/board.h"
#include "board/mailbox.h"
#include "bus/pci_config.h"

static bool config_read(int card, uint32_t offset, uint32_t *value)
{
	return pread(card, value, 4, offset) == 4;
}

static bool config_write(int card, uint32_t offset, uint32_t value)
{
	return pwrite(card, &value, 4, offset) == 4;
}

static bool is_card(int file)
{
	uint32_t id;

	return config_read(file, 0, &id) &&
	       (id == (BOARD_PCI_DEVICE << 16 | BOARD_PCI_VENDOR) ||
		id == (BOARD_PCI_DEVICE_PLATFORM << 16 | BOARD_PCI_VENDOR));
}

/* The first card's configuration space, or -1. */
static int open_card(void)
{
	glob_t paths;
	int card = -1;

	if (glob("/sys/bus/pci/devices/*/config", 0, NULL, &paths))
		return -1;
	for (size_t i = 0; i < paths.gl_pathc && card < 0; i++) {
		card = open(paths.gl_pathv[i], O_RDWR | O_CLOEXEC);
		if (card >= 0 && !is_card(card)) {
			close(card);
			card = -1;
		}
	}
	globfree(&paths);
	return card;
}

static bool window_write(int card, uint32_t offset, uint32_t value)
{
	return config_write(card, PCI_WINDOW_OFFSET, offset) &&
	       config_write(card, PCI_WINDOW_DATA, value);
}

static bool window_read(int card, uint32_t offset, uint32_t *value)
{
	return config_write(card, PCI_WINDOW_OFFSET, offset) &&
	       config_read(card, PCI_WINDOW_DATA, value);
}

static bool send_command(int card, const char *line)
{
	size_t length = strlen(line);

	if (!window_write(card, BOARD_MAILBOX_BASE + MAILBOX_CONTROL, MAILBOX_BEGIN))
		return false;
	for (size_t i = 0; i < length; i += 4) {
		uint32_t word = 0;

		memcpy(&word, line + i, length - i < 4 ? length - i : 4);
		if (!window_write(card, BOARD_MAILBOX_BASE + MAILBOX_COMMAND, word))
			return false;
	}
	return window_write(card, BOARD_MAILBOX_BASE + MAILBOX_CONTROL, MAILBOX_GO);
}

static bool receive_reply(int card, char *reply, size_t reply_bytes)
{
	uint32_t length, word;

	if (!window_read(card, BOARD_MAILBOX_BASE + MAILBOX_CONTROL, &length) ||
	    length >= reply_bytes)
		return false;
	for (uint32_t i = 0; i < length; i += 4) {
		if (!window_read(card, BOARD_MAILBOX_BASE + MAILBOX_REPLY, &word))
			return false;
		memcpy(reply + i, &word, length - i < 4 ? length - i : 4);
	}
	reply[length] = '\0';
	return true;
}

static const char *talk(int card, const char *line, char *reply, size_t reply_bytes)
{
	const char *problem = NULL;
	uint32_t id;

	if (!window_read(card, BOARD_MAILBOX_BASE + MAILBOX_ID, &id))
		return "the card's configuration space cannot be accessed";
	if (id != MAILBOX_ID_VALUE)
		return "the card has no mailbox, or is gone";
	if (!send_command(card, line))
		problem = "the card does not take commands";
	else if (!receive_reply(card, reply, reply_bytes))
		problem = "the card did not answer";
	/* leave the window at a register that can be read and written without side effects */
	window_write(card, BOARD_REGS_BASE + BOARD_MAGIC, 0);
	return problem;
}

const char *channel_mailbox(const char *line, char *reply, size_t reply_bytes)
{
	const char *problem;
	int card;

	if (access("/sys/bus/pci", F_OK))
		return "there is no PCI bus";
	card = open_card();
	if (card < 0)
		return geteuid() ? "the card's configuration space is root's"
				 : "there is no virtual card on the PCI bus";
	/* Another vivgpu-cardctl must not use window and mailbox meanwhile. */
	flock(card, LOCK_EX);
	problem = talk(card, line, reply, reply_bytes);
	close(card);
	return problem;
}
