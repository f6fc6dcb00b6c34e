// SPDX-License-Identifier: MIT
/*
 * draws: draw scenes of random state with OpenGL and compare each with the reference. A scene
 * with a difference is made as short as it can be with a difference left, and printed so that it
 * can be drawn again.
 *
 *	draws SEED FIRST COUNT [EXPECTED]	scenes by number
 *	draws FILE				the scene in a file
 *
 * A line of EXPECTED is the number of a scene of seed 1 that differs, and why.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "render.h"

/* Draw a scene on both and compare. */
static bool differs(const struct scene *scene, char text[160])
{
	static struct allowed pixels[SIZE][SIZE];
	static struct picture_read picture;
	struct choices choices;
	GLenum error;

	error = render_scene(scene, &choices, &picture);
	if (error) {
		if (text)
			snprintf(text, 160, "OpenGL's error 0x%x", error);
		return true;
	}
	draw_reference(scene, &choices, pixels);
	return find_difference(pixels, &choices, &picture, scene_samples(scene), text);
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
			unsigned size = scene->commands[i].op != OP_DRAW                ? 0
					: value_of(&scene->commands[i], 0) == GL_POINTS ? 1
					: value_of(&scene->commands[i], 0) == GL_LINES  ? 2
											: 3;

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

/* The reason for which a scene is expected to differ, or NULL. */
static const char *expectation(const char *path, unsigned long number)
{
	static char line[512];
	FILE *file = path ? fopen(path, "r") : NULL;
	const char *reason = NULL;
	char *end;

	if (path && !file)
		give_up("%s: not readable", path);
	while (file && !reason && fgets(line, sizeof(line), file))
		if (line[0] != '#' && strtoul(line, &end, 10) == number && end != line)
			reason = end;
	if (file)
		fclose(file);
	return reason;
}

/*
 * llvmpipe draws a row and a column too much below and left of a scissor if there are samples:
 * its planes for the edges of the scissor have half a pixel that suits one sample only.
 */
static bool beyond_llvmpipe(const struct scene *scene)
{
	bool scissor = false;

	for (unsigned i = 0; i < scene->count; i++)
		scissor |= scene->commands[i].op == OP_SCISSOR;
	return scissor && scene_samples(scene) && is_llvmpipe();
}

static void show_difference(struct scene *scene, const char *name)
{
	char text[160] = "";

	shrink(scene);
	if (!differs(scene, text))
		printf("# %s: differs at times only\n", name);
	printf("# %s: %s\n", name, text);
	print_scene(stdout, scene);
	fflush(stdout);
}

static int draw_file(const char *path)
{
	static struct scene scene;
	FILE *file = fopen(path, "r");
	char text[160];

	if (!file || !read_scene(file, &scene))
		give_up("%s: no scene", path);
	fclose(file);
	if (!differs(&scene, text)) {
		puts("no difference");
		return 0;
	}
	show_difference(&scene, path);
	return 1;
}

int main(int argc, char **argv)
{
	static struct scene scene;
	unsigned long seed, first, count, passed = 0, failed = 0, expected = 0, skipped = 0;
	char name[64];

	if (argc != 2 && argc != 4 && argc != 5)
		give_up("usage: %s SEED FIRST COUNT [EXPECTED] | FILE", argv[0]);
	begin_rendering();
	if (argc == 2)
		return draw_file(argv[1]);
	seed = strtoul(argv[1], NULL, 10);
	first = strtoul(argv[2], NULL, 10);
	count = strtoul(argv[3], NULL, 10);
	for (unsigned long i = first; i < first + count; i++) {
		const char *reason = seed == 1 ? expectation(argv[4], i) : NULL;
		bool different;

		make_scene(&scene, seed, i);
		if (beyond_llvmpipe(&scene)) {
			skipped++;
			continue;
		}
		different = differs(&scene, NULL);
		snprintf(name, sizeof(name), "seed %lu, scene %lu", seed, i);
		if (different && !reason)
			show_difference(&scene, name);
		if (!different && reason)
			printf("# %s: passes, but was expected to fail:%s", name, reason);
		if (different != !!reason)
			failed++;
		else if (reason)
			expected++;
		else
			passed++;
	}
	if (expected * 50 > count) {
		printf("# more than 2 %% of the scenes are expected to differ\n");
		failed++;
	}
	printf("%lu passed, %lu failed, %lu skipped\n", passed, failed, expected + skipped);
	return failed > 0;
}
