/* SPDX-License-Identifier: MIT */
/* The table of counters, and the computation of values from jobs' counts. */

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "vivgpu_perfmon_table.h"

static const struct vivgpu_counter_info *
find(const char *name)
{
   for (unsigned i = 0; i < vivgpu_num_counters; i++) {
      if (std::string(vivgpu_counters[i].name) == name)
         return &vivgpu_counters[i];
   }
   ADD_FAILURE() << "no counter " << name;
   return &vivgpu_counters[0];
}

static union pipe_numeric_type_union
value(const char *name, const std::vector<uint64_t> &sums)
{
   return vivgpu_counter_value(find(name), sums.data());
}

static std::vector<uint64_t>
nothing()
{
   return std::vector<uint64_t>(VIVGPU_NUM_SOURCES, 0);
}

TEST(perfmon_table, names_differ_and_suit_those_who_parse_them)
{
   std::set<std::string> names;

   for (unsigned i = 0; i < vivgpu_num_counters; i++) {
      std::string name = vivgpu_counters[i].name;

      EXPECT_TRUE(names.insert(name).second) << name;
      /* GALLIUM_HUD and kmscube cut at these. */
      EXPECT_EQ(name.find_first_of("+,:;=."), std::string::npos) << name;
   }
}

TEST(perfmon_table, groups_follow_each_other_and_none_is_empty)
{
   unsigned group = 0;

   for (unsigned i = 0; i < vivgpu_num_counters; i++) {
      ASSERT_GE(vivgpu_counters[i].group, group) << vivgpu_counters[i].name;
      ASSERT_LE(vivgpu_counters[i].group, group + 1) << vivgpu_counters[i].name;
      group = vivgpu_counters[i].group;
   }
   EXPECT_EQ(group, VIVGPU_NUM_GROUPS - 1u);
   EXPECT_STREQ(vivgpu_group_name(VIVGPU_GROUP_HW), "HW");
   EXPECT_STREQ(vivgpu_group_name(VIVGPU_GROUP_API), "API");
   EXPECT_EQ(vivgpu_group_name(VIVGPU_NUM_GROUPS), nullptr);
}

TEST(perfmon_table, everything_counted_is_in_a_counter_or_a_statistic)
{
   struct vivgpu_sources all = {};

   for (unsigned i = 0; i < vivgpu_num_counters; i++)
      vivgpu_counter_sources(&vivgpu_counters[i], &all);
   vivgpu_counter_sources(vivgpu_statistic(PIPE_STAT_QUERY_C_INVOCATIONS), &all);
   EXPECT_FALSE(vivgpu_sources_has(&all, VIVGPU_SOURCE_NONE));
   for (unsigned i = VIVGPU_SOURCE_NONE + 1; i < VIVGPU_NUM_SOURCES; i++)
      EXPECT_TRUE(vivgpu_sources_has(&all, i)) << "source " << i;
   EXPECT_EQ(vivgpu_sources_signals(&all), (uint32_t)VIVGPU_NUM_SIGNALS);
}

TEST(perfmon_table, groups_have_what_their_block_counts)
{
   for (unsigned i = 0; i < vivgpu_num_counters; i++) {
      const struct vivgpu_counter_info *info = &vivgpu_counters[i];
      std::string group = vivgpu_group_name(info->group);

      if (group == "HW" || group == "API")
         continue;
      if (group == "VS" || group == "PS")
         group = "SH";
      EXPECT_EQ(vivgpu_signal_domain((enum vivgpu_source)info->numerator.plus[0]), group)
         << info->name;
   }
}

TEST(perfmon_table, signals_have_the_kernels_names)
{
   EXPECT_STREQ(vivgpu_signal_domain(VIVGPU_SOURCE_HI_TOTAL_READ_BYTES8), "HI");
   EXPECT_STREQ(vivgpu_signal_name(VIVGPU_SOURCE_HI_TOTAL_READ_BYTES8), "TOTAL_READ_BYTES8");
   EXPECT_STREQ(vivgpu_signal_domain(VIVGPU_SOURCE_MC_TOTAL_WRITE_REQ_FROM_OTHERS), "MC");
   EXPECT_TRUE(vivgpu_source_is_signal(VIVGPU_SOURCE_MC_TOTAL_WRITE_REQ_FROM_OTHERS));
   EXPECT_FALSE(vivgpu_source_is_signal(VIVGPU_SOURCE_ELAPSED));
   EXPECT_FALSE(vivgpu_source_is_signal(VIVGPU_SOURCE_NONE));
   EXPECT_FALSE(vivgpu_source_is_signal(VIVGPU_SOURCE_DRAWS));
}

