/*
 * SPDX-License-Identifier: MIT
 *
 * Tests of vivgpu_compile(): the number of instructions and the description of whole shaders.
 * Whether the code computes correct results is tested on the virtual card's shader core
 * (tests/mesa).
 */

#include "compiler/glsl_types.h"
#include "compiler/nir/nir_builder.h"
#include "util/blob.h"

#include "vir_test.h"

class shader : public vir_test {
 protected:
   shader()
   {
      glsl_type_singleton_init_or_ref();
   }

   ~shader()
   {
      vivgpu_shader_destroy(made);
      ralloc_free(b.shader);
      glsl_type_singleton_decref();
   }

   void begin(gl_shader_stage stage)
   {
      b = nir_builder_init_simple_shader(stage, vivgpu_compiler_nir_options(compiler), "test");
   }

   nir_variable *variable(nir_variable_mode mode, unsigned n, unsigned location, unsigned driver)
   {
      nir_variable *var = nir_variable_create(b.shader, mode, glsl_vec_type(n), "io");

      var->data.location = location;
      var->data.driver_location = driver;
      var->data.interpolation = INTERP_MODE_NONE;
      return var;
   }

   nir_def *input(unsigned n, unsigned location, unsigned driver)
   {
      return nir_load_var(&b, variable(nir_var_shader_in, n, location, driver));
   }

   void output(nir_def *value, unsigned location)
   {
      nir_store_var(&b, variable(nir_var_shader_out, value->num_components, location, 0), value,
                    BITFIELD_MASK(value->num_components));
   }

   nir_def *uniform(unsigned n, unsigned base)
   {
      return nir_load_uniform(&b, n, 32, nir_imm_int(&b, 0), .base = (int)base, .range = 1,
                              .dest_type = nir_type_float32);
   }

   void compile()
   {
      struct vivgpu_compile_error error = {};

      made = vivgpu_compile(compiler, b.shader, &key, &error);
      ASSERT_NE(made, nullptr) << error.reason;
   }

   /* Number of lines of the disassembly that begin with start. */
   unsigned lines(const char *start)
   {
      char *text = vivgpu_shader_disassemble(made);
      unsigned n = 0;

      for (char *at = strstr(text, start); at; at = strstr(at + 1, start))
         n += at == text || at[-1] == '\n';
      free(text);
      return n;
   }

   nir_builder b = {};
   struct vivgpu_shader_key key = {};
   struct vivgpu_shader *made = nullptr;
};

TEST_F(shader, copying_inputs_to_outputs_needs_no_instruction)
{
   begin(MESA_SHADER_VERTEX);
   output(input(4, VERT_ATTRIB_GENERIC0, 0), VARYING_SLOT_POS);
   output(input(2, VERT_ATTRIB_GENERIC1, 1), VARYING_SLOT_VAR0);
   compile();
   EXPECT_EQ(made->num_instructions, 1u); /* a NOP */
   EXPECT_EQ(made->position_reg, 0);
   ASSERT_EQ(made->num_outputs, 1u);
   EXPECT_EQ(made->outputs[0].reg, 1);
   EXPECT_EQ(made->outputs[0].components, 2);
   EXPECT_EQ(made->num_inputs, 2u);
   EXPECT_EQ(made->num_temps, 2u);
}

TEST_F(shader, z_is_converted_before_gc1000_but_not_on_gc880)
{
   const unsigned models[] = {0x400, 0x800, 0x860, 0x880, 0x1000, 0x2000, 0x3000};
   const bool converts[] = {true, true, true, false, false, false, false};

   for (unsigned i = 0; i < ARRAY_SIZE(models); i++) {
      info.model = models[i];
      open();
      begin(MESA_SHADER_VERTEX);
      output(input(4, VERT_ATTRIB_GENERIC0, 0), VARYING_SLOT_POS);
      compile();
      EXPECT_EQ(made->num_instructions > 1, converts[i]) << std::hex << models[i];
      vivgpu_shader_destroy(made);
      made = nullptr;
      ralloc_free(b.shader);
      b.shader = nullptr;
   }
}

