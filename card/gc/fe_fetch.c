// SPDX-License-Identifier: MIT
/*
 * Reading the command stream: words, jumps, and the loop in which the front end waits.
 *
 * LINK prefetches the block it jumps to. All pages of the block are translated at that moment,
 * and these translations are used until the block ends, even if it switches the MMU's page
 * tables. What follows the block is never fetched (rnndb, cmdstream.xml): it has to end with END, LINK, CALL
 * or RETURN, or the front end hangs.
 */
#include "gc/fe_internal.h"

#include <string.h>

#include "gc/posted.h"
#include "gc/trace.h"

/* Host address of page number @page if it is in the prefetched block and mapped, otherwise NULL. */
static uint8_t *block_page(const struct fe_block *block, uint32_t page)
{
	uint32_t index = page - block->first_page;

	return index < block->pages ? block->page[index] : NULL;
}

static uint8_t *fetch_page(struct gc_core *gc, uint32_t address)
{
	struct gc_fe *fe = gc->fe;
	uint32_t page = address & ~(GC_PAGE_SIZE - 1);
	uint8_t *host;

	if (fe->host_page == page)
		return fe->host;
	host = block_page(&fe->block, address >> 12);
	if (!host)
		host = gc_mmu_map(&gc->mmu, GC_CLIENT_FE, GC_READ, page);
	fe->host_page = host ? page : FE_NO_PAGE;
	fe->host = host;
	return host;
}

bool fe_fetch(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint8_t *page;
	uint64_t word;

	if (!fe->left) {
		fe_halt(gc, FE_HUNG, "the prefetched block has no end");
		return false;
	}
	page = fetch_page(gc, fe->address);
	if (!page)
		return false;
	if (gc->mmu.version == 1 && fe->address >= GC_V1_TABLE_START) {
		fe_halt(gc, FE_ERROR, "commands outside of the linear window");
		return false;
	}
	word = __atomic_load_n((uint64_t *)(page + (fe->address & (GC_PAGE_SIZE - 1))),
			       __ATOMIC_ACQUIRE);
	fe->low = (uint32_t)word;
	fe->high = (uint32_t)(word >> 32);
	fe->address += 8;
	fe->left -= fe->left != FE_ENDLESS;
	gc->counters.fe_words += 2;
	gc->counters.fe_read_bytes += 8;
	return true;
}

void fe_jump(struct gc_core *gc, uint32_t address, unsigned int prefetch)
{
	struct gc_fe *fe = gc->fe;
	uint32_t page;

	fe->address = address & ~7u;
	fe->left = FE_ENDLESS;
	fe->host_page = FE_NO_PAGE;
	fe->block.pages = 0;
	if (!prefetch)
		return;
	fe->block.first_page = page = fe->address >> 12;
	fe->block.pages =
		((fe->address & (GC_PAGE_SIZE - 1)) + 8 * (prefetch & 0xffff) - 1) / GC_PAGE_SIZE +
		1;
	for (unsigned int i = 0; i < fe->block.pages; i++)
		fe->block.page[i] = gc_mmu_probe(&gc->mmu, GC_CLIENT_FE, GC_READ, (page + i) << 12);
}

void fe_check_memory(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	const struct guest_memory *memory = gc->host.memory;

	if (fe->seen_memory.count == memory->count &&
	    !memcmp(fe->seen_memory.region, memory->region,
		    memory->count * sizeof(memory->region[0])))
		return;
	fe->seen_memory = *memory;
	if (gc->posted)
		gc_posted_drop(gc->posted);
	gc_mmu_flush(&gc->mmu);
	fe_jump(gc, fe->address, 0);
}

void fe_link(struct gc_core *gc, uint32_t address, unsigned int prefetch)
{
	fe_jump(gc, address, prefetch);
	gc->fe->left = prefetch & 0xffff;
}

void fe_halt(struct gc_core *gc, enum fe_state state, const char *why)
{
	gc->fe->state = state;
	gc->fe->start.waits = false;
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "stop at 0x%08x: %s", gc->fe->address, why);
}

void fe_park(struct gc_core *gc, uint32_t address, unsigned int words)
{
	struct gc_fe *fe = gc->fe;

	fe->loop_address = address;
	fe->loop_words = words;
	fe->state = FE_POLLING;
	fe->address = address;
	fe->block.pages = 0;
	fe->host_page = FE_NO_PAGE;
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "wait at 0x%08x", address);
}
