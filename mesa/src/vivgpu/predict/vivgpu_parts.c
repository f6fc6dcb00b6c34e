/* SPDX-License-Identifier: MIT */
/* Fragments of parts of frames; see vivgpu_parts.h. */

#include "vivgpu_parts.h"

#include <math.h>
#include <string.h>

/* Points that are nearer than this share of the vertices are the same. */
#define SAME 0.005
/* Numbers of vertices that differ by less than this share are equal. */
#define EQUAL 1e-9

/*
 * A point of a curve by its index, -1 or less for the begin and @count or more for the end of the
 * frame
 */
static struct vivgpu_curve_point
point_of(const struct vivgpu_curve *curve, int index)
{
   if (index < 0)
      return (struct vivgpu_curve_point){0};
   if (index >= (int)curve->count)
      return (struct vivgpu_curve_point){.at = curve->vertices, .share = 1};
   return curve->points[index];
}

/* Share per vertex from a point to the next one; 0 if it does not grow */
static double
slope_behind(const struct vivgpu_curve *curve, int index)
{
   struct vivgpu_curve_point from = point_of(curve, index), to = point_of(curve, index + 1);

   return to.at > from.at ? fmax((to.share - from.share) / (to.at - from.at), 0) : 0;
}

/*
 * Slope of the curve at a point: the harmonic mean of those on both sides, by their widths (Fritsch
 * and Butland, 1984). At the ends of the frame it is that of a parabola through the next two
 * points.
 */
static double
slope_at(const struct vivgpu_curve *curve, int index)
{
   int first = index < 0 ? -1 : index >= (int)curve->count ? (int)curve->count - 1 : index - 1;
   int second = index < 0 ? 0 : index >= (int)curve->count ? (int)curve->count - 2 : index;
   double one = slope_behind(curve, first), other = slope_behind(curve, second);
   double width = point_of(curve, first + 1).at - point_of(curve, first).at;
   double other_width = point_of(curve, second + 1).at - point_of(curve, second).at;

   if (!curve->count)
      return one;
   /* An end of the frame */
   if (first != index - 1 || second != index)
      return fmin(fmax(one + (one - other) * width / (width + other_width), 0), 3 * one);
   if (!(one > 0) || !(other > 0))
      return 0;
   return 3 * (width + other_width) /
          ((2 * other_width + width) / one + (other_width + 2 * width) / other);
}

/* Index of the last point up to a vertex; -1 for the begin of the frame */
static int
point_before(const struct vivgpu_curve *curve, double at)
{
   int index = -1;

   while (index + 1 < (int)curve->count && curve->points[index + 1].at <= at)
      index++;
   return index;
}

/* By how much the share up to a vertex may be wrong; see vivgpu_parts_expect(). */
static double
doubt_at(const struct vivgpu_curve *curve, double at)
{
   int index = point_before(curve, at);
   struct vivgpu_curve_point from = point_of(curve, index), to = point_of(curve, index + 1);
   double t;

   if (!(to.at > from.at))
      return 0;
   t = fmin(fmax((at - from.at) / (to.at - from.at), 0), 1);
   return fmax(to.share - from.share, 0) * t * (1 - t);
}

double
vivgpu_curve_at(const struct vivgpu_curve *curve, double at)
{
   struct vivgpu_curve_point from, to;
   double width, t, share;
   int index = point_before(curve, at);

   from = point_of(curve, index);
   to = point_of(curve, index + 1);
   width = to.at - from.at;
   if (!(width > 0))
      return from.share;
   t = fmin(fmax((at - from.at) / width, 0), 1);
   share =
      from.share + (to.share - from.share) * t * t * (3 - 2 * t) +
      width * t * (1 - t) * (slope_at(curve, index) * (1 - t) - slope_at(curve, index + 1) * t);
   return fmin(fmax(share, 0), 1);
}

/* Remove @count points from the index @first on. */
static void
remove_points(struct vivgpu_curve *curve, uint32_t first, uint32_t count)
{
   curve->count -= count;
   memmove(&curve->points[first], &curve->points[first + count],
           (curve->count - first) * sizeof(curve->points[0]));
}

