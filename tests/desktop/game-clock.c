// SPDX-License-Identifier: MIT
/*
 * game-clock.so: preloaded into a game that uses SDL, makes its pictures repeatable. The game's
 * clock goes on by GAME_CLOCK_STEP_MS with each call (default 64), for GAME_CLOCK_STEPS calls (default
 * 30) after the start and after each key or mouse button that the game sees pressed, and stands still
 * otherwise. So what it draws depends on the actions and their order, not on how fast it draws or
 * when they arrive. When it has shown what it draws for a time that stands still, and again when it
 * has seen another action since, a line on standard error says so:
 *
 *	game-clock: still, 3 presses, 2 releases
 */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <SDL2/SDL.h>

#define STEP_MS 64
#define STEPS 30
#define STILL_US 20000
/* The game asks for the time up to twice for a frame: what it has not drawn after this many calls, it
 * will not draw.
 */
#define CALLS_WITHOUT_FRAME 4

/*
 * Calls that moved the clock, and that may; calls since the last frame or action while it stood
 * still
 */
static unsigned int steps, allowed, idle_calls, presses, releases;
/* The line was printed, and no action was seen since. */
static bool said;

static unsigned int setting(const char *name, unsigned int otherwise)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 10) : otherwise;
}

static void allow_more(void)
{
	allowed += setting("GAME_CLOCK_STEPS", STEPS);
}

/* The game asks for the time again, which stands still. */
static void rest(void)
{
	if (++idle_calls >= CALLS_WITHOUT_FRAME && !said) {
		fprintf(stderr, "game-clock: still, %u presses, %u releases\n", presses, releases);
		said = true;
	}
	usleep(STILL_US);
}

/** SDL_GetTicks - the game's time in ms; while it stands still, the caller rests. */
Uint32 SDL_GetTicks(void)
{
	if (!allowed)
		allow_more();
	if (steps < allowed)
		steps++;
	else
		rest();
	return steps * setting("GAME_CLOCK_STEP_MS", STEP_MS);
}

/** SDL_GL_SwapWindow - SDL's; what was drawn has been handed over when it returns. */
void SDL_GL_SwapWindow(SDL_Window *window)
{
	static void (*next)(SDL_Window *);

	if (!next)
		next = (void (*)(SDL_Window *))dlsym(RTLD_NEXT, "SDL_GL_SwapWindow");
	next(window);
	idle_calls = 0;
}

static void count_action(const SDL_Event *event)
{
	switch (event->type) {
	case SDL_KEYDOWN:
	case SDL_MOUSEBUTTONDOWN:
		presses++;
		allow_more();
		break;
	case SDL_KEYUP:
	case SDL_MOUSEBUTTONUP:
		releases++;
		break;
	default:
		return;
	}
	idle_calls = 0;
	said = false;
}

/** SDL_PollEvent - SDL's, without keys that repeat, whose number depends on the time. */
int SDL_PollEvent(SDL_Event *event)
{
	static int (*next)(SDL_Event *);
	int got;

	if (!next)
		next = (int (*)(SDL_Event *))dlsym(RTLD_NEXT, "SDL_PollEvent");
	do {
		got = next(event);
	} while (got && event && event->type == SDL_KEYDOWN && event->key.repeat);
	if (got && event)
		count_action(event);
	return got;
}
