/*
 * SPDX-License-Identifier: MIT
 *
 * Instruction scheduling: list scheduling within a block. Instructions with a long latency are
 * started early, as long as no more components are live than in the program's order. That limit
 * has priority: the core hides latency by switching threads, and the fewer temporaries a shader
 * uses, the more threads run.
 *
 * A block is scheduled in regions between barriers. A barrier is an instruction across which no
 * other may be moved: a branch, a kill or a write to memory.
 */

#include "util/dag.h"
#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_ir.h"

/* Longer regions are not scheduled: compile time grows with the square of their length. */
#define MAX_NODES 512u

/* Latencies of results, in instructions. These are estimates, not measured on silicon. */
#define LATENCY_MEMORY   16
#define LATENCY_FUNCTION 3
#define LATENCY_OTHER    1

/*
 * A node of the dependency graph: one instruction, or a pair of which the first writes the address
 * register a0 and the second, which must follow immediately, reads it. A node's parents in the
 * graph must come before it.
 */
struct node {
   struct dag_node dag;
   struct vir_instr *instr[2];
   unsigned height; /* latency from its start to the end of the region */
};

struct schedule {
   struct vir_shader *s;
   struct dag *dag;    /* nodes that are not scheduled yet */
   struct node *nodes; /* in the program's order */
   unsigned num_nodes;
   uint16_t *reads;                 /* by component: reads by nodes not scheduled yet */
   struct list_head *end;           /* instruction after the region, or the block's list head */
   BITSET_WORD *live_in, *live_out; /* components live at the region's start and end */
   BITSET_WORD *live;               /* components live at the current point */
   int pressure;                    /* number of components in live */
};

static unsigned
vivgpu_schedule_latency(const struct vir_instr *instr)
{
   switch (vir_shape(instr->op)) {
   case VIR_TEXTURE:
   case VIR_MEMORY:
      return LATENCY_MEMORY;
   case VIR_SCALAR:
   case VIR_FACTORS:
      return LATENCY_FUNCTION;
   default:
      return LATENCY_OTHER;
   }
}

/* True if no instruction may be moved across this one. */
static bool
vivgpu_schedule_is_barrier(const struct vir_instr *instr)
{
   return vir_has_effect(instr);
}

static unsigned
vivgpu_schedule_reads_of(const struct vir_instr *instr, uint32_t reg)
{
   unsigned components = 0;

   for (unsigned i = 0; i < VIR_SRCS; i++)
      if (instr->src[i].file == VIR_REG && instr->src[i].index == reg)
         components |= vir_components_read(instr, i);
   return components;
}

/* True if b, which follows a, has to stay after a. */
static bool
vivgpu_schedule_instr_depends(const struct vir_instr *a, const struct vir_instr *b)
{
   const unsigned written = a->dst == VIR_NO_REG ? 0 : a->mask;
   const unsigned overwritten = b->dst == VIR_NO_REG ? 0 : b->mask;

   if (a->dst == b->dst && written & overwritten)
      return true;
   return (written & vivgpu_schedule_reads_of(b, a->dst)) ||
          (overwritten & vivgpu_schedule_reads_of(a, b->dst));
}

static bool
vivgpu_schedule_depends(const struct node *a, const struct node *b)
{
   for (unsigned i = 0; i < 2; i++)
      for (unsigned j = 0; j < 2; j++)
         if (a->instr[i] && b->instr[j] && vivgpu_schedule_instr_depends(a->instr[i], b->instr[j]))
            return true;
   return false;
}

/* Adds the nodes to a new graph, an edge for each dependency, and computes their heights. */
static void
vivgpu_schedule_create_dag(struct schedule *sch)
{
   sch->dag = dag_create(sch);
   for (unsigned i = 0; i < sch->num_nodes; i++)
      dag_init_node(sch->dag, &sch->nodes[i].dag);
   for (unsigned i = sch->num_nodes; i-- > 0;) {
      struct node *node = &sch->nodes[i];
      unsigned after = 0;

      for (unsigned j = i + 1; j < sch->num_nodes; j++) {
         if (!vivgpu_schedule_depends(node, &sch->nodes[j]))
            continue;
         dag_add_edge(&node->dag, &sch->nodes[j].dag, 0);
         after = MAX2(after, sch->nodes[j].height);
      }
      node->height = after + vivgpu_schedule_latency(node->instr[node->instr[1] ? 1 : 0]);
   }
}

