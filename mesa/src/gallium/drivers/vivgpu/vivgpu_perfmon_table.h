/* SPDX-License-Identifier: MIT */
/*
 * The counters of performance monitors: a table, and the computation of their values from sums.
 * Pure. Documentation/mesa/counters.rst describes each counter.
 */
#ifndef VIVGPU_PERFMON_TABLE_H
#define VIVGPU_PERFMON_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_defines.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kernel's counters: its names for the block and for the counter */
#define VIVGPU_SIGNALS(X)                                                                          \
   X(HI, TOTAL_READ_BYTES8)                                                                        \
   X(HI, TOTAL_WRITE_BYTES8)                                                                       \
   X(HI, TOTAL_CYCLES)                                                                             \
   X(HI, IDLE_CYCLES)                                                                              \
   X(HI, AXI_CYCLES_READ_REQUEST_STALLED)                                                          \
   X(HI, AXI_CYCLES_WRITE_REQUEST_STALLED)                                                         \
   X(HI, AXI_CYCLES_WRITE_DATA_STALLED)                                                            \
   X(FE, DRAW_COUNT)                                                                               \
   X(FE, OUT_VERTEX_COUNT)                                                                         \
   X(FE, CACHE_MISS_COUNT)                                                                         \
   X(FE, CACHE_LK_COUNT)                                                                           \
   X(FE, STALL_COUNT)                                                                              \
   X(FE, PROCESS_COUNT)                                                                            \
   X(PE, PIXEL_COUNT_KILLED_BY_COLOR_PIPE)                                                         \
   X(PE, PIXEL_COUNT_KILLED_BY_DEPTH_PIPE)                                                         \
   X(PE, PIXEL_COUNT_DRAWN_BY_COLOR_PIPE)                                                          \
   X(PE, PIXEL_COUNT_DRAWN_BY_DEPTH_PIPE)                                                          \
   X(SH, SHADER_CYCLES)                                                                            \
   X(SH, PS_INST_COUNTER)                                                                          \
   X(SH, RENDERED_PIXEL_COUNTER)                                                                   \
   X(SH, VS_INST_COUNTER)                                                                          \
   X(SH, RENDERED_VERTICE_COUNTER)                                                                 \
   X(SH, VTX_BRANCH_INST_COUNTER)                                                                  \
   X(SH, VTX_TEXLD_INST_COUNTER)                                                                   \
   X(SH, PXL_BRANCH_INST_COUNTER)                                                                  \
   X(SH, PXL_TEXLD_INST_COUNTER)                                                                   \
   X(PA, INPUT_VTX_COUNTER)                                                                        \
   X(PA, INPUT_PRIM_COUNTER)                                                                       \
   X(PA, OUTPUT_PRIM_COUNTER)                                                                      \
   X(PA, DEPTH_CLIPPED_COUNTER)                                                                    \
   X(PA, TRIVIAL_REJECTED_COUNTER)                                                                 \
   X(PA, CULLED_COUNTER)                                                                           \
   X(PA, DROPED_PRIM_COUNTER)                                                                      \
   X(PA, FRUSTUM_CLIPPED_PRIM_COUNTER)                                                             \
   X(SE, CULLED_TRIANGLE_COUNT)                                                                    \
   X(SE, TRIVIAL_REJECTED_LINE_COUNT)                                                              \
   X(RA, VALID_PIXEL_COUNT)                                                                        \
   X(RA, TOTAL_QUAD_COUNT)                                                                         \
   X(RA, VALID_QUAD_COUNT_AFTER_EARLY_Z)                                                           \
   X(RA, TOTAL_PRIMITIVE_COUNT)                                                                    \
   X(RA, PIPE_CACHE_MISS_COUNTER)                                                                  \
   X(RA, CULLED_QUAD_COUNT)                                                                        \
   X(RA, PIPE_HZ_CACHE_MISS_COUNTER)                                                               \
   X(RA, PREFETCH_HZ_CACHE_MISS_COUNTER)                                                           \
   X(TX, TOTAL_BILINEAR_REQUESTS)                                                                  \
   X(TX, TOTAL_TRILINEAR_REQUESTS)                                                                 \
   X(TX, TOTAL_DISCARDED_TEXTURE_REQUESTS)                                                         \
   X(TX, TOTAL_TEXTURE_REQUESTS)                                                                   \
   X(TX, MEM_READ_COUNT)                                                                           \
   X(TX, MEM_READ_IN_8B_COUNT)                                                                     \
   X(TX, CACHE_MISS_COUNT)                                                                         \
   X(TX, CACHE_HIT_TEXEL_COUNT)                                                                    \
   X(TX, CACHE_MISS_TEXEL_COUNT)                                                                   \
   X(MC, TOTAL_READ_REQ_8B_FROM_PIPELINE)                                                          \
   X(MC, TOTAL_READ_REQ_8B_FROM_IP)                                                                \
   X(MC, TOTAL_WRITE_REQ_8B_FROM_PIPELINE)                                                         \
   X(MC, TOTAL_READ_REQ_SENTOUT_FROM_COLORPIPE)                                                    \
   X(MC, TOTAL_WRITE_REQ_FROM_COLORPIPE)                                                           \
   X(MC, TOTAL_READ_REQ_8B_FROM_DEPTHPIPE)                                                         \
   X(MC, TOTAL_READ_REQ_8B_SENTOUT_FROM_DEPTHPIPE)                                                 \
   X(MC, TOTAL_WRITE_REQ_8B_FROM_DEPTHPIPE)                                                        \
   X(MC, TOTAL_READ_REQ_SENTOUT_FROM_DEPTHPIPE)                                                    \
   X(MC, TOTAL_WRITE_REQ_FROM_DEPTHPIPE)                                                           \
   X(MC, TOTAL_READ_REQ_8B_FROM_OTHERS)                                                            \
   X(MC, TOTAL_WRITE_REQ_8B_FROM_OTHERS)                                                           \
   X(MC, TOTAL_READ_REQ_FROM_OTHERS)                                                               \
   X(MC, TOTAL_WRITE_REQ_FROM_OTHERS)

