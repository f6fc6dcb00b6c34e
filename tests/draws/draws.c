// SPDX-License-Identifier: MIT
/*
 * draws: draw scenes of random state with OpenGL and compare each with the reference. A scene
 * with a difference is made as short as it can be with a difference left, and printed so that it
 * can be drawn again.
 *
 *	draws [--DRIVER-CORE] [--kinds] SEED FIRST COUNT [STEP]	scenes by number, with STEP each STEPth
 *	draws [--DRIVER-CORE] FILE			the scene in a file
 *
 * With --kinds one scene in four is of a kind of its own (scene_kinds.c).
 * With a driver and a core, as in --etnaviv-gc3000, a scene that differs is also compared with a
 * reference that deviates from OpenGL as this driver does.
 */
#include "harness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mapped.h"
#include "reference.h"
#include "render.h"

/* Minimum percentage of colour components with certain values; with less the comparison is weak */
#define MIN_SURE 75
/* With so many scenes, each deviation must be shown by at least one. */
#define MANY_SCENES 20000
/*
 * So many scenes more than a deviation's percentage may show it: of few scenes, a larger share can
 * do so by chance.
 */
#define FEW_SCENES 5

/* Whether there are scenes of all kinds, or plain ones only. */
static bool kinds;
/* Deviations that may explain a difference. */
static unsigned deviations;

/* Results of the scenes */
static struct {
	unsigned long passed, failed, explained, skipped;
	/* Scenes that differ by this deviation only */
	unsigned long deviations[DEVIATIONS];
	/* Sum of the scenes' shares of certain components */
	double sure;
	/* Digest of all pictures, also of scenes that are made shorter; FNV-1a */
	uint64_t pictures;
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
	{ "no magnification above a base level", 4 },
	{ "red and blue of masks and constants exchanged in a second target", 3 },
};

#define ETNAVIV_DEVIATIONS                                                                 \
	(DEVIATION_BIAS | DEVIATION_BORDER | DEVIATION_CONSTANT | DEVIATION_BACK_MASK |    \
	 DEVIATION_FACELESS | DEVIATION_STENCIL_BLIT | DEVIATION_LIMITS | DEVIATION_BASE | \
	 DEVIATION_MIXED)

static const struct driver {
	const char *option;
	unsigned deviations;
} drivers[] = {
	{ "--etnaviv-gc3000", ETNAVIV_DEVIATIONS },
	{ "--etnaviv-gc2000", ETNAVIV_DEVIATIONS | DEVIATION_LOGIC },
	{ "--vivgpu-gc3000", DEVIATION_BORDER_LEVELS },
	{ "--vivgpu-gc2000", DEVIATION_BORDER_LEVELS },
};

static void add_picture(const struct picture_read *picture)
{
	const uint8_t *bytes = (const uint8_t *)picture;

	for (size_t i = 0; i < sizeof(*picture); i++)
		totals.pictures = (totals.pictures ^ bytes[i]) * UINT64_C(0x100000001b3);
}

enum outcome { SAME, EXPLAINED, DIFFERENT, UNFIT };

/*
 * Compare the picture in each colour buffer; DEVIATION_MIXED is of the second one only. @sure:
 * NULL, or receives the share of the first one's components that are sure.
 */
static bool find_differences(const struct scene *scene, const struct choices *all,
			     const struct picture_read *both, char text[160], double *sure)
{
	static struct allowed pixels[SIZE][SIZE];
	static struct picture_read picture;
	struct choices choices = *all;
	bool second = find_command(scene, OP_SECOND);

	picture = *both;
	choices.deviations &= ~DEVIATION_MIXED;
	draw_reference(scene, &choices, pixels);
	if (sure)
		*sure = count_sure(pixels, &choices) / (4.0 * SIZE * SIZE);
	if (find_difference(pixels, &choices, &picture, text))
		return true;
	if (!second)
		return false;
	choices.deviations = all->deviations;
	use_second(&choices, &picture);
	draw_reference(scene, &choices, pixels);
	return find_difference(pixels, &choices, &picture, text);
}

/* Whether copies of samples or resolution in parts, which must change no pixel, do. */
static bool copies_differ(const struct scene *scene, const struct picture_read *picture,
			  char text[160])
{
	static struct picture_read direct;
	struct choices choices;

	if (!find_command(scene, OP_SAMPLES) && !find_command(scene, OP_RESOLVE))
		return false;
	render_scene(scene, true, &choices, &direct);
	for (int i = 0; i < SIZE * SIZE * 4; i++) {
		int x = i / 4 % SIZE, y = i / 4 / SIZE;

		if (picture->color[y][x][i % 4] == direct.color[y][x][i % 4])
			continue;
		if (text)
			snprintf(text, 160,
				 "pixel %d, %d: component %d is %d, without copies of samples %d",
				 x, y, i % 4, picture->color[y][x][i % 4],
				 direct.color[y][x][i % 4]);
		return true;
	}
	return false;
}

/*
 * Draw a scene with OpenGL and with the reference, and compare. @used: receives the deviations needed;
 * NULL: the scene was counted before.
 */