/* Adds the node's reads to the number of reads of each component that it reads. */
static void
vivgpu_schedule_count_reads(struct schedule *sch, const struct node *node)
{
   for (unsigned n = 0; n < 2 && node->instr[n]; n++) {
      for (unsigned i = 0; i < VIR_SRCS; i++) {
         const struct vir_src *src = &node->instr[n]->src[i];

         if (src->file == VIR_REG)
            u_foreach_bit(c, vir_components_read(node->instr[n], i))
               sch->reads[src->index * 4 + c]++;
      }
   }
}

/* Removes one read of a component; true if it was the last one, so that the component dies. */
static bool
vivgpu_schedule_is_last_read(struct schedule *sch, uint32_t component)
{
   sch->reads[component]--;
   return !sch->reads[component] && !BITSET_TEST(sch->live_out, component) &&
          BITSET_TEST(sch->live, component);
}

/*
 * Change of the number of live components if the node comes next; commit: update live and reads.
 * Several sources of the node may read a component, which dies once.
 */
static int
vivgpu_schedule_pressure_change(struct schedule *sch, const struct node *node, bool commit)
{
   int change = 0;

   for (unsigned n = 0; n < 2 && node->instr[n]; n++) {
      const struct vir_instr *instr = node->instr[n];

      for (unsigned i = 0; i < VIR_SRCS; i++) {
         if (instr->src[i].file != VIR_REG)
            continue;
         u_foreach_bit(c, vir_components_read(instr, i)) {
            const uint32_t component = instr->src[i].index * 4 + c;

            if (!vivgpu_schedule_is_last_read(sch, component))
               continue;
            change--;
            if (commit)
               BITSET_CLEAR(sch->live, component);
         }
      }
      for (unsigned c = 0; instr->dst != VIR_NO_REG && c < 4; c++) {
         const uint32_t component = instr->dst * 4 + c;

         if (!(instr->mask >> c & 1) || BITSET_TEST(sch->live, component))
            continue;
         change++;
         if (commit)
            BITSET_SET(sch->live, component);
      }
   }
   if (!commit)
      vivgpu_schedule_count_reads(sch, node);
   return change;
}

/* A node that could come next. */
struct candidate {
   struct node *node;
   int change; /* of the pressure, in components */
   bool fits;  /* the pressure then stays within the limit */
};

/*
 * True if a should come before b. A node that fits is preferred to one that does not. Of two that
 * fit, the one with the greater height is preferred; of two that do not, the one that adds less
 * pressure; of equals, the first in the program's order.
 */
static bool
vivgpu_schedule_is_better(const struct candidate *a, const struct candidate *b)
{
   if (a->fits != b->fits)
      return a->fits;
   if (a->fits && a->node->height != b->node->height)
      return a->node->height > b->node->height;
   if (!a->fits && a->change != b->change)
      return a->change < b->change;
   return a->node < b->node;
}

/* The best node to come next, of those without parents. */
static struct node *
vivgpu_schedule_choose_node(struct schedule *sch, int limit)
{
   struct candidate best = {NULL};

   list_for_each_entry(struct node, node, &sch->dag->heads, dag.link) {
      const int change = vivgpu_schedule_pressure_change(sch, node, false);
      const struct candidate candidate = {node, change, sch->pressure + change <= limit};

      if (!best.node || vivgpu_schedule_is_better(&candidate, &best))
         best = candidate;
   }
   return best.node;
}

/* Moves the node to the region's end, after the nodes that were scheduled before. */
static void
vivgpu_schedule_node(struct schedule *sch, struct node *node)
{
   sch->pressure += vivgpu_schedule_pressure_change(sch, node, true);
   dag_prune_head(sch->dag, &node->dag);
   for (unsigned n = 0; n < 2 && node->instr[n]; n++) {
      list_del(&node->instr[n]->link);
      list_addtail(&node->instr[n]->link, sch->end);
   }
}

static int
vivgpu_schedule_count_live(const struct schedule *sch)
{
   return __bitset_count(sch->live, BITSET_WORDS(sch->s->num_regs * 4));
}

