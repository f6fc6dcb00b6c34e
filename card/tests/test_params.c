// SPDX-License-Identifier: MIT
/* Parameter sets: their text format, the named ones, and those drawn from a seed. */
#include "tests/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "clock/params.h"
#include "clock/params_field.h"
#include "clock/params_text.h"

static char error[GPU_PARAMS_ERROR_BYTES];

/* The text of a set; to be freed. */
static char *write_text(const struct gpu_params *params)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	gpu_params_write(params, out);
	fclose(out);
	return text;
}

static bool parse(struct gpu_params *params, const char *text)
{
	return gpu_params_parse(params, text, strlen(text), error);
}

/* Parse the text of the set imx6q with its first @from replaced by @to. */
static bool parse_changed(const char *from, const char *to)
{
	char *text = write_text(gpu_params_find("imx6q")), changed[8192];
	const char *at = strstr(text, from);
	struct gpu_params params;

	snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text), text, to,
		 at + strlen(from));
	free(text);
	return parse(&params, changed);
}

static bool complains(const char *from, const char *to, const char *what)
{
	if (!parse_changed(from, to) && !strcmp(error, what))
		return true;
	printf("'%s' gave '%s'\n", to, error);
	return false;
}

TEST(named_sets)
{
	static const char *const names[] = { "imx6q", "gc7000-like", "slow-memory", "wide" };

	for (unsigned int i = 0; i < 4; i++) {
		CHECK(gpu_params_find(names[i]));
		CHECK(gpu_params_at(i) == gpu_params_find(names[i]));
		for (unsigned int s = 0; s < GPU_STAGES; s++)
			CHECK(gpu_params_at(i)->queue[s] >= 1 &&
			      gpu_params_at(i)->queue[s] <= GPU_MAX_QUEUE);
	}
	CHECK(!gpu_params_at(4));
	CHECK(!gpu_params_find("fast"));
	CHECK_EQ(gpu_params_find("imx6q")->core_hz, 528000000);
	CHECK_EQ(gpu_params_find("gc7000-like")->memory_byte_fp, 5459); /* 0.0833 cycles */
	CHECK_EQ(gpu_params_find("wide")->stage_latency[GPU_STAGE_PS], 160);
	CHECK_EQ(gpu_params_find("slow-memory")->queue[GPU_STAGE_PA], 4);
}

TEST(what_is_written_is_read)
{
	for (unsigned int i = 0; gpu_params_at(i); i++) {
		struct gpu_params params;
		char *text = write_text(gpu_params_at(i));

		CHECK(parse(&params, text));
		CHECK(!memcmp(&params, gpu_params_at(i), sizeof(params)));
		free(text);
	}
}

TEST(comments_and_blanks)
{
	CHECK(parse_changed("core_clock", "# a comment\n\n\tcore_clock"));
	CHECK(parse_changed(" MHz", "\tMHz  # a comment\r"));
}

TEST(faults)
{
	CHECK(complains("core_clock", "clock", "line 2: there is no parameter clock"));
	CHECK(complains("528 MHz", "528", "line 2: core_clock needs a number and the unit MHz"));
	CHECK(complains("528 MHz", "528 Hz", "line 2: core_clock needs a number and the unit MHz"));
	CHECK(complains("528 MHz", "400 528 MHz",
			"line 2: core_clock needs a number and the unit MHz"));
	CHECK(complains("528 MHz", "528 MHz of the core", "line 2: too many words"));
	CHECK(complains("528 MHz", "528.5 MHz", "line 2: 528.5 is no whole number"));
	CHECK(complains("528 MHz", "-1 MHz", "line 2: -1 is no number"));
	CHECK(complains("528 MHz", "0x1 MHz", "line 2: 0x1 is no number"));
	CHECK(complains("528 MHz", "0 MHz", "line 2: core_clock is from 1 to 10000"));
	CHECK(complains("vertex ", "sample ", "line 20: sample is given twice"));
	CHECK(complains("set ", "# set ", "the set has no name"));
	CHECK(complains("core_clock           528 MHz\n", "", "core_clock is missing"));
	CHECK(complains("imx6q", "a-name-of-thirty-two-letters----",
			"line 1: set needs a name of at most 31 letters"));
	CHECK(complains("core_clock", "set again\ncore_clock",
			"line 2: a set has one name, ranges have none"));
}

