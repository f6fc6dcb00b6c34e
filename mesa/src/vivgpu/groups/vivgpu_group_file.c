/* SPDX-License-Identifier: MIT */

#include "vivgpu_group_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Files of ended programs among which the oldest are looked for: the first ones in the folder. */
#define MAX_FILES 256

bool
vivgpu_group_folder(char *folder, size_t size)
{
   const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
   int length;

   if (runtime && runtime[0] == '/')
      length = snprintf(folder, size, "%s/vivgpu", runtime);
   else
      length = snprintf(folder, size, "/tmp/vivgpu-%u", geteuid());
   return length >= 0 && (size_t)length < size;
}

size_t
vivgpu_group_file_ring(const char *megabytes)
{
   const unsigned long wanted = megabytes ? strtoul(megabytes, NULL, 10) : 0;
   size_t bytes = 1u << 20;

   if (!wanted)
      return VIVGPU_GROUP_FILE_RING;
   while (bytes < VIVGPU_GROUP_MAX_RING && bytes >> 20 < wanted)
      bytes *= 2;
   return bytes;
}

/* Make the user's folder; it may be there, but must be a folder of this user alone. */
static int
make_folder(const char *folder)
{
   struct stat stat;

   if (mkdir(folder, 0700) && errno != EEXIST)
      return -errno;
   if (lstat(folder, &stat))
      return -errno;
   return S_ISDIR(stat.st_mode) && stat.st_uid == geteuid() && !(stat.st_mode & 077) ? 0 : -EPERM;
}

/*
 * The path for @where (vivgpu_group_file_create()). Returns 0 or a negative errno.
 *
 * @size: of @path, and of @folder
 * @folder: set to the folder in which the name is chosen here; empty if @where is the file itself
 */
static int
find_path(const char *where, char *path, size_t size, char *folder, const char **error)
{
   bool own = strcmp(where, "1") == 0;
   struct stat stat_;
   int length;

   *error = "folder";
   if (own && !vivgpu_group_folder(folder, size))
      return -ENAMETOOLONG;
   if (own) {
      int ret = make_folder(folder);

      if (ret)
         return ret;
   } else {
      length = snprintf(folder, size, "%s", where);
      if (length < 0 || (size_t)length >= size)
         return -ENAMETOOLONG;
   }
   if (!own && (stat(folder, &stat_) || !S_ISDIR(stat_.st_mode))) {
      strcpy(path, folder);
      folder[0] = '\0';
      return 0;
   }
   length = snprintf(path, size, "%s/%u" VIVGPU_GROUP_FILE_END, folder, getpid());
   return length >= 0 && (size_t)length < size ? 0 : -ENAMETOOLONG;
}

/*
 * Remove a file of this user whose writer has ended, if there is one. It is not truncated, so that
 * its readers are not disturbed. Returns 0 or a negative errno.
 */
static int
remove_old(const char *path)
{
   struct stat stat;
   int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
   bool ours, live;

   if (fd < 0)
      return errno == ENOENT ? 0 : -errno;
   ours = !fstat(fd, &stat) && S_ISREG(stat.st_mode) && stat.st_uid == geteuid();
   live = vivgpu_group_file_is_live(fd);
   close(fd);
   if (!ours || live)
      return live ? -EBUSY : -EEXIST;
   return unlink(path) ? -errno : 0;
}

/* Lock a new file and give it its name, if that is free. Returns 0 or a negative errno. */
static int
publish(int fd, const char *temporary, const char *path)
{
   int ret;

   if (flock(fd, LOCK_EX | LOCK_NB))
      return -errno;
   ret = remove_old(path);
   if (ret)
      return ret;
   if (link(temporary, path))
      return errno == EEXIST ? -EBUSY : -errno;
   return 0;
}

/*
 * Create a file and lock it; returns it, or a negative errno. It is made under a name that is none of
 * files of groups (VIVGPU_GROUP_FILE_END): once it has its own name it is locked, so other programs
 * neither take it for one of an ended program, nor disturb the locking by their tests. If this
 * program is killed before that, an empty file stays under the other name.
 */
static int
open_locked(const char *path)
{
   char temporary[PATH_MAX];
   int fd, ret;

   if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >= (int)sizeof(temporary))
      return -ENAMETOOLONG;
   fd = mkostemp(temporary, O_CLOEXEC);
   if (fd < 0)
      return -errno;
   ret = publish(fd, temporary, path);
   unlink(temporary);
   if (ret) {
      close(fd);
      return ret;
   }
   return fd;
}

