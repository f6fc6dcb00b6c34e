// SPDX-License-Identifier: MIT
/*
 * context_budget [--draw|--divide|--limit]: EGL_VIVGPU_context_budget and EGL_IMG_context_priority, attributes of
 * contexts that become properties of the kernel's queues. With an option only a context with a budget draws,
 * only the division of others is tested, or only budgets in a cgroup that can reserve 30 % of the time
 * (tests/kernel/run). The tags are "cb.".
 */

#include "harness.h"

#include <EGL/eglext_vivgpu.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define ATTRIBUTES 8

static EGLConfig choose_config(void)
{
	static const EGLint attributes[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
					     EGL_OPENGL_ES2_BIT, EGL_NONE };
	EGLConfig config;
	EGLint count;

	eglBindAPI(EGL_OPENGL_ES_API);
	if (!eglChooseConfig(get_display(), attributes, &config, 1, &count) || count < 1)
		give_up("no config: EGL error 0x%x", eglGetError());
	return config;
}

/* A context with up to two attributes; EGL_NONE ends them. */
static EGLContext create(EGLint name, EGLint value, EGLint other_name, EGLint other_value)
{
	const EGLint attributes[ATTRIBUTES] = {
		EGL_CONTEXT_CLIENT_VERSION, 2, name, value, other_name, other_value, EGL_NONE
	};

	return eglCreateContext(get_display(), choose_config(), EGL_NO_CONTEXT, attributes);
}

static EGLContext create_budget(EGLint budget_us, EGLint period_us)
{
	return create(EGL_CONTEXT_BUDGET_VIVGPU, budget_us, EGL_CONTEXT_PERIOD_VIVGPU, period_us);
}

static EGLint query(EGLContext context, EGLint name)
{
	EGLint value = -1;

	eglQueryContext(get_display(), context, name, &value);
	return value;
}

static void refused(const char *tag, EGLContext context, EGLint expected, const char *what)
{
	EGLint error = eglGetError();

	check(tag, context == EGL_NO_CONTEXT && error == expected, "%s: EGL error 0x%x", what,
	      error);
	if (context != EGL_NO_CONTEXT)
		eglDestroyContext(get_display(), context);
}