/** What is summed up while a monitor is active */
enum vivgpu_source {
   /** No source: must be 0, the value of entries that a table leaves out */
   VIVGPU_SOURCE_NONE,

#define SOURCE(domain, signal) VIVGPU_SOURCE_##domain##_##signal,
   VIVGPU_SIGNALS(SOURCE)
#undef SOURCE
   /** Cycles from the begin to the end of the monitor, including those of other clients */
   VIVGPU_SOURCE_ELAPSED,

   /* Counts of the driver itself from here on */
   VIVGPU_SOURCE_DRAWS,
   VIVGPU_SOURCE_INSTANCES,
   VIVGPU_SOURCE_VERTICES,
   VIVGPU_SOURCE_PRIMITIVES,
   VIVGPU_SOURCE_CLEARS,
   VIVGPU_SOURCE_COPIES,
   VIVGPU_SOURCE_STATE_CHANGES,
   VIVGPU_SOURCE_FLUSHES,
   VIVGPU_SOURCE_JOBS,
   VIVGPU_SOURCE_COMMAND_BYTES,
   VIVGPU_SOURCE_JOB_BUFFERS,
   VIVGPU_SOURCE_JOB_BUFFER_BYTES,
   /** Triangles whose front and back faces are culled: the core does not get them */
   VIVGPU_SOURCE_CULLED,
   /** Bytes of buffers when the monitor ends, not a difference */
   VIVGPU_SOURCE_MEMORY,

   VIVGPU_NUM_SOURCES,
};

#define VIVGPU_FIRST_SIGNAL   VIVGPU_SOURCE_HI_TOTAL_READ_BYTES8
#define VIVGPU_FIRST_SOFTWARE VIVGPU_SOURCE_DRAWS
/** Number of hardware counters of the kernel */
#define VIVGPU_NUM_SIGNALS (VIVGPU_SOURCE_ELAPSED - VIVGPU_FIRST_SIGNAL)

/**
 * Groups of counters, as GL_AMD_performance_monitor lists them. Command groups (vivgpu_group.h),
 * whose names begin in the same way, are groups of GL commands.
 */
