// SPDX-License-Identifier: MIT
/*
 * Exact counts of performance monitors: the sum of all clients' monitors equals the card's own
 * totals. Clients are processes; the parent draws nothing, reads the totals before and after,
 * and adds up the clients' results.
 */

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monitor.h"

#define MAX_CLIENTS 2
#define MAX_PARTS 5
#define TEXELS 32
/* Bytes of a memory request of the card */
#define REQUEST 8
#define DELAY "delay-irq 3000000"
#define NO_DELAY "delay-irq 0"
/* The seed of the delays, 5, and the largest one in ns; NO_JITTER gives 0 as that */
#define JITTER "jitter-irq 5 2000000"
#define NO_JITTER "jitter-irq 5 0"

#ifndef GL_ALPHA_TEST
#define GL_ALPHA_TEST 0x0bc0
#endif

/* A counter, the card's totals whose sum it must equal, and how many units of them count as one. */
static const struct pair {
	const char *counter;
	const char *totals[MAX_PARTS];
	unsigned unit;
} pairs[] = {
	{ "Shader Cycles", { "gc.sh.cycles" }, 1 },
	{ "FE Draws", { "gc.fe.draws" }, 1 },
	{ "FE Vertices", { "gc.fe.vertices_fetched" }, 1 },
	{ "VS Vertices", { "gc.vs.vertices" }, 1 },
	{ "VS Instructions", { "gc.vs.instructions" }, 1 },
	{ "VS Branches", { "gc.vs.branches" }, 1 },
	{ "VS Texture Fetches", { "gc.vs.texlds" }, 1 },
	{ "PS Pixels", { "gc.ps.pixels" }, 1 },
	{ "PS Instructions", { "gc.ps.instructions" }, 1 },
	{ "PS Branches", { "gc.ps.branches" }, 1 },
	{ "PS Texture Fetches", { "gc.ps.texlds" }, 1 },
	{ "PA Input Vertices", { "gc.pa.input_vertices" }, 1 },
	{ "PA Input Primitives", { "gc.pa.input_primitives" }, 1 },
	{ "PA Output Primitives", { "gc.pa.output_primitives" }, 1 },
	{ "PA Depth Clipped", { "gc.pa.depth_clipped" }, 1 },
	{ "PA Trivially Rejected", { "gc.pa.trivial_rejected" }, 1 },
	{ "PA Culled", { "gc.pa.culled" }, 1 },
	{ "PA Dropped", { "gc.pa.dropped_zero_area" }, 1 },
	{ "PA Frustum Clipped", { "gc.pa.clipped" }, 1 },
	{ "SE Culled Triangles", { "gc.se.culled_triangles" }, 1 },
	{ "RA Pixels", { "gc.ra.pixels" }, 1 },
	{ "RA Quads", { "gc.ra.quads" }, 1 },
	{ "RA Quads after Early Z", { "gc.ra.quads_after_early_z" }, 1 },
	{ "RA Primitives", { "gc.ra.primitives" }, 1 },
	{ "RA Quads Culled", { "gc.ra.eez_culled_quads" }, 1 },
	{ "RA Pipe Cache Misses", { "gc.ra.pipe_cache_misses" }, 1 },
	{ "Texture Requests", { "gc.tx.requests" }, 1 },
	{ "Bilinear Requests", { "gc.tx.bilinear_requests" }, 1 },
	{ "Trilinear Requests", { "gc.tx.trilinear_requests" }, 1 },
	{ "Discarded Texture Requests", { "gc.tx.discarded_requests" }, 1 },
	{ "Texture Memory Reads", { "gc.tx.mem_reads" }, 1 },
	{ "Texture Memory Words", { "gc.tx.mem_read_8b" }, 1 },
	{ "Texture Cache Misses", { "gc.tx.cache_misses" }, 1 },
	{ "Texture Cache Hit Texels", { "gc.tx.cache_hits" }, 1 },
	{ "Texture Cache Miss Texels", { "gc.tx.cache_misses" }, 1 },
	{ "Pixels Drawn", { "gc.pe.drawn_pixels" }, 1 },
	{ "Pixels Killed", { "gc.pe.killed_by_color" }, 1 },
	{ "Depth Pixels Drawn", { "gc.pe.drawn_by_depth" }, 1 },
	{ "Depth Pixels Killed", { "gc.pe.killed_by_depth" }, 1 },
	{ "Pipeline Bytes Read",
	  { "gc.pe.read_bytes", "gc.tx.read_bytes", "gc.rs.read_bytes", "gc.ts.read_bytes",
	    "gc.sh.read_bytes" },
	  1 },
	{ "Pipeline Bytes Written",
	  { "gc.pe.write_bytes", "gc.rs.write_bytes", "gc.ts.write_bytes", "gc.sh.write_bytes" },
	  1 },
	{ "Color Read Requests", { "gc.mc.color_read_bytes" }, REQUEST },
	{ "Color Write Requests", { "gc.mc.color_write_bytes" }, REQUEST },
	{ "Depth Bytes Read", { "gc.mc.depth_read_bytes" }, 1 },
	{ "Depth Bytes Sent For", { "gc.mc.depth_read_bytes" }, 1 },
	{ "Depth Bytes Written", { "gc.mc.depth_write_bytes" }, 1 },
	{ "Depth Read Requests", { "gc.mc.depth_read_bytes" }, REQUEST },
	{ "Depth Write Requests", { "gc.mc.depth_write_bytes" }, REQUEST },
	{ "Other Bytes Written",
	  { "gc.rs.write_bytes", "gc.ts.write_bytes", "gc.sh.write_bytes" },
	  1 },
	{ "Other Write Requests",
	  { "gc.rs.write_bytes", "gc.ts.write_bytes", "gc.sh.write_bytes" },
	  REQUEST },
	{ "Bytes Written",
	  { "gc.pe.write_bytes", "gc.rs.write_bytes", "gc.ts.write_bytes", "gc.sh.write_bytes" },
	  1 },
	{ "Read Request Stall Cycles", { "gc.hi.read_stalls" }, 1 },
	{ "Write Request Stall Cycles", { "gc.hi.write_stalls" }, 1 },
	{ "Write Data Stall Cycles", { "gc.hi.write_stalls" }, 1 },
};

