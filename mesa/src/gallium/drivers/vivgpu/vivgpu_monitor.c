/* SPDX-License-Identifier: MIT */
/* The process's part of the command monitor: ring, predictor, results; see vivgpu_monitor.h. */

#include "vivgpu_monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#include "util/list.h"
#include "util/log.h"
#include "util/simple_mtx.h"
#include "util/u_atomic.h"
#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_events.h"
#include "vivgpu_group_file.h"
#include "vivgpu_group_record.h"
#include "vivgpu_kernel.h"
#include "vivgpu_screen.h"

/* Groups that a predictor waits for at most; of older ones no result will come any more. */
#define MAX_PENDING 1024

/* Bytes that one read() asks for; records of another version of the kernel may be larger. */
#define RECORDS_BYTES (32 * sizeof(struct drm_vivgpu_record))

/* How long the end of a process waits for the next of its last results, in ms */
#define LAST_RESULT_MS 1000

/* A screen's stream of records */
struct vivgpu_monitor_results {
   struct list_head link;
   int fd;
   uint64_t client;
   struct vivgpu_group_losses losses;
   /** Jobs whose results were not read yet */
   uint64_t outstanding;
};

/* A group whose result is not known yet */
struct pending {
   struct list_head link;
   struct vivgpu_group group;
   struct vivgpu_command commands[];
};

static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;

/* All of this is protected by the lock. */
static struct vivgpu_group_file file = {.fd = -1};
static const struct vivgpu_monitor_predictor *predictor;
static uint64_t sequence;
static struct list_head screens = {&screens, &screens};
static struct list_head pending = {&pending, &pending};
static unsigned num_pending;

/* The child of fork() has the parent's file mapped, which is not its own to write. */
static void
after_fork_in_child(void)
{
   vivgpu_group_file_close(&file);
   list_inithead(&screens);
}

static void
open_file(void)
{
   const char *where = secure_getenv("VIVGPU_GROUPS"), *error;
   int ret;

   if (!where || !*where || !strcmp(where, "0"))
      return;
   ret = vivgpu_group_file_create(&file, where, VIVGPU_GROUP_FILE_RING, &error);
   if (ret)
      mesa_loge("vivgpu: VIVGPU_GROUPS=%s: no %s: %s", where, error, strerror(-ret));
   else
      pthread_atfork(NULL, NULL, after_fork_in_child);
}

void
vivgpu_monitor_set_predictor(const struct vivgpu_monitor_predictor *new)
{
   simple_mtx_lock(&lock);
   predictor = new;
   simple_mtx_unlock(&lock);
}

static bool
is_on(void)
{
   return file.fd >= 0 || predictor;
}

/* A stream of the records of jobs of this screen's client; -1 if the kernel has none. */
static int
open_records(struct vivgpu_kernel *kernel)
{
   struct drm_vivgpu_stream_open args = {
      .flags = DRM_VIVGPU_STREAM_COUNTS,
      .types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
      .record_size = sizeof(struct drm_vivgpu_record),
   };

   if (!kernel->has_records || drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args))
      return -1;
   fcntl(args.fd, F_SETFL, O_NONBLOCK);
   return args.fd;
}

void
vivgpu_monitor_screen_init(struct vivgpu_screen *screen)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   struct vivgpu_monitor_results *results;

   pthread_once(&once, open_file);
   simple_mtx_lock(&lock);
   results = is_on() && !screen->results ? CALLOC_STRUCT(vivgpu_monitor_results) : NULL;
   if (results) {
      results->fd = open_records(screen->kernel);
      results->client = vivgpu_events_client(screen->kernel->fd);
      list_addtail(&results->link, &screens);
      screen->results = results;
   }
   simple_mtx_unlock(&lock);
}

/* Forget all groups up to this one, whose result is known. */
static void
observe(const struct vivgpu_group_result *result, uint64_t client)
{
   list_for_each_entry_safe (struct pending, entry, &pending, link) {
      if (entry->group.cookie != result->cookie || entry->group.client != client)
         continue;
      if (predictor)
         predictor->observe(predictor->data, &entry->group, entry->commands, result);
      list_del(&entry->link);
      FREE(entry);
      num_pending--;
      return;
   }
}

static void
read_results(struct vivgpu_monitor_results *results)
{
   struct drm_vivgpu_record record;
   struct vivgpu_group_result result;
   uint8_t bytes[RECORDS_BYTES];
   const uint8_t *at, *end;
   ssize_t size;

   if (results->fd < 0)
      return;
   do {
      size = read(results->fd, bytes, sizeof(bytes));
      at = bytes;
      end = bytes + MAX2(size, 0);
      while (vivgpu_group_next_record(&at, end, &record)) {
         uint32_t lost = vivgpu_group_losses(&results->losses, record.sequence);

         results->outstanding -= MIN2(results->outstanding, lost + 1);
         if (!vivgpu_group_result(&record, &result))
            continue;
         if (file.fd >= 0) {
            file.ring.header->lost_records += lost;
            vivgpu_group_ring_write_result(&file.ring, &result);
         }
         observe(&result, results->client);
      }
   } while (size > (ssize_t)sizeof(bytes) / 2);
}

