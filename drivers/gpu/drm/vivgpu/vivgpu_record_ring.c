// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring buffer of a stream of records. All records of a stream have one size, which the
 * opener chose: programs that were built for an older version of struct drm_vivgpu_record get
 * its first fields.
 *
 * When the ring is full, new records are dropped; their sequence numbers are used up, so that a
 * reader can count the dropped ones.
 *
 * The functions are pure; the caller serialises and allocates the memory.
 */

#include <linux/export.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <kunit/visibility.h>

#include <drm/vivgpu_drm.h>

#include "vivgpu_record_ring.h"
#include "vivgpu_stretch.h"

/**
 * vivgpu_record_ring_size - compute the number of records of a ring
 * @wanted: number that the opener asked for, 0 for the default
 * @max: largest number that it may have, a power of two
 *
 * Return: the number, a power of two, not larger than @max.
 */
u32 vivgpu_record_ring_size(u32 wanted, u32 max)
{
	return roundup_pow_of_two(min(wanted ?: VIVGPU_STREAM_RECORDS, max));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_size);

/**
 * vivgpu_record_ring_record_size - compute the size of a stream's records
 * @wanted: size in bytes of the largest record that it knows, 0 for the first version's
 *
 * Return: the size, a multiple of 8, or 0 if @wanted is smaller than any record.
 */
u32 vivgpu_record_ring_record_size(u32 wanted)
{
	u32 size = wanted ?: DRM_VIVGPU_RECORD_SIZE_0;

	if (size < DRM_VIVGPU_RECORD_SIZE_0)
		return 0;
	return min_t(u32, round_down(size, 8), sizeof(struct drm_vivgpu_record));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_record_size);

static u8 *vivgpu_record_ring_slot(const struct vivgpu_record_ring *ring, u32 n)
{
	return ring->records + (size_t)(n & (ring->size - 1)) * ring->record_size;
}

/**
 * vivgpu_record_ring_push - append a record, or drop it if the ring is full
 * @ring: the ring
 * @record: the record; size and sequence are set in the copy
 *
 * Return: the copy, whose first record_size bytes of the ring are valid, or NULL if it
 * was dropped.
 */
struct drm_vivgpu_record *vivgpu_record_ring_push(struct vivgpu_record_ring *ring,
						  const struct drm_vivgpu_record *record)
{
	struct drm_vivgpu_record *copy;
	u32 sequence = ring->sequence++;

	if (vivgpu_record_ring_unread(ring) == ring->size) {
		ring->lost++;
		return NULL;
	}

	copy = (struct drm_vivgpu_record *)vivgpu_record_ring_slot(ring, ring->tail);
	memcpy(copy, record, ring->record_size);
	vivgpu_stretch_spin(VIVGPU_STRETCH_RECORD_PUSH);
	copy->size = ring->record_size;
	copy->sequence = sequence;
	WRITE_ONCE(ring->tail, ring->tail + 1);
	return copy;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_push);

/**
 * vivgpu_record_ring_oldest - get the oldest unread records that lie behind one another
 * @ring: the ring
 * @most: largest number of records that are wanted
 * @records: out, the first of them; they stay until vivgpu_record_ring_drop()
 *
 * Return: their number, 0 if there is none.
 */
u32 vivgpu_record_ring_oldest(const struct vivgpu_record_ring *ring, u32 most,
			      const void **records)
{
	u32 until_end = ring->size - (ring->head & (ring->size - 1));

	*records = vivgpu_record_ring_slot(ring, ring->head);
	return min3(most, until_end, vivgpu_record_ring_unread(ring));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_oldest);

/**
 * vivgpu_record_ring_drop - remove the oldest records
 * @ring: the ring
 * @count: their number, which vivgpu_record_ring_oldest() returned
 */
void vivgpu_record_ring_drop(struct vivgpu_record_ring *ring, u32 count)
{
	WRITE_ONCE(ring->head, ring->head + count);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_drop);
