// SPDX-License-Identifier: MIT
/* Parameter sets: those that are part of the program, files, and drawn ones. */
#include "clock/params.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock/params_draw.h"
#include "clock/params_text.h"

#define MAX_FILE_BYTES 65536
#define SEED "seed:"
#define SECRET "secret:"

/* Define @name: the text of params/@file, terminated by a zero byte. */
#define EMBED(name, file)                             \
	__asm__(".pushsection .rodata\n" #name ":\n"  \
		".incbin \"clock/params/" file "\"\n" \
		".byte 0\n"                           \
		".popsection\n");                     \
	extern const char name[] __attribute__((visibility("hidden")))

EMBED(imx6q_text, "imx6q.params");
EMBED(gc7000_like_text, "gc7000-like.params");
EMBED(slow_memory_text, "slow-memory.params");
EMBED(wide_text, "wide.params");
EMBED(ranges_text, "ranges");

static const char *const texts[] = { imx6q_text, gc7000_like_text, slow_memory_text, wide_text };

#define SETS (sizeof(texts) / sizeof(texts[0]))

static char error[GPU_PARAMS_ERROR_BYTES];

/* The program's own texts are tested; a fault in one is a fault of the build. */
static void check(bool valid)
{
	if (valid)
		return;
	fprintf(stderr, "vivgpu-card: clock/params: %s\n", error);
	abort();
}

const struct gpu_params *gpu_params_at(unsigned int index)
{
	static struct gpu_params sets[SETS]; /* one that was parsed has a clock of at least 1 MHz */

	if (index >= SETS)
		return NULL;
	if (!sets[index].core_hz)
		check(gpu_params_parse(&sets[index], texts[index], strlen(texts[index]), error));
	return &sets[index];
}

const struct gpu_params *gpu_params_find(const char *name)
{
	const struct gpu_params *set;

	for (unsigned int i = 0; (set = gpu_params_at(i)); i++)
		if (!strcmp(set->name, name))
			return set;
	return NULL;
}

void gpu_params_ranges(struct gpu_params *low, struct gpu_params *high)
{
	check(gpu_params_parse_ranges(low, high, ranges_text, strlen(ranges_text), error));
}

typedef void draw_function(struct gpu_params *params, const struct gpu_params *low,
			   const struct gpu_params *high, uint64_t seed);

/* Draw a set with the seed @number. Returns: NULL, or an error message. */
static const char *draw(struct gpu_params *params, const char *number, draw_function *draw_one)
{
	struct gpu_params low, high;
	uint64_t seed;
	char *end;

	errno = 0;
	seed = strtoull(number, &end, 10);
	if (!isdigit((unsigned char)*number) || *end || errno)
		return "the seed is a number";
	gpu_params_ranges(&low, &high);
	draw_one(params, &low, &high, seed);
	return NULL;
}

/* Returns: NULL, or an error message. */
static const char *read_file(struct gpu_params *params, const char *path)
{
	static char text[MAX_FILE_BYTES];
	FILE *file = fopen(path, "r");
	size_t length;
	bool failed;

	if (!file)
		return strerror(errno);
	length = fread(text, 1, sizeof(text), file);
	failed = ferror(file);
	fclose(file);
	if (failed)
		return "the file cannot be read";
	if (length == sizeof(text))
		return "the file is too long";
	return gpu_params_parse(params, text, length, error) ? NULL : error;
}

const char *gpu_params_choose(struct gpu_params *params, const char *choice)
{
	const struct gpu_params *set;

	if (!strncmp(choice, SEED, strlen(SEED)))
		return draw(params, choice + strlen(SEED), gpu_params_draw);
	if (!strncmp(choice, SECRET, strlen(SECRET)))
		return draw(params, choice + strlen(SECRET), gpu_params_draw_secret);
	if (strchr(choice, '/'))
		return read_file(params, choice);
	set = gpu_params_find(choice);
	if (!set)
		return "no such set of parameters (see --help)";
	*params = *set;
	return NULL;
}
