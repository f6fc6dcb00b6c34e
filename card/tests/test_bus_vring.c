// SPDX-License-Identifier: MIT
/* The virtqueue, with a guest that breaks each rule. */
#include "tests/check.h"
#include "tests/ring.h"

/* Different from the host's address, so that mixed up addresses are found. */
#define ADDRESS 0x7654000ull

static struct guest_memory memory;
static struct test_ring guest;
static struct vring ring;
static uint8_t *room;

/* What it allocates is freed by the next one, and by main(). */
static void begin(void)
{
	free(room);
	room = malloc(RING_ROOM); /* on the heap, so that the sanitizer finds accesses outside */
	memset(room, 0xcc, RING_ROOM);
	memory = (struct guest_memory){ 1, { { ADDRESS, RING_ROOM, room } } };
	ring_init(&guest, room, ADDRESS);
	ring_open(&ring, &guest, &memory);
}

static enum vring_result pop(struct vring_chain *chain)
{
	return vring_pop(&ring, &memory, chain);
}

TEST(map_checks_place_and_alignment)
{
	uint64_t last = ADDRESS + RING_ROOM;

	begin();
	CHECK(vring_ready(&ring));
	CHECK(!vring_map(&ring, &memory, ADDRESS + 8, ADDRESS + RING_AVAIL, ADDRESS + RING_USED));
	CHECK(!vring_ready(&ring));
	CHECK(!vring_map(&ring, &memory, ADDRESS, ADDRESS + RING_AVAIL + 1, ADDRESS + RING_USED));
	CHECK(!vring_map(&ring, &memory, ADDRESS, ADDRESS + RING_AVAIL, ADDRESS + RING_USED + 2));
	CHECK(!vring_map(&ring, &memory, last - 16, ADDRESS + RING_AVAIL, ADDRESS + RING_USED));
	CHECK(!vring_map(&ring, &memory, ADDRESS, last - 4, ADDRESS + RING_USED));
	CHECK(!vring_map(&ring, &memory, ADDRESS, ADDRESS + RING_AVAIL, last - 8));
	CHECK(!vring_map(&ring, &memory, UINT64_MAX & ~15ull, ADDRESS + RING_AVAIL, ADDRESS));
	CHECK(!vring_map(&ring, &memory, 0, 0, 0));
	ring.size = 0;
	CHECK(!vring_map(&ring, &memory, ADDRESS, ADDRESS + RING_AVAIL, ADDRESS + RING_USED));
}

TEST(chain_out_and_back)
{
	struct vring_chain chain;
	uint8_t bytes[24];

	begin();
	CHECK(!vring_pending(&ring));
	CHECK_EQ(pop(&chain), VRING_EMPTY);
	memcpy(ring_data(&guest, 3), "0123456789abcdef", 16);
	memcpy(ring_data(&guest, 5), "ABCDEFGH", 8);
	ring_describe(&guest, 3, 16, VRING_DESC_NEXT, 5);
	ring_describe(&guest, 5, 8, VRING_DESC_NEXT, 9);
	ring_describe(&guest, 9, 12, VRING_DESC_WRITE, 0);
	ring_offer(&guest, 3);
	CHECK(vring_pending(&ring));
	CHECK_EQ(pop(&chain), VRING_CHAIN);
	CHECK_EQ(chain.head, 3);
	CHECK_EQ(chain.readable, 2);
	CHECK_EQ(chain.writable, 1);
	CHECK_EQ(vring_chain_readable(&chain), 24);
	CHECK_EQ(vring_chain_writable(&chain), 12);
	CHECK(vring_chain_read(&chain, 14, bytes, 6));
	CHECK(!memcmp(bytes, "efABCD", 6));
	CHECK(!vring_chain_read(&chain, 0, bytes, 25));
	CHECK(!vring_chain_read(&chain, UINT64_MAX, bytes, 2));
	CHECK(vring_chain_write(&chain, 10, "xy", 2));
	CHECK(!vring_chain_write(&chain, 11, "xy", 2));
	CHECK(!memcmp((uint8_t *)ring_data(&guest, 9) + 10, "xx", 2)); /* the part that fits */
	vring_push(&ring, chain.head, 12);
	CHECK_EQ(guest.used->index, 1);
	CHECK_EQ(ring_last_used(&guest).id, 3);
	CHECK_EQ(ring_last_used(&guest).length, 12);
	CHECK(!vring_pending(&ring));
}

/* Offer a chain starting at descriptor 0; it must be refused, but taken. */
static bool refused(void)
{
	struct vring_chain chain;

	ring_offer(&guest, 0);
	if (pop(&chain) != VRING_BAD_CHAIN || chain.head != 0)
		return false;
	vring_push(&ring, chain.head, 0);
	return !vring_pending(&ring) && ring_last_used(&guest).length == 0;
}

TEST(bad_descriptors_are_given_back)
{
	begin();
	ring_describe(&guest, 0, 0, 0, 0); /* zero length */
	CHECK(refused());
	ring_describe(&guest, 0, UINT32_MAX, 0, 0); /* beyond the end */
	CHECK(refused());
	ring_describe(&guest, 0, RING_ROOM - RING_DATA + 1, 0, 0); /* by one byte */
	CHECK(refused());
	guest.desc[0] = (struct vring_desc){ ADDRESS - 1, 2, 0, 0 }; /* begins before */
	CHECK(refused());
	guest.desc[0] = (struct vring_desc){ UINT64_MAX, 16, 0, 0 }; /* wraps around */
	CHECK(refused());
	guest.desc[0] = (struct vring_desc){ UINT64_MAX - 15, 16, VRING_DESC_WRITE, 0 };
	CHECK(refused());
	guest.desc[0] = (struct vring_desc){ 0, 16, 0, 0 };
	CHECK(refused());
	ring_describe(&guest, 0, 16, VRING_DESC_INDIRECT, 0);
	CHECK(refused());
	ring_describe(&guest, 0, 16, VRING_DESC_NEXT, RING_SIZE); /* next beyond the table */
	CHECK(refused());
	ring_describe(&guest, 0, 16, VRING_DESC_NEXT, 0xffff);
	CHECK(refused());
	CHECK(!ring.broken);
}

