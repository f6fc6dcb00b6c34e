/*
 * SPDX-License-Identifier: MIT
 *
 * Legalization: assigns uniform registers to user uniforms (words of constant buffer 0) and to
 * constants, so that each instruction reads what the core can read.
 *
 * The user uniforms that the shader reads come first, in the order of their numbers, then a pool
 * of constants and other values that the driver writes. User uniforms for which no register is
 * left are loaded from the uniform buffer. If the registers do not suffice, the shader is compiled
 * again with vir_shader.dense, and vivgpu_dense.c assigns them.
 *
 * On most cores an instruction can read only one uniform register (see no_oneconst_limit). All
 * constants that an instruction reads therefore go to one register of the pool, together with
 * its user uniforms if there are at most four components. Other sources are copied to a
 * virtual register before the instruction.
 */

#include "util/bitset.h"
#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_legalize.h"

/* Pool registers beside those of sources: addresses of constant buffer 0 and of scratch memory. */
#define RESERVED_POOL 2u

/* A user uniform that this block has copied or loaded to a register. */
struct copy {
   uint32_t user;
   uint32_t reg;
   struct vir_instr *instr;
};

#define MAX_COPIES 16

struct legalize {
   struct vir_shader *s;
   struct vir_users users;
   struct vir_pool pool;
   struct copy copies[MAX_COPIES];
   unsigned num_copies;
   bool users_in_pool; /* the pool has room for components of user uniforms */
};

/* User uniforms in the pool */

/* True if instr reads more than one uniform register. */
static bool
vivgpu_legalize_reads_several(const struct vir_instr *instr)
{
   const unsigned users = vir_sources_in(instr, VIR_USER);
   const struct vir_src *first = users ? &instr->src[ffs(users) - 1] : NULL;

   u_foreach_bit(i, users)
      if (instr->src[i].index != first->index)
         return true;
   return users && vir_sources_in(instr, VIR_POOL);
}

/* Turns a user uniform into a source of the pool. */
static void
vivgpu_legalize_make_pool_source(struct vir_src *src)
{
   src->file = VIR_POOL;
   for (unsigned c = 0; c < 4; c++) {
      src->pool[c].kind = VIVGPU_UNIFORM_USER;
      src->pool[c].value = src->index * 4 + c;
   }
}

/*
 * True if instr reads several uniform registers, which the core cannot, and all uniforms and
 * constants that it reads fit one register of the pool.
 */
static bool
vivgpu_legalize_can_join(const struct legalize *l, const struct vir_instr *instr)
{
   struct vir_instr joined = *instr;
   struct vivgpu_uniform reg[4] = {0};

   if (l->s->compiler->core.no_oneconst_limit || !vivgpu_legalize_reads_several(instr))
      return false;
   u_foreach_bit(i, vir_sources_in(instr, VIR_USER)) {
      if (instr->src[i].indirect)
         return false;
      vivgpu_legalize_make_pool_source(&joined.src[i]);
   }
   return vir_pool_fits(reg, &joined, vir_sources_in(&joined, VIR_POOL));
}

/* User uniforms */

static void
vivgpu_legalize_record_user(struct legalize *l, const struct vir_src *src)
{
   const unsigned count = src->indirect ? src->range : 1;

   if (src->index + count > VIR_MAX_USER) {
      vir_fail(l->s, "uniform %u", src->index);
      return;
   }
   BITSET_SET_RANGE(l->users.used, src->index, src->index + count - 1);
   if (src->indirect)
      BITSET_SET_RANGE(l->users.indirect, src->index, src->index + count - 1);
}

/* Collects the user uniforms that are read, except those that go to the pool. */
static void
vivgpu_legalize_gather_users(struct legalize *l)
{
   const unsigned max = l->s->compiler->core.max_uniforms[l->s->stage];
   unsigned sources = 0;

   vir_foreach_block(block, l->s)
      vir_foreach_instr(instr, block)
         sources +=
            util_bitcount(vir_sources_in(instr, VIR_USER) | vir_sources_in(instr, VIR_POOL));
   /* A source adds at most one register to the pool. */
   l->users_in_pool = !l->s->dense && sources + RESERVED_POOL <= max;

   vir_foreach_block(block, l->s) {
      vir_foreach_instr(instr, block) {
         if (l->users_in_pool && vivgpu_legalize_can_join(l, instr))
            continue;
         u_foreach_bit(i, vir_sources_in(instr, VIR_USER))
            vivgpu_legalize_record_user(l, &instr->src[i]);
      }
   }
}

