// SPDX-License-Identifier: MIT
/*
 * draws: draw scenes of random state with OpenGL and compare each with the reference. A scene
 * with a difference is made as short as it can be with a difference left, and printed so that it
 * can be drawn again.
 *
 *	draws [--DRIVER-CORE] SEED FIRST COUNT	scenes by number
 *	draws [--DRIVER-CORE] FILE		the scene in a file
 *
 * With a driver and a core, as in --etnaviv-gc3000, a scene that differs is compared with a reference that deviates from
 * OpenGL as this driver does, too.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "render.h"

/* Minimum percentage of colour components with certain values; with less the comparison is weak */
#define MIN_SURE 75
/* Of so many, some show each deviation. */
#define MANY_SCENES 20000
/* And so few may differ by chance. */
#define FEW_SCENES 5

/* Deviations that may explain a difference. */
static unsigned deviations;

/* Results of the scenes */
static struct {
	unsigned long passed, failed, explained, skipped;
	/* Scenes that differ by this deviation only */
	unsigned long deviations[DEVIATIONS];
	double sure;
} totals;

/* Deviations, and how many percent of the scenes they may explain. */
static const struct {
	const char *name;
	unsigned most;
} known[DEVIATIONS] = {
	{ "no LOD bias without mipmaps", 2 },
	{ "no borders", 15 },
	{ "blend constant's red and blue exchanged", 2 },
	{ "mask 0 of the back face's stencil", 2 },
	{ "back face's stencil on points and lines", 4 },
	{ "no stencil in blits that are no copies", 2 },
	{ "limits of the level of detail choose no filter", 2 },
	{ "borders of two levels mixed apart from texels", 1 },
	{ "no logic operations", 15 },
};

#define ETNAVIV_DEVIATIONS                                                              \
	(DEVIATION_BIAS | DEVIATION_BORDER | DEVIATION_CONSTANT | DEVIATION_BACK_MASK | \
	 DEVIATION_FACELESS | DEVIATION_STENCIL_BLIT | DEVIATION_LIMITS)

static const struct driver {
	const char *option;
	unsigned deviations;
} drivers[] = {
	{ "--etnaviv-gc3000", ETNAVIV_DEVIATIONS },
	{ "--etnaviv-gc2000", ETNAVIV_DEVIATIONS | DEVIATION_LOGIC },
	{ "--vivgpu-gc3000", DEVIATION_BORDER_LEVELS },
	{ "--vivgpu-gc2000", DEVIATION_BORDER_LEVELS },
};

enum outcome { SAME, EXPLAINED, DIFFERENT };

/* Draw a scene with OpenGL and with the reference, and compare; @used: deviations needed. */
static enum outcome look_at(const struct scene *scene, char text[160], unsigned *used)
{
	static struct allowed pixels[SIZE][SIZE];
	static struct picture_read picture;
	struct choices choices;
	GLenum error;

	error = render_scene(scene, &choices, &picture);
	if (error) {
		if (text)
			snprintf(text, 160, "OpenGL's error 0x%x", error);
		return DIFFERENT;
	}
	draw_reference(scene, &choices, pixels);
	if (used)
		totals.sure += count_sure(pixels, &choices) / (4.0 * SIZE * SIZE);
	if (!find_difference(pixels, &choices, &picture, text))
		return SAME;
	if (!deviations)
		return DIFFERENT;
	/* One of them, or all together. */
	for (unsigned i = 0; i <= DEVIATIONS; i++) {
		choices.deviations = i < DEVIATIONS ? deviations & 1u << i : deviations;
		if (!choices.deviations)
			continue;
		draw_reference(scene, &choices, pixels);
		if (!find_difference(pixels, &choices, &picture, NULL)) {
			if (used)
				*used = choices.deviations;
			return EXPLAINED;
		}
	}
	return DIFFERENT;
}

static bool differs(const struct scene *scene, char text[160])
{
	return look_at(scene, text, NULL) == DIFFERENT;
}

static void remove_values(struct command *command, unsigned first, unsigned count)
{
	memmove(&command->values[first], &command->values[first + count],
		(command->count - first - count) * sizeof(command->values[0]));
	command->count -= count;
}

/* Remove commands, then primitives, one by one as long as a difference stays. */
static void shrink(struct scene *scene)
{
	static struct scene less;
	bool shorter;

	do {
		shorter = false;
		for (unsigned i = scene->count; i-- > 0;) {
			less = *scene;
			memmove(&less.commands[i], &less.commands[i + 1],
				(less.count - i - 1) * sizeof(less.commands[0]));
			less.count--;
			if (differs(&less, NULL)) {
				*scene = less;
				shorter = true;
			}
		}
		for (unsigned i = 0; i < scene->count; i++) {
			unsigned size = scene->commands[i].op != OP_DRAW                   ? 0
					: value_of(&scene->commands[i], 0) == GL_LINES     ? 2
					: value_of(&scene->commands[i], 0) == GL_TRIANGLES ? 3
											   : 1;

			for (unsigned j = 1; size && j < scene->commands[i].count;) {
				less = *scene;
				remove_values(&less.commands[i], j, size * VERTEX);
				if (differs(&less, NULL))
					*scene = less;
				else
					j += size * VERTEX;
			}
		}
	} while (shorter);
}

