/* SPDX-License-Identifier: MIT */
/*
 * Histories of groups that come again, usually in each frame, in tables of fixed size.
 *
 * - A slot belongs to groups that do the same work: the same commands with the same counts, and the
 *   same place among the equal groups of the frame (thesis 6.3, same sequence number). Only what
 *   the commands do not tell changes between them: fragments, and their time.
 * - A shape belongs to groups with the same kinds of commands, whatever their counts.
 *
 * A table replaces the entry that was unused for longest; first of all, slots that were used once.
 */
#ifndef VIVGPU_SLOTS_H
#define VIVGPU_SLOTS_H

#include "vivgpu_advantage.h"
#include "vivgpu_bound.h"
#include "vivgpu_majority.h"
#include "vivgpu_ratios.h"
#include "vivgpu_series.h"
#include "vivgpu_surprise.h"

/** Equal groups of a frame with histories of their own; further ones share the last */
#define VIVGPU_OCCURRENCES 16
/** Entries of the table of occurrences */
#define VIVGPU_FRAME_TABLE 256

struct vivgpu_slot {
   uint64_t key;
   /** Hash of the groups' commands */
   uint64_t exact;
   /** vivgpu_slots.used when the slot was used last */
   uint64_t used;
   /**
    * Number of groups that were predicted, and of the last one, from 1, whose result came; 0: none
    */
   uint32_t predicted, observed;
   /** Number of the last group in the history of fragments */
   uint32_t counted;
   /** The context's frame of the group @observed */
   uint32_t observed_frame;
   /** Results after the one with which the history began, or went on after a gap */
   uint32_t consecutive;
   struct vivgpu_series time, fragments;
   /** Of @time */
   struct vivgpu_surprise surprise;
   struct vivgpu_bound bound;
   /** Counted vertices per submitted one */
   struct vivgpu_majority vertex_ratio;
   /** Advantage of the history's forecast over the learnt costs */
   struct vivgpu_advantage history;
   /** The same of the numbers of fragments, over the shape's ratio */
   struct vivgpu_advantage fragment_history;
};

struct vivgpu_shape {
   uint64_t key;
   uint64_t used;
   /** Groups with a result */
   uint32_t observed;
   /** Mean ratio of measured times to estimates by costs */
   double ratio;
   /** The same ratios by the groups' vertices */
   struct vivgpu_ratios by_vertices;
   /** Advantage of these ratios over costs alone */
   struct vivgpu_advantage corrected;
   /**
    * Fragments of the last group with counts: per vertex and per pixel of its draws' areas,
    * negative: unknown; and the advantage of areas over vertices
    */
   double fragment_ratio, area_ratio;
   struct vivgpu_advantage by_area;
};

/** Occurrences of one kind of groups in the current frame */
struct vivgpu_occurrence {
   /** Hash of the groups' commands and queue */
   uint64_t key;
   uint32_t frame;
   uint32_t count;
   /** They came in an earlier frame, too; in a program that has no frames all are the first */
   bool again;
};

struct vivgpu_slots {
   struct vivgpu_slot *slots;
   struct vivgpu_shape *shapes;
   /** Number of slots, and of shapes */
   uint32_t size;
   /** How often a slot or a shape was used */
   uint64_t used;
   struct vivgpu_occurrence occurrences[VIVGPU_FRAME_TABLE];
   /** Advantage of new histories over costs: what slots begin with */
   struct vivgpu_advantage young;
   /** Of surprising times: see vivgpu_surprise.h */
   struct vivgpu_advantage follow;
   void *memory;
};

/** Allocate tables; false if memory is short. */
bool vivgpu_slots_init(struct vivgpu_slots *slots, uint32_t size, uint32_t history);

void vivgpu_slots_finish(struct vivgpu_slots *slots);

/**
 * The slot of a group that is submitted, created if necessary.
 *
 * @exact: hash of the group's commands
 * @queue: queue of the group's context; each has slots of its own
 * @frame: the context's frame, in which equal groups are numbered
 */
struct vivgpu_slot *vivgpu_slots_next(struct vivgpu_slots *slots, uint64_t exact, uint32_t queue,
                                      uint32_t frame);

/**
 * The slot with a history of time that was used last among those of groups with the same commands;
 * NULL if there is none. For a slot that has no history yet.
 */
const struct vivgpu_slot *vivgpu_slots_like(const struct vivgpu_slots *slots, uint64_t exact);

/** The shape with a key, created if necessary. */
struct vivgpu_shape *vivgpu_slots_shape(struct vivgpu_slots *slots, uint64_t key);

#endif