TEST_F(shader, a_matrix_takes_four_instructions)
{
   begin(MESA_SHADER_VERTEX);
   nir_def *in = input(4, VERT_ATTRIB_GENERIC0, 0), *sum = nullptr;
   for (unsigned i = 0; i < 4; i++) {
      nir_def *product = nir_fmul(&b, uniform(4, i), nir_channel(&b, in, i));
      sum = sum ? nir_fadd(&b, sum, product) : product;
   }
   output(sum, VARYING_SLOT_POS);
   compile();
   EXPECT_EQ(made->num_instructions, 4u);
   EXPECT_EQ(made->num_uniforms, 16u);
   for (unsigned i = 0; i < 16; i++) {
      EXPECT_EQ(made->uniforms[i].kind, VIVGPU_UNIFORM_USER);
      EXPECT_EQ(made->uniforms[i].value, i);
   }
}

TEST_F(shader, fragment_inputs_start_at_temporary_1)
{
   begin(MESA_SHADER_FRAGMENT);
   nir_def *late = input(4, VARYING_SLOT_VAR3, 0), *early = input(3, VARYING_SLOT_VAR1, 1);
   output(nir_fadd(&b, late,
                   nir_vec4(&b, nir_channel(&b, early, 0), nir_channel(&b, early, 1),
                            nir_channel(&b, early, 2), nir_imm_float(&b, 1.0f))),
          FRAG_RESULT_DATA0);
   compile();
   ASSERT_EQ(made->num_inputs, 2u);
   EXPECT_EQ(made->inputs[0].location, VARYING_SLOT_VAR1);
   EXPECT_EQ(made->inputs[0].reg, 1);
   EXPECT_EQ(made->inputs[0].components, 3);
   EXPECT_EQ(made->inputs[1].location, VARYING_SLOT_VAR3);
   EXPECT_EQ(made->inputs[1].reg, 2);
}

TEST_F(shader, colour_is_not_in_temporary_0)
{
   begin(MESA_SHADER_FRAGMENT);
   output(nir_fadd_imm(&b, input(4, VARYING_SLOT_VAR0, 0), 1.0), FRAG_RESULT_DATA0);
   compile();
   EXPECT_GT(made->color_reg[0], 0);
   EXPECT_FALSE(made->writes_depth);
}

TEST_F(shader, depth_goes_to_temporary_0)
{
   begin(MESA_SHADER_FRAGMENT);
   nir_def *in = input(4, VARYING_SLOT_VAR0, 0);
   output(in, FRAG_RESULT_DATA0);
   output(nir_channel(&b, nir_fsat(&b, in), 1), FRAG_RESULT_DEPTH);
   compile();
   EXPECT_TRUE(made->writes_depth);
   EXPECT_EQ(lines("mov.sat           t0.__z_"), 1u);
   EXPECT_EQ(made->num_instructions, 1u);
}

TEST_F(shader, a_comparison_is_part_of_the_kill)
{
   begin(MESA_SHADER_FRAGMENT);
   nir_def *in = input(4, VARYING_SLOT_VAR0, 0);
   nir_terminate_if(&b, nir_flt_imm(&b, nir_channel(&b, in, 3), 0.5));
   output(in, FRAG_RESULT_DATA0);
   compile();
   EXPECT_TRUE(made->uses_kill);
   EXPECT_EQ(lines("texkill.lt"), 1u);
   EXPECT_EQ(made->num_instructions, 1u);
}

TEST_F(shader, frag_color_is_written_to_all_targets)
{
   begin(MESA_SHADER_FRAGMENT);
   output(nir_fadd_imm(&b, input(4, VARYING_SLOT_VAR0, 0), 1.0), FRAG_RESULT_COLOR);
   key.num_color_outputs = 3;
   compile();
   for (unsigned i = 0; i < 3; i++)
      EXPECT_GE(made->color_reg[i], 0);
   EXPECT_EQ(made->color_reg[3], VIVGPU_NO_REG);
}

TEST_F(shader, red_and_blue_are_swapped)
{
   begin(MESA_SHADER_FRAGMENT);
   output(input(4, VARYING_SLOT_VAR0, 0), FRAG_RESULT_DATA0);
   key.frag_rb_swap = 1;
   compile();
   EXPECT_EQ(made->num_instructions, 1u);
   EXPECT_EQ(lines("mov "), 1u);
}

TEST_F(shader, flat_colours_follow_the_key)
{
   begin(MESA_SHADER_FRAGMENT);
   output(input(4, VARYING_SLOT_COL0, 0), FRAG_RESULT_DATA0);
   key.flatshade = true;
   compile();
   EXPECT_EQ(made->inputs[0].interpolation, INTERP_MODE_FLAT);
}

