// SPDX-License-Identifier: MIT
/*
 * Tests of query objects beyond their specifications: that times are those of the card, that
 * queries cause no additional submit or wait, and what a reset does to them.
 * The tags are "gq.".
 *
 * It needs virtual time; with DELAYED=1 it is another test, for real time, with
 * interrupts that the card delays.
 */

#include "angle_timer_query.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vivgpu_drm.h>
#include <xf86drm.h>

#include "../../tools/render_node.h"

#define SIZE 128
/*
 * Squares before a measurement: the guest waits then when the stamps come. A guest that
 * is at work takes an interrupt a step late, as reading its clock takes a step.
 */
#define LEAD 20
/* Measurements of the same draws. */
#define TURNS 3
#define FRAME 16
#define MANY 1000
/* As in the command "delay-irq" below. */
#define DELAY_NS 20000000ull
#define POLL_US 20000

/* A file of the kernel driver's, for its constants. */
static int open_gpu(void)
{
	int fd = open_render_node("vivgpu", NULL);

	if (fd < 0)
		give_up("no vivgpu");
	return fd;
}

static uint64_t param(uint32_t number)
{
	struct drm_vivgpu_get_param get = { .param = number };
	int fd = open_gpu();

	if (drmIoctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &get))
		give_up("the kernel does not tell number 0x%x", number);
	close(fd);
	return get.value;
}

/*
 * Measure the time of some draws by a query, and the card's busy cycles of the whole job, in which
 * the squares before the query are, too. The query's name needs no angleGenQueries().
 */
static uint64_t measure(int squares, uint64_t *cycles)
{
	uint64_t before, elapsed;
	GLuint id = 1;

	glFinish();
	before = card_total("gc.busy_cycles");
	draw_square(0, LEAD);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	draw_square(0, squares);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	glFinish();
	*cycles = card_total("gc.busy_cycles") - before;
	elapsed = angle_result(id);
	return elapsed;
}

/* Measure the same draws several times: all times, and the smallest number of cycles. */
static uint64_t measure_often(int squares, uint64_t elapsed[TURNS])
{
	uint64_t cycles, least = UINT64_MAX;

	for (int i = 0; i < TURNS; i++) {
		elapsed[i] = measure(squares, &cycles);
		least = cycles < least ? cycles : least;
	}
	return least;
}

/*
 * The overhead of a job and LEAD are in the cycles but not in the time. The difference between
 * twice the draws and once the draws does not contain it, unless jobs have different overheads: the
 * first job with a new buffer, for example, starts with a flush of the MMU. Such overheads only add
 * cycles, so the smallest number of cycles is used.
 */
static void test_cycles(void)
{
	uint64_t hz = param(DRM_VIVGPU_PARAM_CORE_CLOCK);
	int64_t quantum = param(DRM_VIVGPU_PARAM_TIME_QUANTUM);

	for (int squares = 5; squares <= 80; squares *= 4) {
		uint64_t cycles[2], once[TURNS], twice[TURNS];
		int64_t truth, difference;

		cycles[0] = measure_often(squares, once);
		cycles[1] = measure_often(2 * squares, twice);
		truth = (cycles[1] - cycles[0]) * 1000000000 / hz;
		for (int i = 0; i < TURNS; i++) {
			difference = (int64_t)(twice[i] - once[i]) - truth;
			check("gq.cycles", llabs(difference) <= 2 * quantum,
			      "%d squares: %lld ns more, %lld by the card's cycles; each query may be off by %lld",
			      squares, (long long)(twice[i] - once[i]), (long long)truth,
			      (long long)quantum);
		}
	}
}

/* A frame with stamps costs as many jobs as one without. */
static void test_no_submit(void)
{
	uint64_t start, plain, queried;
	GLuint ids[FRAME];

	angleGenQueries(FRAME, ids);
	draw_square(0, FRAME);
	glFinish();
	start = submitted_jobs();
	draw_square(0, FRAME);
	glFinish();
	plain = submitted_jobs() - start;
	start = submitted_jobs();
	for (int i = 0; i < FRAME; i++) {
		angleQueryCounter(ids[i], GL_TIMESTAMP_ANGLE);
		draw_square(0, 1);
	}
	glFinish();
	queried = submitted_jobs() - start;
	check("gq.no-submit", plain > 0 && queried == plain, "%d stamps: %llu jobs, %llu without",
	      FRAME, (unsigned long long)queried, (unsigned long long)plain);
	start = submitted_jobs();
	for (int i = 0; i < MANY; i++)
		(void)angle_available(ids[i % FRAME]);
	check("gq.poll-no-submit", submitted_jobs() == start, "asking %d times: no job", MANY);
	angleDeleteQueries(FRAME, ids);
}

