// SPDX-License-Identifier: MIT
/*
 * inside: what an administrator can see of the driver: its tracepoints and its
 * files in debugfs. Runs in the guest, as root, with tracefs mounted.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fill.h"

#define TRACING "/sys/kernel/tracing/"
#define DEBUGFS "/sys/kernel/debug/dri/128/"
#define COOKIE 0xc00c1eull
/* An address that is not mapped */
#define NOWHERE 0xf0000000u
#define LABEL "target of the fill"

/* True if a line of a file contains both texts. */
static bool line_in(const char *path, const char *one, const char *other)
{
	FILE *file = fopen(path, "r");
	bool found = false;
	char line[512];

	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, one) && strstr(line, other);
	if (file)
		fclose(file);
	return found;
}

static bool fill(const struct client *client, const struct buffer *target)
{
	struct fill area = { (uint32_t)target->va, 16, 4, 0xf111f111 };
	struct drm_vivgpu_submit_bo bo = { target->handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_sync out = { .handle = make_sync(client->fd) };
	struct drm_vivgpu_submit args = {
		.bos = (uintptr_t)&bo,
		.nr_bos = 1,
		.out_syncs = (uintptr_t)&out,
		.nr_out_syncs = 1,
		.cookie = COOKIE,
	};
	static struct stream stream;

	stream.count = 0;
	add_fill(&stream, &area);
	return submit_stream(client, &args, &stream) == 0 &&
	       wait_sync(client->fd, out.handle, 10) == 0;
}

static void test_trace(const struct client *client, const struct buffer *target)
{
	struct buffer wild = *target;

	check(write_file(TRACING "events/vivgpu/enable", "1\n") == 0, "trace");
	check(fill(client, target), "a job");
	wild.va = NOWHERE;
	check(fill(client, &wild), "a job with a fault");
	check(write_file(TRACING "events/vivgpu/enable", "0\n") == 0, "trace no more");
	check(line_in(TRACING "trace", "vivgpu_submit:", "cookie=c00c1e"), "submit");
	check(line_in(TRACING "trace", "vivgpu_run:", "cookie=c00c1e"), "run");
	check(line_in(TRACING "trace", "vivgpu_done:", "cookie=c00c1e"), "done");
	check(line_in(TRACING "trace", "vivgpu_fault:", "address="), "fault");
	check(line_in(TRACING "trace", "vivgpu_reset:", "dead=0"), "reset");
}

static void test_files(const struct client *client, const struct buffer *target)
{
	struct drm_vivgpu_bo_label label = { target->handle, sizeof(LABEL) - 1, (uintptr_t)LABEL };

	check(call(client->fd, DRM_IOCTL_VIVGPU_BO_LABEL, &label) == 0, "label a buffer");
	check(line_in(DEBUGFS "mmu", "00001000", LABEL), "its label is in the list of mappings");
	check(line_in(DEBUGFS "usage", "guilty", "busy_ns"), "clients");
	check(line_in(DEBUGFS "ring", "slot", "given"), "the ring");
	check(line_in(DEBUGFS "errata", "register 104", "etnaviv_gpu_enable_mlcg"),
	      "the core's errata");
	check(!line_in(DEBUGFS "streams", "cookie", ""), "no streams are kept");
	check(write_file(DEBUGFS "capture_streams", "2\n") == 0, "keep two");
	check(write_file(DEBUGFS "capture_streams", "100\n") != 0, "a hundred are too many");
	check(fill(client, target), "a job");
	/* add_fill() loads ten states, of two words each. */
	check(line_in(DEBUGFS "streams", "cookie c00c1e", "words 20"), "its stream is kept");
	check(line_in(DEBUGFS "streams", "f111f111", ""), "word by word");
	check(write_file(DEBUGFS "capture_streams", "0\n") == 0 &&
		      !line_in(DEBUGFS "streams", "cookie", ""),
	      "keep none");
}

int main(void)
{
	struct client client = open_client();
	struct buffer target = make_buffer(client.fd, 4096);

	test_trace(&client, &target);
	test_files(&client, &target);
	free_buffer(client.fd, &target);
	close_client(&client);
	return end_checks();
}
