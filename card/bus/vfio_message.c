// SPDX-License-Identifier: MIT
/* Checks of the messages of vfio-user. */
#include "bus/vfio_message.h"

#include <errno.h>
#include <linux/vfio.h>
#include <string.h>

_Static_assert(sizeof(struct vfio_user_header) == 16, "as in the protocol");
_Static_assert(sizeof(struct vfio_user_dma_map) == 32, "as in the protocol");
_Static_assert(sizeof(struct vfio_user_dma_unmap) == 24, "as in the protocol");
_Static_assert(sizeof(struct vfio_user_region_info) == 32, "as in the protocol");
_Static_assert(sizeof(struct vfio_user_irq_set) == 20, "as in the protocol");
_Static_assert(sizeof(struct vfio_user_small_write) == 24, "as in the protocol");
_Static_assert(VFIO_USER_PAYLOAD_BYTES >= sizeof(struct vfio_user_access) + VFIO_USER_DATA_BYTES,
	       "room for the largest access");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structures are copied as they are");

const char *vfio_check_header(const struct vfio_user_header *header)
{
	if (header->flags & VFIO_USER_TYPE)
		return "a message is not a command, and the card has sent none";
	if (header->flags & ~VFIO_USER_NO_REPLY)
		return "a message header has flags that a command cannot have";
	if (header->size < sizeof(*header) ||
	    header->size > sizeof(*header) + VFIO_USER_PAYLOAD_BYTES)
		return "a message is shorter than its header or longer than agreed";
	return NULL;
}

unsigned int vfio_irq_count(uint32_t index, bool msi)
{
	switch (index) {
	case VFIO_PCI_INTX_IRQ_INDEX:
		return 1;
	case VFIO_PCI_MSI_IRQ_INDEX:
		return msi ? 1 : 0;
	case VFIO_PCI_MSIX_IRQ_INDEX:
		return msi ? MSIX_VECTORS : 0;
	default:
		return 0;
	}
}

int vfio_check_version(const void *payload, size_t bytes)
{
	struct vfio_user_version version;

	if (bytes < sizeof(version))
		return EINVAL;
	memcpy(&version, payload, sizeof(version));
	if (bytes > sizeof(version) && ((const char *)payload)[bytes - 1])
		return EINVAL; /* the capabilities do not end */
	return version.major == VFIO_USER_MAJOR ? 0 : EPROTONOSUPPORT;
}

/* ---- memory ---- */

/* Whether a range consists of whole pages and does not wrap around. */
static bool whole_pages(uint64_t address, uint64_t size)
{
	return size && address % VFIO_USER_PAGE == 0 && size % VFIO_USER_PAGE == 0 &&
	       size - 1 <= UINT64_MAX - address;
}

int vfio_check_dma_map(const void *payload, size_t bytes, unsigned int fds,
		       struct vfio_user_dma_map *map)
{
	const uint32_t flags = VFIO_USER_DMA_READABLE | VFIO_USER_DMA_WRITEABLE;

	if (bytes != sizeof(*map) || fds > 1)
		return EINVAL;
	memcpy(map, payload, sizeof(*map));
	if (map->argsz < sizeof(*map) || map->flags & ~flags)
		return EINVAL;
	if (!whole_pages(map->address, map->size))
		return EINVAL;
	/* Files have offsets of 63 bits. */
	if (map->offset % VFIO_USER_PAGE || map->offset > INT64_MAX ||
	    map->size > INT64_MAX - map->offset)
		return EINVAL;
	return 0;
}

int vfio_check_dma_unmap(const void *payload, size_t bytes, struct vfio_user_dma_unmap *unmap)
{
	if (bytes < sizeof(*unmap))
		return EINVAL;
	memcpy(unmap, payload, sizeof(*unmap));
	if (unmap->flags & VFIO_USER_UNMAP_DIRTY)
		return ENOTSUP;
	if (bytes != sizeof(*unmap) || unmap->argsz < sizeof(*unmap) ||
	    unmap->flags & ~VFIO_USER_UNMAP_ALL)
		return EINVAL;
	if (unmap->flags & VFIO_USER_UNMAP_ALL)
		return unmap->address || unmap->size ? EINVAL : 0;
	return whole_pages(unmap->address, unmap->size) ? 0 : EINVAL;
}

/* ---- questions ---- */

int vfio_check_device_info(const void *payload, size_t bytes)
{
	struct vfio_user_device_info info;

	if (bytes < sizeof(info))
		return EINVAL;
	memcpy(&info, payload, sizeof(info));
	return info.argsz < sizeof(info) ? EINVAL : 0;
}

int vfio_check_region_info(const void *payload, size_t bytes, uint32_t *index)
{
	struct vfio_user_region_info info;

	if (bytes < sizeof(info))
		return EINVAL;
	memcpy(&info, payload, sizeof(info));
	*index = info.index;
	return info.argsz < sizeof(info) || info.index >= VFIO_USER_REGION_COUNT ? EINVAL : 0;
}