TEST(perfmon_value, all_four_types)
{
   std::vector<uint64_t> sums = nothing();

   sums[VIVGPU_SOURCE_DRAWS] = 4;
   sums[VIVGPU_SOURCE_VERTICES] = 10;
   sums[VIVGPU_SOURCE_HI_TOTAL_CYCLES] = 300;
   sums[VIVGPU_SOURCE_HI_IDLE_CYCLES] = 100;
   sums[VIVGPU_SOURCE_ELAPSED] = 800;
   EXPECT_EQ(value("Draw Calls", sums).u32, 4u);
   EXPECT_EQ(value("Vertices", sums).u64, 10u);
   EXPECT_EQ(value("Vertices per Draw Call", sums).f, 2.5f);
   EXPECT_EQ(value("Busy Cycles", sums).u64, 200u);
   EXPECT_EQ(value("Hardware Busy", sums).f, 25.0f);
}

TEST(perfmon_value, nothing_counted_is_zero)
{
   for (unsigned i = 0; i < vivgpu_num_counters; i++) {
      union pipe_numeric_type_union zero =
         vivgpu_counter_value(&vivgpu_counters[i], nothing().data());

      EXPECT_EQ(zero.u64, 0u) << vivgpu_counters[i].name;
   }
}

TEST(perfmon_value, stays_in_its_range)
{
   std::vector<uint64_t> sums = nothing();

   /* More busy than there was time: the stamps of the ends are late. */
   sums[VIVGPU_SOURCE_HI_TOTAL_CYCLES] = 900;
   sums[VIVGPU_SOURCE_ELAPSED] = 800;
   EXPECT_EQ(value("Hardware Busy", sums).f, 100.0f);
   sums[VIVGPU_SOURCE_HI_IDLE_CYCLES] = 901;
   EXPECT_EQ(value("Busy Cycles", sums).u64, 0u);
   sums[VIVGPU_SOURCE_DRAWS] = 1ull << 32;
   EXPECT_EQ(value("Draw Calls", sums).u32, UINT32_MAX);
   sums[VIVGPU_SOURCE_VERTICES] = 1ull << 40;
   EXPECT_EQ(value("Vertices", sums).u64, 1ull << 40);
}

TEST(perfmon_value, the_largest_value_of_a_counter)
{
   EXPECT_EQ(vivgpu_counter_max(find("Hardware Busy")).f, 100.0f);
   EXPECT_EQ(vivgpu_counter_max(find("RA Pixels per Quad")).f, 4.0f);
   EXPECT_EQ(vivgpu_counter_max(find("Draw Calls")).u64, 0u);
   EXPECT_EQ(vivgpu_counter_max(find("Bytes Read")).u64, 0u);
}

/* Two counters of the kernel's: bytes in units of 8, and draws. */
struct sums : public ::testing::Test {
   void SetUp() override
   {
      vivgpu_sources_add(&set, VIVGPU_SOURCE_HI_TOTAL_WRITE_BYTES8);
      vivgpu_sources_add(&set, VIVGPU_SOURCE_FE_DRAW_COUNT);
      /* That one isn't the kernel's and has no number in a job's row. */
      vivgpu_sources_add(&set, VIVGPU_SOURCE_DRAWS);
      scales[VIVGPU_SOURCE_HI_TOTAL_WRITE_BYTES8 - VIVGPU_FIRST_SIGNAL] = 8;
      scales[VIVGPU_SOURCE_FE_DRAW_COUNT - VIVGPU_FIRST_SIGNAL] = 1;
   }

   const uint64_t *add(const uint64_t *values)
   {
      return vivgpu_signals_add(&set, scales, values, totals.data());
   }

   struct vivgpu_sources set = {};
   uint32_t scales[VIVGPU_NUM_SIGNALS] = {};
   std::vector<uint64_t> totals = nothing();
};