/* Index of the point that was added first. */
static uint32_t
oldest_point(const struct vivgpu_curve *curve)
{
   uint32_t oldest = 0;

   for (uint32_t i = 1; i < curve->count; i++) {
      if (curve->points[i].number < curve->points[oldest].number)
         oldest = i;
   }
   return oldest;
}

void
vivgpu_curve_add(struct vivgpu_curve *curve, double at, double share)
{
   double same = SAME * curve->vertices;
   uint32_t first = 0, end, oldest;

   while (first < curve->count && curve->points[first].at < at - same)
      first++;
   end = first;
   while (end < curve->count && curve->points[end].at <= at + same)
      end++;
   remove_points(curve, first, end - first);
   if (curve->count == VIVGPU_CURVE_POINTS) {
      oldest = oldest_point(curve);
      remove_points(curve, oldest, 1);
      if (oldest < first)
         first--;
   }
   memmove(&curve->points[first + 1], &curve->points[first],
           (curve->count - first) * sizeof(curve->points[0]));
   curve->count++;
   curve->points[first] = (struct vivgpu_curve_point){at, share, curve->added++};
}

/* The curve of frames with a number of vertices; NULL if there is none. */
static struct vivgpu_curve *
find_curve(struct vivgpu_parts *parts, double vertices)
{
   for (unsigned i = 0; i < VIVGPU_CURVES; i++) {
      if (vertices > 0 && fabs(parts->curves[i].vertices - vertices) <= EQUAL * vertices)
         return &parts->curves[i];
   }
   return NULL;
}

/* The same, which is created if necessary: it replaces the one that was unused for longest. */
static struct vivgpu_curve *
curve_of(struct vivgpu_parts *parts, double vertices)
{
   struct vivgpu_curve *curve = find_curve(parts, vertices);

   if (!curve) {
      curve = &parts->curves[0];
      for (unsigned i = 1; i < VIVGPU_CURVES; i++) {
         if (parts->curves[i].used < curve->used)
            curve = &parts->curves[i];
      }
      memset(curve, 0, sizeof(*curve));
      curve->vertices = vertices;
   }
   curve->used = ++parts->used;
   return curve;
}

/* Learn from a frame if its groups, of which not too many, are all submitted and counted. */
static void
learn(struct vivgpu_parts *parts, const struct vivgpu_parts_frame *frame)
{
   struct vivgpu_curve *curve;

   if (!frame->ended || frame->count > VIVGPU_PARTS || !(frame->vertices > 0) ||
       fabs(frame->counted - frame->vertices) > EQUAL * frame->vertices)
      return;
   curve = curve_of(parts, frame->vertices);
   curve->fragments = frame->fragments;
   for (uint32_t i = 0; i < frame->num_points && frame->fragments > 0; i++) {
      if (frame->points[i].at < frame->vertices)
         vivgpu_curve_add(curve, frame->points[i].at,
                          frame->points[i].fragments / frame->fragments);
   }
}

/* The frame that began @ago frames before the next one: 1 is the newest, 0 the next one's place */
static struct vivgpu_parts_frame *
past_frame(struct vivgpu_parts *parts, uint32_t ago)
{
   return &parts->frames[(parts->begun - ago) % VIVGPU_PARTS_FRAMES];
}

/* Begin a frame of a queue, in place of the oldest one. */
static struct vivgpu_parts_frame *
begin_frame(struct vivgpu_parts *parts, uint32_t queue, uint32_t number)
{
   struct vivgpu_parts_frame *frame = past_frame(parts, 0);

   parts->begun++;
   *frame = (struct vivgpu_parts_frame){.queue = queue, .frame = number};
   return frame;
}

/* The newest frame of a queue that has ended, or not (@ended); NULL if it is not remembered. */
static struct vivgpu_parts_frame *
last_frame(struct vivgpu_parts *parts, uint32_t queue, bool ended)
{
   for (uint32_t ago = 1; ago <= VIVGPU_PARTS_FRAMES; ago++) {
      struct vivgpu_parts_frame *frame = past_frame(parts, ago);

      if (frame->count && frame->queue == queue && frame->ended == ended)
         return frame;
   }
   return NULL;
}

