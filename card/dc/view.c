// SPDX-License-Identifier: MIT
/* PNG files of frames, and the choice between the viewers. */
#include "dc/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../tools/png_file.h"

struct view {
	struct view_choice choice;
	struct dc_viewer viewer;
	bool shown; /* something, so that the following are valid */
	uint32_t width, height, crc;
	bool failed; /* said so once */
};

static const struct {
	const char *word;
	enum view_kind kind;
	bool folder; /* follows the word, after a colon */
} kinds[] = {
	{ "none", VIEW_NOT_FITTED, false },
	{ "on", VIEW_NOBODY, false },
	{ "png", VIEW_PNG, true },
	{ "png-all", VIEW_PNG_ALL, true },
};

const char *view_choose(struct view_choice *choice, const char *word)
{
	size_t length = strcspn(word, ":");

	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strlen(kinds[i].word) != length || strncmp(word, kinds[i].word, length) != 0)
			continue;
		choice->kind = kinds[i].kind;
		choice->folder = kinds[i].folder && word[length] ? word + length + 1 : NULL;
		if (kinds[i].folder && (!choice->folder || !*choice->folder))
			return "needs a folder: png:DIR or png-all:DIR";
		if (!kinds[i].folder && word[length])
			break;
		return NULL;
	}
	return "is none, on, png:DIR or png-all:DIR";
}

static bool is_new(const struct view *view, const struct dc_picture *picture)
{
	return view->choice.kind == VIEW_PNG_ALL || !view->shown || view->crc != picture->crc ||
	       view->width != picture->width || view->height != picture->height;
}

static void complain(struct view *view, const char *path)
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
		complain(view, path);
	free(path);
}

struct view *view_create(const struct view_choice *choice, const char **problem)
{
	struct view *view = calloc(1, sizeof(*view));

	*problem = strerror(ENOMEM);
	if (!view)
		return NULL;
	view->choice = *choice;
	if (!choice->folder)
		return view;
	view->viewer = (struct dc_viewer){ view, write_file };
	if (!mkdir(choice->folder, 0777) || errno == EEXIST)
		return view;
	*problem = strerror(errno);
	free(view);
	return NULL;
}

void view_destroy(struct view *view)
{
	free(view);
}

const struct dc_viewer *view_viewer(const struct view *view)
{
	return view->viewer.show ? &view->viewer : NULL;
}
