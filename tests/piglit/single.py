#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""single.py FOLDER: the subtests in a folder of results that were not run.

When a program ends early, piglit begins it again with the rest of its batch;
with one test left it does not.  The names are those of the profile with
process isolation, so that they can be run singly.
"""

import sys

import judge


def main(folder):
    """Print one name a line."""
    for name, result in judge.read_results(folder):
        for subtest, outcome in (result.get('subtests') or {}).items():
            if outcome == 'notrun':
                print(f'{name}@{subtest}')


if __name__ == '__main__':
    main(sys.argv[1])