TEST_F(shader, face_input_replaces_the_core_face)
{
   begin(MESA_SHADER_FRAGMENT);
   output(nir_b2f32(&b, nir_replicate(&b, nir_load_front_face(&b, 1), 4)), FRAG_RESULT_DATA0);
   compile();
   EXPECT_EQ(made->num_inputs, 0u);

   vivgpu_shader_destroy(made);
   key.extras.face_input = 1;
   compile();
   ASSERT_EQ(made->num_inputs, 1u);
   EXPECT_EQ(made->inputs[0].location, VIVGPU_FACE_LOCATION);
   EXPECT_EQ(made->inputs[0].components, 1u);
}

TEST_F(shader, point_coordinates_are_flipped)
{
   begin(MESA_SHADER_FRAGMENT);
   nir_def *coord = input(2, VARYING_SLOT_PNTC, 0);
   output(nir_vec4(&b, nir_channel(&b, coord, 0), nir_channel(&b, coord, 1),
                   nir_channel(&b, coord, 0), nir_channel(&b, coord, 1)),
          FRAG_RESULT_DATA0);
   compile();
   const uint32_t before = made->num_instructions;

   vivgpu_shader_destroy(made);
   key.sprite_coord_yinvert = true;
   compile();
   EXPECT_GT(made->num_instructions, before);
   EXPECT_TRUE(made->uses_point_coord);
}

TEST_F(shader, coverage_reads_its_input_and_the_position_and_kills)
{
   begin(MESA_SHADER_FRAGMENT);
   output(input(4, VARYING_SLOT_COL0, 0), FRAG_RESULT_COLOR);
   compile();
   EXPECT_FALSE(made->uses_frag_coord);

   for (unsigned kind : {VIVGPU_COVERAGE_LINE, VIVGPU_COVERAGE_POINT}) {
      vivgpu_shader_destroy(made);
      key.extras.coverage = kind;
      compile();
      ASSERT_EQ(made->num_inputs, 2u);
      EXPECT_EQ(made->inputs[1].location, VIVGPU_COVERAGE_LOCATION);
      EXPECT_EQ(made->inputs[1].components, 4u);
      EXPECT_TRUE(made->uses_frag_coord);
      EXPECT_TRUE(made->uses_kill);
   }
}

/* Also where the shader does not write alpha: the fragment must not write depth either. */
TEST_F(shader, coverage_kills_without_alpha)
{
   begin(MESA_SHADER_FRAGMENT);
   output(nir_channel(&b, input(4, VARYING_SLOT_VAR0, 0), 0), FRAG_RESULT_DEPTH);
   key.extras.coverage = VIVGPU_COVERAGE_POINT;
   compile();
   EXPECT_TRUE(made->uses_kill);
}

TEST_F(shader, point_sizes_are_rounded)
{
   begin(MESA_SHADER_VERTEX);
   output(input(4, VERT_ATTRIB_GENERIC0, 0), VARYING_SLOT_POS);
   output(uniform(1, 0), VARYING_SLOT_PSIZ);
   compile();
   EXPECT_EQ(lines("floor"), 0u);

   vivgpu_shader_destroy(made);
   key.round_point_size = true;
   compile();
   EXPECT_EQ(lines("floor"), 1u);
   EXPECT_GE(made->point_size_reg, 0);
}

TEST_F(shader, alpha_ref_and_alpha_to_one)
{
   begin(MESA_SHADER_FRAGMENT);
   output(input(4, VARYING_SLOT_COL0, 0), FRAG_RESULT_COLOR);
   key.extras.alpha_ref = 3;
   compile();
   EXPECT_TRUE(made->uses_kill);
   EXPECT_EQ(made->inputs[0].components, 4u);

   vivgpu_shader_destroy(made);
   key.extras = {};
   key.extras.alpha_to_one = 1;
   compile();
   EXPECT_FALSE(made->uses_kill);
   EXPECT_EQ(made->inputs[0].components, 3u);
}

