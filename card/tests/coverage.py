#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lines that ran, by file, from gcov's counts.

usage: coverage.py BUILD FOLDER LEAST

Prints each file of FOLDER that was compiled below BUILD, and fails when less
than LEAST per cent of all their lines ran. A file that several programs
include or link counts once: a line ran if it ran in one of them.
"""
import collections
import json
import pathlib
import subprocess
import sys


def counts(build, folder):
    """{file: {line: runs}} of the files whose path begins with FOLDER/."""
    notes = [str(path.resolve()) for path in build.rglob("*.gcno")]
    output = subprocess.run(["gcov", "--json-format", "--stdout", *notes],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    lines = collections.defaultdict(collections.Counter)
    for document in output.splitlines():
        for file in json.loads(document)["files"]:
            name = file["file"]
            if name.startswith(folder + "/"):
                for line in file["lines"]:
                    lines[name][line["line_number"]] += line["count"]
    return lines


def main():
    build, folder, least = pathlib.Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    ran = total = 0
    for name, lines in sorted(counts(build, folder).items()):
        hit = sum(1 for runs in lines.values() if runs)
        ran += hit
        total += len(lines)
        print(f"{100 * hit / len(lines):6.1f} %  {len(lines):5d} lines  {name}")
    share = 100 * ran / total
    print(f"{share:6.1f} %  {total:5d} lines  {folder}, at least {least:g} % wanted")
    sys.exit(share < least)


if __name__ == "__main__":
    main()
