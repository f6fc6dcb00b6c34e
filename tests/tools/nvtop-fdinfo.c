/* SPDX-License-Identifier: MIT */
/*
 * nvtop-fdinfo FILE: what the parser of tools/nvtop's patch makes of a recorded fdinfo, and of
 * changed ones. Prints one line, or what is wrong.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extract_gpuinfo_vivgpu_fdinfo.h"

static bool parse(char *text, struct vivgpu_fdinfo *fdinfo)
{
	FILE *file = fmemopen(text, strlen(text), "r");
	bool is;

	if (!file)
		exit(2);
	is = vivgpu_parse_fdinfo(file, fdinfo);
	fclose(file);
	return is;
}

static void expect(bool right, const char *what)
{
	if (right)
		return;
	printf("wrong: %s\n", what);
	exit(1);
}

/* Files of other drivers or without a client are refused, lines with other units passed over. */
static void check_others(void)
{
	struct vivgpu_fdinfo fdinfo;
	char msm[] = "drm-driver:\tmsm\ndrm-client-id:\t3\n";
	char none[] = "drm-driver:\tvivgpu\n";
	char units[] = "drm-driver:\tvivgpu\ndrm-client-id:\t3\ndrm-engine-3d:\t5 us\n"
		       "drm-resident-memory:\t2 GB\ndrm-cycles-3d:\t\n:\nno colon\n";
	char sizes[] = "drm-driver:\tvivgpu\ndrm-client-id:\t3\ndrm-resident-memory:\t3 KiB";

	expect(!parse(msm, &fdinfo), "another driver");
	expect(!parse(none, &fdinfo), "no client");
	expect(parse(units, &fdinfo) && !fdinfo.has_engine && !fdinfo.has_resident &&
		       !fdinfo.has_cycles,
	       "units");
	expect(parse(sizes, &fdinfo) && fdinfo.resident_bytes == 3072, "KiB");
}

int main(int argc, char **argv)
{
	struct vivgpu_fdinfo fdinfo;
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!file) {
		fprintf(stderr, "usage: nvtop-fdinfo FILE\n");
		return 2;
	}
	expect(vivgpu_parse_fdinfo(file, &fdinfo), "the recorded file");
	fclose(file);
	check_others();
	printf("client %" PRIu64 " of %s: %" PRIu64 " ns, %" PRIu64 " cycles, %" PRIu64 " bytes\n",
	       fdinfo.client_id, fdinfo.pdev, fdinfo.engine_ns, fdinfo.cycles,
	       fdinfo.resident_bytes);
	return 0;
}
