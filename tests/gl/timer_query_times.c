// SPDX-License-Identifier: MIT
/* GL_ANGLE_timer_query: results, when they are there, and whether the times are possible. */

#include "timer_query.h"

#include <unistd.h>

/* Squares that take the card some milliseconds. */
#define LONG 40
/* Bound of the rate at which cores of this kind write pixels: a square takes longer. */
#define PIXELS_PER_NS 8
/* Times beyond this don't fit in 32 bits. */
#define LONG_UPTIME_NS 4400000000ll
/* Limit of waits for a result */
#define FINITE_NS 20000000000ll

/* A result that is too large for the requested type is clamped to its maximum. */
static void test_clamp(void)
{
	GLint64ANGLE i64 = 0;
	GLuint64ANGLE ui64 = 0;
	GLint i = 0;
	GLuint ui = 0, id;

	if (now_ns() < LONG_UPTIME_NS)
		usleep((LONG_UPTIME_NS - now_ns()) / 1000);
	id = angle_make_timestamp();
	angleGetQueryObjectui64v(id, GL_QUERY_RESULT_ANGLE, &ui64);
	angleGetQueryObjecti64v(id, GL_QUERY_RESULT_ANGLE, &i64);
	angleGetQueryObjectuiv(id, GL_QUERY_RESULT_ANGLE, &ui);
	angleGetQueryObjectiv(id, GL_QUERY_RESULT_ANGLE, &i);
	check("tq.clamp", ui64 > UINT32_MAX && (GLuint64ANGLE)i64 == ui64, "%llu as 64 bits",
	      (unsigned long long)ui64);
	check("tq.clamp", ui == UINT32_MAX && i == INT32_MAX, "0x%x and 0x%x as 32 bits", ui, i);
	angleDeleteQueries(1, &id);
}

/* Polling alone makes a result available, without a flush by the program. */
static void test_finite(void)
{
	int64_t start = now_ns();
	unsigned asked = 0;
	GLuint id;

	angleGenQueries(1, &id);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	draw_square(0, LONG);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	while (!angle_available(id) && now_ns() - start < FINITE_NS) {
		asked++;
		usleep(100);
	}
	check("tq.finite", asked > 0 && angle_available(id),
	      "there when asked %u times, without a flush", asked);
	angleDeleteQueries(1, &id);
}

/* If the last of several results is available, all are. */
static void test_order(void)
{
	GLuint ids[2][MANY];
	bool elapsed = true, stamps = true;

	angleGenQueries(2 * MANY, &ids[0][0]);
	for (int i = 0; i < MANY; i++) {
		angleBeginQuery(GL_TIME_ELAPSED_ANGLE, ids[0][i]);
		draw_square(0, 1);
		angleEndQuery(GL_TIME_ELAPSED_ANGLE);
		angleQueryCounter(ids[1][i], GL_TIMESTAMP_ANGLE);
	}
	while (!angle_available(ids[0][MANY - 1]))
		usleep(100);
	for (int i = 0; i < MANY; i++)
		elapsed &= angle_available(ids[0][i]);
	while (!angle_available(ids[1][MANY - 1]))
		usleep(100);
	for (int i = 0; i < MANY; i++)
		stamps &= angle_available(ids[1][i]);
	check("tq.order", elapsed && stamps, "%d of each kind", MANY);
	for (int i = 1; i < MANY; i++)
		stamps &= angle_result(ids[1][i - 1]) <= angle_result(ids[1][i]);
	check("tq.order", stamps, "stamps rise in the order they were given");
	angleDeleteQueries(2 * MANY, &ids[0][0]);
}

/* The result of a query of so many squares. */
static uint64_t time_of(GLuint id, int squares)
{
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	draw_square(0, squares);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	return angle_result(id);
}

/* Within 5 %: beginning and end of a draw do not grow with it. */
static bool is_about(uint64_t a, uint64_t b)
{
	return b && a >= b - b / 20 && a <= b + b / 20;
}