/* Counters that OpenGL cannot make count: see Documentation/mesa/counters.rst. */
static const char *const still[] = { "Discarded Texture Requests" };

struct counts {
	uint64_t count[COUNT(pairs)];
};

/*
 * A process that draws; the pipes for its commands and its answers; how many frames it draws, and
 * whether a monitor of its own counts them
 */
struct client {
	pid_t pid;
	int to, from;
	int frames;
	bool counts;
};

/* At most PIPE_BUF bytes, so that each call transfers all of them. */
static void tell(int pipe, const void *data, size_t size)
{
	if (write(pipe, data, size) != (ssize_t)size)
		give_up("a pipe broke");
}

static void hear(int pipe, void *data, size_t size)
{
	if (read(pipe, data, size) != (ssize_t)size)
		give_up("a client went away");
}

static void make_texture(void)
{
	static uint32_t texels[TEXELS * TEXELS];
	GLuint texture;

	for (unsigned i = 0; i < TEXELS * TEXELS; i++)
		texels[i] = i * 2654435761u;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, TEXELS, TEXELS, 0, GL_RGBA, GL_UNSIGNED_BYTE,
		     texels);
	glGenerateMipmap(GL_TEXTURE_2D);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
}

/* Both shaders with lookups in a loop, the fragment shader with a discard. */
static GLuint make_winding_program(void)
{
	return use_program("attribute vec4 position;\n"
			   "uniform float turns;\n"
			   "uniform sampler2D picture;\n"
			   "varying vec2 place;\n"
			   "void main() {\n"
			   "	place = position.xy * 5.0;\n"
			   "	for (float i = 0.0; i < turns * position.x; i += 1.0)\n"
			   "		place += texture2DLod(picture, place, 0.0).xy;\n"
			   "	gl_Position = position;\n"
			   "}\n",
			   "uniform float turns;\n"
			   "uniform sampler2D picture;\n"
			   "varying vec2 place;\n"
			   "void main() {\n"
			   "	vec4 texel = vec4(0.5);\n"
			   "	for (float i = 0.0; i < turns * fract(place.x); i += 1.0)\n"
			   "		texel = texture2D(picture, texel.xy + place);\n"
			   "	if (texel.r > 0.9) discard;\n"
			   "	gl_FragColor = texel;\n"
			   "}\n");
}