TEST(long_lines_are_refused)
{
	char line[400];

	memset(line, ' ', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	CHECK(complains("core_clock", line, "line 2: the line is too long"));
}

TEST(sets_in_files)
{
	char path[] = "/tmp/test_params.XXXXXX";
	int fd = mkstemp(path);
	char *text = write_text(gpu_params_find("wide"));
	struct gpu_params params;
	const char *problem;

	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	CHECK(!gpu_params_choose(&params, path));
	CHECK(!memcmp(&params, gpu_params_find("wide"), sizeof(params)));
	CHECK(write(fd, "nonsense\n", 9) == 9);
	problem = gpu_params_choose(&params, path);
	CHECK(problem && strstr(problem, "there is no parameter nonsense"));
	close(fd);
	unlink(path);
	free(text);
	CHECK(!strcmp(gpu_params_choose(&params, path), "No such file or directory"));
	CHECK(!strcmp(gpu_params_choose(&params, "no-such"),
		      "no such set of parameters (see --help)"));
	CHECK(!gpu_params_choose(&params, "slow-memory"));
	CHECK(!strcmp(params.name, "slow-memory"));
}

/* A seed gives the same set on each host. These values change with clock/params/ranges. */
TEST(seeds_are_machines)
{
	struct gpu_params one, again, other;

	CHECK(!gpu_params_choose(&one, "seed:1"));
	CHECK(!gpu_params_choose(&again, "seed:1"));
	CHECK(!gpu_params_choose(&other, "seed:2"));
	CHECK(!memcmp(&one, &again, sizeof(one)));
	CHECK(!strcmp(one.name, "seed:1"));
	CHECK(!strcmp(other.name, "seed:2"));
	CHECK_EQ(one.core_hz, 911000000);
	CHECK_EQ(one.threads, 846);
	CHECK_EQ(other.core_hz, 671000000);
	CHECK_EQ(other.threads, 1518);
	CHECK(!gpu_params_choose(&one, "seed:18446744073709551615"));
	CHECK(gpu_params_choose(&one, "seed:18446744073709551616"));
	CHECK(gpu_params_choose(&one, "seed:"));
	CHECK(gpu_params_choose(&one, "seed:-1"));
}

/*
 * Over 100 seeds each field varies: its highest value is more than 1.3 times the lowest, its mean
 * more than 1.1 times the lowest and less than 0.95 times the highest.
 */
TEST(seeds_fill_the_ranges)
{
	const struct gpu_param_field *field;

	for (unsigned int i = 0; (field = gpu_param_field_at(i)); i++) {
		double lowest = 1e12, highest = 0, sum = 0;

		for (unsigned int seed = 0; seed < 100; seed++) {
			struct gpu_params params;
			char choice[32];
			double value;

			snprintf(choice, sizeof(choice), "seed:%u", seed);
			CHECK(!gpu_params_choose(&params, choice));
			value = gpu_param_get(&params, field);
			CHECK(value >= field->min && value <= field->max);
			lowest = value < lowest ? value : lowest;
			highest = value > highest ? value : highest;
			sum += value;
		}
		CHECK(highest > 1.3 * lowest);
		CHECK(sum > 110 * lowest && sum < 95 * highest);
	}
}

/* The named sets could have been drawn, except "wide", which has more cores and a lower clock. */
TEST(ranges_contain_the_named_sets)
{
	struct gpu_params low, high;
	const struct gpu_param_field *field;

	gpu_params_ranges(&low, &high);
	for (unsigned int s = 0; gpu_params_at(s); s++) {
		const struct gpu_params *set = gpu_params_at(s);

		for (unsigned int i = 0; (field = gpu_param_field_at(i)); i++) {
			double value = gpu_param_get(set, field);
			bool inside = value >= gpu_param_get(&low, field) &&
				      value <= gpu_param_get(&high, field);

			if (!inside && strcmp(set->name, "wide") != 0)
				printf("%s %s\n", set->name, field->name);
			CHECK(inside || !strcmp(set->name, "wide"));
		}
	}
}

int main(void)
{
	return test_all();
}
