/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_RECORD_RING_H_
#define _VIVGPU_RECORD_RING_H_

#include <linux/compiler.h>
#include <linux/types.h>

struct drm_vivgpu_record;

/* Number of unread records of a stream: default, and maximum */
#define VIVGPU_STREAM_RECORDS			1024
#define VIVGPU_MAX_STREAM_RECORDS		8192
#define VIVGPU_MAX_PRIVILEGED_STREAM_RECORDS	65536

/**
 * struct vivgpu_record_ring - ring buffer of the unread records of a stream
 * @records: the memory, @size times @record_size bytes
 * @size: number of records that fit, a power of two
 * @record_size: bytes of each record
 * @wakeup: number of unread records at which readers are woken
 * @head: number of records ever read
 * @tail: number of records ever written
 * @sequence: sequence number of the next record
 * @lost: number of records that were dropped because the ring was full
 */
struct vivgpu_record_ring {
	u8 *records;
	u32 size;
	u32 record_size;
	u32 wakeup;
	u32 head;
	u32 tail;
	u32 sequence;
	u64 lost;
};

/**
 * vivgpu_record_ring_unread - count the unread records
 * @ring: the ring
 *
 * Return: their number; without serialisation it may have changed meanwhile.
 */
static inline u32 vivgpu_record_ring_unread(const struct vivgpu_record_ring *ring)
{
	return READ_ONCE(ring->tail) - READ_ONCE(ring->head);
}

u32 vivgpu_record_ring_size(u32 wanted, u32 max);
u32 vivgpu_record_ring_record_size(u32 wanted);
struct drm_vivgpu_record *vivgpu_record_ring_push(struct vivgpu_record_ring *ring,
						  const struct drm_vivgpu_record *record);
u32 vivgpu_record_ring_oldest(const struct vivgpu_record_ring *ring, u32 most,
			      const void **records);
void vivgpu_record_ring_drop(struct vivgpu_record_ring *ring, u32 count);

#endif