/* The jobs of the process are complete soon: wait for their results, but not for ever. */
static void
read_last_results(struct vivgpu_monitor_results *results)
{
   struct pollfd poller = {.fd = results->fd, .events = POLLIN};
   uint64_t before = UINT64_MAX;

   read_results(results);
   while (results->outstanding && results->outstanding < before &&
          poll(&poller, 1, LAST_RESULT_MS) == 1) {
      before = results->outstanding;
      read_results(results);
   }
}

void
vivgpu_monitor_read_results(struct vivgpu_screen *screen)
{
   simple_mtx_lock(&lock);
   read_results(screen->results);
   simple_mtx_unlock(&lock);
}

void
vivgpu_monitor_screen_fini(struct vivgpu_screen *screen)
{
   struct vivgpu_monitor_results *results = screen->results;

   if (!results)
      return;
   simple_mtx_lock(&lock);
   read_last_results(results);
   list_del(&results->link);
   simple_mtx_unlock(&lock);
   if (results->fd >= 0)
      close(results->fd);
   FREE(results);
}

/* Most programs end without destroying what they made. */
static void __attribute__((destructor))
end_of_process(void)
{
   simple_mtx_lock(&lock);
   list_for_each_entry (struct vivgpu_monitor_results, results, &screens, link)
      read_last_results(results);
   simple_mtx_unlock(&lock);
}

struct vivgpu_monitor *
vivgpu_monitor_create(struct vivgpu_screen *screen)
{
   struct vivgpu_monitor *monitor;

   if (!screen->results)
      return NULL;
   monitor = CALLOC_STRUCT(vivgpu_monitor);
   if (!monitor)
      return NULL;
   monitor->client = screen->results->client;
   vivgpu_group_next(&monitor->builder);
   return monitor;
}

void
vivgpu_monitor_destroy(struct vivgpu_monitor *monitor)
{
   if (!monitor)
      return;
   vivgpu_group_builder_fini(&monitor->builder);
   FREE(monitor);
}

/* Uploads by the application's thread outside of the threaded context, combined to one command */
static void
add_unsynchronized(struct vivgpu_context *context)
{
   uint64_t bytes = p_atomic_read(&context->monitor->unsynchronized_bytes);

   if (!bytes)
      return;
   p_atomic_add(&context->monitor->unsynchronized_bytes, -bytes);
   vivgpu_monitor_upload(context, MIN2(bytes, UINT32_MAX), PIPE_FORMAT_NONE, 0, 0, 0);
}

void
vivgpu_monitor_end_group(struct vivgpu_context *context, enum vivgpu_group_reason reason,
                         uint32_t offset)
{
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_group *group = &monitor->builder.group;

   add_unsynchronized(context);
   vivgpu_monitor_finish_draw(context);
   vivgpu_group_end(&monitor->builder, reason, offset, context->stream.used * sizeof(uint32_t));
   group->cookie = vivgpu_stream_cookie(&context->stream);
   group->client = monitor->client;
   group->queue = context->stream.queue;
   simple_mtx_lock(&lock);
   if (predictor)
      predictor->predict(predictor->data, group, monitor->builder.commands);
   simple_mtx_unlock(&lock);
   monitor->predicted_ns = group->predicted_ns;
   monitor->bound_ns = group->bound_ns;
}

uint64_t
vivgpu_monitor_predicted(const struct vivgpu_context *context, uint64_t *bound_ns)
{
   const struct vivgpu_monitor *monitor = context->monitor;

   if (bound_ns)
      *bound_ns = monitor ? monitor->bound_ns : 0;
   return monitor ? monitor->predicted_ns : 0;
}

/* Remember a group until its result comes. */
static void
add_pending(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   size_t bytes = group->num_commands * sizeof(*commands);
   struct pending *entry = MALLOC(sizeof(*entry) + bytes);

   if (!entry)
      return;
   entry->group = *group;
   memcpy(entry->commands, commands, bytes);
   list_addtail(&entry->link, &pending);
   if (++num_pending > MAX_PENDING) {
      entry = list_first_entry(&pending, struct pending, link);
      list_del(&entry->link);
      FREE(entry);
      num_pending--;
   }
}

void
vivgpu_monitor_submitted(struct vivgpu_context *context)
{
   struct vivgpu_group_builder *builder = &context->monitor->builder;
   struct vivgpu_group *group = &builder->group;

   group->job = context->stream.last_job;
   group->submitted_ns = context->stream.last_submitted_ns;
   simple_mtx_lock(&lock);
   group->sequence = ++sequence;
   if (file.fd >= 0)
      vivgpu_group_ring_write(&file.ring, group, builder->commands);
   if (predictor && group->job)
      add_pending(group, builder->commands);
   context->screen->results->outstanding += group->job != 0;
   read_results(context->screen->results);
   simple_mtx_unlock(&lock);
   group->frame += group->reason == VIVGPU_GROUP_SWAP;
   vivgpu_group_next(builder);
}