TEST_F(sums, of_jobs_in_a_row)
{
   const uint64_t values[] = {5, 1, 1, 3};

   EXPECT_EQ(vivgpu_sources_signals(&set), 2u);
   EXPECT_EQ(add(add(values)), values + 4);
   EXPECT_EQ(totals[VIVGPU_SOURCE_HI_TOTAL_WRITE_BYTES8], 48u);
   EXPECT_EQ(totals[VIVGPU_SOURCE_FE_DRAW_COUNT], 4u);
   EXPECT_EQ(totals[VIVGPU_SOURCE_DRAWS], 0u);
}

TEST_F(sums, of_more_than_32_bits)
{
   const uint64_t values[] = {0x20, 0xffffffff};

   add(values);
   EXPECT_EQ(totals[VIVGPU_SOURCE_HI_TOTAL_WRITE_BYTES8], 0x20u * 8);
   EXPECT_EQ(totals[VIVGPU_SOURCE_FE_DRAW_COUNT], 0xffffffffu);
   add(values);
   EXPECT_EQ(totals[VIVGPU_SOURCE_FE_DRAW_COUNT], 2 * 0xffffffffull);
}

TEST_F(sums, without_jobs_that_were_lost)
{
   const uint64_t values[] = {VIVGPU_NOT_COUNTED, VIVGPU_NOT_COUNTED};

   EXPECT_EQ(add(values), values + 2);
   EXPECT_EQ(totals, nothing());
}

static uint64_t
statistic(unsigned index, const std::vector<uint64_t> &sums)
{
   return vivgpu_counter_value(vivgpu_statistic(index), sums.data()).u64;
}

TEST(perfmon_table, statistics_are_what_the_core_counts)
{
   std::vector<uint64_t> sums = nothing();

   sums[VIVGPU_SOURCE_SH_RENDERED_VERTICE_COUNTER] = 3;
   sums[VIVGPU_SOURCE_SH_RENDERED_PIXEL_COUNTER] = UINT64_C(1) << 40;
   sums[VIVGPU_SOURCE_PA_INPUT_PRIM_COUNTER] = 5;
   sums[VIVGPU_SOURCE_CULLED] = 7;
   EXPECT_EQ(statistic(PIPE_STAT_QUERY_VS_INVOCATIONS, sums), 3u);
   EXPECT_EQ(statistic(PIPE_STAT_QUERY_PS_INVOCATIONS, sums), UINT64_C(1) << 40);
   EXPECT_EQ(statistic(PIPE_STAT_QUERY_C_INVOCATIONS, sums), 12u);
   EXPECT_EQ(statistic(PIPE_STAT_QUERY_C_PRIMITIVES, sums), 12u);
}

TEST(perfmon_table, statistics_of_missing_stages_are_zero_and_cost_nothing)
{
   const std::vector<uint64_t> many(VIVGPU_NUM_SOURCES, 99);

   for (unsigned index :
        {PIPE_STAT_QUERY_GS_INVOCATIONS, PIPE_STAT_QUERY_GS_PRIMITIVES,
         PIPE_STAT_QUERY_HS_INVOCATIONS, PIPE_STAT_QUERY_DS_INVOCATIONS,
         PIPE_STAT_QUERY_CS_INVOCATIONS}) {
      struct vivgpu_sources sources = {};

      vivgpu_counter_sources(vivgpu_statistic(index), &sources);
      EXPECT_EQ(vivgpu_sources_signals(&sources), 0u);
      EXPECT_EQ(statistic(index, many), 0u);
   }
}

TEST(perfmon_table, statistics_that_mesa_counts_are_none)
{
   EXPECT_EQ(vivgpu_statistic(PIPE_STAT_QUERY_IA_VERTICES), nullptr);
   EXPECT_EQ(vivgpu_statistic(PIPE_STAT_QUERY_IA_PRIMITIVES), nullptr);
   EXPECT_EQ(vivgpu_statistic(PIPE_STAT_QUERY_CS_INVOCATIONS + 1), nullptr);
}

TEST(perfmon_table, all_statistics_together_have_the_signals_reserved_for_them)
{
   uint32_t signals = 0;

   for (unsigned i = 0; i <= PIPE_STAT_QUERY_CS_INVOCATIONS; i++) {
      struct vivgpu_sources sources = {};

      if (vivgpu_statistic(i))
         vivgpu_counter_sources(vivgpu_statistic(i), &sources);
      signals += vivgpu_sources_signals(&sources);
   }
   EXPECT_EQ(signals, VIVGPU_STATISTICS_SIGNALS);
}