enum vivgpu_counter_group {
   VIVGPU_GROUP_HW,
   VIVGPU_GROUP_FE,
   VIVGPU_GROUP_VS,
   VIVGPU_GROUP_PS,
   VIVGPU_GROUP_PA,
   VIVGPU_GROUP_SE,
   VIVGPU_GROUP_RA,
   VIVGPU_GROUP_TX,
   VIVGPU_GROUP_PE,
   VIVGPU_GROUP_MC,
   VIVGPU_GROUP_HI,
   VIVGPU_GROUP_API,
   VIVGPU_NUM_GROUPS,
};

/** A sum of sources minus another source, at least 0 */
struct vivgpu_amount {
   uint8_t plus[2];
   uint8_t minus;
};

struct vivgpu_counter_info {
   /** The name that is shown; unique among all counters */
   const char *name;
   enum vivgpu_counter_group group;
   /** UINT: 32 bit; UINT64, BYTES: 64 bit; FLOAT: a ratio; PERCENTAGE */
   enum pipe_driver_query_type type;
   struct vivgpu_amount numerator;
   /** FLOAT, PERCENTAGE: the divisor */
   struct vivgpu_amount denominator;
   /** FLOAT: the largest possible value; 0: no limit */
   float max;
};

/** A set of sources */
struct vivgpu_sources {
   uint64_t words[(VIVGPU_NUM_SOURCES + 63) / 64];
};

static inline void
vivgpu_sources_add(struct vivgpu_sources *set, unsigned source)
{
   set->words[source / 64] |= 1ull << source % 64;
}

static inline bool
vivgpu_sources_has(const struct vivgpu_sources *set, unsigned source)
{
   return set->words[source / 64] >> source % 64 & 1;
}

/** All counters, group by group. */
extern const struct vivgpu_counter_info vivgpu_counters[];
extern const unsigned vivgpu_num_counters;

/**
 * Return the counter behind a pipeline statistics query (PIPE_STAT_QUERY_*), a 64-bit integer; it
 * is always 0 for stages that do not exist. Returns NULL if the driver does not count it.
 */
const struct vivgpu_counter_info *vivgpu_statistic(unsigned index);

/**
 * Number of signals of all pipeline statistics, if one query of each is active, as OpenGL allows:
 * vertices, fragments, and the primitives of clipping for two queries
 */
#define VIVGPU_STATISTICS_SIGNALS 4

/** Return a group's name; NULL for a number beyond the last. */
const char *vivgpu_group_name(unsigned group);

/** The kernel's names of the block and of the counter of a source that is a signal */
const char *vivgpu_signal_domain(enum vivgpu_source source);
const char *vivgpu_signal_name(enum vivgpu_source source);

/** True if the source is a hardware counter of the kernel. */
static inline bool
vivgpu_source_is_signal(unsigned source)
{
   return source >= VIVGPU_FIRST_SIGNAL && source < VIVGPU_SOURCE_ELAPSED;
}

/** Add the sources of a counter to a set. */
void vivgpu_counter_sources(const struct vivgpu_counter_info *info, struct vivgpu_sources *set);

/** Return a counter's value, computed from the sums, in the field of its type. */
union pipe_numeric_type_union vivgpu_counter_value(const struct vivgpu_counter_info *info,
                                                   const uint64_t *sums);

/**
 * Return the largest value of a counter, in the field of its type; 0 if only the type limits it.
 */
union pipe_numeric_type_union vivgpu_counter_max(const struct vivgpu_counter_info *info);

/** Return the number of sources in a set that are hardware counters of the kernel. */
uint32_t vivgpu_sources_signals(const struct vivgpu_sources *set);

/**
 * Add the counts of a job to the sums of its sources.
 *
 * @values: a count for each hardware counter in the set, in the order of sources;
 * VIVGPU_NOT_COUNTED is skipped. @scales: factor for each signal. Returns a pointer after the
 * values of the set.
 */
const uint64_t *vivgpu_signals_add(const struct vivgpu_sources *set, const uint32_t *scales,
                                   const uint64_t *values, uint64_t *sums);

/** Count of a job that was aborted, or that has not written it yet */
#define VIVGPU_NOT_COUNTED UINT64_MAX

#ifdef __cplusplus
}
#endif

#endif
