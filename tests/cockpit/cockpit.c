// SPDX-License-Identifier: MIT
/*
 * cockpit: three programs share a GPU, as in a car:
 *
 *	cluster	an instrument cluster: draws its dials, and the pictures of the other two, to the
 *		display; a frame for each vertical blank
 *	map	a navigation map of 30 frames a second
 *	game	draws as fast as the GPU allows, or at a rate, in jobs of several ms
 *	attacker (only with -a) draws 40 ms in a job each 100 ms, in a new context each time, without deadlines,
 *		costs and division
 *
 * The cluster takes the newest complete pictures of the others, and never waits for them. Each
 * frame's work is set by drawing its picture several times; it varies from frame to frame, in the
 * same way in each run.
 *
 *	cockpit OPTION...
 *	  -b		cluster and map ask for budgets; otherwise nothing is known of deadlines
 *	  -e		early: the game draws already when the others ask for budgets, and keeps its context
 *	  -a		with the attacker
 *	  -f FRAMES	of the cluster (600)
 *	  -g MS		a game's frame each MS ms; 0 (the default): as fast as it goes
 *	  -j JOBS	of a game's frame, that it flushes itself (4)
 *	  -w C,M,G	GPU time of a frame of each, the longest, in ms (5,6,28)
 *	  -s N		pictures have 1/N of the display's width and height; with a core of 1/N^2 of the clock
 *			frames take the same time, and the host computes less (1)
 *	  -o FILE	a CSV of all frames
 *
 * Prints a line for each client: frames, late ones, times from a frame's begin (with a rate the
 * planned one) to its end on the GPU (as glFinish() tells it; the cluster's by its fence), jobs of
 * a frame, and jobs that the kernel ended (or that made the GPU fault). A frame of the cluster is
 * late if a vertical blank passes without one, a frame of the map or of a game with a rate if it
 * ends after its period.
 */

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vivgpu_drm.h>
#include <xf86drm.h>

#include "display.h"
#include "exchange.h"
#include "frames.h"
#include "scene.h"

#define NS_PER_MS 1e6
#define MAP_PERIOD_NS 33333333ull
/* Frames before those that count: buffers are allocated, shaders compiled. */
#define WARM_UP 8
/* A frame of the attacker */
#define ATTACK_MS 40
#define ATTACK_PERIOD_NS 100000000ull
#define CARD "/dev/dri/card0"
#define RENDER_NODE "/dev/dri/renderD128"

/* Those from GAME on never have a budget; only MAP and GAME exchange pictures with the cluster. */
enum { CLUSTER, MAP, GAME, ATTACKER, CLIENTS };

static const char *const names[CLIENTS] = { "cluster", "map", "game", "attacker" };
/* A frame takes this to 100 percent of its longest time. */
static const uint32_t shortest_percent[CLIENTS] = { 70, 50, 95, 100 };

struct options {
	bool budgets;
	bool early;
	bool attacker;
	uint32_t shrink;
	uint32_t game_jobs;
	uint32_t frames;
	double game_ms;
	double work_ms[CLIENTS];
	const char *csv;
};

/* A buffer for a client's pictures */
struct picture {
	int dma_buf;
	uint32_t width, height, stride;
};

/* In memory that all processes share */
struct shared {
	pthread_barrier_t turn; /* of all clients that take part */
	atomic_bool stop;
	atomic_bool game_draws; /* it is past its first frames, WARM_UP */
	uint64_t start_ns;      /* of the cluster's first frame that counts: 0 in the CSV */
	struct exchange exchanges[CLIENTS];
	struct frames frames[CLIENTS];
};

static struct options options = {
	.shrink = 1, .game_jobs = 4, .frames = 600, .work_ms = { 5, 6, 28, ATTACK_MS }
};
static struct shared *shared;
static struct picture pictures[CLIENTS][EXCHANGE_BUFFERS];

