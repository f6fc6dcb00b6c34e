// SPDX-License-Identifier: MIT
/*
 * kms-test [SUBJECT...]: tests of the display; if none is named, all but
 * "signals", which needs real time. Ends with "N passed, N failed, N skipped".
 * kms-test flip SECONDS: flips so long, or until the device is gone.
 * kms-test nothing SECONDS: sets a mode without a plane for so long.
 * kms-test still FOLDER: shows noise until FOLDER/next is there, then noise with a square of it
 * inverted until FOLDER/end is there; each for a tenth of a second at least.
 * kms-test fbdev: the framebuffer device; it must be turned on.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

static const struct {
	const char *name;
	void (*run)(struct rig *rig);
} subjects[] = {
	{ "pictures", test_pictures },   { "cursor", test_cursor },   { "gamma", test_gamma },
	{ "flips", test_flips },         { "tearing", test_tearing }, { "refusals", test_refusals },
	{ "vsync", test_vsync },         { "sleep", test_sleep },     { "fences", test_fences },
	{ "sharing", test_sharing },     { "signals", test_signals }, { "records", test_records },
	{ "deadlines", test_deadlines }, { "best", test_best },       { "monitor", test_monitor },
	{ "hotplug", test_hotplug },     { "shown", test_shown },     { "off", test_off },
};

static bool wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc == 1 && strcmp(name, "signals") != 0;
}

int main(int argc, char **argv)
{
	struct rig rig;

	if (argc == 2 && !strcmp(argv[1], "fbdev"))
		return test_fbdev();
	if (!rig_open(&rig))
		return 2;
	if (argc == 3 && !strcmp(argv[1], "flip"))
		return flip_on(&rig, strtoul(argv[2], NULL, 0));
	if (argc == 3 && !strcmp(argv[1], "nothing"))
		return show_nothing(&rig, strtoul(argv[2], NULL, 0));
	if (argc == 3 && !strcmp(argv[1], "still"))
		return show_still(&rig, argv[2]);
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		if (!wanted(subjects[i].name, argc, argv))
			continue;
		subjects[i].run(&rig);
		rig_off(&rig);
	}
	rig_close(&rig);
	return counts() ? 0 : 1;
}