/*
 * The end of a query and the next one's beginning are one point if there are only
 * changes of state between them: sixteen queries fit into a job, and add up.
 */
static void test_shared(void)
{
	GLuint ids[FRAME], stamps[2];
	uint64_t sum = 0, submitted;

	angleGenQueries(FRAME, ids);
	angleGenQueries(2, stamps);
	glFinish();
	submitted = submitted_jobs();
	angleQueryCounter(stamps[0], GL_TIMESTAMP_ANGLE);
	for (int i = 0; i < FRAME; i++) {
		angleBeginQuery(GL_TIME_ELAPSED_ANGLE, ids[i]);
		draw_square(0, 1);
		angleEndQuery(GL_TIME_ELAPSED_ANGLE);
		if (i % 2)
			glEnable(GL_BLEND);
		else
			glDisable(GL_BLEND);
		glColorMask(GL_TRUE, i % 2, GL_TRUE, GL_TRUE);
		glViewport(0, 0, SIZE - i, SIZE);
	}
	angleQueryCounter(stamps[1], GL_TIMESTAMP_ANGLE);
	glFinish();
	submitted = submitted_jobs() - submitted;
	for (int i = 0; i < FRAME; i++)
		sum += angle_result(ids[i]);
	check("gq.shared", submitted == 1, "%d queries with state between them: %llu job", FRAME,
	      (unsigned long long)submitted);
	check("gq.shared", sum == angle_result(stamps[1]) - angle_result(stamps[0]),
	      "%llu ns, with no gap", (unsigned long long)sum);
	glDisable(GL_BLEND);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glViewport(0, 0, SIZE, SIZE);
	angleDeleteQueries(FRAME, ids);
	angleDeleteQueries(2, stamps);
}

/* More points than a job may have. */
static void test_many(void)
{
	static GLuint elapsed[MANY];
	GLuint stamps[2];
	uint64_t sum = 0, all;
	bool positive = true;

	angleGenQueries(MANY, elapsed);
	angleGenQueries(2, stamps);
	angleQueryCounter(stamps[0], GL_TIMESTAMP_ANGLE);
	for (int i = 0; i < MANY; i++) {
		angleBeginQuery(GL_TIME_ELAPSED_ANGLE, elapsed[i]);
		draw_square(0, 1);
		angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	}
	angleQueryCounter(stamps[1], GL_TIMESTAMP_ANGLE);
	all = angle_result(stamps[1]) - angle_result(stamps[0]);
	for (int i = 0; i < MANY; i++) {
		positive &= angle_result(elapsed[i]) > 0;
		sum += angle_result(elapsed[i]);
	}
	check("gq.many", positive && sum == all, "%d queries: %llu ns, %llu from first to last",
	      MANY, (unsigned long long)sum, (unsigned long long)all);
	angleDeleteQueries(MANY, elapsed);
	angleDeleteQueries(2, stamps);
}

/*
 * How a frame is queried: not at all, by a stamp before each pass, or by a query of the time of
 * each pass, with another pass, which is not queried, after each if these are apart
 */
enum querying { NOT, STAMPS, ADJACENT, APART };

/* A frame of some passes over the target; its time, and its jobs. */
static int64_t frame(enum querying how, int passes, const GLuint *ids, uint64_t *submitted)
{
	int64_t start;

	glFinish();
	*submitted = submitted_jobs();
	start = now_ns();
	for (int i = 0; i < passes; i++) {
		if (how == STAMPS)
			angleQueryCounter(ids[i], GL_TIMESTAMP_ANGLE);
		else if (how != NOT)
			angleBeginQuery(GL_TIME_ELAPSED_ANGLE, ids[i]);
		draw_square(0, 1);
		if (how == ADJACENT || how == APART)
			angleEndQuery(GL_TIME_ELAPSED_ANGLE);
		if (how == APART)
			draw_square(0, 1);
	}
	glFinish();
	start = now_ns() - start;
	*submitted = submitted_jobs() - *submitted;
	return start;
}

/*
 * Prints "cost NAME ns ns jobs jobs" for tests/bench/queries: with queries, without. If @limited,
 * queries may take 5 % more time and no other number of jobs. The first frame of each kind does not
 * count.
 */