static void must(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

/* Clients that take part */
static int nr_clients(void)
{
	return options.attacker ? CLIENTS : ATTACKER;
}

/* A number below 1 that depends on client and frame only (splitmix64). */
static double varying(int client, uint32_t frame)
{
	uint64_t z = (client * 1000003ull + frame + 1) * 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return ((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* GPU time of a frame. */
static double work_ns(int client, uint32_t frame)
{
	double share = shortest_percent[client] / 100.0;

	return options.work_ms[client] * NS_PER_MS * (share + (1 - share) * varying(client, frame));
}

static void sleep_until(uint64_t ns)
{
	struct timespec time = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

/*
 * One client after the other measures its layers. Then all renew their contexts, those without budgets
 * last, so that they find the others' budgets. A game that is early keeps its context, and the others renew
 * theirs when it draws.
 */
static void measure_in_turn(struct scene *scene, int client, struct scene_budget budget)
{
	for (int i = 0; i < nr_clients(); i++) {
		pthread_barrier_wait(&shared->turn);
		if (i != client)
			continue;
		scene_measure(scene);
		fprintf(stderr, "%s: a layer takes %.3f ms, a frame without layers %.3f ms\n",
			names[client], scene->layer_ns / NS_PER_MS, scene->base_ns / NS_PER_MS);
	}
	pthread_barrier_wait(&shared->turn);
	if (options.early) {
		while (client != GAME && !shared->game_draws)
			sleep_until(scene_now_ns() + 1000000);
		if (client != GAME)
			scene_renew(scene, budget);
		return;
	}
	if (client < GAME)
		scene_renew(scene, budget);
	pthread_barrier_wait(&shared->turn);
	if (client >= GAME)
		scene_renew(scene, budget);
	pthread_barrier_wait(&shared->turn);
}

/* Map, game or attacker: draw a frame, the game's as several jobs, and wait for it. */
static void draw_frame(struct scene *scene, int client, uint32_t frame, GLuint target)
{
	double layers = scene_layers(scene, work_ns(client, frame));
	uint32_t jobs = client == GAME ? options.game_jobs : 1;

	glBindFramebuffer(GL_FRAMEBUFFER, target);
	for (uint32_t i = 0; i < jobs; i++) {
		scene_draw(scene, frame * (client == GAME ? 0.02 : 0.03), layers / jobs);
		if (i + 1 < jobs)
			glFlush();
	}
	glFinish();
}

/* Finished jobs of an open file, by fdinfo. */
static uint64_t jobs_of(int fd)
{
	char path[64], line[128];
	uint64_t jobs = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "vivgpu-jobs-3d: %" SCNu64, &jobs) == 1)
			break;
	must(file && !fclose(file), path);
	return jobs;
}

/* Jobs of an open file, since it was opened, that made the GPU fault or that the kernel ended */
static uint32_t lost_jobs_of(int fd)
{
	struct drm_vivgpu_reset_query query = { 0 };

	must(!drmIoctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query), "reset query");
	return query.guilty;
}

static void run_frames(struct scene *scene, int client, int fd, uint64_t period_ns,
		       const GLuint *targets)
{
	struct frames *frames = &shared->frames[client];
	unsigned int drawn = EXCHANGE_FIRST_DRAWN;
	uint64_t begin, end, next = scene_now_ns(), jobs = 0;

	for (uint32_t frame = 0; !shared->stop; frame++) {
		if (period_ns)
			sleep_until(next);
		if (frame == WARM_UP) {
			jobs = jobs_of(fd);
			if (client == GAME)
				shared->game_draws = true;
		}
		begin = period_ns ? next : scene_now_ns();
		draw_frame(scene, client, frame, targets[drawn]);
		end = scene_now_ns();
		drawn = exchange_give(&shared->exchanges[client], drawn);
		if (frame >= WARM_UP && !shared->stop) {
			frames_add(frames, begin, end, period_ns && end - begin > period_ns);
			frames->jobs = jobs_of(fd) - jobs;
			frames->lost_jobs = lost_jobs_of(fd);
		}
		/* A frame that was late makes those behind it begin later. */
		next += period_ns;
		next = end > next ? end : next;
	}
}

static GLuint import_picture(struct scene *scene, const struct picture *picture)
{
	return scene_import(scene, picture->dma_buf, picture->width, picture->height,
			    picture->stride);
}

/* Framebuffer objects, which contexts do not share, for the client's buffers. */
static void create_targets(struct scene *scene, int client, GLuint *targets)
{
	for (int i = 0; i < EXCHANGE_BUFFERS; i++)
		targets[i] = scene_target(import_picture(scene, &pictures[client][i]));
}

/* The process of map or game. */
static void run_client(int client, struct scene_budget budget, uint64_t period_ns)
{
	struct scene scene = { 0 };
	GLuint targets[EXCHANGE_BUFFERS];
	int fd = open(RENDER_NODE, O_RDWR | O_CLOEXEC);

	must(fd >= 0, RENDER_NODE);
	prctl(PR_SET_NAME, names[client]);
	scene_init(&scene, fd, client == MAP ? SCENE_MAP : SCENE_GAME);
	create_targets(&scene, client, targets);
	scene_size(&scene, pictures[client][0].width, pictures[client][0].height);
	measure_in_turn(&scene, client, budget);
	/* The framebuffer objects have gone with the context that scene_renew() replaced. */
	if (client != GAME || !options.early)
		create_targets(&scene, client, targets);
	run_frames(&scene, client, fd, period_ns, targets);
	exit(0);
}

/* A process whose jobs are longer than others tolerate, and of which the kernel knows nothing. */
static void run_attacker(void)
{
	struct frames *frames = &shared->frames[ATTACKER];
	struct scene_budget none = { 0 };
	struct scene scene = { 0 };
	int fd = open(RENDER_NODE, O_RDWR | O_CLOEXEC);
	uint64_t next, begin, jobs;
	GLuint texture;

	must(fd >= 0, RENDER_NODE);
	prctl(PR_SET_NAME, names[ATTACKER]);
	setenv("VIVGPU_DEADLINE", "0", 1);
	setenv("VIVGPU_PREDICT", "0", 1);
	scene_init(&scene, fd, SCENE_GAME);
	texture = import_picture(&scene, &pictures[ATTACKER][0]);
	scene_target(texture);
	scene_size(&scene, pictures[ATTACKER][0].width, pictures[ATTACKER][0].height);
	measure_in_turn(&scene, ATTACKER, none);
	jobs = jobs_of(fd);
	for (next = scene_now_ns(); !shared->stop; next += ATTACK_PERIOD_NS) {
		sleep_until(next);
		scene_renew(&scene, none);
		begin = scene_now_ns();
		draw_frame(&scene, ATTACKER, frames->total, scene_target(texture));
		frames_add(frames, begin, scene_now_ns(), false);
		frames->jobs = jobs_of(fd) - jobs;
		frames->lost_jobs = lost_jobs_of(fd);
	}
	exit(0);
}

/* Draw the dials and the newest pictures of the others: the map below, the game above. */
static void draw_cluster(struct scene *scene, uint32_t frame,
			 const GLuint textures[CLIENTS][EXCHANGE_BUFFERS], unsigned int *shown)
{
	glClear(GL_COLOR_BUFFER_BIT);
	scene_draw(scene, frame * 0.016, scene_layers(scene, work_ns(CLUSTER, frame)));
	for (int client = MAP; client <= GAME; client++) {
		shown[client] = exchange_take(&shared->exchanges[client], shown[client]);
		scene_show(textures[client][shown[client]], -0.28, client == MAP ? -0.95 : 0.25,
			   0.56, 0.7);
	}
}

static void run_cluster(int fd, struct display *display, struct scene_budget budget)
{
	static GLuint textures[CLIENTS][EXCHANGE_BUFFERS];
	unsigned int shown[CLIENTS] = { 0, EXCHANGE_FIRST_SHOWN, EXCHANGE_FIRST_SHOWN };
	struct scene scene = { 0 };
	struct flip flip = { 0 };
	uint64_t jobs = 0;

	prctl(PR_SET_NAME, names[CLUSTER]);
	scene_init(&scene, fd, SCENE_CLUSTER);
	for (int client = MAP; client <= GAME; client++)
		for (int i = 0; i < EXCHANGE_BUFFERS; i++)
			textures[client][i] = import_picture(&scene, &pictures[client][i]);
	display_start(display, &scene);
	glClearColor(0.05, 0.06, 0.1, 1);
	measure_in_turn(&scene, CLUSTER, budget);
	/* The context is a new one. */
	glClearColor(0.05, 0.06, 0.1, 1);
	for (uint32_t frame = 0; frame < options.frames + WARM_UP; frame++) {
		uint32_t before = flip.vblank;
		uint64_t begin = scene_now_ns();

		if (frame == WARM_UP) {
			shared->start_ns = begin;
			jobs = jobs_of(fd);
		}
		draw_cluster(&scene, frame, textures, shown);
		flip = display_flip(display);
		if (frame >= WARM_UP)
			frames_add(&shared->frames[CLUSTER], begin, flip.finished_ns,
				   flip.vblank != before + 1);
	}
	shared->frames[CLUSTER].jobs = jobs_of(fd) - jobs;
	shared->frames[CLUSTER].lost_jobs = lost_jobs_of(fd);
	shared->stop = true;
}

/* Buffers that the display's device allocates, for all processes. */
static void create_pictures(int fd, const struct display *display)
{
	uint32_t width = display->mode.hdisplay / 2, height = display->mode.vdisplay / 2, handle;

	for (int client = MAP; client < nr_clients(); client++) {
		for (int i = 0; i < EXCHANGE_BUFFERS; i++) {
			struct picture *picture = &pictures[client][i];
			uint64_t size;

			picture->width = width;
			picture->height = height;
			must(!drmModeCreateDumbBuffer(fd, width, height, 32, 0, &handle,
						      &picture->stride, &size),
			     "drmModeCreateDumbBuffer");
			must(!drmPrimeHandleToFD(fd, handle, DRM_CLOEXEC | DRM_RDWR,
						 &picture->dma_buf),
			     "drmPrimeHandleToFD");
		}
	}
}

static void share(void)
{
	pthread_barrierattr_t attributes;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	must(shared != MAP_FAILED, "memory");
	pthread_barrierattr_init(&attributes);
	pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	must(!pthread_barrier_init(&shared->turn, &attributes, nr_clients()), "a barrier");
	for (int client = MAP; client <= GAME; client++)
		exchange_init(&shared->exchanges[client]);
}

/*
 * A quarter more than the longest frame, in a period that is 0.3 ms shorter than the client's own,
 * so that a frame that is begun directly after a vertical blank is there before the next one.
 */
static struct scene_budget budget_for(int client, double period_ns)
{
	struct scene_budget budget = {
		.budget_us = options.work_ms[client] * 1250,
		.period_us = period_ns / 1000 - 300,
	};

	return options.budgets ? budget : (struct scene_budget){ 0 };
}

static void print_results(void)
{
	FILE *csv = options.csv ? fopen(options.csv, "w") : NULL;

	must(!options.csv || csv, options.csv);
	printf("%-8s %7s %6s %9s %9s %9s %9s %9s %6s\n", "client", "frames", "late", "late %",
	       "mean ms", "99 % ms", "most ms", "jobs", "lost");
	for (int client = 0; client < nr_clients(); client++) {
		const struct frames *frames = &shared->frames[client];

		printf("%-8s %7u %6u %9.2f %9.3f %9.3f %9.3f %9.2f %6u\n", names[client],
		       frames->total, frames->late,
		       frames->total ? 100.0 * frames->late / frames->total : 0,
		       frames_mean_ms(frames), frames_percentile_ms(frames, 99),
		       frames_percentile_ms(frames, 100),
		       frames->total ? (double)frames->jobs / frames->total : 0, frames->lost_jobs);
		if (csv)
			frames_print(frames, names[client], shared->start_ns, csv);
	}
	must(!csv || !fclose(csv), "writing the CSV");
}

static bool parse_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "abef:g:j:w:s:o:")) != -1) {
		switch (option) {
		case 'a':
			options.attacker = true;
			break;
		case 'b':
			options.budgets = true;
			break;
		case 'e':
			options.early = true;
			break;
		case 'f':
			options.frames = strtoul(optarg, NULL, 10);
			break;
		case 'g':
			options.game_ms = strtod(optarg, NULL);
			break;
		case 'w':
			if (sscanf(optarg, "%lf,%lf,%lf", &options.work_ms[CLUSTER],
				   &options.work_ms[MAP], &options.work_ms[GAME]) != 3)
				return false;
			break;
		case 'j':
			options.game_jobs = strtoul(optarg, NULL, 10);
			break;
		case 's':
			options.shrink = strtoul(optarg, NULL, 10);
			break;
		case 'o':
			options.csv = optarg;
			break;
		default:
			return false;
		}
	}
	return optind == argc && options.frames && options.shrink && options.game_jobs;
}

