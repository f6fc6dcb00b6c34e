# SPDX-License-Identifier: MIT
"""Frames that were measured: their scene, modelled time and counters; and errors of models."""

import csv
from collections import namedtuple

from models import Equations, predict

Scene = namedtuple("Scene", "name part")
Frame = namedtuple("Frame", "scene number cycles row")

# Columns of frame-counters.so's lines that are no counters.
OTHERS = ("scene", "frame", "cycles", "jobs")


def read_scenes(path):
    """The scenes of tests/linear/scenes, in order."""
    with open(path, encoding="utf-8") as lines:
        words = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return [Scene(name, part) for name, part, _ in words]


def _read_lines(path):
    """Lines of frame-counters.so by scene and frame."""
    with open(path, encoding="utf-8") as lines:
        return {(int(line["scene"]), int(line["frame"])): line for line in csv.DictReader(lines)}


def read_frames(scenes, times_path, counters_path):
    """
    Frames with the cycles of one run and the counters of another one, and the columns' names: a
    constant, then the counters that are not always zero.
    """
    times, counters = _read_lines(times_path), _read_lines(counters_path)
    if times.keys() != counters.keys() or {scene for scene, _ in times} != \
            set(range(1, len(scenes) + 1)):
        raise ValueError(f"{times_path} and {counters_path} are not of the same frames")
    names = [name for name in next(iter(counters.values())) if name not in OTHERS and
             any(int(line[name]) for line in counters.values())]
    frames = [Frame(scenes[key[0] - 1], key[1], int(times[key]["cycles"]),
                    [1.0] + [float(line[name]) for name in names])
              for key, line in sorted(counters.items())]
    return ["constant"] + names, frames


def scaled(frames):
    """The same frames with columns of mean 1, so that penalties weigh them alike."""
    means = [sum(column) / len(frames) for column in zip(*(frame.row for frame in frames))]
    return [frame._replace(row=[x / mean for x, mean in zip(frame.row, means)])
            for frame in frames]


def by_scene(frames):
    """Frames by their scene."""
    groups = {}
    for frame in frames:
        groups.setdefault(frame.scene.name, []).append(frame)
    return groups


def relative_error(model, frame):
    """By how much a model misses a frame's time, as part of it."""
    return abs(predict(model, frame.row) / frame.cycles - 1)


def mean_error(model, frames):
    """The mean of the relative errors."""
    return sum(relative_error(model, frame) for frame in frames) / len(frames)


def equations(frames, weight):
    """Normal equations for cycles; weight gives how much a frame's error counts."""
    return Equations.of_rows([frame.row for frame in frames], [frame.cycles for frame in frames],
                             [weight(frame) for frame in frames])
