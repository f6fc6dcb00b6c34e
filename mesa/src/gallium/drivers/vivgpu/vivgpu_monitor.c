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
#include "util/u_math.h"
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
#define RECORDS_BYTES (64 * sizeof(struct drm_vivgpu_record))

/* Bytes of a record: up to its counts; what is behind them is not of jobs or not needed. */
#define RECORD_BYTES offsetof(struct drm_vivgpu_record, name)

/*
 * Without a predictor, a submit reads the records if there were JOBS_A_READ jobs or READ_AGAIN_NS
 * since the last read: one system call for several jobs.
 */
#define JOBS_A_READ   32
#define READ_AGAIN_NS 250000000

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
   /** Jobs that were submitted since the stream was read, and when that was */
   uint32_t jobs_since;
   uint64_t read_ns;
};

/* A group whose result is not known yet */
struct pending {
   struct list_head link;
   struct vivgpu_group group;
   /** Of the context; NULL if that is gone */
   struct vivgpu_monitor *monitor;
};

static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;

/*
 * All of this is protected by the lock, but for the contents of the tables of descriptions
 * (vivgpu_monitor_numbers.c). predictor is also read without it, but not called.
 */
static struct vivgpu_group_file file = {.fd = -1};
/* Descriptions if there is no file */
static struct vivgpu_group_descriptions own_descriptions;
static const struct vivgpu_monitor_predictor *predictor;
static uint64_t sequence;
static struct list_head screens = {&screens, &screens};
static struct list_head pending = {&pending, &pending};
static unsigned num_pending;

/* The child of fork() has the parent's file mapped, which is not its own to write. */
static void
vivgpu_monitor_after_fork_in_child(void)
{
   vivgpu_group_file_close(&file);
   list_inithead(&screens);
}

/* The table of the file, or one of the process if only a predictor reads groups. */
static struct vivgpu_group_descriptions *
vivgpu_monitor_descriptions(void)
{
   if (file.fd >= 0)
      return &file.ring.descriptions;
   if (!own_descriptions.slots) {
      own_descriptions.slots =
         CALLOC(VIVGPU_GROUP_DESCRIPTIONS, sizeof(*own_descriptions.slots));
      own_descriptions.count = own_descriptions.slots ? VIVGPU_GROUP_DESCRIPTIONS : 0;
   }
   return &own_descriptions;
}

static void
vivgpu_monitor_open_file(void)
{
   const char *where = secure_getenv("VIVGPU_GROUPS"), *error;
   size_t ring_bytes;
   int ret;

   if (!where || !*where || !strcmp(where, "0"))
      return;
   ring_bytes = vivgpu_group_file_ring(secure_getenv("VIVGPU_GROUPS_MB"));
   ret = vivgpu_group_file_create(&file, where, ring_bytes, &error);
   if (ret)
      mesa_loge("vivgpu: VIVGPU_GROUPS=%s: no %s: %s", where, error, strerror(-ret));
   else
      pthread_atfork(NULL, NULL, vivgpu_monitor_after_fork_in_child);
}

void
vivgpu_monitor_set_predictor(const struct vivgpu_monitor_predictor *new)
{
   simple_mtx_lock(&lock);
   p_atomic_set(&predictor, new);
   simple_mtx_unlock(&lock);
}

void
vivgpu_monitor_lock(void)
{
   simple_mtx_lock(&lock);
}

void
vivgpu_monitor_unlock(void)
{
   simple_mtx_unlock(&lock);
}

static bool
vivgpu_monitor_is_on(void)
{
   return file.fd >= 0 || predictor;
}