TEST(loops_end)
{
	begin();
	ring_describe(&guest, 0, 16, VRING_DESC_NEXT, 0);
	CHECK(refused());
	for (unsigned int i = 0; i < RING_SIZE; i++)
		ring_describe(&guest, i, 16, VRING_DESC_NEXT, (i + 1) % RING_SIZE);
	CHECK(refused());
}

TEST(readable_after_writable_is_refused)
{
	begin();
	ring_describe(&guest, 0, 16, VRING_DESC_WRITE | VRING_DESC_NEXT, 1);
	ring_describe(&guest, 1, 16, 0, 0);
	CHECK(refused());
}

TEST(longest_chain)
{
	struct vring_chain chain;

	begin();
	for (unsigned int i = 0; i < VRING_CHAIN_MAX; i++)
		ring_describe(&guest, i, 1, i + 1 < VRING_CHAIN_MAX ? VRING_DESC_NEXT : 0, i + 1);
	ring_offer(&guest, 0);
	CHECK_EQ(pop(&chain), VRING_CHAIN);
	CHECK_EQ(chain.readable, VRING_CHAIN_MAX);
	guest.desc[VRING_CHAIN_MAX - 1].flags = VRING_DESC_NEXT;
	ring_describe(&guest, VRING_CHAIN_MAX, 1, 0, 0);
	CHECK(refused());
}

TEST(bad_head_breaks_the_ring)
{
	struct vring_chain chain;

	begin();
	ring_offer(&guest, RING_SIZE);
	CHECK_EQ(pop(&chain), VRING_BROKEN);
	CHECK(!vring_ready(&ring));
	CHECK(!vring_pending(&ring));
	CHECK_EQ(guest.used->index, 0);
}

TEST(bad_index_breaks_the_ring)
{
	struct vring_chain chain;

	begin();
	guest.avail->index = RING_SIZE + 1;
	CHECK(vring_pending(&ring));
	CHECK_EQ(pop(&chain), VRING_BROKEN);
	CHECK(!vring_pending(&ring));
	/* after a new set-up it works again */
	guest.avail->index = 0;
	CHECK(vring_map(&ring, &memory, ADDRESS, ADDRESS + RING_AVAIL, ADDRESS + RING_USED));
	CHECK(vring_ready(&ring));
	CHECK_EQ(pop(&chain), VRING_EMPTY);
}

TEST(index_wraps_around)
{
	struct vring_chain chain;

	begin();
	ring.next_avail = 0xfffe;
	guest.avail->index = 0xfffe;
	guest.used->index = 0xfffe;
	ring.next_used = 0xfffe;
	for (unsigned int i = 0; i < 4; i++) {
		ring_describe(&guest, i, 4, 0, 0);
		ring_offer(&guest, i);
		CHECK_EQ(pop(&chain), VRING_CHAIN);
		CHECK_EQ(chain.head, i);
		vring_push(&ring, chain.head, 0);
	}
	CHECK_EQ(guest.used->index, 2);
	CHECK_EQ(ring_last_used(&guest).id, 3);
}

TEST(notifications)
{
	begin();
	CHECK(vring_wants_interrupt(&ring));
	guest.avail->flags = VRING_AVAIL_NO_INTERRUPT;
	CHECK(!vring_wants_interrupt(&ring));
	vring_set_notify(&ring, false);
	CHECK_EQ(guest.used->flags, VRING_USED_NO_NOTIFY);
	vring_set_notify(&ring, true);
	CHECK_EQ(guest.used->flags, 0);
}

TEST(memory_of_two_regions)
{
	uint8_t low[64], high[64];
	struct guest_memory two = { 2, { { 0x1000, 64, low }, { 0x1040, 64, high } } };

	CHECK(guest_memory_at(&two, 0x1000, 64) == low);
	CHECK(guest_memory_at(&two, 0x1040, 64) == high);
	CHECK(guest_memory_at(&two, 0x103f, 2) == NULL); /* spans both regions */
	CHECK(guest_memory_at(&two, 0x1080, 0) == NULL);
	CHECK(guest_memory_at(&two, 0x107f, UINT64_MAX) == NULL);
	CHECK(guest_memory_at(&two, 0xfff, 1) == NULL);
}

/* Random contents: checked by the sanitizer. */
TEST(garbage)
{
	uint64_t random = 1;

	begin();
	for (unsigned int round = 0; round < 20000; round++) {
		struct vring_chain chain;

		/* descriptors and available ring */
		for (unsigned int i = 0; i < RING_AVAIL + 64; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			if (random >> 60 == 0)
				room[i] = random >> 40;
		}
		guest.avail->index = ring.next_avail + (random >> 33) % (RING_SIZE + 2);
		ring.broken = false;
		for (unsigned int i = 0; i <= RING_SIZE && vring_pending(&ring); i++) {
			enum vring_result result = pop(&chain);

			CHECK(result != VRING_EMPTY);
			if (result == VRING_CHAIN && vring_chain_writable(&chain))
				vring_chain_write(&chain, 0, "g", 1);
			if (result != VRING_BROKEN)
				vring_push(&ring, chain.head, 1);
		}
	}
}

int main(void)
{
	int status = test_all();

	free(room);
	return status;
}
