// SPDX-License-Identifier: MIT
/* Interrupts to a vfio-user client. */
#include "bus/vfio_irq.h"

#include <fcntl.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void vfio_irq_init(struct vfio_irq *irq)
{
	memset(irq, 0, sizeof(*irq));
	memset(irq->fd, 0xff, sizeof(irq->fd));
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void vfio_irq_close(struct vfio_irq *irq)
{
	for (unsigned int i = 0; i < VFIO_USER_IRQ_INDICES; i++)
		for (unsigned int v = 0; v < MSIX_VECTORS; v++)
			close_fd(&irq->fd[i][v]);
	irq->masked = false;
	irq->pending = 0;
}

void vfio_irq_reset(struct vfio_irq *irq)
{
	irq->pending = 0;
}

bool vfio_irq_is_eventfd(int fd)
{
	static const char wanted[] = "anon_inode:[eventfd]";
	char path[32], target[sizeof(wanted)];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, target, sizeof(target)) == sizeof(wanted) - 1 &&
	       !memcmp(target, wanted, sizeof(wanted) - 1);
}

/*
 * Count one interrupt in the client's eventfd; false if there is none, or its counter is full. The
 * client finds a full counter when it reads next, so it does not miss an interrupt.
 */
static bool signal_client(const struct vfio_irq *irq, uint32_t index, unsigned int vector)
{
	const uint64_t one = 1;

	if (irq->fd[index][vector] < 0)
		return false;
	return write(irq->fd[index][vector], &one, sizeof(one)) == sizeof(one);
}

static void update_intx(struct vfio_irq *irq)
{
	if (irq->masked || !pci_config_intx_enabled(irq->config) || !irq->level(irq->ctx) ||
	    !signal_client(irq, VFIO_PCI_INTX_IRQ_INDEX, 0))
		return;
	irq->masked = true;
	irq->statistics.intx++;
}

static void send_pending(struct vfio_irq *irq)
{
	for (unsigned int v = 0; v < MSIX_VECTORS; v++) {
		if (!(irq->pending & 1u << v) || !signal_client(irq, VFIO_PCI_MSIX_IRQ_INDEX, v))
			continue;
		irq->pending &= ~(1u << v);
		irq->statistics.msix++;
	}
}

static void send_msi(struct vfio_irq *irq)
{
	if (signal_client(irq, VFIO_PCI_MSI_IRQ_INDEX, 0))
		irq->statistics.msi++;
	else
		irq->statistics.dropped++;
}

void vfio_irq_update(struct vfio_irq *irq)
{
	if (pci_config_msix_enabled(irq->config))
		send_pending(irq);
	else
		irq->pending = 0;
	update_intx(irq);
}

void vfio_irq_raise(struct vfio_irq *irq, unsigned int source)
{
	if (pci_config_msix_enabled(irq->config)) {
		irq->pending |= 1u << source;
		send_pending(irq);
	} else if (pci_config_msi_enabled(irq->config)) {
		send_msi(irq);
	} else {
		update_intx(irq);
	}
}

/* Set or remove the eventfds of the range. */
static void set_fds(struct vfio_irq *irq, const struct vfio_irq_request *request, int *fds)
{
	for (unsigned int i = 0; i < request->count; i++) {
		int *fd = &irq->fd[request->index][request->start + i];

		close_fd(fd);
		if (!request->has_fds)
			continue;
		*fd = fds[i];
		fds[i] = -1;
		fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) | O_NONBLOCK);
	}
	if (request->index == VFIO_PCI_INTX_IRQ_INDEX)
		irq->masked = false;
}

static void remove_all_fds(struct vfio_irq *irq, uint32_t index)
{
	for (unsigned int v = 0; v < MSIX_VECTORS; v++)
		close_fd(&irq->fd[index][v]);
	if (index == VFIO_PCI_INTX_IRQ_INDEX)
		irq->masked = false;
}

/* Signal the eventfds of the range, whatever the lines are. */
static void trigger(struct vfio_irq *irq, const struct vfio_irq_request *request)
{
	for (unsigned int i = 0; i < request->count; i++)
		if (request->data == VFIO_IRQ_SET_DATA_NONE || request->flag[i])
			signal_client(irq, request->index, request->start + i);
}

/* Of INTx: vfio_check_irq_set() refuses masks of the others. */
static void set_mask(struct vfio_irq *irq, const struct vfio_irq_request *request, bool masked)
{
	if (request->data == VFIO_IRQ_SET_DATA_BOOL && !request->flag[0])
		return;
	irq->masked = masked;
	if (masked)
		return;
	irq->statistics.unmasked++;
	irq->statistics.again += irq->level(irq->ctx);
}

void vfio_irq_set(struct vfio_irq *irq, const struct vfio_irq_request *request, int *fds)
{
	if (request->action != VFIO_IRQ_SET_ACTION_TRIGGER)
		set_mask(irq, request, request->action == VFIO_IRQ_SET_ACTION_MASK);
	else if (request->data == VFIO_IRQ_SET_DATA_EVENTFD)
		set_fds(irq, request, fds);
	else if (!request->count)
		remove_all_fds(irq, request->index);
	else
		trigger(irq, request);
	vfio_irq_update(irq);
}
