# SPDX-License-Identifier: MIT
"""
fit.py SCENES FOLDER MACHINE LIMIT

Fit linear models of a machine's frame time over all counters on the scenes with part fit, and apply
them to the others. FOLDER/MACHINE.times.csv and FOLDER/MACHINE.counters.csv have the frames of a run
without and of a run with counters. Prints and writes FOLDER/MACHINE.errors.csv (all models) and
FOLDER/MACHINE.summary.csv, and writes FOLDER/MACHINE.predictions.csv (each frame, by the best model).

Best is the model with the smallest error on the test scenes, although nobody could know it before.
The control of a machine is another one whose time is a sum of prices: the non-negative model of
all frames. The same procedure must find this sum.

Ends with status 3 if the best model misses the test scenes' frame times by less than LIMIT percent on
average, and with 1 if that of the control misses by CONTROL_LIMIT or more.
"""

import csv
import os
import statistics
import sys
from collections import namedtuple

from frames import (by_scene, equations, mean_error, read_frames, read_scenes, relative_error,
                    scaled)
from models import (forward_selection, least_squares, non_negative, non_negative_path,
                    predict)

# Penalties of ridge regressions, in parts of the mean diagonal.
STRENGTHS = [10.0 ** exponent for exponent in (-7, -6, -5, -4, -3, -2, -1)]
MAX_COLUMNS = 25
# Steps of iteratively reweighted least squares, and the smallest error that counts there.
STEPS, SMALLEST = 10, 1e-4
CONTROL_LIMIT = 1.0


def ridge(solver):
    """A family of models: one for each penalty."""
    def fit(normal):
        size = len(normal.vector)
        mean = sum(normal.matrix[i][i] for i in range(size)) / size
        return [solver(normal.damped(strength * mean)) for strength in STRENGTHS]
    return fit


# Families of models. If there are several, cross validation chooses.
FAMILIES = {
    "least squares": lambda normal: [least_squares(normal)],
    "non-negative": lambda normal: [non_negative(normal)],
    "ridge": ridge(least_squares),
    "non-negative ridge": ridge(non_negative),
    "non-negative path": non_negative_path,
    "selected counters": lambda normal: forward_selection(normal, MAX_COLUMNS),
}
# Squares of cycles, or of relative errors.
WEIGHTS = {"absolute": lambda frame: 1e-6, "relative": lambda frame: 1.0 / frame.cycles}

Result = namedtuple("Result", "family weights choice model validation")


def cross_validation(family, whole, parts, scenes):
    """
    The mean error of each of a family's models on scenes that they were not fitted on: each scene
    is left out once.
    """
    errors = []
    for name, frames in scenes.items():
        models = FAMILIES[family](whole.combined(parts[name], -1))
        errors.append([mean_error(model, frames) for model in models])
    count = min(len(line) for line in errors)
    return [statistics.fmean(line[i] for line in errors) for i in range(count)]


def fit_family(family, weights, frames):
    """The family's model that does best in cross validation."""
    scenes = by_scene(frames)
    parts = {name: equations(group, WEIGHTS[weights]) for name, group in scenes.items()}
    whole = equations(frames, WEIGHTS[weights])
    errors = cross_validation(family, whole, parts, scenes)
    choice = min(range(len(errors)), key=errors.__getitem__)
    return Result(family, weights, choice, FAMILIES[family](whole)[choice], errors[choice])


def least_absolute(frames):
    """A non-negative model with nearly the smallest mean relative error on these frames."""
    model = non_negative(equations(frames, WEIGHTS["relative"]))
    for _ in range(STEPS):
        model = non_negative(equations(
            frames, lambda frame, last=model:
            1.0 / frame.cycles / max(relative_error(last, frame), SMALLEST) ** 0.5))
    return Result("non-negative", "least absolute", 0, model, None)


def fit_all(frames):
    """All models that are fitted."""
    results = [fit_family(family, weights, frames) for family in FAMILIES for weights in WEIGHTS]
    return results + [least_absolute(frames)]


def percent(error):
    """For tables."""
    return "" if error is None else f"{100 * error:.2f}"


def split(frames):
    """Those to fit, and those to test."""
    return ([frame for frame in frames if frame.scene.part == "fit"],
            [frame for frame in frames if frame.scene.part == "test"])


def control_error(frames):
    """The best test error on frames that take as long as a linear model of them says."""
    prices = non_negative(equations(frames, WEIGHTS["relative"]))
    to_fit, to_test = split([frame._replace(cycles=max(round(predict(prices, frame.row)), 1))
                             for frame in frames])
    return min(mean_error(non_negative(equations(to_fit, weight)), to_test)
               for weight in WEIGHTS.values())


def rows_of_machine(machine, frames):
    """Rows of errors.csv and of predictions.csv, and the row of summary.csv."""
    to_fit, to_test = split(frames)
    results = fit_all(to_fit)
    errors = [(machine, r.family, r.weights, percent(mean_error(r.model, to_fit)),
               percent(r.validation), percent(mean_error(r.model, to_test)),
               percent(statistics.median(mean_error(r.model, group)
                                         for group in by_scene(to_test).values())))
              for r in results]
    best = min(results, key=lambda r: mean_error(r.model, to_test))
    chosen = min((r for r in results if r.validation), key=lambda r: r.validation)
    predictions = [(machine, f.scene.name, f.scene.part, f.number, f.cycles,
                    round(predict(best.model, f.row)), percent(relative_error(best.model, f)))
                   for f in frames]
    anywhere = min(fit_family(family, weights, frames).validation
                   for family in FAMILIES for weights in WEIGHTS)
    summary = (machine, best.family, best.weights, percent(mean_error(best.model, to_test)),
               percent(mean_error(chosen.model, to_test)), percent(anywhere),
               percent(control_error(frames)))
    return errors, predictions, summary


def write_csv(path, header, rows):
    """A file with a header and rows."""
    with open(path, "w", encoding="utf-8", newline="") as output:
        writer = csv.writer(output, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def print_table(header, rows):
    """Columns as wide as they need."""
    lines = [header] + rows
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(header))]
    for line in lines:
        print("  ".join(str(word).ljust(width) for word, width in zip(line, widths)).rstrip())
    print()


def report(path, header, rows):
    """A table as a file and on standard output."""
    write_csv(path, header, rows)
    print_table(header, rows)


def main():
    """See the head of the file."""
    scenes, folder, machine, limit = (read_scenes(sys.argv[1]), sys.argv[2], sys.argv[3],
                                      float(sys.argv[4]))
    path = os.path.join(folder, machine)
    _, frames = read_frames(scenes, path + ".times.csv", path + ".counters.csv")
    errors, predictions, summary = rows_of_machine(machine, scaled(frames))
    write_csv(path + ".predictions.csv",
              ("machine", "scene", "part", "frame", "cycles", "predicted", "error_percent"),
              predictions)
    report(path + ".errors.csv",
           ("machine", "model", "errors", "fit_percent", "validation_percent", "test_percent",
            "test_median_percent"), errors)
    report(path + ".summary.csv",
           ("machine", "best_model", "errors", "test_percent", "chosen_by_validation_percent",
            "any_scene_by_29_percent", "control_percent"), [summary])
    if float(summary[6]) >= CONTROL_LIMIT:
        return 1
    return 3 if float(summary[3]) < limit else 0


if __name__ == "__main__":
    sys.exit(main())