/* Pool registers to reserve: one for each source, none shared, but at most half of the file. */
static unsigned
vivgpu_legalize_estimate_pool(const struct legalize *l)
{
   const unsigned max = l->s->compiler->core.max_uniforms[l->s->stage];
   unsigned sources = 0;

   vir_foreach_block(block, l->s) {
      vir_foreach_instr(instr, block)
         for (unsigned i = 0; i < VIR_SRCS; i++)
            sources += instr->src[i].file == VIR_POOL;
   }
   return MIN2(sources + RESERVED_POOL, max / 2);
}

/* Fails because the shader needs more uniform registers than there are. */
static void
vivgpu_legalize_fail_short(struct legalize *l, unsigned needed)
{
   vir_fail(l->s, "%u uniform registers of %u", needed,
            l->s->compiler->core.max_uniforms[l->s->stage]);
   l->s->needs_dense = true;
}

/*
 * Selects the user uniforms that get registers: first those with indirect accesses, if there is
 * room for all of these, then others in the order of their numbers.
 */
static void
vivgpu_legalize_assign_users(struct legalize *l)
{
   const unsigned limit = l->s->compiler->core.max_uniforms[l->s->stage];
   const bool loads = l->s->compiler->core.integers;
   /* Cores without LOAD need registers for all; vivgpu_legalize_write_table() fails if the pool is
    * too large. */
   unsigned left = loads ? limit - vivgpu_legalize_estimate_pool(l) : limit, number = 0;
   BITSET_DECLARE(chosen, VIR_MAX_USER) = {0};
   unsigned u;

   if (BITSET_COUNT(l->users.indirect) <= left) {
      memcpy(chosen, l->users.indirect, sizeof(chosen));
      left -= BITSET_COUNT(l->users.indirect);
   }
   BITSET_FOREACH_SET(u, l->users.used, VIR_MAX_USER) {
      if (!left || BITSET_TEST(l->users.indirect, u))
         continue;
      BITSET_SET(chosen, u);
      left--;
   }
   BITSET_FOREACH_SET(u, chosen, VIR_MAX_USER)
      l->users.reg[u] = ++number;
   l->s->num_uniforms = number;
   if (BITSET_COUNT(l->users.used) > number && !loads)
      vivgpu_legalize_fail_short(l, BITSET_COUNT(l->users.used));
}

/* Source that reads the GPU address of constant buffer 0. */
static struct vir_src
vivgpu_legalize_buffer_address(void)
{
   return (struct vir_src){
      .file = VIR_POOL,
      .pool[0] = {.kind = VIVGPU_UNIFORM_UBO_ADDRESS, .value = 0},
   };
}

static struct vir_instr *
vivgpu_legalize_insert(struct legalize *l, struct vir_instr *where, enum isa_opc op,
                       enum isa_type type, uint32_t dst, unsigned mask, struct vir_src src0,
                       struct vir_src src1)
{
   struct vir_instr *instr = vir_instr_create(l->s, op, type, dst, mask);

   instr->src[0] = src0;
   instr->src[1] = src1;
   vir_insert_before(where, instr);
   return instr;
}

static void vivgpu_legalize_instr(struct legalize *l, struct vir_instr *instr);

/*
 * The register to which this block has copied user uniform u, or VIR_NO_REG. The instruction
 * that made the copy is extended to write components, too.
 */
static uint32_t
vivgpu_legalize_find_copy(struct legalize *l, uint32_t u, unsigned components)
{
   for (unsigned i = 0; i < l->num_copies; i++) {
      struct copy *copy = &l->copies[i];

      if (copy->user != u)
         continue;
      copy->instr->mask |= components;
      if (copy->instr->op == ISA_OPC_LOAD)
         copy->instr->mask = BITFIELD_MASK(util_last_bit(copy->instr->mask));
      l->s->regs[copy->reg].used |= copy->instr->mask;
      return copy->reg;
   }
   return VIR_NO_REG;
}

static void
vivgpu_legalize_record_copy(struct legalize *l, uint32_t u, struct vir_instr *instr)
{
   if (l->num_copies == MAX_COPIES) { /* drop the oldest */
      memmove(&l->copies[0], &l->copies[1], sizeof(l->copies) - sizeof(l->copies[0]));
      l->num_copies--;
   }
   l->copies[l->num_copies++] = (struct copy){.user = u, .reg = instr->dst, .instr = instr};
}

