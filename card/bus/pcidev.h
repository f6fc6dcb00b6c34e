/* SPDX-License-Identifier: MIT */
/*
 * The card as a PCI function accessed by messages (struct virtio_pcidev_msg): configuration
 * space and BAR accesses arrive on the command queue, interrupts are sent on the interrupt
 * queue. Independent of sockets and User-Mode Linux.
 */
#ifndef CARD_BUS_PCIDEV_H
#define CARD_BUS_PCIDEV_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"
#include "bus/memory.h"
#include "bus/msix.h"
#include "bus/pci_config.h"
#include "bus/vring.h"

/*
 * Interrupts that can wait for a buffer of the guest. Further MSIs are merged; vectors of MSI-X
 * stay pending.
 */
#define PCIDEV_MSI_BACKLOG 64u

struct pcidev_statistics {
	uint64_t config_reads, config_writes, reads, writes, memsets;
	uint64_t bytes_read, bytes_written; /* of BAR0 */
	uint64_t bad_chains, bad_commands, broken_rings;
	/* msi_off: MSI-X was disabled, and MSI or bus mastering too */
	uint64_t msi_sent, msi_off, msi_merged;
};

struct pcidev {
	struct board *board;
	const struct guest_memory *memory;
	struct vring *commands;
	struct vring *interrupts;
	struct pci_config config;
	struct msix msix;
	struct pci_msi_message backlog[PCIDEV_MSI_BACKLOG];
	unsigned int backlog_count;
	/*
	 * Chains returned without an answer, such as posted writes, since one was returned with an
	 * answer, or since pcidev_posted_backlog() found the limit reached
	 */
	unsigned int posted;
	bool serving; /* within pcidev_serve() or pcidev_answer() */
	/* the connection has to end: take and return nothing; its owner sets and clears this */
	bool unplugged;
	struct pcidev_statistics statistics;
};

/** pcidev_init - initialise a function with two rings; @board must be set before it is used */
void pcidev_init(struct pcidev *dev, const struct guest_memory *memory, struct vring *commands,
		 struct vring *interrupts);

/** pcidev_reset - power-on reset; keeps statistics */
void pcidev_reset(struct pcidev *dev);

/**
 * pcidev_execute - execute a command
 * @dev: the function
 * @chain: readable buffers: the message; writable buffers: room for the answer
 * @written: receives the number of bytes of the answer
 *
 * Returns: false if the command is invalid; it then had no effect, but for a read through the
 * window whose answer had no room.
 */
bool pcidev_execute(struct pcidev *dev, const struct vring_chain *chain, uint32_t *written);

/**
 * pcidev_serve - execute commands waiting on the command queue
 * @limit: largest number of commands
 *
 * Has no effect if called recursively.
 *
 * Returns: the number of commands taken, invalid ones included.
 */
unsigned int pcidev_serve(struct pcidev *dev, unsigned int limit);

/**
 * pcidev_answer - execute commands on the command queue up to the first that has to wait
 *
 * Only accesses of board_is_immediate() are executed, in their order. Has no effect within
 * pcidev_serve().
 */
void pcidev_answer(struct pcidev *dev);

/**
 * pcidev_posted_backlog - whether the guest has to be signalled because of posted writes
 *
 * The guest frees posted writes when it reads or when the command queue signals. If this
 * returns true, the caller signals the queue. Counting starts again when the limit is reached, also
 * if the guest wants no signal.
 */
bool pcidev_posted_backlog(struct pcidev *dev);

/** pcidev_posted_full - whether the limit of posted writes is reached; counting goes on */
bool pcidev_posted_full(const struct pcidev *dev);

/**
 * pcidev_raise - queue an interrupt, if the guest has enabled MSI-X or MSI
 * @vector: of MSI-X; MSI has only one
 */
void pcidev_raise(struct pcidev *dev, unsigned int vector);

/**
 * pcidev_flush_interrupts - copy queued MSIs to the guest's buffers
 *
 * Enables kicks for new buffers as long as MSIs are queued.
 *
 * Returns: true if the guest must be signalled.
 */
bool pcidev_flush_interrupts(struct pcidev *dev);

#endif