/* Without a client the others would wait for it. */
static void on_end(int number)
{
	static const char message[] = "cockpit: a client ended early\n";

	(void)number;
	if (shared->stop)
		return;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(2);
	_exit(1);
}

int main(int argc, char **argv)
{
	struct display display;
	int fd, status, bad = 0;

	if (!parse_options(argc, argv)) {
		fprintf(stderr,
			"usage: cockpit [-abe] [-f FRAMES] [-g MS] [-j JOBS] [-w C,M,G] [-s N] [-o FILE]\n");
		return 2;
	}
	if (!options.budgets)
		setenv("VIVGPU_DEADLINE", "0", 1);
	fd = open(CARD, O_RDWR | O_CLOEXEC);
	must(fd >= 0, CARD);
	display_open(&display, fd, options.shrink);
	create_pictures(fd, &display);
	share();
	signal(SIGCHLD, on_end);
	if (!fork())
		run_client(MAP, budget_for(MAP, MAP_PERIOD_NS), MAP_PERIOD_NS);
	if (!fork())
		run_client(GAME, (struct scene_budget){ 0 }, options.game_ms * NS_PER_MS);
	if (options.attacker && !fork())
		run_attacker();
	run_cluster(fd, &display, budget_for(CLUSTER, display_period_ns(&display)));
	for (int i = 0; i < nr_clients() - 1; i++)
		bad |= wait(&status) < 0 || status;
	must(!bad, "the other clients");
	print_results();
	return 0;
}