int vfio_check_irq_info(const void *payload, size_t bytes, uint32_t *index)
{
	struct vfio_user_irq_info info;

	if (bytes < sizeof(info))
		return EINVAL;
	memcpy(&info, payload, sizeof(info));
	*index = info.index;
	return info.argsz < sizeof(info) || info.index >= VFIO_USER_IRQ_INDICES ? EINVAL : 0;
}

/* ---- interrupts ---- */

static bool is_one_bit(uint32_t value)
{
	return value && !(value & (value - 1));
}

/* Whether an action may have this kind of data: only INTx is masked, and not by descriptors. */
static bool action_fits(const struct vfio_irq_request *request)
{
	if (!is_one_bit(request->action) || !is_one_bit(request->data))
		return false;
	if (request->action == VFIO_IRQ_SET_ACTION_TRIGGER)
		return true;
	return request->index == VFIO_PCI_INTX_IRQ_INDEX &&
	       request->data != VFIO_IRQ_SET_DATA_EVENTFD;
}

/*
 * Whether the range is inside the interrupts of the index. An empty range, which stands for all of
 * them, is for the end of their use only.
 */
static bool range_fits(const struct vfio_irq_request *request, bool msi)
{
	const unsigned int count = vfio_irq_count(request->index, msi);

	if (!request->count)
		return !request->start && request->action == VFIO_IRQ_SET_ACTION_TRIGGER &&
		       request->data == VFIO_IRQ_SET_DATA_NONE;
	return request->start < count && request->count <= count - request->start;
}

int vfio_check_irq_set(const void *payload, size_t bytes, unsigned int fds, bool msi,
		       struct vfio_irq_request *request)
{
	struct vfio_user_irq_set set;
	size_t flags_bytes;

	if (bytes < sizeof(set))
		return EINVAL;
	memcpy(&set, payload, sizeof(set));
	*request = (struct vfio_irq_request){
		.action = set.flags & VFIO_IRQ_SET_ACTION_TYPE_MASK,
		.data = set.flags & VFIO_IRQ_SET_DATA_TYPE_MASK,
		.index = set.index,
		.start = set.start,
		.count = set.count,
		.has_fds = fds > 0,
	};
	if (set.flags & ~(VFIO_IRQ_SET_ACTION_TYPE_MASK | VFIO_IRQ_SET_DATA_TYPE_MASK) ||
	    set.index >= VFIO_USER_IRQ_INDICES || !action_fits(request) ||
	    !range_fits(request, msi))
		return EINVAL;
	/* Interrupts lose their descriptors by a message without any. */
	if (fds && (request->data != VFIO_IRQ_SET_DATA_EVENTFD || fds != request->count))
		return EINVAL;
	/* at most MSIX_VECTORS: see range_fits() */
	flags_bytes = request->data == VFIO_IRQ_SET_DATA_BOOL ? request->count : 0;
	if (bytes != sizeof(set) + flags_bytes || set.argsz < sizeof(set) + flags_bytes)
		return EINVAL;
	memcpy(request->flag, (const uint8_t *)payload + sizeof(set), flags_bytes);
	return 0;
}

/* ---- accesses ---- */

static bool range_inside(const struct vfio_user_access *access, uint64_t region_bytes)
{
	return access->offset < region_bytes && access->count <= region_bytes - access->offset;
}

static bool register_size(uint32_t count)
{
	return count == 1 || count == 2 || count == 4 || count == 8;
}

static bool access_fits(const struct vfio_user_access *access)
{
	if (!access->count)
		return false;
	if (access->region == VFIO_PCI_BAR0_REGION_INDEX)
		return register_size(access->count) && access->offset % access->count == 0 &&
		       range_inside(access, BOARD_BAR0_BYTES);
	return access->region == VFIO_PCI_CONFIG_REGION_INDEX &&
	       range_inside(access, PCI_CONFIG_BYTES);
}

int vfio_check_access(const void *payload, size_t bytes, bool write,
		      struct vfio_user_access *access)
{
	if (bytes < sizeof(*access))
		return EINVAL;
	memcpy(access, payload, sizeof(*access));
	if (!access_fits(access))
		return EINVAL;
	return bytes == sizeof(*access) + (write ? access->count : 0) ? 0 : EINVAL;
}

int vfio_check_small_writes(const void *payload, size_t bytes, struct vfio_small_writes *writes)
{
	uint64_t count;

	if (bytes < sizeof(count))
		return EINVAL;
	memcpy(&count, payload, sizeof(count));
	bytes -= sizeof(count);
	/* The client may send room for more writes than it counts. */
	if (count > VFIO_USER_MULTI_WRITES || bytes < count * sizeof(writes->write[0]) ||
	    bytes > sizeof(writes->write))
		return EINVAL;
	writes->count = count;
	memcpy(writes->write, (const uint8_t *)payload + sizeof(count),
	       count * sizeof(writes->write[0]));
	for (unsigned int i = 0; i < writes->count; i++)
		if (!access_fits(&writes->write[i].access) ||
		    writes->write[i].access.count > sizeof(writes->write[i].data))
			return EINVAL;
	return 0;
}
