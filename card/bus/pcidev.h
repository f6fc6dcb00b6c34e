/* SPDX-License-Identifier: MIT */
/*
 * The card as a PCI function, spoken to in messages (struct virtio_pcidev_msg):
 * configuration space and BAR accesses arrive on the command queue, interrupts
 * leave on the interrupt queue. Knows neither sockets nor User-Mode Linux.
 */
#ifndef CARD_BUS_PCIDEV_H
#define CARD_BUS_PCIDEV_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"
#include "bus/memory.h"
#include "bus/pci_config.h"
#include "bus/vring.h"

/* Interrupts that wait for a buffer of the guest; more of them are merged. */
#define PCIDEV_MSI_BACKLOG 64u

struct pcidev_statistics {
	uint64_t config_reads, config_writes, reads, writes, memsets;
	uint64_t bytes_read, bytes_written; /* of BAR0 */
	uint64_t bad_chains, bad_commands, broken_rings;
	uint64_t msi_sent, msi_off, msi_merged; /* msi_off: while the guest had it turned off */
};

struct pcidev {
	struct board *board;
	const struct guest_memory *memory;
	struct vring *commands;
	struct vring *interrupts;
	struct pci_config config;
	struct pci_msi_message backlog[PCIDEV_MSI_BACKLOG];
	unsigned int backlog_count;
	unsigned int posted; /* writes given back since the guest last looked for a read's answer */
	bool serving;        /* within pcidev_serve() */
	bool unplugged;      /* pulled while serving: stop at once */
	struct pcidev_statistics statistics;
};

/** pcidev_init - a function behind two rings; @board may be filled in later, before it is used. */
void pcidev_init(struct pcidev *dev, const struct guest_memory *memory, struct vring *commands,
		 struct vring *interrupts);

/** pcidev_reset - as after power-on; statistics stay. */
void pcidev_reset(struct pcidev *dev);

/**
 * pcidev_execute - carry out one command
 * @dev: the function
 * @chain: readable: the message; writable: room for the answer
 * @written: bytes of answer written
 *
 * Returns: false when the command makes no sense; it then had no effect.
 */
bool pcidev_execute(struct pcidev *dev, const struct vring_chain *chain, uint32_t *written);

/**
 * pcidev_serve - carry out what waits on the command queue
 * @limit: at most so many commands
 *
 * Does nothing when called from within itself.
 *
 * Returns: the number of commands taken.
 */
unsigned int pcidev_serve(struct pcidev *dev, unsigned int limit);

/**
 * pcidev_posted_backlog - whether posted writes pile up that the guest does not reap
 *
 * The guest frees them when it reads or when the command queue signals. Signal
 * it when this says so; it then starts counting anew.
 */
bool pcidev_posted_backlog(struct pcidev *dev);

/** pcidev_posted_full - the same question without starting anew. */
bool pcidev_posted_full(const struct pcidev *dev);

/** pcidev_raise - queue an MSI if the guest has it turned on. */
void pcidev_raise(struct pcidev *dev);

/**
 * pcidev_flush_interrupts - put queued MSIs into the guest's buffers
 *
 * The guest is asked to kick the queue for new buffers as long as some wait.
 *
 * Returns: true if the guest must be signalled.
 */
bool pcidev_flush_interrupts(struct pcidev *dev);

#endif
