// SPDX-License-Identifier: MIT
/* Selection of a view, and the view that writes PNG files. */
#include "dc/view.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tools/png_file.h"
#include "dc/view_window.h"

struct view {
	struct view_choice choice;
	struct dc_viewer viewer;
	struct view_window window;
	/* PNG files */
	bool shown; /* a frame was written, so that the following are valid */
	uint32_t width, height, crc;
	bool failed; /* an error was reported already */
};

/* The argument of a view, after a colon */
enum view_argument { NO_ARGUMENT, FOLDER, OPTIONAL_PORT };

static const struct {
	const char *word;
	enum view_kind kind;
	enum view_argument argument;
} kinds[] = {
	{ "none", VIEW_NOT_FITTED, NO_ARGUMENT },
	{ "on", VIEW_NOBODY, NO_ARGUMENT },
	{ "png", VIEW_PNG, FOLDER },
	{ "png-all", VIEW_PNG_ALL, FOLDER },
	{ "window", VIEW_WINDOW, NO_ARGUMENT },
	{ "vnc", VIEW_VNC, OPTIONAL_PORT },
};

#define MAX_PORT 65535

static bool is_port(const char *word)
{
	size_t digits = strspn(word, "0123456789");

	return digits && digits <= 5 && !word[digits] && atoi(word) <= MAX_PORT;
}

/* @value: what follows the colon, NULL if there is none. */
static const char *take_argument(struct view_choice *choice, enum view_argument kind,
				 const char *value)
{
	choice->folder = kind == FOLDER ? value : NULL;
	choice->port = kind == OPTIONAL_PORT ? value : NULL;
	if (kind == FOLDER && (!value || !*value))
		return "needs a folder: png:DIR or png-all:DIR";
	if (choice->port && !is_port(value))
		return "needs a port: vnc or vnc:PORT";
	return NULL;
}

const char *view_choose(struct view_choice *choice, const char *word)
{
	size_t length = strcspn(word, ":");

	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strlen(kinds[i].word) != length || strncmp(word, kinds[i].word, length) != 0)
			continue;
		choice->kind = kinds[i].kind;
		if (kinds[i].argument == NO_ARGUMENT && word[length])
			break;
		return take_argument(choice, kinds[i].argument,
				     word[length] ? word + length + 1 : NULL);
	}
	return "is none, on, png:DIR, png-all:DIR, window, vnc or vnc:PORT";
}

bool view_has_user(const struct view_choice *choice)
{
	return choice->kind == VIEW_WINDOW || choice->kind == VIEW_VNC;
}

static bool is_new(const struct view *view, const struct dc_picture *picture)
{
	return view->choice.kind == VIEW_PNG_ALL || !view->shown || view->crc != picture->crc ||
	       view->width != picture->width || view->height != picture->height;
}

static void report_error(struct view *view, const char *path)
{
	if (!view->failed)
		fprintf(stderr, "vivgpu-card: --display: cannot write %s\n", path);
	view->failed = true;
}

static void write_file(void *ctx, const struct dc_picture *picture)
{
	const struct picture png = { picture->width, picture->height, (uint8_t *)picture->rgb };
	struct view *view = ctx;
	char *path;

	if (!is_new(view, picture))
		return;
	view->shown = true;
	view->width = picture->width;
	view->height = picture->height;
	view->crc = picture->crc;
	if (asprintf(&path, "%s/frame-%06" PRIu32 ".png", view->choice.folder, picture->number) < 0)
		return;
	if (!picture_write(&png, path))
		report_error(view, path);
	free(path);
}

static void show_in_window(void *ctx, const struct dc_picture *picture)
{
	struct view *view = ctx;

	view_window_show(&view->window, picture);
}

/* Start @name, which is in the folder of the card's program. Returns: NULL, or an error message. */
static const char *open_window(struct view *view, const char *name)
{
	char own[PATH_MAX], program[PATH_MAX + NAME_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;

	if (length < 0)
		return strerror(errno);
	own[length] = '\0';
	slash = strrchr(own, '/');
	*slash = '\0';
	snprintf(program, sizeof(program), "%s/%s", own, name);
	view->viewer = (struct dc_viewer){ .ctx = view, .show = show_in_window };
	return view_window_open(&view->window, program, view->choice.port);
}

/* The CRC is for is_new(). */
static const char *open_folder(struct view *view)
{
	view->viewer = (struct dc_viewer){ .ctx = view, .show = write_file, .crc = true };
	return !mkdir(view->choice.folder, 0777) || errno == EEXIST ? NULL : strerror(errno);
}

struct view *view_create(const struct view_choice *choice, const char **problem)
{
	struct view *view = calloc(1, sizeof(*view));

	*problem = strerror(ENOMEM);
	if (!view)
		return NULL;
	view->choice = *choice;
	*problem = NULL;
	if (choice->kind == VIEW_WINDOW)
		*problem = open_window(view, WINDOW_PROGRAM);
	else if (choice->kind == VIEW_VNC)
		*problem = open_window(view, VNC_PROGRAM);
	else if (choice->folder) /* PNG files: take_argument() demands one */
		*problem = open_folder(view);
	if (!*problem)
		return view;
	free(view);
	return NULL;
}

void view_destroy(struct view *view)
{
	if (!view)
		return;
	if (view_has_user(&view->choice))
		view_window_close(&view->window);
	free(view);
}

const struct dc_viewer *view_viewer(const struct view *view)
{
	return view->viewer.show ? &view->viewer : NULL;
}

int view_input_fd(const struct view *view)
{
	return view_has_user(&view->choice) ? view_window_input_fd(&view->window) : -1;
}

bool view_receive_action(struct view *view, struct input_action *action)
{
	return view_has_user(&view->choice) && view_window_receive_action(&view->window, action);
}
