/* SPDX-License-Identifier: MIT */
/*
 * Reader of a stream of records, with a buffer so that one read() gets many; see
 * vivgpu_record_stream.h.
 */

#include "vivgpu_record_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drm-uapi/vivgpu_drm.h"
#include "util/macros.h"
#include "vivgpu_group_record.h"
#include "vivgpu_records.h"

/* Bytes that one read() asks for. */
#define READ_BYTES (64 * sizeof(struct drm_vivgpu_record))

struct vivgpu_record_stream {
   int fd;
   /** Number of unread records that the kernel can hold: its default, as open asks for no other */
   uint32_t capacity;
   struct vivgpu_losses losses;
   bool lost;
   /** The next record, if @has_record */
   struct drm_vivgpu_record record;
   bool has_record;
   /** What the last read() returned, and its part after @record */
   uint8_t bytes[READ_BYTES];
   const uint8_t *at, *end;
   /** The last read() returned fewer records than asked for, so it emptied the stream */
   bool emptied;
   /**
    * Number of records that may be asked for until the next vivgpu_record_stream_begin(); 0 before
    * the first one, so that nothing is read
    */
   uint32_t left;
};

int
vivgpu_record_stream_open(int fd, uint32_t flags, struct vivgpu_record_stream **stream)
{
   struct drm_vivgpu_get_param get = {.param = DRM_VIVGPU_PARAM_STREAM_RECORDS};
   struct drm_vivgpu_stream_open args = {
      .flags = flags,
      .types = vivgpu_record_types(),
      .record_size = sizeof(struct drm_vivgpu_record),
   };

   *stream = calloc(1, sizeof(**stream));
   if (!*stream)
      return -ENOMEM;
   if (drmIoctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &get) ||
       drmIoctl(fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args)) {
      int error = errno;

      free(*stream);
      *stream = NULL;
      return -error;
   }
   fcntl(args.fd, F_SETFL, O_NONBLOCK);
   (*stream)->fd = args.fd;
   (*stream)->capacity = get.value;
   return 0;
}

void
vivgpu_record_stream_close(struct vivgpu_record_stream *stream)
{
   if (!stream)
      return;
   close(stream->fd);
   free(stream);
}

void
vivgpu_record_stream_begin(struct vivgpu_record_stream *stream)
{
   stream->emptied = false;
   stream->left = 2 * stream->capacity;
}

/*
 * Read the next records when none is left in @bytes: sets @has_record, and @left to 0 without one.
 */
static void
read_some(struct vivgpu_record_stream *stream)
{
   /* A short read() has emptied the stream: skip the one that would return nothing. */
   ssize_t size = stream->emptied ? 0 : read(stream->fd, stream->bytes, READ_BYTES);
   uint32_t records;

   stream->at = stream->bytes;
   stream->end = stream->bytes + MAX2(size, 0);
   stream->has_record = vivgpu_group_next_record(&stream->at, stream->end, &stream->record);
   if (!stream->has_record) {
      stream->lost |= vivgpu_losses_empty(&stream->losses, stream->capacity);
      stream->left = 0;
      return;
   }
   /* All records of a stream have one size, which depends on the kernel's version. */
   records = READ_BYTES / stream->record.size;
   stream->emptied = size / stream->record.size < records;
   stream->left -= MIN2(stream->left, records);
}

const struct drm_vivgpu_record *
vivgpu_record_stream_next(struct vivgpu_record_stream *stream)
{
   if (!stream->has_record && stream->left)
      read_some(stream);
   return stream->has_record ? &stream->record : NULL;
}

void
vivgpu_record_stream_consume(struct vivgpu_record_stream *stream)
{
   stream->lost |= vivgpu_losses_record(&stream->losses, stream->record.sequence);
   stream->has_record = vivgpu_group_next_record(&stream->at, stream->end, &stream->record);
}

bool
vivgpu_record_stream_lost(struct vivgpu_record_stream *stream)
{
   bool lost = stream->lost;

   stream->lost = false;
   return lost;
}

void
vivgpu_record_stream_reset_losses(struct vivgpu_record_stream *stream)
{
   stream->lost = false;
   stream->losses = (struct vivgpu_losses){0};
}