/* Fill in what vivgpu_group_ring_init(), which is called after this, does not know. */
static void
name_program(struct vivgpu_group_header *header)
{
   struct timespec now;

   header->process = getpid();
   snprintf(header->program, sizeof(header->program), "%s", program_invocation_short_name);
   clock_gettime(CLOCK_MONOTONIC, &now);
   header->started_ns = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/*
 * All memory of the file is there from the beginning: a write to the ring does not fail when the file
 * system is full, and no frame has page faults. MAP_POPULATE would populate pages of a shared mapping for
 * reading only, so that the first write to each still faults.
 */
static int
map_ring(struct vivgpu_group_file *file, size_t ring_bytes)
{
   void *map;
   int ret;

   file->bytes = vivgpu_group_ring_bytes(ring_bytes, VIVGPU_GROUP_DESCRIPTIONS);
   ret = posix_fallocate(file->fd, 0, file->bytes);
   if (ret)
      return -ret;
   map = mmap(NULL, file->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
   if (map == MAP_FAILED)
      return -errno;
   /* Kernels before 5.14 do not know it. */
   madvise(map, file->bytes, MADV_POPULATE_WRITE);
   name_program(map);
   vivgpu_group_ring_init(&file->ring, map, ring_bytes, VIVGPU_GROUP_DESCRIPTIONS);
   return 0;
}

int
vivgpu_group_file_create(struct vivgpu_group_file *file, const char *where, size_t ring_bytes,
                         const char **error)
{
   char path[PATH_MAX], folder[PATH_MAX];
   int ret = find_path(where, path, sizeof(path), folder, error);

   file->fd = -1;
   if (ret)
      return ret;
   if (folder[0])
      vivgpu_group_folder_prune(folder, VIVGPU_GROUP_FILES_KEPT);
   *error = "file";
   file->fd = open_locked(path);
   if (file->fd < 0)
      return file->fd;
   *error = "memory";
   ret = map_ring(file, ring_bytes);
   if (ret) {
      unlink(path);
      close(file->fd);
      file->fd = -1;
      return ret;
   }
   return 0;
}

void
vivgpu_group_file_close(struct vivgpu_group_file *file)
{
   if (file->fd < 0)
      return;
   munmap(file->ring.header, file->bytes);
   memset(&file->ring, 0, sizeof(file->ring));
   close(file->fd);
   file->fd = -1;
}

bool
vivgpu_group_file_is_live(int fd)
{
   if (flock(fd, LOCK_SH | LOCK_NB))
      return errno == EWOULDBLOCK;
   flock(fd, LOCK_UN);
   return false;
}

/* A file whose writer has ended */
struct old_file {
   /** Its mtime. Writes by the mapping need not change that: then it is when the file was made. */
   struct timespec made;
   char name[64];
};

/* For qsort(): the oldest first */
static int
compare_age(const void *left, const void *right)
{
   const struct old_file *a = left, *b = right;

   if (a->made.tv_sec != b->made.tv_sec)
      return a->made.tv_sec < b->made.tv_sec ? -1 : 1;
   return (a->made.tv_nsec > b->made.tv_nsec) - (a->made.tv_nsec < b->made.tv_nsec);
}

/* True if a file in a folder is one of an ended program; fills in @old. */
static bool
is_old_file(int folder, const char *name, struct old_file *old)
{
   size_t length = strlen(name), end = strlen(VIVGPU_GROUP_FILE_END);
   struct stat stat;
   bool live;
   int fd;

   if (length <= end || length >= sizeof(old->name) ||
       strcmp(name + length - end, VIVGPU_GROUP_FILE_END))
      return false;
   fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
   if (fd < 0)
      return false;
   live = fstat(fd, &stat) || !S_ISREG(stat.st_mode) || vivgpu_group_file_is_live(fd);
   close(fd);
   if (live)
      return false;
   old->made = stat.st_mtim;
   strcpy(old->name, name);
   return true;
}

void
vivgpu_group_folder_prune(const char *folder, unsigned keep)
{
   struct old_file *files = malloc(MAX_FILES * sizeof(*files));
   DIR *dir = files ? opendir(folder) : NULL;
   struct dirent *entry;
   unsigned count = 0;

   while (dir && count < MAX_FILES && (entry = readdir(dir)))
      count += is_old_file(dirfd(dir), entry->d_name, &files[count]);
   if (count > keep)
      qsort(files, count, sizeof(*files), compare_age);
   for (unsigned i = 0; i + keep < count; i++)
      unlinkat(dirfd(dir), files[i].name, 0);
   if (dir)
      closedir(dir);
   free(files);
}
