/* SPDX-License-Identifier: MIT */
/*
 * Interrupts to a vfio-user client, by eventfds of the client: INTx with the meaning of a level,
 * MSI and MSI-X. The configuration space decides which of them is used.
 */
#ifndef CARD_BUS_VFIO_IRQ_H
#define CARD_BUS_VFIO_IRQ_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/pci_config.h"
#include "bus/vfio_message.h"

struct vfio_irq {
	int fd[VFIO_USER_IRQ_INDICES][MSIX_VECTORS]; /* eventfds; -1: none */
	const struct pci_config *config;
	/** @level: whether an enabled line of the board is active */
	bool (*level)(void *ctx);
	void *ctx;
	/*
	 * INTx was reported, or masked by the client. The client signals the guest's interrupt
	 * controller until the guest accesses the card, and then unmasks.
	 */
	bool masked;
	uint32_t pending; /* vectors of MSI-X that were raised and could not be signalled */
	struct {
		uint64_t intx, msi, msix; /* sent */
		uint64_t unmasked, again; /* INTx unmasked; of these, with the line still active */
		uint64_t dropped;         /* MSIs that could not be sent; they do not wait */
	} statistics;
};

/** vfio_irq_init - initialise without eventfds; the caller sets config, level and ctx afterwards */
void vfio_irq_init(struct vfio_irq *irq);

/** vfio_irq_close - close the eventfds; keeps statistics */
void vfio_irq_close(struct vfio_irq *irq);

/**
 * vfio_irq_is_eventfd - whether a descriptor is an eventfd
 *
 * Writes to others could block, or have effects elsewhere.
 */
bool vfio_irq_is_eventfd(int fd);

/**
 * vfio_irq_set - execute a valid request
 * @fds: eventfds, as many as @request->count if @request->has_fds; those that are taken over are
 * replaced by -1
 */
void vfio_irq_set(struct vfio_irq *irq, const struct vfio_irq_request *request, int *fds);

/**
 * vfio_irq_raise - a line of the board has become active, or still is (board_irq_use_levels())
 * @source: its number
 *
 * The client has the table of MSI-X and its masks: it decides what becomes of a signal.
 */
void vfio_irq_raise(struct vfio_irq *irq, unsigned int source);

/** vfio_irq_update - send what has become possible; after a change of configuration space */
void vfio_irq_update(struct vfio_irq *irq);

/** vfio_irq_reset - reset of the function: forgets pending vectors; eventfds and mask stay */
void vfio_irq_reset(struct vfio_irq *irq);

#endif