/* Swizzle that reads component c of user uniform u at position c from its register. */
static void
vivgpu_legalize_user_swizzle(const struct legalize *l, uint32_t u, uint8_t swizzle[4])
{
   for (unsigned c = 0; c < 4; c++)
      swizzle[c] = l->s->dense ? l->users.component[u][c] : c;
}

/* Makes source i read a register, with the same swizzle and modifiers. */
static void
vivgpu_legalize_read_register(struct vir_instr *instr, unsigned i, uint32_t reg)
{
   struct vir_src *src = &instr->src[i];

   src->file = VIR_REG;
   src->index = reg;
   src->indirect = false;
}

/* Copies the user uniform that source i reads to a virtual register. */
static void
vivgpu_legalize_copy_user(struct legalize *l, struct vir_instr *instr, unsigned i)
{
   const uint32_t u = instr->src[i].index;
   const unsigned components = vir_components_read(instr, i);
   uint32_t reg = vivgpu_legalize_find_copy(l, u, components);

   if (reg == VIR_NO_REG) {
      struct vir_src src = {.file = VIR_UNIFORM, .index = l->users.reg[u] - 1};

      vivgpu_legalize_user_swizzle(l, u, src.swizzle);
      reg = vir_reg_create(l->s, 4);
      l->s->regs[reg].used = components;
      vivgpu_legalize_record_copy(l, u,
                                  vivgpu_legalize_insert(l, instr, ISA_OPC_MOV, ISA_TYPE_F32, reg,
                                                         components, src, (struct vir_src){0}));
   }
   vivgpu_legalize_read_register(instr, i, reg);
}

/* Loads the user uniform that source i reads from the uniform buffer. */
static void
vivgpu_legalize_load_user(struct legalize *l, struct vir_instr *instr, unsigned i)
{
   const uint32_t u = instr->src[i].index;
   const unsigned components = BITFIELD_MASK(util_last_bit(vir_components_read(instr, i)));
   uint32_t reg = vivgpu_legalize_find_copy(l, u, components);

   if (reg == VIR_NO_REG) {
      reg = vir_reg_create(l->s, 4);
      l->s->regs[reg].used = components;
      l->s->regs[reg].contiguous = true;
      struct vir_instr *load =
         vivgpu_legalize_insert(l, instr, ISA_OPC_LOAD, ISA_TYPE_U32, reg, components,
                                vir_constant(u * 16), vivgpu_legalize_buffer_address());
      vivgpu_legalize_instr(l, load);
      vivgpu_legalize_record_copy(l, u, load);
   }
   vivgpu_legalize_read_register(instr, i, reg);
}

/*
 * Replaces an indirect source by a LOAD. instr is a MOV, which has no other source. The instruction
 * before it writes the index to a0, and is replaced by the computation of the address.
 */
static void
vivgpu_legalize_load_indirect(struct legalize *l, struct vir_instr *instr)
{
   struct vir_instr *address = list_entry(instr->link.prev, struct vir_instr, link);
   const unsigned components = BITFIELD_MASK(util_last_bit(vir_components_read(instr, 0)));
   const uint32_t offset = vir_reg_create(l->s, 1), sum = vir_reg_create(l->s, 1);
   const uint32_t reg = vir_reg_create(l->s, 4);
   struct vir_instr *made[3];

   l->s->regs[reg].used = components;
   l->s->regs[reg].contiguous = true;
   made[0] = vivgpu_legalize_insert(l, instr, ISA_OPC_LSHIFT, ISA_TYPE_U32, offset, 0x1,
                                    address->src[0], vir_constant(4));
   made[1] =
      vivgpu_legalize_insert(l, instr, ISA_OPC_ADD, ISA_TYPE_S32, sum, 0x1,
                             vir_reg_component(offset, 0), vir_constant(instr->src[0].index * 16));
   made[2] = vivgpu_legalize_insert(l, instr, ISA_OPC_LOAD, ISA_TYPE_U32, reg, components,
                                    vir_reg_component(sum, 0), vivgpu_legalize_buffer_address());
   for (unsigned i = 0; i < 3; i++)
      vivgpu_legalize_instr(l, made[i]);
   vir_remove(address);
   vivgpu_legalize_read_register(instr, 0, reg);
}