static GLuint make_straight_program(void)
{
	return use_program("attribute vec4 position;\n"
			   "varying vec2 place;\n"
			   "void main() { place = position.xy * 5.0; gl_Position = position; }\n",
			   "uniform sampler2D picture;\n"
			   "varying vec2 place;\n"
			   "void main() { gl_FragColor = texture2D(picture, place); }\n");
}

static GLuint winding, straight;

/* OpenGL, because it has an alpha test. */
static void set_up(void)
{
	void (*alpha)(GLenum, GLfloat);

	use_context(make_context(API_GL, EGL_NO_CONTEXT));
	load_monitor_calls();
	make_target(128, 96);
	add_depth(GL_DEPTH_COMPONENT16, 128, 96);
	glEnable(GL_DEPTH_TEST);
	make_texture();
	winding = make_winding_program();
	glUniform1f(glGetUniformLocation(winding, "turns"), 3);
	straight = make_straight_program();
	alpha = get_function("glAlphaFunc");
	alpha(GL_GREATER, 0.25f);
	glLineWidth(2);
	glFinish();
}

/* Triangles that are drawn, clipped, culled, hidden and of no area; lines. */
static void draw_odd_things(int frame)
{
	const float z = 0.01f * (frame % 10);
	const float corners[] = {
		-3, 0, z,  3, 0, z, 0,    0.5f, z, /* leaves the picture */
		0,  0, z,  0, 1, z, 1,    0,    z, /* turned away */
		5,  5, z,  6, 5, z, 6,    6,    z, /* beside the picture */
		0,  0, 2,  1, 0, 2, 1,    1,    2, /* after it */
		0,  0, z,  1, 1, z, 0.5f, 0.5f, z, /* a line */
		0,  0, -2, 1, 0, 2, 1,    1,    0, /* from before to after it */
	};

	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, corners);
	glEnable(GL_CULL_FACE);
	glDrawArrays(GL_TRIANGLES, 0, 18);
	glDisable(GL_CULL_FACE);
	glDrawArrays(GL_LINES, 0, 6);
}