/* A stream of the records of jobs of this screen's client; -1 if the kernel has none. */
static int
vivgpu_monitor_open_records(struct vivgpu_kernel *kernel)
{
   struct drm_vivgpu_stream_open args = {
      .flags = DRM_VIVGPU_STREAM_COUNTS,
      .types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
      .record_size = RECORD_BYTES,
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

   pthread_once(&once, vivgpu_monitor_open_file);
   simple_mtx_lock(&lock);
   results =
      vivgpu_monitor_is_on() && !screen->results ? CALLOC_STRUCT(vivgpu_monitor_results) : NULL;
   if (results) {
      results->fd = vivgpu_monitor_open_records(screen->kernel);
      results->client = vivgpu_events_client(screen->kernel->fd);
      list_addtail(&results->link, &screens);
      screen->results = results;
   }
   simple_mtx_unlock(&lock);
}

/* The predictor learns from a group, and its context whether to trust the next predictions. */
static void
vivgpu_monitor_learn(const struct pending *entry, const struct vivgpu_group_result *result)
{
   const struct vivgpu_group *group = &entry->group;
   struct vivgpu_monitor *monitor = entry->monitor;
   double measured_ns = predictor->observe(predictor->data, group, result);

   if (!monitor || measured_ns < 0)
      return;
   vivgpu_trust_add(&monitor->trust, group->predicted_ns, measured_ns, group->num_draws);
   p_atomic_set(&monitor->trusted, vivgpu_trust_is_good(&monitor->trust));
   p_atomic_set(&monitor->measured_draw_ns, (uint64_t)vivgpu_trust_ns_per_draw(&monitor->trust));
}

/* Let the predictor learn from the group with this result, and forget the group. */
static void
vivgpu_monitor_observe(const struct vivgpu_group_result *result, uint64_t client)
{
   list_for_each_entry_safe (struct pending, entry, &pending, link) {
      if (entry->group.cookie != result->cookie || entry->group.client != client)
         continue;
      if (predictor)
         vivgpu_monitor_learn(entry, result);
      list_del(&entry->link);
      FREE(entry);
      num_pending--;
      return;
   }
}

static void
vivgpu_monitor_observe_all(const uint8_t *bytes, size_t size, uint64_t client)
{
   const uint8_t *end = bytes + size;
   struct drm_vivgpu_record record;
   struct vivgpu_group_result result;

   while (vivgpu_group_next_record(&bytes, end, &record)) {
      if (vivgpu_group_result(&record, &result))
         vivgpu_monitor_observe(&result, client);
   }
}

/* Pass the records on that a read() returned: results are what readers of the ring make of them. */
static void
vivgpu_monitor_take_records(struct vivgpu_monitor_results *results, const uint8_t *bytes,
                            size_t size)
{
   uint32_t lost;
   uint32_t count = vivgpu_group_count_records(&results->losses, bytes, size, &lost);

   results->outstanding -= MIN2(results->outstanding, (uint64_t)count + lost);
   if (file.fd >= 0) {
      file.ring.header->lost_records += lost;
      vivgpu_group_ring_write_records(&file.ring, bytes, size, count);
   }
   if (num_pending)
      vivgpu_monitor_observe_all(bytes, size, results->client);
}

/* Read all records. A read that fills less than half of the buffer has left none. */
static void
vivgpu_monitor_collect_results(struct vivgpu_monitor_results *results)
{
   uint64_t bytes[RECORDS_BYTES / sizeof(uint64_t)];
   ssize_t size;

   if (results->fd < 0)
      return;
   results->jobs_since = 0;
   do {
      size = read(results->fd, bytes, sizeof(bytes));
      if (size > 0)
         vivgpu_monitor_take_records(results, (const uint8_t *)bytes, size);
   } while (size > (ssize_t)sizeof(bytes) / 2);
}

/* A predictor learns from results as soon as they are there; who reads the ring can wait a bit. */
static void
vivgpu_monitor_read_results_if_due(struct vivgpu_monitor_results *results, uint64_t now)
{
   results->jobs_since++;
   if (!predictor && results->jobs_since < JOBS_A_READ && now - results->read_ns < READ_AGAIN_NS)
      return;
   results->read_ns = now;
   vivgpu_monitor_collect_results(results);
}

/* The jobs of the process are complete soon: wait for their results, but not for ever. */
static void
vivgpu_monitor_read_last_results(struct vivgpu_monitor_results *results)
{
   struct pollfd poller = {.fd = results->fd, .events = POLLIN};
   uint64_t before = UINT64_MAX;

   vivgpu_monitor_collect_results(results);
   while (results->outstanding && results->outstanding < before &&
          poll(&poller, 1, LAST_RESULT_MS) == 1) {
      before = results->outstanding;
      vivgpu_monitor_collect_results(results);
   }
}

void
vivgpu_monitor_read_results(struct vivgpu_screen *screen)
{
   /* Who reads the ring can wait until the next submit. */
   if (!p_atomic_read(&predictor))
      return;
   simple_mtx_lock(&lock);
   vivgpu_monitor_collect_results(screen->results);
   simple_mtx_unlock(&lock);
}

void
vivgpu_monitor_screen_fini(struct vivgpu_screen *screen)
{
   struct vivgpu_monitor_results *results = screen->results;

   if (!results)
      return;
   simple_mtx_lock(&lock);
   vivgpu_monitor_read_last_results(results);
   list_del(&results->link);
   simple_mtx_unlock(&lock);
   if (results->fd >= 0)
      close(results->fd);
   FREE(results);
}

/* Most programs end without destroying what they made. */
static void __attribute__((destructor))
vivgpu_monitor_end_of_process(void)
{
   simple_mtx_lock(&lock);
   list_for_each_entry (struct vivgpu_monitor_results, results, &screens, link)
      vivgpu_monitor_read_last_results(results);
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
   monitor->builder.group.client = monitor->client;
   simple_mtx_lock(&lock);
   monitor->descriptions = vivgpu_monitor_descriptions();
   simple_mtx_unlock(&lock);
   vivgpu_group_memory_reset(&monitor->memory, vivgpu_group_last_number(monitor->descriptions));
   monitor->builder.descriptions = monitor->descriptions;
   vivgpu_group_next(&monitor->builder);
   monitor->repeat_key = VIVGPU_MONITOR_NO_REPEAT;
   return monitor;
}

void
vivgpu_monitor_destroy(struct vivgpu_monitor *monitor)
{
   if (!monitor)
      return;
   simple_mtx_lock(&lock);
   list_for_each_entry (struct pending, entry, &pending, link) {
      if (entry->monitor == monitor)
         entry->monitor = NULL;
   }
   simple_mtx_unlock(&lock);
   vivgpu_group_builder_fini(&monitor->builder);
   vivgpu_group_commands_fini(&monitor->commands);
   FREE(monitor);
}

void
vivgpu_monitor_finish(struct vivgpu_context *context)
{
   if (context->monitor->clear.open)
      vivgpu_monitor_finish_clear(context);
   else
      vivgpu_monitor_finish_draw(context);
}

/* Uploads by the application's thread outside of the threaded context, combined to one command */
static void
vivgpu_monitor_add_unsynchronized(struct vivgpu_context *context)
{
   uint64_t bytes = p_atomic_read(&context->monitor->unsynchronized_bytes);

   p_atomic_add(&context->monitor->unsynchronized_bytes, -bytes);
   vivgpu_monitor_upload(context, MIN2(bytes, UINT32_MAX), PIPE_FORMAT_NONE, 0, 0, 0);
}

/* The predictor takes the commands as they are, so this unpacks them. */
static void
vivgpu_monitor_predict(struct vivgpu_monitor *monitor)
{
   const struct vivgpu_group_builder *builder = &monitor->builder;
   const struct vivgpu_group_lookup lookup = vivgpu_group_lookup_in(monitor->descriptions);

   monitor->unpacked = builder->group;
   if (!vivgpu_group_unpack(&monitor->commands, &monitor->unpacked, builder->list, builder->used,
                            &lookup))
      monitor->unpacked.num_commands = 0;
   simple_mtx_lock(&lock);
   if (predictor)
      predictor->predict(predictor->data, &monitor->unpacked, monitor->commands.commands);
   simple_mtx_unlock(&lock);
   monitor->builder.group.predicted_ns = monitor->unpacked.predicted_ns;
   monitor->builder.group.bound_ns = monitor->unpacked.bound_ns;
}

void
vivgpu_monitor_end_group(struct vivgpu_context *context, enum vivgpu_group_reason reason,
                         uint32_t offset)
{
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_group *group = &monitor->builder.group;

   if (p_atomic_read(&monitor->unsynchronized_bytes))
      vivgpu_monitor_add_unsynchronized(context);
   if (monitor->builder.depth)
      vivgpu_monitor_finish(context);
   vivgpu_group_end(&monitor->builder, reason, offset, context->stream.used * sizeof(uint32_t));
   group->cookie = vivgpu_stream_cookie(&context->stream);
   group->queue = context->stream.queue;
   if (p_atomic_read(&predictor))
      vivgpu_monitor_predict(monitor);
   monitor->predicted_ns = group->predicted_ns;
   monitor->error_ns = group->bound_ns;
}

bool
vivgpu_monitor_predicts(const struct vivgpu_context *context)
{
   return context->monitor && p_atomic_read(&predictor);
}

bool
vivgpu_monitor_is_trusted(const struct vivgpu_context *context)
{
   return context->monitor && p_atomic_read(&context->monitor->trusted);
}

uint64_t
vivgpu_monitor_measured_draw(const struct vivgpu_context *context)
{
   return context->monitor ? p_atomic_read(&context->monitor->measured_draw_ns) : 0;
}

uint64_t
vivgpu_monitor_predicted(const struct vivgpu_context *context, uint64_t *error_ns)
{
   const struct vivgpu_monitor *monitor = context->monitor;

   if (error_ns)
      *error_ns = monitor ? monitor->error_ns : 0;
   return monitor ? monitor->predicted_ns : 0;
}

/* Remember the group that was submitted, as the predictor got it, until its result comes. */
static ATTRIBUTE_NOINLINE void
vivgpu_monitor_add_pending(struct vivgpu_monitor *monitor)
{
   struct pending *entry = MALLOC_STRUCT(pending);

   if (!entry)
      return;
   entry->group = monitor->unpacked;
   entry->monitor = monitor;
   list_addtail(&entry->link, &pending);
   if (++num_pending > MAX_PENDING) {
      entry = list_first_entry(&pending, struct pending, link);
      list_del(&entry->link);
      FREE(entry);
      num_pending--;
   }
}

/* What is known of a group only after the submit; @number: its sequence number */
static void
vivgpu_monitor_complete(struct vivgpu_group *group, const struct vivgpu_stream *stream,
                        uint64_t number)
{
   group->job = stream->last_job;
   group->submitted_ns = stream->last_submitted_ns;
   group->sequence = number;
}

/* Forget descriptions before the next group, if there are many newer ones in the table. */
static void
vivgpu_monitor_reset_memory(struct vivgpu_monitor *monitor)
{
   const uint32_t last = vivgpu_group_last_number(monitor->descriptions);

   /* Half of what vivgpu_monitor_describe() allows: the rest is for the next group. */
   if (last - monitor->memory.base > monitor->descriptions->count / 4)
      vivgpu_group_memory_reset(&monitor->memory, last);
}

void
vivgpu_monitor_submitted(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_group_builder *builder = &monitor->builder;
   struct vivgpu_group *group = &builder->group;
   simple_mtx_lock(&lock);
   vivgpu_monitor_complete(group, &context->stream, ++sequence);
   if (file.fd >= 0)
      vivgpu_group_ring_write(&file.ring, group, builder->list, builder->used);
   if (predictor && monitor->unpacked.cookie == group->cookie && group->job) {
      vivgpu_monitor_complete(&monitor->unpacked, &context->stream, sequence);
      vivgpu_monitor_add_pending(monitor);
   }
   context->screen->results->outstanding += group->job != 0;
   vivgpu_monitor_read_results_if_due(context->screen->results, group->submitted_ns);
   simple_mtx_unlock(&lock);
   vivgpu_monitor_reset_memory(monitor);
   group->frame += group->reason == VIVGPU_GROUP_SWAP;
   vivgpu_group_next(builder);
   monitor->memory.place = 0;
   monitor->repeat_key = VIVGPU_MONITOR_NO_REPEAT;
}