/* The result is that of a query's last use, also if those of its earlier uses were not read. */
static void test_last_result(void)
{
	GLuint before, after, id, elapsed;
	uint64_t once, twice;

	angleGenQueries(1, &id);
	angleQueryCounter(id, GL_TIMESTAMP_ANGLE);
	draw_square(0, LONG);
	angleQueryCounter(id, GL_TIMESTAMP_ANGLE);
	draw_square(0, LONG);
	before = angle_make_timestamp();
	angleQueryCounter(id, GL_TIMESTAMP_ANGLE);
	after = angle_make_timestamp();
	check("tq.last-result",
	      angle_result(before) <= angle_result(id) && angle_result(id) <= angle_result(after),
	      "the third of three stamps of one name");
	angleGenQueries(1, &elapsed);
	once = time_of(elapsed, LONG);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, elapsed);
	draw_square(0, LONG);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	twice = time_of(elapsed, 2 * LONG);
	check("tq.last-result", is_about(twice, 2 * once),
	      "the second of two times of one name: %llu ns, half the draws take %llu",
	      (unsigned long long)twice, (unsigned long long)once);
	angleDeleteQueries(4, (GLuint[]){ before, after, id, elapsed });
}

/*
 * The elapsed time of the commands inside the query, in virtual time and so exact except for the
 * cost of a stamp: not of earlier commands, although they still execute at Begin, and of all
 * commands inside, although End is called long before they have executed.
 */
static void test_elapsed(void)
{
	uint64_t busy, twice, behind, empty;
	GLuint id;

	angleGenQueries(1, &id);
	glFinish();
	busy = time_of(id, LONG);
	glFinish();
	twice = time_of(id, 2 * LONG);
	draw_square(0, 4 * LONG);
	behind = time_of(id, LONG);
	glFinish();
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	empty = angle_result(id);
	check("tq.start-complete", is_about(behind, busy),
	      "%llu ns behind four times as much, %llu alone", (unsigned long long)behind,
	      (unsigned long long)busy);
	check("tq.stop-complete", is_about(twice, 2 * busy), "%llu ns for twice the draws of %llu",
	      (unsigned long long)twice, (unsigned long long)busy);
	check("tq.elapsed", busy > LONG * SIZE * SIZE / PIXELS_PER_NS,
	      "%llu ns for %d squares: no less than the pixel engine takes",
	      (unsigned long long)busy, LONG);
	check("tq.result-written", empty < busy / 100, "%llu ns with nothing",
	      (unsigned long long)empty);
	angleDeleteQueries(1, &id);
}

static void test_counter(void)
{
	uint64_t elapsed, between;
	int64_t start, end;
	bool early;
	GLuint ids[4];

	angleGenQueries(4, ids);
	glFinish();
	start = now_ns();
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, ids[0]);
	angleQueryCounter(ids[1], GL_TIMESTAMP_ANGLE);
	draw_square(0, LONG);
	angleQueryCounter(ids[2], GL_TIMESTAMP_ANGLE);
	angleQueryCounter(ids[3], GL_TIMESTAMP_ANGLE);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	check_error("tq.counter-inside", GL_NO_ERROR, "stamps between Begin and End");
	early = angle_available(ids[3]);
	while (!angle_available(ids[3]) && now_ns() - start < FINITE_NS)
		usleep(100);
	end = now_ns();
	check("tq.counter-available", !early && angle_available(ids[3]) && angle_available(ids[1]),
	      "not while the draw is under way, then there without a wait for it");
	check("tq.counter",
	      (int64_t)angle_result(ids[1]) >= start && (int64_t)angle_result(ids[3]) <= end,
	      "between the processor's times before and after");
	between = angle_result(ids[2]) - angle_result(ids[1]);
	elapsed = angle_result(ids[0]);
	check("tq.counter-complete", is_about(between, elapsed),
	      "the draw is between its stamps: %llu ns of %llu", (unsigned long long)between,
	      (unsigned long long)elapsed);
	between = angle_result(ids[3]) - angle_result(ids[1]);
	check("tq.counter-inside", elapsed >= between && is_about(elapsed, between),
	      "the time elapsed, %llu ns, holds the stamps in it, %llu ns apart",
	      (unsigned long long)elapsed, (unsigned long long)between);
	angleDeleteQueries(4, ids);
}

void test_times(void)
{
	test_clamp();
	test_finite();
	test_order();
	test_last_result();
	test_elapsed();
	test_counter();
}
