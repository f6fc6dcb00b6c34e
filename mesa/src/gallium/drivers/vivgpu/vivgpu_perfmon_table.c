/* SPDX-License-Identifier: MIT */

#include "vivgpu_perfmon_table.h"

#include <assert.h>

#include "util/macros.h"

static const char *const group_names[VIVGPU_NUM_GROUPS] = {
   [VIVGPU_GROUP_HW] = "HW", [VIVGPU_GROUP_FE] = "FE", [VIVGPU_GROUP_VS] = "VS",
   [VIVGPU_GROUP_PS] = "PS", [VIVGPU_GROUP_PA] = "PA", [VIVGPU_GROUP_SE] = "SE",
   [VIVGPU_GROUP_RA] = "RA", [VIVGPU_GROUP_TX] = "TX", [VIVGPU_GROUP_PE] = "PE",
   [VIVGPU_GROUP_MC] = "MC", [VIVGPU_GROUP_HI] = "HI", [VIVGPU_GROUP_API] = "API",
};

static const struct {
   const char *domain, *name;
} signals[VIVGPU_NUM_SIGNALS] = {
#define NAMES(domain, signal)                                                                      \
   [VIVGPU_SOURCE_##domain##_##signal - VIVGPU_FIRST_SIGNAL] = {#domain, #signal},
   VIVGPU_SIGNALS(NAMES)
#undef NAMES
};

#define S(source) VIVGPU_SOURCE_##source

/* Counters with one source, as a 64-bit number, in bytes, or as a 32-bit number */
#define COUNT(group_, name_, source)                                                               \
   {                                                                                               \
      .name = name_, .group = VIVGPU_GROUP_##group_, .type = PIPE_DRIVER_QUERY_TYPE_UINT64,        \
      .numerator = {{S(source)}},                                                                  \
   }
#define BYTES(group_, name_, source)                                                               \
   {                                                                                               \
      .name = name_, .group = VIVGPU_GROUP_##group_, .type = PIPE_DRIVER_QUERY_TYPE_BYTES,         \
      .numerator = {{S(source)}},                                                                  \
   }
#define SMALL(group_, name_, source)                                                               \
   {                                                                                               \
      .name = name_, .group = VIVGPU_GROUP_##group_, .type = PIPE_DRIVER_QUERY_TYPE_UINT,          \
      .numerator = {{S(source)}},                                                                  \
   }
/* A source divided by another; @max_: the largest value, as reported to Mesa */
#define RATIO(group_, name_, source, other, max_)                                                  \
   {                                                                                               \
      .name = name_, .group = VIVGPU_GROUP_##group_, .type = PIPE_DRIVER_QUERY_TYPE_FLOAT,         \
      .numerator = {{S(source)}}, .denominator = {{S(other)}}, .max = max_,                        \
   }
/* A source as a percentage of the sum of two */
#define SHARE(group_, name_, source, other)                                                        \
   {                                                                                               \
      .name = name_, .group = VIVGPU_GROUP_##group_, .type = PIPE_DRIVER_QUERY_TYPE_PERCENTAGE,    \
      .numerator = {{S(source)}}, .denominator = {{S(source), S(other)}},                          \
   }

#define NO_LIMIT       0.0f
#define PIXELS_OF_QUAD 4.0f

const struct vivgpu_counter_info vivgpu_counters[] = {
   {
      .name = "Hardware Busy",
      .group = VIVGPU_GROUP_HW,
      .type = PIPE_DRIVER_QUERY_TYPE_PERCENTAGE,
      .numerator = {{S(HI_TOTAL_CYCLES)}, S(HI_IDLE_CYCLES)},
      .denominator = {{S(ELAPSED)}},
   },
   {
      .name = "Busy Cycles",
      .group = VIVGPU_GROUP_HW,
      .type = PIPE_DRIVER_QUERY_TYPE_UINT64,
      .numerator = {{S(HI_TOTAL_CYCLES)}, S(HI_IDLE_CYCLES)},
   },
   COUNT(HW, "Elapsed Cycles", ELAPSED),
   COUNT(HW, "Job Cycles", HI_TOTAL_CYCLES),
   COUNT(HW, "Idle Cycles", HI_IDLE_CYCLES),
   COUNT(HW, "Shader Cycles", SH_SHADER_CYCLES),
   {
      .name = "Bytes per Busy Cycle",
      .group = VIVGPU_GROUP_HW,
      .type = PIPE_DRIVER_QUERY_TYPE_FLOAT,
      .numerator = {{S(HI_TOTAL_READ_BYTES8), S(HI_TOTAL_WRITE_BYTES8)}},
      .denominator = {{S(HI_TOTAL_CYCLES)}, S(HI_IDLE_CYCLES)},
   },

   COUNT(FE, "FE Draws", FE_DRAW_COUNT),
   COUNT(FE, "FE Vertices", FE_OUT_VERTEX_COUNT),
   COUNT(FE, "FE Cache Misses", FE_CACHE_MISS_COUNT),
   COUNT(FE, "FE Cache Lookups", FE_CACHE_LK_COUNT),
   COUNT(FE, "FE Stalls", FE_STALL_COUNT),
   COUNT(FE, "FE Processed", FE_PROCESS_COUNT),

   COUNT(VS, "VS Vertices", SH_RENDERED_VERTICE_COUNTER),
   COUNT(VS, "VS Instructions", SH_VS_INST_COUNTER),
   COUNT(VS, "VS Branches", SH_VTX_BRANCH_INST_COUNTER),
   COUNT(VS, "VS Texture Fetches", SH_VTX_TEXLD_INST_COUNTER),
   RATIO(VS, "VS Instructions per Vertex", SH_VS_INST_COUNTER, SH_RENDERED_VERTICE_COUNTER,
         NO_LIMIT),

   COUNT(PS, "PS Pixels", SH_RENDERED_PIXEL_COUNTER),
   COUNT(PS, "PS Instructions", SH_PS_INST_COUNTER),
   COUNT(PS, "PS Branches", SH_PXL_BRANCH_INST_COUNTER),
   COUNT(PS, "PS Texture Fetches", SH_PXL_TEXLD_INST_COUNTER),
   RATIO(PS, "PS Instructions per Pixel", SH_PS_INST_COUNTER, SH_RENDERED_PIXEL_COUNTER, NO_LIMIT),

   COUNT(PA, "PA Input Vertices", PA_INPUT_VTX_COUNTER),
   COUNT(PA, "PA Input Primitives", PA_INPUT_PRIM_COUNTER),
   COUNT(PA, "PA Output Primitives", PA_OUTPUT_PRIM_COUNTER),
   COUNT(PA, "PA Depth Clipped", PA_DEPTH_CLIPPED_COUNTER),
   COUNT(PA, "PA Trivially Rejected", PA_TRIVIAL_REJECTED_COUNTER),
   COUNT(PA, "PA Culled", PA_CULLED_COUNTER),
   COUNT(PA, "PA Dropped", PA_DROPED_PRIM_COUNTER),
   COUNT(PA, "PA Frustum Clipped", PA_FRUSTUM_CLIPPED_PRIM_COUNTER),

   COUNT(SE, "SE Culled Triangles", SE_CULLED_TRIANGLE_COUNT),
   COUNT(SE, "SE Trivially Rejected Lines", SE_TRIVIAL_REJECTED_LINE_COUNT),

   COUNT(RA, "RA Pixels", RA_VALID_PIXEL_COUNT),
   COUNT(RA, "RA Quads", RA_TOTAL_QUAD_COUNT),
   COUNT(RA, "RA Quads after Early Z", RA_VALID_QUAD_COUNT_AFTER_EARLY_Z),
   COUNT(RA, "RA Quads Culled", RA_CULLED_QUAD_COUNT),
   COUNT(RA, "RA Primitives", RA_TOTAL_PRIMITIVE_COUNT),
   COUNT(RA, "RA Pipe Cache Misses", RA_PIPE_CACHE_MISS_COUNTER),
   COUNT(RA, "RA HZ Pipe Cache Misses", RA_PIPE_HZ_CACHE_MISS_COUNTER),
   COUNT(RA, "RA HZ Prefetch Cache Misses", RA_PREFETCH_HZ_CACHE_MISS_COUNTER),
   RATIO(RA, "RA Pixels per Quad", RA_VALID_PIXEL_COUNT, RA_TOTAL_QUAD_COUNT, PIXELS_OF_QUAD),
   {
      .name = "Early Z Culled",
      .group = VIVGPU_GROUP_RA,
      .type = PIPE_DRIVER_QUERY_TYPE_PERCENTAGE,
      .numerator = {{S(RA_TOTAL_QUAD_COUNT)}, S(RA_VALID_QUAD_COUNT_AFTER_EARLY_Z)},
      .denominator = {{S(RA_TOTAL_QUAD_COUNT)}},
   },

   COUNT(TX, "Texture Requests", TX_TOTAL_TEXTURE_REQUESTS),
   COUNT(TX, "Bilinear Requests", TX_TOTAL_BILINEAR_REQUESTS),
   COUNT(TX, "Trilinear Requests", TX_TOTAL_TRILINEAR_REQUESTS),
   COUNT(TX, "Discarded Texture Requests", TX_TOTAL_DISCARDED_TEXTURE_REQUESTS),
   COUNT(TX, "Texture Memory Reads", TX_MEM_READ_COUNT),
   COUNT(TX, "Texture Memory Words", TX_MEM_READ_IN_8B_COUNT),
   COUNT(TX, "Texture Cache Misses", TX_CACHE_MISS_COUNT),
   COUNT(TX, "Texture Cache Hit Texels", TX_CACHE_HIT_TEXEL_COUNT),
   COUNT(TX, "Texture Cache Miss Texels", TX_CACHE_MISS_TEXEL_COUNT),
   SHARE(TX, "Texture Cache Hits", TX_CACHE_HIT_TEXEL_COUNT, TX_CACHE_MISS_TEXEL_COUNT),

   COUNT(PE, "Pixels Drawn", PE_PIXEL_COUNT_DRAWN_BY_COLOR_PIPE),
   COUNT(PE, "Pixels Killed", PE_PIXEL_COUNT_KILLED_BY_COLOR_PIPE),
   COUNT(PE, "Depth Pixels Drawn", PE_PIXEL_COUNT_DRAWN_BY_DEPTH_PIPE),
   COUNT(PE, "Depth Pixels Killed", PE_PIXEL_COUNT_KILLED_BY_DEPTH_PIPE),

   BYTES(MC, "Pipeline Bytes Read", MC_TOTAL_READ_REQ_8B_FROM_PIPELINE),
   BYTES(MC, "Front End Bytes Read", MC_TOTAL_READ_REQ_8B_FROM_IP),
   BYTES(MC, "Pipeline Bytes Written", MC_TOTAL_WRITE_REQ_8B_FROM_PIPELINE),
   COUNT(MC, "Color Read Requests", MC_TOTAL_READ_REQ_SENTOUT_FROM_COLORPIPE),
   COUNT(MC, "Color Write Requests", MC_TOTAL_WRITE_REQ_FROM_COLORPIPE),
   BYTES(MC, "Depth Bytes Read", MC_TOTAL_READ_REQ_8B_FROM_DEPTHPIPE),
   BYTES(MC, "Depth Bytes Sent For", MC_TOTAL_READ_REQ_8B_SENTOUT_FROM_DEPTHPIPE),
   BYTES(MC, "Depth Bytes Written", MC_TOTAL_WRITE_REQ_8B_FROM_DEPTHPIPE),
   COUNT(MC, "Depth Read Requests", MC_TOTAL_READ_REQ_SENTOUT_FROM_DEPTHPIPE),
   COUNT(MC, "Depth Write Requests", MC_TOTAL_WRITE_REQ_FROM_DEPTHPIPE),
   BYTES(MC, "Other Bytes Read", MC_TOTAL_READ_REQ_8B_FROM_OTHERS),
   BYTES(MC, "Other Bytes Written", MC_TOTAL_WRITE_REQ_8B_FROM_OTHERS),
   COUNT(MC, "Other Read Requests", MC_TOTAL_READ_REQ_FROM_OTHERS),
   COUNT(MC, "Other Write Requests", MC_TOTAL_WRITE_REQ_FROM_OTHERS),

   BYTES(HI, "Bytes Read", HI_TOTAL_READ_BYTES8),
   BYTES(HI, "Bytes Written", HI_TOTAL_WRITE_BYTES8),
   COUNT(HI, "Read Request Stall Cycles", HI_AXI_CYCLES_READ_REQUEST_STALLED),
   COUNT(HI, "Write Request Stall Cycles", HI_AXI_CYCLES_WRITE_REQUEST_STALLED),
   COUNT(HI, "Write Data Stall Cycles", HI_AXI_CYCLES_WRITE_DATA_STALLED),

   SMALL(API, "Draw Calls", DRAWS),
   COUNT(API, "Instances", INSTANCES),
   COUNT(API, "Vertices", VERTICES),
   COUNT(API, "Primitives", PRIMITIVES),
   RATIO(API, "Vertices per Draw Call", VERTICES, DRAWS, NO_LIMIT),
   SMALL(API, "Clears", CLEARS),
   SMALL(API, "Copies", COPIES),
   SMALL(API, "State Changes", STATE_CHANGES),
   SMALL(API, "Flushes", FLUSHES),
   SMALL(API, "Jobs", JOBS),
   BYTES(API, "Command Bytes", COMMAND_BYTES),
   COUNT(API, "Job Buffers", JOB_BUFFERS),
   BYTES(API, "Job Buffer Bytes", JOB_BUFFER_BYTES),
   BYTES(API, "Buffer Memory", MEMORY),
};

const unsigned vivgpu_num_counters = ARRAY_SIZE(vivgpu_counters);

/*
 * Primitives are counted when they enter clipping. GL_ARB_pipeline_statistics_query lets the number
 * of clipping output primitives vary; the same count is returned for both.
 */
#define CLIPPED                                                                                    \
   {                                                                                               \
      .type = PIPE_DRIVER_QUERY_TYPE_UINT64, .numerator = {{S(PA_INPUT_PRIM_COUNTER), S(CULLED)}}, \
   }
#define SIGNAL(source) {.type = PIPE_DRIVER_QUERY_TYPE_UINT64, .numerator = {{S(source)}}}
#define NO_STAGE       {.type = PIPE_DRIVER_QUERY_TYPE_UINT64}

static const struct vivgpu_counter_info statistics[] = {
   [PIPE_STAT_QUERY_VS_INVOCATIONS] = SIGNAL(SH_RENDERED_VERTICE_COUNTER),
   [PIPE_STAT_QUERY_GS_INVOCATIONS] = NO_STAGE,
   [PIPE_STAT_QUERY_GS_PRIMITIVES] = NO_STAGE,
   [PIPE_STAT_QUERY_C_INVOCATIONS] = CLIPPED,
   [PIPE_STAT_QUERY_C_PRIMITIVES] = CLIPPED,
   [PIPE_STAT_QUERY_PS_INVOCATIONS] = SIGNAL(SH_RENDERED_PIXEL_COUNTER),
   [PIPE_STAT_QUERY_HS_INVOCATIONS] = NO_STAGE,
   [PIPE_STAT_QUERY_DS_INVOCATIONS] = NO_STAGE,
   [PIPE_STAT_QUERY_CS_INVOCATIONS] = NO_STAGE,
};

/*
 * Vertices and primitives submitted are not in the table: the driver counts them
 * (vivgpu_query_submitted.c).
 */
const struct vivgpu_counter_info *
vivgpu_statistic(unsigned index)
{
   if (index >= ARRAY_SIZE(statistics) || index == PIPE_STAT_QUERY_IA_VERTICES ||
       index == PIPE_STAT_QUERY_IA_PRIMITIVES)
      return NULL;
   return &statistics[index];
}

const char *
vivgpu_group_name(unsigned group)
{
   return group < VIVGPU_NUM_GROUPS ? group_names[group] : NULL;
}

const char *
vivgpu_signal_domain(enum vivgpu_source source)
{
   assert(vivgpu_source_is_signal(source));
   return signals[source - VIVGPU_FIRST_SIGNAL].domain;
}

const char *
vivgpu_signal_name(enum vivgpu_source source)
{
   assert(vivgpu_source_is_signal(source));
   return signals[source - VIVGPU_FIRST_SIGNAL].name;
}

static void
vivgpu_perfmon_amount_sources(const struct vivgpu_amount *amount, struct vivgpu_sources *set)
{
   const uint8_t parts[] = {amount->plus[0], amount->plus[1], amount->minus};

   for (unsigned i = 0; i < ARRAY_SIZE(parts); i++) {
      if (parts[i] != VIVGPU_SOURCE_NONE)
         vivgpu_sources_add(set, parts[i]);
   }
}

void
vivgpu_counter_sources(const struct vivgpu_counter_info *info, struct vivgpu_sources *set)
{
   vivgpu_perfmon_amount_sources(&info->numerator, set);
   vivgpu_perfmon_amount_sources(&info->denominator, set);
}

static uint64_t
vivgpu_perfmon_amount_value(const struct vivgpu_amount *amount, const uint64_t *sums)
{
   uint64_t plus = 0;
   uint64_t minus = amount->minus ? sums[amount->minus] : 0;

   for (unsigned i = 0; i < ARRAY_SIZE(amount->plus); i++)
      plus += amount->plus[i] ? sums[amount->plus[i]] : 0;
   return plus > minus ? plus - minus : 0;
}

/* 0 / 0 is 0. */
static double
vivgpu_perfmon_ratio(const struct vivgpu_counter_info *info, const uint64_t *sums)
{
   uint64_t by = vivgpu_perfmon_amount_value(&info->denominator, sums);

   return by ? (double)vivgpu_perfmon_amount_value(&info->numerator, sums) / by : 0;
}

union pipe_numeric_type_union
vivgpu_counter_value(const struct vivgpu_counter_info *info, const uint64_t *sums)
{
   union pipe_numeric_type_union value = {0};

   switch (info->type) {
   case PIPE_DRIVER_QUERY_TYPE_PERCENTAGE:
      value.f = MIN2(100 * vivgpu_perfmon_ratio(info, sums), 100);
      break;
   case PIPE_DRIVER_QUERY_TYPE_FLOAT:
      value.f = vivgpu_perfmon_ratio(info, sums);
      break;
   case PIPE_DRIVER_QUERY_TYPE_UINT:
      value.u32 = MIN2(vivgpu_perfmon_amount_value(&info->numerator, sums), UINT32_MAX);
      break;
   default:
      value.u64 = vivgpu_perfmon_amount_value(&info->numerator, sums);
      break;
   }
   return value;
}

union pipe_numeric_type_union
vivgpu_counter_max(const struct vivgpu_counter_info *info)
{
   union pipe_numeric_type_union max = {0};

   if (info->type == PIPE_DRIVER_QUERY_TYPE_PERCENTAGE)
      max.f = 100;
   else if (info->type == PIPE_DRIVER_QUERY_TYPE_FLOAT)
      max.f = info->max;
   return max;
}

uint32_t
vivgpu_sources_signals(const struct vivgpu_sources *set)
{
   uint32_t count = 0;

   for (unsigned i = 0; i < VIVGPU_NUM_SIGNALS; i++)
      count += vivgpu_sources_has(set, VIVGPU_FIRST_SIGNAL + i);
   return count;
}

const uint64_t *
vivgpu_signals_add(const struct vivgpu_sources *set, const uint32_t *scales, const uint64_t *values,
                   uint64_t *sums)
{
   for (unsigned i = 0; i < VIVGPU_NUM_SIGNALS; i++) {
      if (!vivgpu_sources_has(set, VIVGPU_FIRST_SIGNAL + i))
         continue;
      if (*values != VIVGPU_NOT_COUNTED)
         sums[VIVGPU_FIRST_SIGNAL + i] += *values * scales[i];
      values++;
   }
   return values;
}
