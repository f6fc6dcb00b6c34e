/* SPDX-License-Identifier: MIT */
/*
 * A device is known by its file in sysfs, which all its nodes have and every process can open. A
 * lock of that file (flock) ends with its owner. Processes with a sysfs of their own, in another
 * network namespace, do not see each other's locks; among those with CAP_PERFMON the kernel's
 * exclusive stream, of which a device has one, still keeps all but one out.
 */

#include "vivgpu_event_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/*
 * Open the file in sysfs of the device to which @fd, a DRM node, belongs. Returns a new descriptor,
 * or -1.
 */
static int
vivgpu_event_device_open(int fd)
{
   struct stat node;
   char path[64];

   if (fstat(fd, &node))
      return -1;
   snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/uevent", major(node.st_rdev),
            minor(node.st_rdev));
   return open(path, O_RDONLY | O_CLOEXEC);
}

uint64_t
vivgpu_event_device(int fd)
{
   int device = vivgpu_event_device_open(fd);
   struct stat file = {0};

   if (device < 0)
      return 0;
   if (fstat(device, &file))
      file.st_ino = 0;
   close(device);
   /* sysfs is one file system: inode numbers are unique in it. */
   return file.st_ino;
}

int
vivgpu_event_device_lock(int fd)
{
   int device = vivgpu_event_device_open(fd);

   if (device >= 0 && flock(device, LOCK_EX | LOCK_NB)) {
      close(device);
      return -EBUSY;
   }
   return device;
}
