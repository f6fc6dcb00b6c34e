#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_calibration.py FIRST SECOND: a program with a budget predicts better when it runs again.

The files are what vivgpu-events wrote of the same run of draw-bench twice, first without a
calibration. Prints a line for each check, and the line of counts.
"""
import json
import sys

results = []


def check(good, text):
    results.append(good)
    print('%sok %d - tool: %s' % ('' if good else 'not ', len(results), text))


def error_of_second_job(path):
    """The first fill of draw-bench, as a share of its time; nothing before it is like it."""
    with open(path, encoding='utf-8') as file:
        events = json.load(file)['traceEvents']
    jobs = sorted((e for e in events if e['ph'] == 'X' and e['name'] == 'Job'), key=lambda e: e['ts'])
    return abs(jobs[1]['args']['predicted ns'] / 1e3 / jobs[1]['dur'] - 1)


def main():
    first, second = (error_of_second_job(path) for path in sys.argv[1:])
    check(first > 0.5, 'without a calibration the first fill is a guess: error %.3f' % first)
    check(second < 0.05, 'with the first run\'s it is known: error %.3f' % second)
    print('%d passed, %d failed, 0 skipped' % (sum(results), len(results) - sum(results)))
    return not all(results)


if __name__ == '__main__':
    sys.exit(main())