/* Sets live to the set at the region's start; returns the largest number of live components. */
static int
vivgpu_schedule_step_back(struct schedule *sch)
{
   int max_pressure = vivgpu_schedule_count_live(sch);

   for (unsigned i = sch->num_nodes; i-- > 0;) {
      for (unsigned n = 2; n-- > 0;) {
         if (!sch->nodes[i].instr[n])
            continue;
         vir_live_step(sch->live, sch->nodes[i].instr[n]);
         max_pressure = MAX2(max_pressure, vivgpu_schedule_count_live(sch));
      }
   }
   return max_pressure;
}

/* Orders the nodes of a region; changes live from the set at its end to that at its start. */
static void
vivgpu_schedule_nodes(struct schedule *sch)
{
   const size_t bytes = BITSET_WORDS(sch->s->num_regs * 4) * sizeof(BITSET_WORD);

   if (!sch->num_nodes)
      return;
   memcpy(sch->live_out, sch->live, bytes);
   const int limit = vivgpu_schedule_step_back(sch);
   if (sch->num_nodes == 1 || sch->num_nodes > MAX_NODES)
      return;

   memcpy(sch->live_in, sch->live, bytes);
   sch->pressure = vivgpu_schedule_count_live(sch);
   vivgpu_schedule_create_dag(sch);
   for (unsigned i = 0; i < sch->num_nodes; i++)
      vivgpu_schedule_count_reads(sch, &sch->nodes[i]);
   for (unsigned i = 0; i < sch->num_nodes; i++)
      vivgpu_schedule_node(sch, vivgpu_schedule_choose_node(sch, limit));
   ralloc_free(sch->dag);
   memcpy(sch->live, sch->live_in, bytes);
}

/* Collects the nodes between end and the barrier before it; returns the barrier or NULL. */
static struct vir_instr *
vivgpu_schedule_collect(struct schedule *sch, struct vir_block *block, struct list_head *end)
{
   struct list_head *at = end->prev;
   unsigned count = 0;

   while (at != &block->instrs &&
          !vivgpu_schedule_is_barrier(list_entry(at, struct vir_instr, link)))
      at = at->prev;
   sch->end = end;
   sch->num_nodes = 0;
   for (struct list_head *next = at->next; next != end; next = next->next)
      count++;
   sch->nodes = reralloc(sch->s, sch->nodes, struct node, MAX2(count, 1));
   for (struct list_head *next = at->next; next != end; next = next->next) {
      struct node *node = &sch->nodes[sch->num_nodes++];

      *node = (struct node){.instr[0] = list_entry(next, struct vir_instr, link)};
      if (node->instr[0]->writes_address) {
         next = next->next;
         node->instr[1] = list_entry(next, struct vir_instr, link);
      }
   }
   return at == &block->instrs ? NULL : list_entry(at, struct vir_instr, link);
}

/* Schedules the regions of a block, from its end to its start. */
static void
vivgpu_schedule_block(struct schedule *sch, struct vir_block *block)
{
   struct list_head *end = &block->instrs;

   memcpy(sch->live, block->live_out, BITSET_WORDS(sch->s->num_regs * 4) * sizeof(BITSET_WORD));
   while (end) {
      struct vir_instr *barrier = vivgpu_schedule_collect(sch, block, end);

      vivgpu_schedule_nodes(sch);
      if (barrier)
         vir_live_step(sch->live, barrier);
      end = barrier ? &barrier->link : NULL;
   }
}

void
vir_schedule(struct vir_shader *s)
{
   const unsigned words = BITSET_WORDS(s->num_regs * 4);
   struct schedule *sch = rzalloc(s, struct schedule);

   sch->s = s;
   sch->reads = rzalloc_array(sch, uint16_t, s->num_regs * 4);
   sch->live = rzalloc_array(sch, BITSET_WORD, words);
   sch->live_in = rzalloc_array(sch, BITSET_WORD, words);
   sch->live_out = rzalloc_array(sch, BITSET_WORD, words);
   vir_liveness(s);
   vir_foreach_block(block, s)
      vivgpu_schedule_block(sch, block);
   ralloc_free(sch->nodes);
   ralloc_free(sch);
}
