/* SPDX-License-Identifier: MIT */
/*
 * Recording of spans by the driver's threads; see vivgpu_events.h.
 */

#include "vivgpu_events.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint32_t vivgpu_event_sinks;
struct vivgpu_ring vivgpu_event_ring;

/* Mapping of the file VIVGPU_EVENTS; set before VIVGPU_SINK_FILE is. */
static struct vivgpu_ring *file_ring;

uint64_t
vivgpu_events_now(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* Maps the file VIVGPU_EVENTS if there is one of the size of a ring. */
static void
open_file(void)
{
   const char *path = secure_getenv("VIVGPU_EVENTS");
   int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
   struct stat stat;
   void *map = MAP_FAILED;

   if (fd < 0)
      return;
   if (!fstat(fd, &stat) && stat.st_size == sizeof(struct vivgpu_ring))
      map = mmap(NULL, sizeof(struct vivgpu_ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   close(fd);
   if (map == MAP_FAILED)
      return;
   file_ring = map;
   __atomic_fetch_or(&vivgpu_event_sinks, VIVGPU_SINK_FILE, __ATOMIC_RELEASE);
}

/*
 * Number of forks plus 1, so never the 0 of a new thread's cache: if it differs from a thread's,
 * that one's process and thread number are stale.
 */
static uint32_t generation = 1;

static void
after_fork_in_child(void)
{
   generation++;
}

static void
init(void)
{
   pthread_atfork(NULL, NULL, after_fork_in_child);
   open_file();
}

void
vivgpu_events_init(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;

   pthread_once(&once, init);
}

/* What all spans of a thread have in common, cached: getpid() and gettid() are system calls. */
struct thread {
   /** Value of the variable when this was filled */
   uint32_t generation;
   uint32_t process, number;
   /** 0: none yet, as it is no track of threads; kept over a fork */
   uint16_t track;
};

/* Returns a track for a new thread; once all are in use, the last one, which is shared. */
static uint16_t
new_track(void)
{
   static uint32_t threads;
   uint32_t before = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);

   return VIVGPU_TRACK_THREAD + (before < VIVGPU_EVENT_THREADS ? before : VIVGPU_EVENT_THREADS - 1);
}

/* The calling thread's data, filled at its first span and at the first one after a fork */
static const struct thread *
this_thread(void)
{
   static _Thread_local struct thread thread;

   if (thread.generation != generation) {
      thread = (struct thread){
         .generation = generation,
         .process = getpid(),
         .number = syscall(SYS_gettid),
         .track = thread.track ? thread.track : new_track(),
      };
   }
   return &thread;
}

void
vivgpu_events_span(uint64_t begin_ns, uint64_t end_ns, enum vivgpu_event event,
                   const uint64_t *values, size_t count)
{
   uint32_t sinks = __atomic_load_n(&vivgpu_event_sinks, __ATOMIC_ACQUIRE);
   const struct thread *thread = this_thread();
   struct vivgpu_span span = {
      .begin_ns = begin_ns,
      .end_ns = end_ns,
      .process = thread->process,
      .event = event,
      .track = thread->track,
      .values = {[VIVGPU_DRIVER_THREAD] = thread->number},
   };

   memcpy(span.values + 1, values, count * sizeof(*values));
   if (sinks & VIVGPU_SINK_SAMPLER)
      vivgpu_ring_write(&vivgpu_event_ring, &span);
   if (sinks & VIVGPU_SINK_FILE)
      vivgpu_ring_write(file_ring, &span);
}

uint64_t
vivgpu_events_client(int fd)
{
   char path[64], line[128];
   uint64_t client = 0;

   snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
   FILE *file = fopen(path, "re");
   if (!file)
      return 0;
   while (fgets(line, sizeof(line), file)) {
      if (sscanf(line, "drm-client-id: %" SCNu64, &client) == 1)
         break;
   }
   fclose(file);
   return client;
}
