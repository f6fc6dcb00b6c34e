#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_judge.py: what judge.py makes of results. Ends with the totals of the tests."""

import unittest

import judge


def totals(asked, results, expected=(), status='0'):
    """(passed, failed, skipped) of a run."""
    verdict = judge.judge(list(asked), results,
                          [judge.Expectation(line) for line in expected], status)
    return verdict.passed, verdict.failed, verdict.skipped


class Judge(unittest.TestCase):
    """Each rule of judge.py's head."""

    def test_pass(self):
        """What passes counts as passed."""
        self.assertEqual(totals(['igt@a'], {'igt@a@x': 'pass', 'igt@a@y': 'pass'}), (2, 0, 0))

    def test_unexpected(self):
        """An unexpected result is a failure, even a skip."""
        self.assertEqual(totals(['igt@a'], {'igt@a@x': 'skip', 'igt@a@y': 'crash'}), (0, 2, 0))

    def test_expected(self):
        """What was expected is skipped; '*' stands for anything."""
        self.assertEqual(totals(['igt@a'], {'igt@a@x': 'skip', 'igt@a@xy': 'skip'},
                                ['igt@a@x* | skip | why']), (0, 0, 2))

    def test_other_result(self):
        """A crash is not the failure that was expected."""
        self.assertEqual(totals(['igt@a'], {'igt@a@x': 'crash'}, ['igt@a@x | fail | why']),
                         (0, 1, 0))

    def test_unexpected_pass(self):
        """A pass that was not expected is a failure."""
        self.assertEqual(totals(['igt@a'], {'igt@a@x': 'pass'}, ['igt@a@x | fail | why']),
                         (0, 1, 0))

    def test_reason(self):
        """An expectation needs a reason."""
        self.assertEqual(totals(['igt@a'], {'igt@a@x': 'skip'}, ['igt@a@x | skip |']), (0, 1, 1))

    def test_stale(self):
        """An expectation that met nothing, though its whole program ran."""
        results = {'igt@a@x': 'pass'}
        self.assertEqual(totals(['igt@a'], results, ['igt@a@z | skip | why']), (1, 1, 0))
        self.assertEqual(totals(['igt@a@x'], results, ['igt@a@z | skip | why']), (1, 0, 0))

    def test_missing(self):
        """A name without a result; a program's subtests are its results."""
        self.assertEqual(totals(['igt@a', 'igt@b'], {'igt@a@x': 'pass'}), (1, 1, 0))
        self.assertEqual(totals(['igt@a'], {'igt@ab@x': 'pass'}), (1, 1, 0))

    def test_assertion(self):
        """What failed says which assertion did; what passed says nothing."""
        errors = ('Starting subtest: x\n(a:7) CRITICAL: Test assertion failure function f\n'
                  'Stack trace:\n(a:7) CRITICAL: error: 2 > 1\n')
        said = judge.assertion({'err': errors})
        self.assertEqual(said, ['Test assertion failure function f', 'error: 2 > 1'])
        verdict = judge.judge(['igt@a'], {'igt@a@x': 'fail', 'igt@a@y': 'pass'}, [], '0',
                              {'igt@a@x': said, 'igt@a@y': ['nothing']})
        self.assertEqual(verdict.lines, ['FAIL  igt@a@x: fail',
                                         '      Test assertion failure function f',
                                         '      error: 2 > 1'])

    def test_share(self):
        """More than 2 % of failures, but one is always allowed."""
        results = {f'igt@a@{i}': 'pass' for i in range(99)}
        expected = ['igt@a@f* | fail | why']
        results['igt@a@f1'] = 'fail'
        self.assertEqual(totals(['igt@a'], results, expected), (99, 0, 1))
        results.update({'igt@a@f2': 'fail', 'igt@a@f3': 'fail'})
        self.assertEqual(totals(['igt@a'], results, expected), (99, 1, 3))

    def test_guest(self):
        """A guest that went wrong is a failure."""
        for status in ('1', '124', '125', 'log'):
            self.assertEqual(totals(['igt@a'], {'igt@a@x': 'pass'}, status=status), (1, 1, 0))


def main():
    """The command."""
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(Judge))
    bad = len(result.failures) + len(result.errors)
    print(f'{result.testsRun - bad} passed, {bad} failed, 0 skipped')
    raise SystemExit(bad > 0)


if __name__ == '__main__':
    main()