/* The frame of a queue that a group belongs to, begun if necessary */
static struct vivgpu_parts_frame *
frame_of(struct vivgpu_parts *parts, uint32_t queue, uint32_t number)
{
   struct vivgpu_parts_frame *current = last_frame(parts, queue, false);

   if (current && current->frame == number)
      return current;
   if (current) {
      current->ended = true;
      learn(parts, current);
   }
   return begin_frame(parts, queue, number);
}

double
vivgpu_parts_submit(struct vivgpu_parts *parts, uint32_t queue, uint32_t frame, uint64_t cookie,
                    double vertices, bool full)
{
   struct vivgpu_parts_frame *current = frame_of(parts, queue, frame);
   const struct vivgpu_parts_frame *last = last_frame(parts, queue, true);
   const struct vivgpu_curve *curve = last ? find_curve(parts, last->vertices) : NULL;
   double begin = current->vertices, end = begin + vertices;

   current->vertices = end;
   if (current->count < VIVGPU_PARTS) {
      current->parts[current->count].cookie = cookie;
      current->parts[current->count].begin = begin;
   }
   if (current->count <= VIVGPU_PARTS)
      current->count++;
   /* A first group that ends at no limit is taken for the whole frame. */
   if (!curve || !(begin > 0 || full) || end > curve->vertices * (1 + EQUAL))
      return -1;
   return fmax(vivgpu_curve_at(curve, end) - vivgpu_curve_at(curve, begin), 0) * curve->fragments;
}

/* Find a group in the last frames: its frame, and @number in it. NULL if it is not there. */
static struct vivgpu_parts_frame *
find_part(struct vivgpu_parts *parts, uint64_t cookie, uint32_t *number)
{
   for (uint32_t ago = 1; ago <= VIVGPU_PARTS_FRAMES; ago++) {
      struct vivgpu_parts_frame *frame = past_frame(parts, ago);

      for (*number = 0; *number < frame->count && *number < VIVGPU_PARTS; ++*number) {
         if (frame->parts[*number].cookie == cookie)
            return frame;
      }
   }
   return NULL;
}

double
vivgpu_parts_expect(struct vivgpu_parts *parts, uint64_t cookie, double vertices, double *doubt)
{
   uint32_t number;
   const struct vivgpu_parts_frame *frame = find_part(parts, cookie, &number);
   const struct vivgpu_parts_frame *last = frame ? last_frame(parts, frame->queue, true) : NULL;
   const struct vivgpu_curve *curve = last ? find_curve(parts, last->vertices) : NULL;
   double begin, end;

   if (doubt)
      *doubt = INFINITY;
   if (!curve)
      return -1;
   begin = frame->parts[number].begin;
   end = begin + vertices;
   if (end > curve->vertices * (1 + EQUAL))
      return -1;
   if (doubt)
      *doubt = doubt_at(curve, end) * curve->fragments;
   return fmax(vivgpu_curve_at(curve, end) - vivgpu_curve_at(curve, begin), 0) * curve->fragments;
}

void
vivgpu_parts_point(struct vivgpu_parts *parts, uint64_t first_cookie, uint64_t cookie,
                   double vertices, double fragments)
{
   uint32_t first, last;
   struct vivgpu_parts_frame *frame = find_part(parts, cookie, &last);

   /* What was counted before has to be all that is before. */
   if (!frame || find_part(parts, first_cookie, &first) != frame ||
       frame->num_points == VIVGPU_PARTS ||
       fabs(frame->counted - frame->parts[first].begin) > EQUAL * frame->vertices)
      return;
   frame->points[frame->num_points].at = frame->parts[last].begin + vertices;
   frame->points[frame->num_points++].fragments = frame->fragments + fragments;
}

void
vivgpu_parts_count(struct vivgpu_parts *parts, uint64_t cookie, double vertices, double fragments)
{
   uint32_t number;
   struct vivgpu_parts_frame *frame = find_part(parts, cookie, &number);

   if (!frame)
      return;
   frame->counted += vertices;
   frame->fragments += fragments;
   learn(parts, frame);
}
