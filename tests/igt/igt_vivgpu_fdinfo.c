// SPDX-License-Identifier: MIT
/*
 * Reading of usage statistics; see igt_vivgpu_fdinfo.h.
 */
#include "igt.h"
#include "igt_vivgpu_fdinfo.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Size of the buffer that parsers read (lib/igt_drm_fdinfo.c) */
#define MAX_FDINFO 4096

#define FIELD(name) offsetof(struct igt_vivgpu_usage, name)

/*
 * Each key, the unit that must follow its number, and where it goes; in the order of the structure,
 * whose member seen has a bit for each. "bytes" stands for the units of memory.
 */
static const struct {
	const char *key;
	const char *unit;
	size_t field;
	bool text;
} keys[] = {
	{ "drm-driver", "", FIELD(driver), true },
	{ "drm-pdev", "", FIELD(pdev), true },
	{ "drm-client-id", "", FIELD(client_id), false },
	{ "drm-engine-3d", " ns", FIELD(engine_ns), false },
	{ "drm-engine-capacity-3d", "", FIELD(capacity), false },
	{ "drm-cycles-3d", "", FIELD(cycles), false },
	{ "drm-maxfreq-3d", " Hz", FIELD(max_hz), false },
	{ "vivgpu-jobs-3d", "", FIELD(jobs), false },
	{ "drm-total-memory", "bytes", FIELD(total), false },
	{ "drm-shared-memory", "bytes", FIELD(shared), false },
	{ "drm-resident-memory", "bytes", FIELD(resident), false },
	{ "drm-purgeable-memory", "bytes", FIELD(purgeable), false },
	{ "drm-active-memory", "bytes", FIELD(active), false },
	{ "vivgpu-counted-jobs-3d", "", FIELD(counted_jobs), false },
	{ "vivgpu-vertices-3d", "", FIELD(vertices), false },
	{ "vivgpu-primitives-3d", "", FIELD(primitives), false },
	{ "vivgpu-fragments-3d", "", FIELD(fragments), false },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

/* A number and its unit: memory is in bytes, KiB or MiB. */
static uint64_t number(const char *key, const char *value, const char *unit)
{
	char *end;
	uint64_t n = strtoull(value, &end, 10);

	igt_assert_f(end != value, "%s: no number in '%s'\n", key, value);
	if (strcmp(unit, "bytes") != 0) {
		igt_assert_f(strcmp(end, unit) == 0, "%s: the unit of '%s'\n", key, value);
		return n;
	}
	if (strcmp(end, " KiB") == 0)
		return n << 10;
	if (strcmp(end, " MiB") == 0)
		return n << 20;
	igt_assert_f(*end == '\0', "%s: the unit of '%s'\n", key, value);
	return n;
}

/* Each key: where it goes, and what must come before it. */
static void take(struct igt_vivgpu_usage *usage, const char *key, const char *last,
		 const char *value)
{
	/* Parsers read the capacity as that of the engine seen last. */
	if (strncmp(key, "drm-engine-capacity-", 20) == 0)
		igt_assert_eq(strcmp(last, "drm-engine-3d"), 0);
	for (size_t i = 0; i < KEYS; i++) {
		void *field = (char *)usage + keys[i].field;

		if (strcmp(key, keys[i].key) != 0)
			continue;
		igt_assert_f(!(usage->seen & 1u << i), "%s comes twice\n", key);
		usage->seen |= 1u << i;
		if (keys[i].text)
			snprintf(field, sizeof(usage->driver), "%s", value);
		else
			*(uint64_t *)field = number(key, value, keys[i].unit);
		return;
	}
	igt_assert_f(strncmp(key, "drm-total-cycles-", 17) != 0, "%s beside drm-maxfreq\n", key);
}

static void parse(struct igt_vivgpu_usage *usage, char *text)
{
	char *save, *line, *last = "";

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':');

		igt_assert_f(colon && colon[1] == '\t', "no key and tab in '%s'\n", line);
		*colon = '\0';
		take(usage, line, last, colon + 2);
		last = line;
	}
}

void igt_vivgpu_usage_read(int pid, int fd, struct igt_vivgpu_usage *usage)
{
	char path[64], text[MAX_FDINFO + 1];
	ssize_t size;
	int file;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid, fd);
	else
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = open(path, O_RDONLY);
	igt_assert(file >= 0);
	size = read(file, text, sizeof(text));
	close(file);
	igt_assert(size > 0 && size <= MAX_FDINFO);
	text[size] = '\0';
	memset(usage, 0, sizeof(*usage));
	parse(usage, text);
}
