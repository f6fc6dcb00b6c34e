// SPDX-License-Identifier: MIT
/* Views: PNG files of frames, read back; the link to a window's program; words that choose. */
#include "tests/check.h"
#include "tests/dc_rig.h"

#include <dirent.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tools/png_file.h"
#include "dc/view.h"
#include "dc/view_window.h"

static char folder[32], word[64], path[64];
static struct view *view;

/* The pictures of the rig's display go to a folder, chosen by the word "@how:FOLDER". */
static void look(const char *how)
{
	struct view_choice choice = { 0 };
	const char *problem = NULL;

	strcpy(folder, "/tmp/vivgpu-view.XXXXXX");
	if (!mkdtemp(folder))
		abort();
	snprintf(word, sizeof(word), "%s:%s/pictures", how, folder);
	if (view_choose(&choice, word))
		abort();
	view = view_create(&choice, &problem);
	dc_set_viewer(rig.dc, view_viewer(view));
}

/* Counts the files, removes them and the folder, and destroys the view. */
static unsigned int count_and_remove(void)
{
	unsigned int count = 0;
	struct dirent *entry;
	char sub[48];
	DIR *dir;

	snprintf(sub, sizeof(sub), "%s/pictures", folder);
	dir = opendir(sub);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.') {
			unlinkat(dirfd(dir), entry->d_name, 0);
			count++;
		}
	closedir(dir);
	rmdir(sub);
	rmdir(folder);
	view_destroy(view);
	return count;
}

static const char *file(unsigned int number)
{
	snprintf(path, sizeof(path), "%s/pictures/frame-%06u.png", folder, number);
	return path;
}

static void show_noise(void)
{
	for (uint32_t i = 0; i < RIG_BYTES; i++)
		rig_at(RIG_MEMORY)[i] = i * 2654435761u >> 24;
	rig_panel();
	rig_framebuffer(DC_FORMAT_X8R8G8B8);
	rig_start();
}

TEST(every_frame)
{
	struct picture picture;

	rig_begin();
	look("png-all");
	show_noise();
	rig_pass(4 * RIG_FRAME_NS);
	CHECK(picture_read(&picture, file(4)));
	CHECK_EQ(picture.width, RIG_WIDTH);
	CHECK_EQ(picture.height, RIG_HEIGHT);
	for (uint32_t i = 0; i < RIG_WIDTH * RIG_HEIGHT; i++) {
		CHECK_EQ(picture.rgb[3 * i + 0], rig_at(RIG_MEMORY)[4 * i + 2]);
		CHECK_EQ(picture.rgb[3 * i + 1], rig_at(RIG_MEMORY)[4 * i + 1]);
		CHECK_EQ(picture.rgb[3 * i + 2], rig_at(RIG_MEMORY)[4 * i + 0]);
	}
	picture_free(&picture);
	CHECK_EQ(count_and_remove(), 4);
	rig_end();
}

TEST(on_change)
{
	rig_begin();
	look("png");
	show_noise();
	rig_pass(4 * RIG_FRAME_NS);
	rig_at(RIG_MEMORY)[1] ^= 1;
	rig_pass(8 * RIG_FRAME_NS);
	CHECK(!access(file(1), F_OK));
	CHECK(!access(file(5), F_OK));
	CHECK_EQ(count_and_remove(), 2);
	rig_end();
}

TEST(nobody)
{
	struct view_choice choice = { .kind = VIEW_NOBODY };
	const char *problem;

	rig_begin();
	view = view_create(&choice, &problem);
	CHECK(view != NULL);
	CHECK(!view_viewer(view));
	view_destroy(view);
	rig_end();
}

TEST(a_folder_that_cannot_be_made)
{
	struct view_choice choice = { .kind = VIEW_PNG, .folder = "/proc/none/none" };
	const char *problem = NULL;

	CHECK(!view_create(&choice, &problem));
	CHECK(problem && *problem);
}

