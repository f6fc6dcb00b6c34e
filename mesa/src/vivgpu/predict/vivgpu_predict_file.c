/* SPDX-License-Identifier: MIT */
/* Files of calibrations; see vivgpu_predict_file.h. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "vivgpu_predict_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
vivgpu_predict_path(char *path, size_t size, const char *name)
{
   const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
   int length;

   if (cache && cache[0] == '/')
      length = snprintf(path, size, "%s/vivgpu/%s.calibration", cache, name);
   else if (home && home[0] == '/')
      length = snprintf(path, size, "%s/.cache/vivgpu/%s.calibration", home, name);
   else
      return false;
   return length > 0 && (size_t)length < size;
}

bool
vivgpu_predict_load_file(struct vivgpu_predict *predict, const char *path)
{
   size_t size = vivgpu_predict_save_bytes(), got = 0;
   FILE *file = fopen(path, "re");
   void *data = malloc(size);
   bool loaded = false;

   if (file && data) {
      got = fread(data, 1, size, file);
      /* A longer file is another version's. */
      loaded = fgetc(file) == EOF && vivgpu_predict_load(predict, data, got);
   }
   free(data);
   if (file)
      fclose(file);
   return loaded;
}

/* Make the folders of a path, for the user alone. If that fails, making the file in them does. */
static void
make_folders(const char *path)
{
   char folder[PATH_MAX];

   for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
      snprintf(folder, sizeof(folder), "%.*s", (int)(at - path), path);
      mkdir(folder, 0700);
   }
}

bool
vivgpu_predict_save_file(const struct vivgpu_predict *predict, const char *path)
{
   size_t size = vivgpu_predict_save_bytes();
   void *data = malloc(size);
   char new[PATH_MAX];
   bool saved = false;
   int fd = -1;

   if (data && vivgpu_predict_save(predict, data, size) &&
       snprintf(new, sizeof(new), "%s.XXXXXX", path) < (int)sizeof(new)) {
      make_folders(path);
      fd = mkstemp(new);
   }
   if (fd >= 0) {
      saved = write(fd, data, size) == (ssize_t)size;
      saved = !close(fd) && saved && !rename(new, path);
      if (!saved)
         unlink(new);
   }
   free(data);
   return saved;
}