static void test_cost(const char *name, enum querying how, int width, int passes, bool limited)
{
	static GLuint ids[MANY];
	uint64_t submitted[2];
	int64_t ns[2];

	angleGenQueries(passes, ids);
	make_target(width, width);
	frame(how, passes, ids, &submitted[0]);
	ns[0] = frame(how, passes, ids, &submitted[0]);
	frame(NOT, how == APART ? 2 * passes : passes, ids, &submitted[1]);
	ns[1] = frame(NOT, how == APART ? 2 * passes : passes, ids, &submitted[1]);
	printf("cost %s %lld %lld %llu %llu\n", name, (long long)ns[0], (long long)ns[1],
	       (unsigned long long)submitted[0], (unsigned long long)submitted[1]);
	if (limited)
		check("gq.frame-cost", ns[0] * 20 <= ns[1] * 21 && submitted[0] == submitted[1],
		      "%s: %lld ns in %llu jobs, %lld in %llu without", name, (long long)ns[0],
		      (unsigned long long)submitted[0], (long long)ns[1],
		      (unsigned long long)submitted[1]);
	angleDeleteQueries(passes, ids);
}

static void test_costs(void)
{
	test_cost("16_stamps", STAMPS, 512, FRAME, true);
	test_cost("16_elapsed_adjacent", ADJACENT, 512, FRAME, true);
	test_cost("16_elapsed_apart", APART, 512, FRAME, false);
	test_cost("1000_elapsed_adjacent", ADJACENT, 64, MANY, false);
}

static void test_now(void)
{
	PFNGLGETINTEGER64VEXTPROC get = get_function("glGetInteger64vEXT");
	int64_t before, after;
	GLint64 now[2] = { 0 };
	GLuint id = 1;

	before = now_ns();
	get(GL_TIMESTAMP_EXT, &now[0]);
	angleGenQueries(1, &id);
	angleQueryCounter(id, GL_TIMESTAMP_ANGLE);
	glFinish();
	get(GL_TIMESTAMP_EXT, &now[1]);
	after = now_ns();
	check("gq.now", before <= now[0] && now[1] <= after, "TIMESTAMP is the processor's clock");
	check("gq.now", now[0] <= (GLint64)angle_result(id) && (GLint64)angle_result(id) <= now[1],
	      "and that of the stamps");
	angleDeleteQueries(1, &id);
}

static GLint disjoint(void)
{
	GLint value = -1;

	glGetIntegerv(GL_GPU_DISJOINT_EXT, &value);
	return value;
}

/* A hang in the middle of a query: it ends, and reports an invalid result. */
static void test_disjoint(void)
{
	GLuint ids[2] = { 0 };

	angleGenQueries(2, ids);
	check("gq.disjoint", disjoint() == 0, "not so before");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, ids[0]);
	draw_square(0, 1);
	hang_core();
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	while (!angle_available(ids[0]))
		usleep(POLL_US);
	check("gq.disjoint", angle_result(ids[0]) == 0, "%llu ns over a reset",
	      (unsigned long long)angle_result(ids[0]));
	check("gq.disjoint", disjoint() == 1, "said once");
	check("gq.disjoint", disjoint() == 0, "and not again");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, ids[1]);
	draw_square(0, 1);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	check("gq.disjoint", angle_result(ids[1]) > 0 && disjoint() == 0, "the next one is right");
	angleDeleteQueries(2, ids);
}

/*
 * Interrupts are delayed, and so are the stamps; the kernel reports by how much. The draws take
 * longer than that.
 */
static void test_delayed(void)
{
	uint64_t uncertainty, cycles, elapsed, hz = param(DRM_VIVGPU_PARAM_CORE_CLOCK), model;
	int64_t start, wall;

	uncertainty = param(DRM_VIVGPU_PARAM_TIME_UNCERTAINTY);
	check("gq.uncertainty", uncertainty >= DELAY_NS, "%llu ns are published, %llu is the delay",
	      (unsigned long long)uncertainty, (unsigned long long)DELAY_NS);
	for (int squares = 1000; squares <= 2000; squares *= 2) {
		start = now_ns();
		elapsed = measure(squares, &cycles);
		wall = now_ns() - start;
		model = cycles * 1000000000 / hz;
		check("gq.delayed", elapsed + uncertainty >= model && (int64_t)elapsed <= wall,
		      "%d squares: %llu ns, not less than %llu - %llu, nor more than %lld", squares,
		      (unsigned long long)elapsed, (unsigned long long)model,
		      (unsigned long long)uncertainty, (long long)wall);
	}
}

int main(void)
{
	bool exact = !getenv("DELAYED");

	if (!exact && !card_command("delay-irq 20000000"))
		give_up("the card does not delay interrupts");
	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	angle_load();
	make_target(SIZE, SIZE);
	use_plain_program();
	draw_square(0, 1);
	glFinish();
	if (exact) {
		test_cycles();
		test_no_submit();
		test_shared();
		test_many();
		test_now();
		test_costs();
		test_disjoint();
	} else {
		test_delayed();
	}
	check_error("gq.no-error", GL_NO_ERROR, "after everything");
	return end_checks();
}
