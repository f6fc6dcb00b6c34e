// SPDX-License-Identifier: MIT
/* The split virtqueue of bus/vring.h. Rings are little-endian, like this host. */
#include "bus/vring.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "virtio rings are little-endian");
_Static_assert(sizeof(struct vring_desc) == 16, "virtio 1.2, 2.7.5");

static bool aligned(uint64_t address, unsigned int to)
{
	return address % to == 0;
}

bool vring_map(struct vring *ring, const struct guest_memory *memory, uint64_t desc, uint64_t avail,
	       uint64_t used)
{
	uint64_t size = ring->size;

	ring->desc = NULL;
	ring->avail = NULL;
	ring->used = NULL;
	if (!size || !aligned(desc, 16) || !aligned(avail, 2) || !aligned(used, 4))
		return false;
	ring->desc = guest_memory_at(memory, desc, size * sizeof(struct vring_desc));
	ring->avail = guest_memory_at(memory, avail,
				      sizeof(struct vring_avail) + size * sizeof(uint16_t));
	ring->used = guest_memory_at(
		memory, used, sizeof(struct vring_used) + size * sizeof(struct vring_used_entry));
	if (!ring->desc || !ring->avail || !ring->used) {
		ring->used = NULL;
		return false;
	}
	ring->broken = false;
	ring->next_used = __atomic_load_n(&ring->used->index, __ATOMIC_RELAXED);
	return true;
}

void vring_reset(struct vring *ring)
{
	memset(ring, 0, sizeof(*ring));
}

/* Read a descriptor once: the guest may change it at any time. */
static struct vring_desc load_desc(const struct vring_desc *desc)
{
	const uint64_t *half = (const uint64_t *)desc;
	uint64_t words[2] = {
		__atomic_load_n(&half[0], __ATOMIC_RELAXED),
		__atomic_load_n(&half[1], __ATOMIC_RELAXED),
	};
	struct vring_desc copy;

	memcpy(&copy, words, sizeof(copy));
	return copy;
}

/* Collect the chain's buffers, from descriptor @index on. */
static bool collect(const struct vring *ring, const struct guest_memory *memory, uint16_t index,
		    struct vring_chain *chain)
{
	for (unsigned int i = 0; i < VRING_CHAIN_MAX; i++) {
		struct vring_buffer *buffer = &chain->buffer[i];
		struct vring_desc desc;

		if (index >= ring->size)
			return false;
		desc = load_desc(&ring->desc[index]);
		if (desc.flags & VRING_DESC_INDIRECT || !desc.length)
			return false;
		if (desc.flags & VRING_DESC_WRITE)
			chain->writable++;
		else if (chain->writable)
			return false; /* 2.7.4.2: readable ones come first */
		else
			chain->readable++;
		buffer->length = desc.length;
		buffer->data = guest_memory_at(memory, desc.address, desc.length);
		if (!buffer->data)
			return false;
		if (!(desc.flags & VRING_DESC_NEXT))
			return true;
		index = desc.next;
	}
	return false; /* too long, or a loop */
}

enum vring_result vring_pop(struct vring *ring, const struct guest_memory *memory,
			    struct vring_chain *chain)
{
	uint16_t offered = __atomic_load_n(&ring->avail->index, __ATOMIC_ACQUIRE);

	if (offered == ring->next_avail)
		return VRING_EMPTY;
	chain->readable = 0;
	chain->writable = 0;
	chain->head = __atomic_load_n(&ring->avail->ring[ring->next_avail & (ring->size - 1)],
				      __ATOMIC_RELAXED);
	if ((uint16_t)(offered - ring->next_avail) > ring->size || chain->head >= ring->size) {
		ring->broken = true;
		return VRING_BROKEN;
	}
	ring->next_avail++;
	return collect(ring, memory, chain->head, chain) ? VRING_CHAIN : VRING_BAD_CHAIN;
}

void vring_unpop(struct vring *ring)
{
	ring->next_avail--;
}

void vring_push(struct vring *ring, uint16_t head, uint32_t written)
{
	struct vring_used_entry *entry = &ring->used->ring[ring->next_used & (ring->size - 1)];

	entry->id = head;
	entry->length = written;
	__atomic_store_n(&ring->used->index, ++ring->next_used, __ATOMIC_RELEASE);
}

bool vring_wants_interrupt(const struct vring *ring)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* used index before flags: 2.7.7.2 */
	return !(__atomic_load_n(&ring->avail->flags, __ATOMIC_RELAXED) & VRING_AVAIL_NO_INTERRUPT);
}

void vring_set_notify(struct vring *ring, bool wanted)
{
	__atomic_store_n(&ring->used->flags, wanted ? 0 : VRING_USED_NO_NOTIFY, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* flags before the avail index: 2.7.10 */
}

/* Copy between @data and the bytes at @offset of @count buffers, in either direction. */
static bool copy(const struct vring_buffer *buffer, unsigned int count, uint64_t offset,
		 uint8_t *data, uint64_t length, bool to_guest)
{
	for (unsigned int i = 0; i < count && length; i++) {
		uint64_t here;

		if (offset >= buffer[i].length) {
			offset -= buffer[i].length;
			continue;
		}
		here = buffer[i].length - offset;
		if (here > length)
			here = length;
		if (to_guest)
			memcpy(buffer[i].data + offset, data, here);
		else
			memcpy(data, buffer[i].data + offset, here);
		offset = 0;
		data += here;
		length -= here;
	}
	/* the copy is checked and used; guest memory is not read again */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return !length;
}

bool vring_chain_read(const struct vring_chain *chain, uint64_t offset, void *data, uint64_t length)
{
	return copy(chain->buffer, chain->readable, offset, data, length, false);
}

bool vring_chain_write(const struct vring_chain *chain, uint64_t offset, const void *data,
		       uint64_t length)
{
	return copy(chain->buffer + chain->readable, chain->writable, offset, (uint8_t *)data,
		    length, true);
}

static uint64_t total(const struct vring_buffer *buffer, unsigned int count)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < count; i++)
		bytes += buffer[i].length;
	return bytes;
}

uint64_t vring_chain_readable(const struct vring_chain *chain)
{
	return total(chain->buffer, chain->readable);
}

uint64_t vring_chain_writable(const struct vring_chain *chain)
{
	return total(chain->buffer + chain->readable, chain->writable);
}