static void draw_frame(int frame)
{
	glUseProgram(straight);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	draw_square(0.5f, 1);
	draw_square(0.7f, 1);
	glFlush();
	draw_odd_things(frame);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glUseProgram(winding);
	glEnable(GL_ALPHA_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	draw_square(-0.2f, 1 + frame % 3);
	glDisable(GL_BLEND);
	glDisable(GL_ALPHA_TEST);
	if (frame % 4 == 0)
		glFinish();
}

static GLuint monitor_of_all(void)
{
	const char *names[COUNT(pairs)];

	for (unsigned i = 0; i < COUNT(pairs); i++)
		names[i] = pairs[i].counter;
	return make_monitor(names, COUNT(pairs));
}

/* Draw a client's frames; @counts: what its monitor, if it has one, counted of them. */
static void work(const struct client *self, GLuint monitor, struct counts *counts)
{
	struct monitor_result result;

	if (self->counts)
		pm.begin(monitor);
	for (int frame = 0; frame < self->frames; frame++)
		draw_frame(frame);
	if (!self->counts) {
		glFinish();
		return;
	}
	pm.end(monitor);
	get_result(monitor, &result);
	for (unsigned i = 0; i < COUNT(pairs); i++)
		counts->count[i] = count_of(&result, pairs[i].counter) * pairs[i].unit;
}

/*
 * Write a byte when all is ready, work after a byte of the parent, write the counts, and end after
 * another byte.
 */
static _Noreturn void be_client(const struct client *self, int from, int to)
{
	struct counts counts = { 0 };
	GLuint monitor;
	char word = 0;

	set_up();
	monitor = monitor_of_all();
	tell(to, &word, 1);
	hear(from, &word, 1);
	work(self, monitor, &counts);
	if (glGetError() != GL_NO_ERROR)
		give_up("a client's GL error");
	tell(to, &counts, sizeof(counts));
	hear(from, &word, 1);
	_exit(0);
}

static void start_client(struct client *client)
{
	int down[2], up[2];
	char word;

	if (pipe(down) || pipe(up))
		give_up("no pipe");
	fflush(stdout);
	client->pid = fork();
	if (client->pid < 0)
		give_up("no process");
	if (client->pid == 0)
		be_client(client, down[0], up[1]);
	client->to = down[1];
	client->from = up[0];
	close(down[0]);
	close(up[1]);
	hear(client->from, &word, 1);
}

static void end_client(struct client *client)
{
	char word = 0;
	int status;

	tell(client->to, &word, 1);
	close(client->to);
	close(client->from);
	if (waitpid(client->pid, &status, 0) != client->pid || status != 0)
		give_up("a client ended badly");
}

static void read_totals(struct counts *totals)
{
	const char *names[COUNT(pairs) * MAX_PARTS];
	uint64_t values[COUNT(pairs) * MAX_PARTS];
	unsigned used = 0;

	memset(totals, 0, sizeof(*totals));
	for (unsigned i = 0; i < COUNT(pairs); i++) {
		for (unsigned j = 0; j < MAX_PARTS && pairs[i].totals[j]; j++) {
			unsigned k = 0;

			while (k < used && strcmp(names[k], pairs[i].totals[j]))
				k++;
			names[k] = pairs[i].totals[j];
			used += k == used;
		}
	}
	card_totals(names, values, used);
	for (unsigned i = 0; i < COUNT(pairs); i++) {
		for (unsigned j = 0; j < MAX_PARTS && pairs[i].totals[j]; j++) {
			for (unsigned k = 0; k < used; k++) {
				if (strcmp(names[k], pairs[i].totals[j]) == 0)
					totals->count[i] += values[k];
			}
		}
	}
}

/*
 * Have clients work at the same time; what each counted, and what the card did. All are ready
 * before the totals are read, so that what they draw when they begin is not in the difference.
 */
static void run(struct client *clients, unsigned number, struct counts *counted,
		struct counts *truth)
{
	struct counts before, after;
	char word = 0;

	for (unsigned i = 0; i < number; i++)
		start_client(&clients[i]);
	read_totals(&before);
	for (unsigned i = 0; i < number; i++)
		tell(clients[i].to, &word, 1);
	for (unsigned i = 0; i < number; i++)
		hear(clients[i].from, &counted[i], sizeof(counted[i]));
	read_totals(&after);
	for (unsigned i = 0; i < number; i++)
		end_client(&clients[i]);
	for (unsigned i = 0; i < COUNT(pairs); i++)
		truth->count[i] = after.count[i] - before.count[i];
}

static bool is_still(const char *name)
{
	for (unsigned i = 0; i < COUNT(still); i++) {
		if (strcmp(name, still[i]) == 0)
			return true;
	}
	return false;
}

/* Every client counts: together they are the card's totals. */
static void test_sums(unsigned number, const char *tag, const char *how)
{
	struct client clients[MAX_CLIENTS] = { { .frames = 23, .counts = true },
					       { .frames = 31, .counts = true } };
	struct counts counted[MAX_CLIENTS], truth;

	run(clients, number, counted, &truth);
	for (unsigned i = 0; i < COUNT(pairs); i++) {
		uint64_t sum = counted[0].count[i] + (number > 1 ? counted[1].count[i] : 0);

		check(tag, sum == truth.count[i] && (sum == 0) == is_still(pairs[i].counter),
		      "%s: %s %llu, the card did %llu", how, pairs[i].counter,
		      (unsigned long long)sum, (unsigned long long)truth.count[i]);
	}
}

/* A client without monitors does not change the counts of draws of one beside it. */
static void test_neighbour(const char *how)
{
	static const char *const same[] = { "FE Draws",        "FE Vertices",
					    "VS Vertices",     "VS Instructions",
					    "PS Instructions", "PA Culled",
					    "RA Quads",        "Texture Requests",
					    "Pixels Drawn",    "Depth Pixels Killed" };
	struct client clients[MAX_CLIENTS] = { { .frames = 23, .counts = true }, { .frames = 60 } };
	struct counts alone, counted[MAX_CLIENTS], truth;

	run(clients, 1, &alone, &truth);
	run(clients, 2, counted, &truth);
	for (unsigned i = 0; i < COUNT(pairs); i++) {
		for (unsigned j = 0; j < COUNT(same); j++) {
			if (strcmp(pairs[i].counter, same[j]) == 0)
				check("pmx.neighbour",
				      counted[0].count[i] == alone.count[i] &&
					      counted[0].count[i] < truth.count[i],
				      "%s: %s %llu of the card's %llu", how, same[j],
				      (unsigned long long)counted[0].count[i],
				      (unsigned long long)truth.count[i]);
		}
	}
}

/* Make the core hang in a draw of another process, so that it is reset. */
static void reset_core(void)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		set_up();
		hang_core();
		draw_square(0, 1);
		glFinish();
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		give_up("no reset");
}