/* Both ends of a link in one process. */
TEST(pictures_travel_to_a_window)
{
	static uint8_t red[12] = { 255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0 };
	struct dc_picture picture = { .width = 2, .height = 2, .rgb = red, .number = 7 }, got;
	struct window_link link;
	bool gone;

	CHECK(window_link_create(&link));
	CHECK(!window_link_receive_frame(&link, 0, &got, &gone));
	CHECK(!gone);
	CHECK(window_link_send_frame(&link, &picture));
	picture.number = 8;
	/* the window is busy: the frame is dropped */
	CHECK(window_link_send_frame(&link, &picture));
	CHECK(window_link_receive_frame(&link, 1000, &got, &gone));
	CHECK(!gone);
	CHECK_EQ(got.width, 2);
	CHECK_EQ(got.height, 2);
	CHECK_EQ(got.number, 7);
	CHECK(!memcmp(got.rgb, red, sizeof(red)));
	window_link_release_frame(&link);
	CHECK(!window_link_receive_frame(&link, 0, &got, &gone));
	CHECK(window_link_send_frame(&link, &picture));
	link.shared->width = DC_MAX_SCREEN_SIZE + 1; /* an invalid size is not shown */
	CHECK(!window_link_receive_frame(&link, 0, &got, &gone));
	close(link.card_fd);
	link.card_fd = -1;
	CHECK(!window_link_receive_frame(&link, 0, &got, &gone));
	CHECK(gone);
	window_link_close(&link);
}

TEST(actions_travel_to_the_card)
{
	const struct input_action key = { .kind = INPUT_KEY, .code = KEY_A, .pressed = 1 };
	const struct input_action bad = { .kind = INPUT_KEY, .code = KEY_MAX, .pressed = 1 };
	struct window_link link;
	struct input_action got;
	bool gone;

	CHECK(window_link_create(&link));
	CHECK(!window_link_receive_action(&link, &got, &gone));
	CHECK(!gone);
	CHECK(window_link_send_action(&link, &bad)); /* messages that are no actions are ignored */
	CHECK_EQ(send(link.window_fd, &key, sizeof(key) - 1, 0), sizeof(key) - 1);
	CHECK_EQ(send(link.window_fd, (char[100]){ 0 }, 100, 0), 100);
	CHECK(window_link_send_action(&link, &key));
	CHECK(window_link_receive_action(&link, &got, &gone));
	CHECK(!memcmp(&got, &key, sizeof(key)));
	CHECK(!window_link_receive_action(&link, &got, &gone));
	CHECK(!gone);
	close(link.window_fd);
	link.window_fd = -1;
	CHECK(!window_link_receive_action(&link, &got, &gone));
	CHECK(gone);
	window_link_close(&link);
}

/* A program that ends at once, and one that is not there. */
TEST(a_window_that_is_closed)
{
	static uint8_t pixel[3];
	const struct dc_picture picture = { .width = 1, .height = 1, .rgb = pixel };
	struct input_action action;
	struct view_window window;

	signal(SIGPIPE, SIG_IGN);
	CHECK(view_window_open(&window, "/nowhere/window", NULL) != NULL);
	CHECK(!view_window_open(&window, "/bin/true", NULL));
	while (waitid(P_PID, window.pid, NULL, WEXITED | WNOWAIT))
		;
	view_window_show(&window, &picture);
	CHECK(view_window_input_fd(&window) >= 0); /* what was pressed is still to be released */
	CHECK(view_window_receive_action(&window, &action));
	CHECK_EQ(action.kind, INPUT_RELEASE_ALL);
	CHECK(window.closed);
	CHECK_EQ(view_window_input_fd(&window), -1);
	CHECK(!view_window_receive_action(&window, &action));
	view_window_show(&window, &picture);
	view_window_close(&window);
}

TEST(words)
{
	struct view_choice choice = { 0 };

	CHECK(!view_choose(&choice, "vnc"));
	CHECK_EQ(choice.kind, VIEW_VNC);
	CHECK(!choice.port && !choice.folder);
	CHECK(!view_choose(&choice, "vnc:5905"));
	CHECK(choice.port && !strcmp(choice.port, "5905"));
	CHECK(!view_choose(&choice, "window"));
	CHECK_EQ(choice.kind, VIEW_WINDOW);
	CHECK(!choice.port);
	CHECK(view_choose(&choice, "vnc:") != NULL);
	CHECK(view_choose(&choice, "vnc:65536") != NULL);
	CHECK(view_choose(&choice, "vnc:-1") != NULL);
	CHECK(view_choose(&choice, "window:1") != NULL);
	CHECK(view_choose(&choice, "png") != NULL);
	CHECK(view_choose(&choice, "png:") != NULL);
}

int main(void)
{
	return test_all();
}
