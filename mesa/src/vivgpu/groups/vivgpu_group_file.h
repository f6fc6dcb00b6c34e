/* SPDX-License-Identifier: MIT */
/*
 * Files with rings of groups: where they are, how a program makes its own, and which of them are
 * written by a program that still runs.
 *
 * Isolation is that of files: each is readable by its owner only (0600), in a folder of its owner
 * only (0700). The writer holds a lock (flock) on its file, which the kernel releases when the
 * process, and each child of fork() that has not closed the file, ends, for whatever reason.
 */
#ifndef VIVGPU_GROUP_FILE_H
#define VIVGPU_GROUP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "vivgpu_group_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/** End of the names of files; before it is the number of the process */
#define VIVGPU_GROUP_FILE_END ".groups"

/** Bytes of a ring in a file */
#define VIVGPU_GROUP_FILE_RING (4u << 20)

/** Files of ended programs that a folder keeps when another program makes one */
#define VIVGPU_GROUP_FILES_KEPT 16

struct vivgpu_group_file {
   struct vivgpu_group_ring ring;
   /** -1: not open */
   int fd;
   size_t bytes;
};

/**
 * The folder for files of this user: $XDG_RUNTIME_DIR/vivgpu, or /tmp/vivgpu-UID.
 *
 * Returns false if the name is longer than @size - 1 bytes.
 */
bool vivgpu_group_folder(char *folder, size_t size);

/**
 * Bytes of a ring of so many megabytes, a decimal number, rounded up to a size that readers accept, or
 * of the largest one; VIVGPU_GROUP_FILE_RING without a number (NULL). Pure.
 */
size_t vivgpu_group_file_ring(const char *megabytes);

/**
 * Make a file and map its ring.
 *
 * @where: "1" for the user's folder, which is made if need be; the path of a folder; or a path of a
 *         file, which must not exist or be a file of this user that no program writes
 * @ring_bytes: size of the ring: as vivgpu_group_file_ring() returns it
 * @error: set to what failed, if it did: a constant
 *
 * Returns 0 or a negative errno: -EPERM if the user's folder is another user's or readable by
 * others, -EBUSY if another program writes the file, -EEXIST if it is no regular file of this user.
 */
int vivgpu_group_file_create(struct vivgpu_group_file *file, const char *where, size_t ring_bytes,
                             const char **error);

/**
 * Unmap and close the file, which stays. In a child of fork(), the parent's file is not touched.
 */
void vivgpu_group_file_close(struct vivgpu_group_file *file);

/** Return true if a running program writes the file. @fd: another open of it. */
bool vivgpu_group_file_is_live(int fd);

/**
 * Remove files (VIVGPU_GROUP_FILE_END) in a folder that no program writes, but for the @keep
 * newest.
 */
void vivgpu_group_folder_prune(const char *folder, unsigned keep);

#ifdef __cplusplus
}
#endif

#endif