/* The context draws; its pixels are right. */
static void draws(const char *tag, EGLContext context)
{
	uint8_t pixel[4] = { 0 };

	use_context(context);
	make_target(16, 16);
	glUniform4f(glGetUniformLocation(use_plain_program(), "color"), 0, 1, 0, 1);
	draw_square(0, 1);
	glReadPixels(8, 8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	check(tag, glGetError() == GL_NO_ERROR && pixel[1] == 255, "a draw: %u %u %u %u", pixel[0],
	      pixel[1], pixel[2], pixel[3]);
	use_context(EGL_NO_CONTEXT);
}

static void priorities(void)
{
	static const EGLint levels[] = { EGL_CONTEXT_PRIORITY_LOW_IMG,
					 EGL_CONTEXT_PRIORITY_MEDIUM_IMG,
					 EGL_CONTEXT_PRIORITY_HIGH_IMG };

	check("cb.priority-extension",
	      has_word(eglQueryString(get_display(), EGL_EXTENSIONS), "EGL_IMG_context_priority"),
	      "EGL_IMG_context_priority");
	for (unsigned i = 0; i < COUNT(levels); i++) {
		EGLContext context = create(EGL_CONTEXT_PRIORITY_LEVEL_IMG, levels[i], EGL_NONE, 0);

		check("cb.priority", query(context, EGL_CONTEXT_PRIORITY_LEVEL_IMG) == levels[i],
		      "0x%x was asked for, 0x%x is reported", levels[i],
		      query(context, EGL_CONTEXT_PRIORITY_LEVEL_IMG));
		draws("cb.priority", context);
		eglDestroyContext(get_display(), context);
	}
}

static void bad_attributes(void)
{
	refused("cb.pair", create(EGL_CONTEXT_BUDGET_VIVGPU, 1000, EGL_NONE, 0), EGL_BAD_MATCH,
		"a budget without a period");
	refused("cb.pair", create(EGL_CONTEXT_PERIOD_VIVGPU, 1000, EGL_NONE, 0), EGL_BAD_MATCH,
		"a period without a budget");
	refused("cb.values", create_budget(20000, 10000), EGL_BAD_MATCH, "more than the period");
	refused("cb.values", create_budget(-1, 10000), EGL_BAD_ATTRIBUTE, "a negative budget");
	refused("cb.values", create_budget(1000, EGL_MAX_PERIOD_VIVGPU + 1), EGL_BAD_ATTRIBUTE,
		"a period above a second");
}

/* Budgets that are promised, one too many, and one a period after another has gone. */
static void promises(void)
{
	EGLContext first = create_budget(5000, 16000), second;

	check("cb.granted", first != EGL_NO_CONTEXT, "5 ms in each 16 ms");
	check("cb.query",
	      query(first, EGL_CONTEXT_BUDGET_VIVGPU) == 5000 &&
		      query(first, EGL_CONTEXT_PERIOD_VIVGPU) == 16000,
	      "%d us in %d us", query(first, EGL_CONTEXT_BUDGET_VIVGPU),
	      query(first, EGL_CONTEXT_PERIOD_VIVGPU));
	draws("cb.draws", first);
	refused("cb.refused", create_budget(12000, 16000), EGL_BAD_ALLOC, "more than what is left");
	eglDestroyContext(get_display(), first);
	/* Its budget is free when the period has ended in which it drew (Documentation/gpu/deadlines.rst, rule 6). */
	usleep(16000);
	second = create_budget(12000, 16000);
	check("cb.returned", second != EGL_NO_CONTEXT, "a period after the first context is gone");
	eglDestroyContext(get_display(), second);
	second = create(EGL_NONE, 0, EGL_NONE, 0);
	check("cb.query", !query(second, EGL_CONTEXT_BUDGET_VIVGPU), "none without the attributes");
	eglDestroyContext(get_display(), second);
}

/* A context of its own draws so many squares, each of which adds 1/16 of red. Returns its jobs. */
static uint64_t jobs_of_squares(int count, uint8_t *red)
{
	EGLContext context = create(EGL_NONE, 0, EGL_NONE, 0);
	uint8_t pixel[4] = { 0 };
	uint64_t before;

	use_context(context);
	make_target(64, 64);
	glClear(GL_COLOR_BUFFER_BIT);
	glUniform4f(glGetUniformLocation(use_plain_program(), "color"), 1.f / 16, 0, 0, 1);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	glFinish();
	before = submitted_jobs();
	draw_square(0, count);
	glFinish();
	before = submitted_jobs() - before;
	glReadPixels(32, 32, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	*red = pixel[0];
	use_context(EGL_NO_CONTEXT);
	eglDestroyContext(get_display(), context);
	return before;
}

/*
 * Beside a budget a context without one submits its first draw as a job of its own, and how many
 * draws the next ones get depends on what that took. The picture is the same.
 */
static void division(void)
{
	uint8_t red, divided_red;
	uint64_t jobs = jobs_of_squares(8, &red), divided;
	EGLContext other = create_budget(5000, 16000);

	divided = jobs_of_squares(8, &divided_red);
	check("cb.whole", jobs == 1, "%" PRIu64 " jobs without budgets", jobs);
	check("cb.divided", divided > 1 && divided <= 8, "%" PRIu64 " jobs beside a budget",
	      divided);
	check("cb.divided", red >= 127 && red <= 129 && divided_red == red, "red %u and %u", red,
	      divided_red);
	/* The next context begins with one draw as well: what draws took is known of a context. */
	divided = jobs_of_squares(8, &divided_red);
	check("cb.divided", divided > 1 && divided <= 8, "%" PRIu64 " jobs of another context",
	      divided);
	eglDestroyContext(get_display(), other);
	check("cb.whole", jobs_of_squares(8, &red) == 1, "without budgets again");
}

/*
 * Above the limit of the cgroup a context with a budget is refused, and below it granted. The first context, which
 * gets what VIVGPU_BUDGET says, is there in any case.
 */
static void limits(void)
{
	EGLContext first = create(EGL_NONE, 0, EGL_NONE, 0), granted;

	draws("cb.limit", first);
	refused("cb.limit", create_budget(5000, 16000), EGL_BAD_ALLOC, "5 ms in each 16 ms");
	granted = create_budget(4000, 16000);
	check("cb.limit", query(granted, EGL_CONTEXT_BUDGET_VIVGPU) == 4000, "4 ms in each 16 ms");
	draws("cb.limit", granted);
	refused("cb.limit", create_budget(1000, 16000), EGL_BAD_ALLOC, "1 ms more");
}

/* Without CAP_SYS_NICE: the last test, since the capability does not come back. */
static void no_privilege(void)
{
	if (setuid(65534))
		give_up("setuid");
	refused("cb.privilege", create_budget(1000, 16000), EGL_BAD_ACCESS, "as nobody");
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--draw")) {
		draws("cb.draws", create_budget(5000, 16000));
		return end_checks();
	}
	if (argc > 1 && !strcmp(argv[1], "--divide")) {
		division();
		return end_checks();
	}
	if (argc > 1 && !strcmp(argv[1], "--limit")) {
		limits();
		return end_checks();
	}
	check("cb.extension",
	      has_word(eglQueryString(get_display(), EGL_EXTENSIONS), "EGL_VIVGPU_context_budget"),
	      "EGL_VIVGPU_context_budget");
	priorities();
	division();
	bad_attributes();
	promises();
	no_privilege();
	return end_checks();
}