/*
 * llvmpipe draws a row and a column too much below and left of a scissor if there are samples:
 * its planes for the edges of the scissor have half a pixel that suits one sample only.
 */
static bool beyond_llvmpipe(const struct scene *scene)
{
	return find_command(scene, OP_SCISSOR) && scene_samples(scene) && is_llvmpipe();
}

/*
 * Where a GC2000's samplers have a copy of depth in their own layout, Mesa etnaviv maps that copy
 * with the strides of what it was copied from (etnaviv_transfer.c:198,263), and so reads and
 * writes outside of it. Blits of depth make such copies and map them.
 */
static bool beyond_etnaviv(const struct scene *scene)
{
	if (!(deviations & DEVIATION_LOGIC))
		return false;
	for (unsigned i = 0; i < scene->count; i++)
		if (scene->commands[i].op == OP_BLIT &&
		    value_of(&scene->commands[i], 0) & GL_DEPTH_BUFFER_BIT)
			return true;
	return false;
}

/* @text: what differs. */
static void show_difference(struct scene *scene, const char *name, char text[160])
{
	if (differs(scene, NULL)) {
		shrink(scene);
		differs(scene, text);
	} else {
		printf("# %s: differs behind other scenes only\n", name);
	}
	printf("# %s: %s\n", name, text);
	print_scene(stdout, scene);
	fflush(stdout);
}

static int draw_file(const char *path)
{
	static struct scene scene;
	FILE *file = fopen(path, "r");
	unsigned used = 0;
	char text[160];

	if (!file || !read_scene(file, &scene))
		give_up("%s: no scene", path);
	fclose(file);
	switch (look_at(&scene, text, &used)) {
	case SAME:
		puts("no difference");
		return 0;
	case EXPLAINED:
		printf("%s\n", text);
		for (unsigned i = 0; i < DEVIATIONS; i++)
			if (used >> i & 1)
				printf("explained by: %s\n", known[i].name);
		return 0;
	default:
		show_difference(&scene, path, text);
		return 1;
	}
}

static void count_scene(uint64_t seed, unsigned long number)
{
	static struct scene scene;
	unsigned used = 0;
	char name[64], text[160];

	make_scene(&scene, seed, number);
	if (beyond_llvmpipe(&scene) || beyond_etnaviv(&scene) ||
	    scene_samples(&scene) > max_samples()) {
		totals.skipped++;
		return;
	}
	switch (look_at(&scene, text, &used)) {
	case SAME:
		totals.passed++;
		break;
	case EXPLAINED:
		totals.explained++;
		for (unsigned i = 0; i < DEVIATIONS; i++)
			totals.deviations[i] += used == 1u << i;
		break;
	default:
		totals.failed++;
		snprintf(name, sizeof(name), "seed %lu, scene %lu", (unsigned long)seed, number);
		show_difference(&scene, name, text);
	}
}

/*
 * Check that each deviation is shown by enough scenes, so that scenes test it, but not by too many,
 * since it would then hide other faults.
 */
static void count_deviations(unsigned long scenes)
{
	for (unsigned i = 0; i < DEVIATIONS; i++) {
		if (!(deviations >> i & 1))
			continue;
		printf("# %lu scenes by: %s\n", totals.deviations[i], known[i].name);
		if (totals.deviations[i] > FEW_SCENES + scenes * known[i].most / 100 ||
		    (!totals.deviations[i] && scenes >= MANY_SCENES))
			totals.failed++;
	}
}

int main(int argc, char **argv)
{
	unsigned long seed, first, count;
	double sure;

	for (unsigned i = 0; argc > 1 && i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (strcmp(argv[1], drivers[i].option) == 0) {
			deviations = drivers[i].deviations;
			argc--;
			argv++;
			break;
		}
	}
	if (argc != 2 && argc != 4)
		give_up("usage: draws [--DRIVER-CORE] SEED FIRST COUNT | FILE");
	begin_rendering();
	if (argc == 2)
		return draw_file(argv[1]);
	seed = strtoul(argv[1], NULL, 10);
	first = strtoul(argv[2], NULL, 10);
	count = strtoul(argv[3], NULL, 10);
	for (unsigned long i = first; i < first + count; i++)
		count_scene(seed, i);
	count_deviations(count);
	sure = 100 * totals.sure / (count - totals.skipped);
	printf("# %.2f %% of the colours are sure\n", sure);
	if (sure < MIN_SURE)
		totals.failed++;
	printf("%lu passed, %lu failed, %lu skipped\n", totals.passed + totals.explained,
	       totals.failed, totals.skipped);
	return totals.failed > 0;
}
