#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""igt_results.py FOLDER: results.json for tests/igt/judge.py from the logs of our IGT tests, FOLDER/NAME.log.

Writes FOLDER/list, the names of the programs, and FOLDER/results.json. A subtest that began and did
not end is one that crashed.
"""

import json
import pathlib
import re
import sys

RESULTS = {'SUCCESS': 'pass', 'SKIP': 'skip', 'FAIL': 'fail'}


def read_log(lines):
    """{subtest: {'result': ..., 'err': ...}} of a program's log."""
    tests, name, err = {}, None, []
    for line in lines:
        start = re.match(r'Starting subtest: (\S+)', line)
        end = re.match(r'Subtest (\S+): (SUCCESS|SKIP|FAIL)', line)
        if start:
            name, err = start.group(1), []
            tests[name] = {'result': 'crash', 'err': ''}
        elif end:
            tests[end.group(1)] = {'result': RESULTS[end.group(2)], 'err': '\n'.join(err)}
        else:
            err.append(line)
    return tests


def main():
    """Convert the logs of a folder."""
    folder = pathlib.Path(sys.argv[1])
    logs = sorted(folder.glob('*.log'))
    tests = {}
    for log in logs:
        with open(log, encoding='utf-8', errors='replace') as file:
            for name, test in read_log(file.read().splitlines()).items():
                tests[f'igt@{log.stem}@{name}'] = test
    (folder / 'list').write_text(''.join(f'igt@{log.stem}\n' for log in logs), encoding='utf-8')
    (folder / 'results.json').write_text(json.dumps({'tests': tests}), encoding='utf-8')


if __name__ == '__main__':
    main()