/* Constants: an instruction reads one uniform register */

/*
 * Inserts a MOV of src, a VIR_POOL source, to reg. Returns false if the pool has no room for it,
 * which only dense assignment limits.
 */
static bool
vivgpu_legalize_insert_constant(struct legalize *l, struct vir_instr *where, uint32_t reg,
                                unsigned mask, struct vir_src src)
{
   struct vir_instr *mov = vivgpu_legalize_insert(l, where, ISA_OPC_MOV, ISA_TYPE_F32, reg, mask,
                                                  src, (struct vir_src){0});

   vir_use_immediates(l->s, mov);
   if (!vir_sources_in(mov, VIR_POOL) || vir_pool_assign(&l->pool, mov, 0x1))
      return true;
   vir_remove(mov);
   return false;
}

/*
 * Writes one value to the components of reg in mask. A constant for which the pool has no room is
 * made of two immediates: the upper 20 bits and the lower 12.
 */
static void
vivgpu_legalize_write_value(struct legalize *l, struct vir_instr *where, uint32_t reg,
                            unsigned mask, const struct vivgpu_uniform *value)
{
   if (vivgpu_legalize_insert_constant(l, where, reg, mask,
                                       (struct vir_src){.file = VIR_POOL, .pool[0] = *value}))
      return;
   if (value->kind != VIVGPU_UNIFORM_CONSTANT || !l->s->compiler->core.integers) {
      vir_fail(l->s, "uniforms and constants need more than %u uniform registers", l->pool.limit);
      return;
   }
   vivgpu_legalize_insert_constant(l, where, reg, mask,
                                   vir_constant(value->value & ~BITFIELD_MASK(12)));

   struct vir_instr *lower =
      vivgpu_legalize_insert(l, where, ISA_OPC_OR, ISA_TYPE_U32, reg, mask, vir_reg(reg),
                             vir_constant(value->value & BITFIELD_MASK(12)));
   vir_use_immediates(l->s, lower);
}

/* Writes the values that src reads at positions to these components of reg, one by one. */
static void
vivgpu_legalize_write_values(struct legalize *l, struct vir_instr *where, uint32_t reg,
                             unsigned positions, const struct vir_src *src)
{
   while (positions) {
      const struct vivgpu_uniform *value = &src->pool[src->swizzle[ffs(positions) - 1]];
      unsigned mask = 0;

      u_foreach_bit(position, positions) {
         const struct vivgpu_uniform *other = &src->pool[src->swizzle[position]];

         if (other->kind == value->kind && other->value == value->value)
            mask |= BITFIELD_BIT(position);
      }
      vivgpu_legalize_write_value(l, where, reg, mask, value);
      positions &= ~mask;
   }
}

/* Copies the constants that source i reads to a virtual register. */
static void
vivgpu_legalize_copy_pool(struct legalize *l, struct vir_instr *instr, unsigned i)
{
   const unsigned positions = vir_reads(instr, i);
   const uint32_t reg = vir_reg_create(l->s, 4);
   struct vir_src plain = instr->src[i];

   plain.neg = plain.abs = false;
   l->s->regs[reg].used = positions;
   if (!vivgpu_legalize_insert_constant(l, instr, reg, positions, plain))
      vivgpu_legalize_write_values(l, instr, reg, positions, &plain);
   vivgpu_legalize_read_register(instr, i, reg);
   for (unsigned c = 0; c < 4; c++)
      instr->src[i].swizzle[c] = c;
}

/*
 * Makes the constant sources of instr read the pool. alone: instr may read a pool register; if
 * not, since it reads a user uniform, its constants are copied to virtual registers.
 */
static void
vivgpu_legalize_assign_pool(struct legalize *l, struct vir_instr *instr, bool alone)
{
   unsigned mask = vir_sources_in(instr, VIR_POOL);

   if (!alone) {
      u_foreach_bit(i, mask)
         vivgpu_legalize_copy_pool(l, instr, i);
      return;
   }
   while (mask && !vir_pool_assign(&l->pool, instr, mask)) {
      const unsigned last = util_last_bit(mask) - 1;

      vivgpu_legalize_copy_pool(l, instr, last);
      mask &= ~BITFIELD_BIT(last);
   }
}

/*
 * Makes instr read its first user uniform from the uniform register. Other user uniforms are
 * copied to virtual registers (unless no_oneconst_limit), those without a uniform register are
 * loaded.
 */
