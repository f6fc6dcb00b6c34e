// SPDX-License-Identifier: MIT
/*
 * The control protocol through the mailbox (board/mailbox.h). Its registers are accessed
 * through the card's window in PCI configuration space, because a guest of User-Mode Linux
 * cannot map BARs to user space.
 */
#include "control/channel.h"

#include <fcntl.h>
#include <pciaccess.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "board/board.h"
#include "board/mailbox.h"
#include "bus/pci_config.h"

static struct pci_device *find_card(void)
{
	const struct pci_id_match match = {
		.vendor_id = BOARD_PCI_VENDOR,
		.device_id = BOARD_PCI_DEVICE,
		.subvendor_id = PCI_MATCH_ANY,
		.subdevice_id = PCI_MATCH_ANY,
	};
	struct pci_device_iterator *iterator = pci_id_match_iterator_create(&match);
	struct pci_device *card = pci_device_next(iterator);

	pci_iterator_destroy(iterator);
	return card;
}

static bool window_write(struct pci_device *card, uint32_t offset, uint32_t value)
{
	return !pci_device_cfg_write_u32(card, offset, PCI_WINDOW_OFFSET) &&
	       !pci_device_cfg_write_u32(card, value, PCI_WINDOW_DATA);
}

static bool window_read(struct pci_device *card, uint32_t offset, uint32_t *value)
{
	return !pci_device_cfg_write_u32(card, offset, PCI_WINDOW_OFFSET) &&
	       !pci_device_cfg_read_u32(card, value, PCI_WINDOW_DATA);
}

static bool send_command(struct pci_device *card, const char *line)
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

static bool receive_reply(struct pci_device *card, char *reply, size_t reply_bytes)
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

static const char *talk(struct pci_device *card, const char *line, char *reply, size_t reply_bytes)
{
	const char *problem = NULL;
	uint32_t id;

	if (!window_read(card, BOARD_MAILBOX_BASE + MAILBOX_ID, &id))
		return "the card's configuration space cannot be accessed (are you root?)";
	if (id != MAILBOX_ID_VALUE)
		return "the card has no mailbox, or is gone";
	if (!send_command(card, line))
		problem = "the card does not take commands";
	else if (!receive_reply(card, reply, reply_bytes))
		problem = "the card did not answer";
	/* leave the window at a register that can be read without side effects */
	window_write(card, BOARD_REGS_BASE + BOARD_MAGIC, 0);
	return problem;
}

/* Lock window and mailbox against other users. */
static int lock_card(const struct pci_device *card)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%04x:%02x:%02x.%u/config", card->domain,
		 card->bus, card->dev, card->func);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		flock(fd, LOCK_EX);
	return fd;
}

const char *channel_mailbox(const char *line, char *reply, size_t reply_bytes)
{
	const char *problem = "there is no virtual card on the PCI bus";
	struct pci_device *card;
	int lock;

	if (pci_system_init())
		return "there is no PCI bus";
	card = find_card();
	if (card) {
		lock = lock_card(card);
		problem = talk(card, line, reply, reply_bytes);
		if (lock >= 0)
			close(lock);
	}
	pci_system_cleanup();
	return problem;
}
