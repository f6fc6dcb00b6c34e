#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge.py LIST RESULTS EXPECTED STATUS: compare igt_runner's results with what is expected.

LIST is the test list that ran, RESULTS igt_results' results.json, EXPECTED a
file of lines

	igt@NAME | RESULT | reason

with NAME a subtest ('*' stands for anything), RESULT one of igt_runner's words
(skip, fail, crash, timeout, ...) and a reason that holds for every driver of
this kind, or cites code.  Each subtest counts, and each program that has none.
Passed: it passed.  Skipped: it ended as a line of EXPECTED says.  Failed:
everything else, also

- a name of LIST without any result;
- the guest, if its STATUS is not 0 ('log': warnings in the kernel's log);
- a line of EXPECTED that was met by a pass, that lacks a reason, or that
  nothing matched although its program ran as a whole;
- more than 2 % of what ran expected to end as anything but pass or skip.

Below a subtest that failed stands what IGT said of its assertion.
Ends with one line "N passed, N failed, N skipped".
"""

import fnmatch
import json
import sys

SHARE = 0.02
FATAL_STATUS = {'124': 'its time was up', '125': 'it died', 'log': 'its kernel log has warnings'}


class Expectation:
    """One line of the list of expectations."""

    def __init__(self, line):
        fields = [field.strip() for field in line.split('|', 2)]
        self.line = line
        self.name, self.result, self.reason = (fields + ['', ''])[:3]
        self.met = False

    def matches(self, name):
        """Whether this line matches the subtest."""
        return fnmatch.fnmatchcase(name, self.name)

    def program(self):
        """igt@PROGRAM of the name."""
        return '@'.join(self.name.split('@')[:2])


def read_lines(path):
    """A file's lines without comments and empty ones."""
    with open(path, encoding='utf-8') as file:
        lines = (line.split('#', 1)[0].strip() for line in file)
        return [line for line in lines if line]


class Verdict:
    """Counts, and the lines to print."""

    def __init__(self, expected):
        self.expected = expected
        self.passed = self.failed = self.skipped = 0
        self.known = 0
        self.lines = []

    def fail(self, what, why):
        """Count one failure."""
        self.failed += 1
        self.lines.append(f'FAIL  {what}: {why}')

    def add(self, name, result):
        """Count one subtest."""
        expectation = next((e for e in self.expected if e.matches(name)), None)
        if expectation:
            expectation.met = True
        if result == 'pass' and not expectation:
            self.passed += 1
        elif not expectation:
            self.fail(name, result)
        elif result != expectation.result:
            self.fail(name, f'{result}, but {expectation.result} is expected')
        else:
            self.skipped += 1
            self.known += result != 'skip'
            self.lines.append(f'skip  {name}: {result}: {expectation.reason}')

    def check_list(self, asked):
        """The list of expectations itself."""
        for expectation in self.expected:
            if not expectation.reason:
                self.fail(expectation.line, 'an expectation without a reason')
            if not expectation.met and expectation.program() in asked:
                self.fail(expectation.name, 'expected, but nothing of that name ran')
        run = self.passed + self.failed + self.skipped
        # One is always allowed: a list of ten subtests can have one that fails.
        if self.known > max(1, SHARE * run):
            self.fail('the list of expectations', f'{self.known} of {run} are more than 2 %')


def missing(asked, results):
    """Names of the list that have no result."""
    return [name for name in asked
            if not any(fnmatch.fnmatchcase(result, name) or result.startswith(f'{name}@')
                       for result in results)]


def read_tests(path):
    """igt_results' subtests by name; none if the runner left nothing."""
    try:
        with open(path, encoding='utf-8') as file:
            return json.load(file)['tests']
    except FileNotFoundError:
        return {}


def read_results(path):
    """{name: result} of them."""
    return {name: test['result'] for name, test in read_tests(path).items()}


def assertion(test):
    """The lines of a subtest's errors that tell which assertion failed, and with what."""
    lines = test.get('err', '').splitlines()
    return [line.split('CRITICAL: ', 1)[1] for line in lines if 'CRITICAL: ' in line]


def judge(asked, results, expected, status, said=None):
    """The verdict on a run; SAID has lines for the names that fail."""
    verdict = Verdict(expected)
    for name, result in sorted(results.items()):
        failed = verdict.failed
        verdict.add(name, result)
        if said and verdict.failed > failed:
            verdict.lines += [f'      {line}' for line in said.get(name, ())]
    for name in missing(asked, results):
        verdict.fail(name, 'no result')
    verdict.check_list(asked)
    if status != '0':
        verdict.fail('the guest', FATAL_STATUS.get(status, f'status {status}'))
    return verdict


def main():
    """The command."""
    list_path, results_path, expected_path, status = sys.argv[1:]
    tests = read_tests(results_path)
    verdict = judge(read_lines(list_path), read_results(results_path),
                    [Expectation(line) for line in read_lines(expected_path)], status,
                    {name: assertion(test) for name, test in tests.items()})
    print('\n'.join(verdict.lines))
    print(f'{verdict.passed} passed, {verdict.failed} failed, {verdict.skipped} skipped')
    sys.exit(verdict.failed > 0)


if __name__ == '__main__':
    main()