/* Of two stores to an output only the last one's alpha is compared: one kill, not two. */
TEST_F(shader, only_the_last_alpha_is_compared)
{
   begin(MESA_SHADER_FRAGMENT);
   nir_def *color = input(4, VARYING_SLOT_COL0, 0);
   nir_variable *out = variable(nir_var_shader_out, 4, FRAG_RESULT_COLOR, 0);

   nir_store_var(&b, out, nir_imm_vec4(&b, 0, 0, 0, 0), 0xf);
   nir_store_var(&b, out, color, 0xf);
   key.extras.alpha_ref = 1;
   compile();
   EXPECT_EQ(made->stats.branches + lines("texkill"), 1u);
}

static unsigned
uniforms_of_kind(const struct vivgpu_shader *made, enum vivgpu_uniform_kind kind)
{
   unsigned n = 0;

   for (uint32_t i = 0; i < made->num_uniforms; i++)
      n += made->uniforms[i].kind == kind;
   return n;
}

TEST_F(shader, borders_are_lowered)
{
   begin(MESA_SHADER_FRAGMENT);
   nir_def *coord = input(2, VARYING_SLOT_VAR0, 0);
   nir_tex_instr *tex = nir_tex_instr_create(b.shader, 1);

   tex->op = nir_texop_tex;
   tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   tex->dest_type = nir_type_float32;
   tex->coord_components = 2;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, coord);
   nir_def_init(&tex->instr, &tex->def, 4, 32);
   nir_builder_instr_insert(&b, &tex->instr);
   output(&tex->def, FRAG_RESULT_DATA0);

   compile();
   EXPECT_EQ(uniforms_of_kind(made, VIVGPU_UNIFORM_BORDER_COLOR), 0u);
   const uint32_t plain = made->num_instructions;

   vivgpu_shader_destroy(made);
   key.border[0] = VIVGPU_BORDER_AXIS(0) | VIVGPU_BORDER_AXIS(1) | VIVGPU_BORDER_MAG_LINEAR |
                   VIVGPU_BORDER_MIN_LINEAR;
   compile();
   EXPECT_EQ(uniforms_of_kind(made, VIVGPU_UNIFORM_BORDER_COLOR), 4u);
   EXPECT_GT(made->num_instructions, plain);

   /* With mipmaps the shader also reads the sampler's LOD bias and limits. */
   EXPECT_EQ(uniforms_of_kind(made, VIVGPU_UNIFORM_SAMPLER_LOD), 0u);
   vivgpu_shader_destroy(made);
   key.border[0] |= VIVGPU_BORDER_MIPMAPS;
   compile();
   EXPECT_EQ(uniforms_of_kind(made, VIVGPU_UNIFORM_SAMPLER_LOD), 3u);

   vivgpu_shader_destroy(made);
   key.border[1] = key.border[0]; /* a sampler that the shader does not use */
   key.border[0] = 0;
   compile();
   EXPECT_EQ(uniforms_of_kind(made, VIVGPU_UNIFORM_BORDER_COLOR), 0u);
   EXPECT_EQ(made->num_instructions, plain);
}

TEST_F(shader, serialization_round_trip)
{
   begin(MESA_SHADER_VERTEX);
   output(nir_fmul_imm(&b, nir_fsin(&b, input(4, VERT_ATTRIB_GENERIC0, 0)), 0.3), VARYING_SLOT_POS);
   compile();

   struct blob blob;
   blob_init(&blob);
   vivgpu_shader_serialize(made, &blob);
   struct blob_reader reader;
   blob_reader_init(&reader, blob.data, blob.size);
   struct vivgpu_shader *back = vivgpu_shader_deserialize(&reader);
   ASSERT_NE(back, nullptr);
   char *before = vivgpu_shader_disassemble(made), *after = vivgpu_shader_disassemble(back);
   EXPECT_STREQ(before, after);
   EXPECT_EQ(memcmp(&made->stats, &back->stats, sizeof(made->stats)), 0);
   free(before);
   free(after);
   vivgpu_shader_destroy(back);

   for (size_t size = 0; size < blob.size; size += 7) { /* a truncated blob is refused */
      blob_reader_init(&reader, blob.data, size);
      EXPECT_EQ(vivgpu_shader_deserialize(&reader), nullptr);
   }
   blob_finish(&blob);
}

TEST_F(shader, compilation_is_deterministic)
{
   begin(MESA_SHADER_FRAGMENT);
   nir_def *in = input(4, VARYING_SLOT_VAR0, 0);
   output(nir_fpow(&b, nir_fabs(&b, in), uniform(4, 2)), FRAG_RESULT_DATA0);
   compile();
   struct vivgpu_shader *first = made;
   compile();
   ASSERT_EQ(first->num_instructions, made->num_instructions);
   EXPECT_EQ(memcmp(first->code, made->code, first->num_instructions * 16), 0);
   vivgpu_shader_destroy(first);
}

