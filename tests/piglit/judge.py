#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge.py OUTPUT MESA_CI PERSONALITY EXPECTED STATUS [--part]: compare piglit's results with what is expected.

OUTPUT holds what choose.py wrote and the folders of results.  Each subtest is
counted, and each test that has none.  Passed: it passed, on a GC2000 also if Mesa's list
for that core has it as a failure.  Skipped: the program itself
says that something is not offered; or it is left out; or it failed and, on a
GC2000, Mesa's list has it, or EXPECTED, our list of expected failures, for this
core.  Failed: everything else, also

- a subtest without a result (piglit leaves the last ones of a batch out if the
  program ends early; guest runs them singly, and that result counts);
- the guest, if its STATUS is not 0;
- a line of EXPECTED that passes: the list is wrong;
- a line of EXPECTED without a reason, or more than 2 % of what was run in it, not
  counting lines that say "as on a GC2000", for which Mesa's list must have the name;
- unless --part says that a part of the tests was asked for: a line of EXPECTED
  that nothing matched, and a test that was chosen but has no result.

Ends with one line "N passed, N failed, N skipped".
"""

import bz2
import glob
import json
import os
import sys

import expectations

# piglit's words.  'warn' is a pass with something on stderr.
PASS = {'pass', 'warn'}
SKIP = {'skip'}
SHARE = 0.02
# Each has a list of tests and a folder of results; what ran later counts.
PARTS = ('shader', 'single', 'gl')


def read_results(folder):
    """(name, result) of each test in a folder of results, finished or not."""
    finished = os.path.join(folder, 'results.json.bz2')
    if os.path.exists(finished):
        with bz2.open(finished, 'rt', encoding='utf-8') as file:
            yield from json.load(file)['tests'].items()
    for path in glob.glob(os.path.join(folder, 'tests', '*.json')):
        with open(path, encoding='utf-8') as file:
            yield from json.load(file).items()


def _has_result(name, subtest, results):
    """Whether a subtest that was not run has a result of another name.

    It was run singly; or the program was asked for this one (-subtest, the
    test's name ends with it) and reports it by its description.
    """
    return f'{name}@{subtest}' in results or name.endswith(f' {subtest}')


def units(name, result, results):
    """(name, outcome) of each thing that one test's result says; RESULTS: all."""
    subtests = {subtest: outcome for subtest, outcome in (result.get('subtests') or {}).items()
                if outcome != 'notrun' or not _has_result(name, subtest, results)}
    outcomes = [(f'{name}@{subtest}', outcome) for subtest, outcome in subtests.items()
                if subtest != '__type__']
    whole = result['result']
    if not any(outcome not in PASS | SKIP for _, outcome in outcomes):
        if whole not in PASS | SKIP or not outcomes:
            outcomes.append((name, whole))
    return outcomes


class Verdict:
    """Counts, and the lines to print."""

    def __init__(self, mesa, expected):
        self.mesa, self.expected = mesa, expected
        self.passed = self.failed = self.skipped = self.run = 0
        self.known = self.listed = 0
        self.met = {}

    def fail(self, name, why):
        """Count and print a failure."""
        self.failed += 1
        print(f'FAIL  {name}: {why}')

    def _pass(self, name, pattern):
        if pattern:
            self.fail(name, f'passes, but {pattern} is in our list')
        else:
            self.passed += 1

    def _bad(self, name, outcome, pattern):
        if pattern:
            self.met[pattern] = self.met.get(pattern, 0) + 1
        if pattern and self.expected.reasons[pattern] != expectations.AS_ON_GC2000:
            self.listed += 1
            self.skipped += 1
        elif pattern and not self.mesa.lists(name):
            self.fail(name, f"{pattern} is in our list as in Mesa's, which does not have it")
        elif pattern or self.mesa.expects(name):
            self.known += 1
            self.skipped += 1
        else:
            self.fail(name, outcome)

    def add(self, name, outcome):
        """Count one outcome."""
        if outcome in SKIP:
            self.skipped += 1
            return
        self.run += 1
        pattern = self.expected.matches(name)
        if outcome in PASS:
            self._pass(name, pattern)
        else:
            self._bad(name, outcome, pattern)

    def check_list(self, whole):
        """Check the list's length, and that each line has a reason and is needed."""
        for pattern, reason in self.expected.reasons.items():
            if not reason:
                self.fail(pattern, 'no reason in our list')
            if whole and pattern not in self.met:
                self.fail(pattern, 'in our list, but nothing of this name fails')
        share = self.listed / self.run if self.run else 0
        print(f'{self.run} run, {self.known} fail as on real silicon, {self.listed} fail as '
              f'our list says ({share:.2%})')
        if whole and share > SHARE:
            self.fail('our list', f'it has more than {SHARE:.0%} of what was run')


def read_run(output):
    """{name: result} of a whole run, its parts together."""
    results = {}
    for part in PARTS:
        results.update(read_results(os.path.join(output, part)))
    return results


def _read_names(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8') as file:
        return [line.split(' | ')[0].strip() for line in file]


def main(arguments):
    """As the text at the top says."""
    output, mesa_folder, core, expected, status = arguments[:5]
    whole = '--part' not in arguments
    verdict = Verdict(expectations.MesaLists(mesa_folder, core),
                      expectations.Expected(expected, core))
    results = read_run(output)
    chosen = [name for part in PARTS
              for name in _read_names(os.path.join(output, f'{part}.list'))]
    for name in sorted(results):
        for unit, outcome in units(name, results[name], results):
            verdict.add(unit, outcome)
    for name in chosen:
        if name not in results:
            verdict.fail(name, 'no result')
    if status != '0':
        verdict.fail('guest', f'it ended with status {status}')
    verdict.check_list(whole)
    verdict.skipped += len(_read_names(os.path.join(output, 'left-out')))
    print(f'{verdict.passed} passed, {verdict.failed} failed, {verdict.skipped} skipped')
    return verdict.failed > 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