static enum outcome look_at(const struct scene *scene, char text[160], unsigned *used)
{
	static const char *const errors[] = {
		[RENDERED_ERROR] = "OpenGL reports an error",
		[RENDERED_MAPPING] = "a mapped buffer does not show what was written to it",
	};
	static struct picture_read picture;
	struct choices choices;
	enum rendered rendered = render_scene(scene, false, &choices, &picture);
	double sure = 0;

	if (rendered == RENDERED_UNFIT)
		return UNFIT;
	add_picture(&picture);
	if (rendered != RENDERED) {
		if (text)
			snprintf(text, 160, "%s", errors[rendered]);
		return DIFFERENT;
	}
	if (copies_differ(scene, &picture, text))
		return DIFFERENT;
	if (!find_differences(scene, &choices, &picture, text, &sure)) {
		if (used)
			totals.sure += sure;
		return SAME;
	}
	if (used)
		totals.sure += sure;
	if (!deviations)
		return DIFFERENT;
	/* One of them, or all together. */
	for (unsigned i = 0; i <= DEVIATIONS; i++) {
		choices.deviations = i < DEVIATIONS ? deviations & 1u << i : deviations;
		if (!choices.deviations)
			continue;
		if (!find_differences(scene, &choices, &picture, NULL, NULL)) {
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

/* Remove commands, then primitives, or vertices of strips, one by one as long as a difference stays. */
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
static bool blits_depth(const struct scene *scene)
{
	for (unsigned i = 0; i < scene->count; i++)
		if (scene->commands[i].op == OP_BLIT &&
		    value_of(&scene->commands[i], 0) & GL_DEPTH_BUFFER_BIT)
			return true;
	return false;
}

/*
 * What Mesa etnaviv cannot draw at all (Documentation/mesa/draws.rst): targets of 2 samples, parts
 * of samples, the size of points beside all varyings, clears of two targets with alpha masked,
 * buffers that were made without data and stay mapped, and on the GC2000 two contexts and blits of
 * depth. Of the drivers, etnaviv has DEVIATION_MIXED, and on the GC2000 DEVIATION_LOGIC.
 */
static bool beyond_etnaviv(const struct scene *scene)
{
	bool second = find_command(scene, OP_SECOND);

	if (!(deviations & DEVIATION_MIXED))
		return false;
	if (scene_samples(scene) == 2 || find_command(scene, OP_SAMPLES) ||
	    find_command(scene, OP_RESOLVE))
		return true;
	for (unsigned i = 0; i < scene->count; i++) {
		const struct command *command = &scene->commands[i];

		if ((command->op == OP_BUFFER && !value_of(command, 1)) ||
		    (command->op == OP_LIMIT && value_of(command, 0) == LIMIT_VARYINGS) ||
		    (second && command->op == OP_MASK && !value_of(command, 3)))
			return true;
	}
	return deviations & DEVIATION_LOGIC &&
	       (find_command(scene, OP_OTHER) || blits_depth(scene));
}

/* What the driver does not offer. */
static bool beyond_driver(const struct scene *scene)
{
	return scene_samples(scene) > max_samples() ||
	       (find_command(scene, OP_SECOND) && max_targets() < TARGETS) ||
	       (find_command(scene, OP_BUFFER) && !can_map_buffers());
}

/* Make a scene as short as it can be with a difference, and print it. @text: what differs. */
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
	case UNFIT:
		puts("a program does not fit");
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

	make_scene(&scene, seed, number, kinds);
	if (beyond_llvmpipe(&scene) || beyond_etnaviv(&scene) || beyond_driver(&scene)) {
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
	case UNFIT:
		totals.skipped++;
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
	unsigned long seed, first, count, step;
	double sure;

	for (unsigned i = 0; argc > 1 && i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (strcmp(argv[1], drivers[i].option) == 0) {
			deviations = drivers[i].deviations;
			argc--;
			argv++;
			break;
		}
	}
	if (argc > 1 && strcmp(argv[1], "--kinds") == 0) {
		kinds = true;
		argc--;
		argv++;
	}
	if (argc != 2 && argc != 4 && argc != 5)
		give_up("usage: draws [--DRIVER-CORE] [--kinds] SEED FIRST COUNT [STEP] | FILE");
	begin_rendering();
	if (argc == 2)
		return draw_file(argv[1]);
	seed = strtoul(argv[1], NULL, 10);
	first = strtoul(argv[2], NULL, 10);
	count = strtoul(argv[3], NULL, 10);
	step = argc == 5 ? strtoul(argv[4], NULL, 10) : 1;
	for (unsigned long i = 0; i < count; i++)
		count_scene(seed, first + i * step);
	count_deviations(count);
	if (totals.skipped == count) {
		puts("# no scene was compared");
		totals.failed++;
	}
	sure = totals.skipped < count ? 100 * totals.sure / (count - totals.skipped) : 0;
	printf("# %.2f %% of the colours are sure, digest of the pictures %016" PRIx64 "\n", sure,
	       totals.pictures);
	if (totals.skipped < count && sure < MIN_SURE)
		totals.failed++;
	printf("%lu passed, %lu failed, %lu skipped\n", totals.passed + totals.explained,
	       totals.failed, totals.skipped);
	return totals.failed > 0;
}