TEST_F(shader, failed_compilations_report_a_reason)
{
   struct vivgpu_compile_error error = {};

   begin(MESA_SHADER_FRAGMENT);
   output(nir_i2f32(&b, nir_load_sample_id(&b)), FRAG_RESULT_DEPTH);
   EXPECT_EQ(vivgpu_compile(compiler, b.shader, &key, &error), nullptr);
   ASSERT_NE(error.reason, nullptr);
   EXPECT_NE(strstr(error.reason, "sample_id"), nullptr);
   EXPECT_FALSE(error.is_limit);
   free(error.reason);
}

TEST_F(shader, the_number_of_the_instance_is_an_input_beside_the_attributes)
{
   const unsigned read[] = {15, 16, 1, 1}, bound[] = {15, 16, 15, 16};

   for (unsigned i = 0; i < ARRAY_SIZE(read); i++) {
      struct vivgpu_compile_error error = {};

      begin(MESA_SHADER_VERTEX);
      nir_def *sum = nir_vec4(&b, nir_i2f32(&b, nir_load_instance_id(&b)), nir_imm_float(&b, 0),
                              nir_imm_float(&b, 0), nir_imm_float(&b, 0));
      for (unsigned n = 0; n < read[i]; n++)
         sum = nir_fadd(&b, sum, input(4, VERT_ATTRIB_GENERIC0 + n, n));
      output(sum, VARYING_SLOT_POS);
      b.shader->num_inputs = bound[i];
      made = vivgpu_compile(compiler, b.shader, &key, &error);
      EXPECT_EQ(made != nullptr, bound[i] < 16);
      EXPECT_EQ(error.is_limit, bound[i] == 16);
      EXPECT_EQ(error.reason != nullptr, bound[i] == 16);
      free(error.reason);
      vivgpu_shader_destroy(made);
      made = nullptr;
      ralloc_free(b.shader);
      b.shader = nullptr;
   }
}

TEST_F(shader, too_many_instructions_exceed_a_limit)
{
   struct vivgpu_compile_error error = {};

   info = {};
   info.model = 0x2000;
   info.gpu.max_instructions = 512;
   info.gpu.max_registers = 64;
   info.gpu.num_constants = 168;
   open();
   begin(MESA_SHADER_VERTEX);
   nir_def *in = input(4, VERT_ATTRIB_GENERIC0, 0), *value = in;
   static const unsigned rotated[4] = {1, 2, 3, 0};
   for (unsigned i = 0; i <= vivgpu_compiler_max_instructions(compiler); i++)
      value = nir_fmul(&b, nir_swizzle(&b, value, rotated, 4), in);
   output(value, VARYING_SLOT_POS);
   EXPECT_EQ(vivgpu_compile(compiler, b.shader, &key, &error), nullptr);
   ASSERT_NE(error.reason, nullptr);
   EXPECT_NE(strstr(error.reason, "instructions"), nullptr);
   EXPECT_TRUE(error.is_limit);
   free(error.reason);
}

/* 96 vectors compared with 384 constants: too many registers unless they are shared. */
TEST_F(shader, many_uniforms_and_constants_fit)
{
   begin(MESA_SHADER_VERTEX);
   nir_def *same = nir_imm_float(&b, 1);

   for (unsigned i = 0; i < 96; i++) {
      nir_const_value value[4] = {};

      for (unsigned c = 0; c < 4; c++)
         value[c].f32 = (4 * i + c) * 0.373f - 10;
      nir_def *off = nir_fsub(&b, uniform(4, i), nir_build_imm(&b, 4, 32, value));

      for (unsigned c = 0; c < 4; c++) {
         nir_def *less = nir_flt_imm(&b, nir_fabs(&b, nir_channel(&b, off, c)), 0.005f);

         same = nir_fmul(&b, same, nir_b2f32(&b, less));
      }
   }
   output(nir_replicate(&b, same, 4), VARYING_SLOT_POS);
   compile();
   EXPECT_LE(made->num_uniforms, 4 * vivgpu_compiler_max_uniforms(compiler, MESA_SHADER_VERTEX));
}