/*
 * The hardware's counters begin @distances before their overflow at 32 bits, from the next reset
 * on, so that those which count more wrap, in the first job or a later one.
 */
static void test_wraps(void)
{
	static const uint32_t distances[] = { 0x40, 0x1000, 0x40000 };
	char command[32];

	for (unsigned i = 0; i < COUNT(distances); i++) {
		char how[64];

		snprintf(command, sizeof(command), "count-from 0x%x", -distances[i]);
		if (!card_command(command))
			give_up("counters begin at zero");
		reset_core();
		snprintf(how, sizeof(how), "32 bits are full after 0x%x", distances[i]);
		test_sums(2, "pmx.wrap", how);
	}
	card_command("count-from 0");
}

/* Counts of a process's monitor that lost a job between two others */
struct loss {
	uint64_t core_draws, own_draws, pixels;
};

#define DRAWS_BEFORE 3
#define DRAWS_LOST 5
#define DRAWS_AFTER 7

static _Noreturn void lose_job(int to)
{
	static const char *const names[] = { "FE Draws", "Draw Calls", "PS Pixels" };
	struct monitor_result result;
	struct loss loss;
	GLuint monitor;

	set_up();
	glDisable(GL_DEPTH_TEST);
	use_plain_program();
	monitor = make_monitor(names, COUNT(names));
	pm.begin(monitor);
	draw_square(0, DRAWS_BEFORE);
	glFinish();
	hang_core();
	draw_square(0, DRAWS_LOST);
	glFinish();
	draw_square(0, DRAWS_AFTER);
	pm.end(monitor);
	get_result(monitor, &result);
	loss = (struct loss){ count_of(&result, names[0]), count_of(&result, names[1]),
			      count_of(&result, names[2]) };
	tell(to, &loss, sizeof(loss));
	_exit(0);
}

/* Jobs that a reset took count nothing; those before and after it do. */
static void test_lost_job(void)
{
	struct loss loss;
	int pipes[2];
	pid_t pid;

	fflush(stdout);
	if (pipe(pipes) || (pid = fork()) < 0)
		give_up("no process");
	if (pid == 0)
		lose_job(pipes[1]);
	close(pipes[1]);
	hear(pipes[0], &loss, sizeof(loss));
	close(pipes[0]);
	waitpid(pid, NULL, 0);
	check("pmx.reset", loss.own_draws == DRAWS_BEFORE + DRAWS_LOST + DRAWS_AFTER,
	      "the driver was told of %llu draws", (unsigned long long)loss.own_draws);
	check("pmx.reset", loss.core_draws == DRAWS_BEFORE + DRAWS_AFTER,
	      "the core counts %llu, without those that a reset took",
	      (unsigned long long)loss.core_draws);
	check("pmx.reset", loss.pixels == (DRAWS_BEFORE + DRAWS_AFTER) * 128 * 96,
	      "and %llu pixels", (unsigned long long)loss.pixels);
}

int main(void)
{
	test_sums(1, "pmx.alone", "alone");
	test_sums(2, "pmx.two", "two clients");
	test_neighbour("beside another");
	if (!card_command(DELAY))
		give_up("no delay");
	test_sums(1, "pmx.alone", "alone, interrupts 3 ms late");
	test_sums(2, "pmx.two", "two clients, interrupts 3 ms late");
	card_command(NO_DELAY);
	if (!card_command(JITTER))
		give_up("no jitter");
	test_sums(2, "pmx.two", "two clients, interrupts up to 2 ms late");
	test_neighbour("beside another, interrupts up to 2 ms late");
	card_command(NO_JITTER);
	test_lost_job();
	test_wraps();
	return end_checks();
}