static void
vivgpu_legalize_user_sources(struct legalize *l, struct vir_instr *instr)
{
   const bool any = l->s->compiler->core.no_oneconst_limit;
   uint32_t first_user = VIR_NO_REG;

   u_foreach_bit(i, vir_sources_in(instr, VIR_USER)) {
      struct vir_src *src = &instr->src[i];

      if (!l->users.reg[src->index]) {
         if (src->indirect)
            vivgpu_legalize_load_indirect(l, instr);
         else
            vivgpu_legalize_load_user(l, instr, i);
         continue;
      }
      if (any || first_user == VIR_NO_REG || first_user == src->index) {
         first_user = src->index;
         continue;
      }
      vivgpu_legalize_copy_user(l, instr, i);
   }
   u_foreach_bit(i, vir_sources_in(instr, VIR_USER)) {
      struct vir_src *src = &instr->src[i];
      uint8_t swizzle[4];

      vivgpu_legalize_user_swizzle(l, src->index, swizzle);
      for (unsigned c = 0; c < 4; c++)
         src->swizzle[c] = swizzle[src->swizzle[c]];
      src->file = VIR_UNIFORM;
      src->index = l->users.reg[src->index] - 1;
   }
}

static void
vivgpu_legalize_instr(struct legalize *l, struct vir_instr *instr)
{
   vir_use_immediates(l->s, instr);
   if (l->users_in_pool && vivgpu_legalize_can_join(l, instr))
      u_foreach_bit(i, vir_sources_in(instr, VIR_USER))
         vivgpu_legalize_make_pool_source(&instr->src[i]);
   vivgpu_legalize_user_sources(l, instr);

   const bool alone = l->s->compiler->core.no_oneconst_limit || !vir_sources_in(instr, VIR_UNIFORM);
   vivgpu_legalize_assign_pool(l, instr, alone);
}

/* Converts register numbers relative to the pool's start, which follows the user uniforms. */
static void
vivgpu_legalize_fix_pool(struct legalize *l)
{
   vir_foreach_block(block, l->s) {
      vir_foreach_instr(instr, block) {
         for (unsigned i = 0; i < VIR_SRCS; i++) {
            struct vir_src *src = &instr->src[i];

            if (!src->in_pool)
               continue;
            src->index += l->s->num_uniforms;
            src->in_pool = false;
         }
      }
   }
}

/* Fills in vir_shader.uniforms: user uniforms, unless the pool has them, then the pool. */
static void
vivgpu_legalize_write_table(struct legalize *l)
{
   struct vir_shader *s = l->s;
   const uint32_t users = s->num_uniforms;

   s->num_uniforms += l->pool.count;
   s->uniforms = rzalloc_array(s, struct vivgpu_uniform, MAX2(s->num_uniforms, 1) * 4);
   for (uint32_t u = 0; u < VIR_MAX_USER && !s->dense; u++) {
      for (unsigned c = 0; c < 4 && l->users.reg[u]; c++)
         s->uniforms[(l->users.reg[u] - 1) * 4 + c] = (struct vivgpu_uniform){
            .kind = VIVGPU_UNIFORM_USER,
            .value = u * 4 + c,
         };
   }
   if (l->pool.count)
      memcpy(&s->uniforms[users * 4], l->pool.regs, l->pool.count * sizeof(*l->pool.regs));
   if (s->num_uniforms > s->compiler->core.max_uniforms[s->stage])
      vivgpu_legalize_fail_short(l, s->num_uniforms);
}

void
vir_legalize(struct vir_shader *s)
{
   struct legalize *l = rzalloc(s, struct legalize);

   l->s = s;
   l->pool.mem_ctx = s;
   l->pool.limit = UINT32_MAX;
   vir_foreach_block(block, s)
      vir_foreach_instr(instr, block)
         vir_use_immediates(l->s, instr);
   vivgpu_legalize_gather_users(l);
   if (!s->error && s->dense)
      vir_dense_assign(s, &l->users, &l->pool);
   else if (!s->error)
      vivgpu_legalize_assign_users(l);
   if (!s->error) {
      vir_foreach_block(block, s) {
         l->num_copies = 0;
         vir_foreach_instr_safe(instr, block)
            vivgpu_legalize_instr(l, instr);
      }
      vivgpu_legalize_fix_pool(l);
      vivgpu_legalize_write_table(l);
   }
   ralloc_free(l);
}
