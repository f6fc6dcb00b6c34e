#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_compare.py: what compare.py makes of results."""

import json
import os
import tempfile
import unittest

import compare
import judge


def write(folder, name, results, status='0'):
    """Results as igt_results leaves them, and how the guest ended."""
    path = os.path.join(folder, name + '.json')
    os.makedirs(folder, exist_ok=True)
    if results:
        with open(path, 'w', encoding='utf-8') as file:
            json.dump({'tests': {key: {'result': value} for key, value in results.items()}}, file)
    with open(path + '.status', 'w', encoding='utf-8') as file:
        file.write(status + '\n')


class Compare(unittest.TestCase):
    """The two folders beside each other."""

    def setUp(self):
        """A folder for both."""
        # pylint: disable=consider-using-with
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = self.scratch.name

    def judge(self, card, vkms, expected=(), status='0'):
        """(passed, failed, skipped)"""
        write(os.path.join(self.folder, 'card'), 'a', card, status)
        write(os.path.join(self.folder, 'vkms'), 'a', vkms)
        verdict = compare.judge_folder(
            self.folder, *(compare.read_folder(os.path.join(self.folder, name))
                           for name in ('card', 'vkms')),
            [judge.Expectation(line) for line in expected])
        return verdict.passed, verdict.failed, verdict.skipped

    def test_connectors(self):
        """Monitors have other names on vkms."""
        write(self.folder, 'a', {'igt@a@x@pipe-a-dpi-1': 'pass', 'igt@a@y@pipe-a-virtual-1': 'skip'})
        self.assertEqual(compare.read_folder(self.folder),
                         {'igt@a@x@pipe-a': 'pass', 'igt@a@y@pipe-a': 'skip'})

    def test_same(self):
        """What passes on both is fine."""
        self.assertEqual(self.judge({'igt@a@x@pipe-a-dpi-1': 'pass'},
                                    {'igt@a@x@pipe-a-virtual-1': 'pass'}), (1, 0, 0))

    def test_fails_here(self):
        """A failure here is one, whatever vkms does."""
        self.assertEqual(self.judge({'igt@a@x': 'fail'}, {'igt@a@x': 'fail'}), (0, 1, 0))

    def test_skipped_here(self):
        """A subtest that skips has no dynamic ones; the list must have it."""
        here, there = {'igt@a@x': 'skip'}, {'igt@a@x@pipe-a-virtual-1': 'pass'}
        self.assertEqual(self.judge(here, there), (0, 1, 0))
        self.assertEqual(self.judge(here, there, ['igt@a@x | skip | why']), (0, 0, 1))

    def test_absent_here(self):
        """What passes on vkms has to run here."""
        self.assertEqual(self.judge({'igt@a@x': 'pass'}, {'igt@a@y': 'pass'}), (1, 1, 0))

    def test_guest(self):
        """The guest must end well, and leave results."""
        both = {'igt@a@x': 'pass'}
        self.assertEqual(self.judge(both, both, status='124'), (1, 1, 0))
        write(os.path.join(self.folder, 'card'), 'b', {}, '125')
        self.assertEqual(self.judge(both, both), (1, 2, 0))

    def test_absent_there(self):
        """A guest with vkms that leaves nothing compares nothing."""
        self.assertEqual(self.judge({'igt@a@x': 'pass'}, {}), (1, 1, 0))

    def test_table(self):
        """Both counts of each program."""
        lines = compare.table({'igt@a@x': 'pass', 'igt@a@y': 'crash'}, {'igt@b@x': 'skip'})
        self.assertEqual([line.split() for line in lines[1:]],
                         [['a', '1/1/0', '0/0/0'], ['b', '0/0/0', '0/0/1']])

    def test_comparison(self):
        """What passes on only one of them is printed, with the reason."""
        lines = compare.comparison({'igt@a@x': 'pass', 'igt@a@y': 'skip'},
                                   {'igt@a@x': 'fail', 'igt@a@y': 'pass'},
                                   [judge.Expectation('igt@a@y | skip | why')])
        self.assertEqual(lines[-2:], ['vkms alone  igt@a@y: here skip: why',
                                      'here alone  igt@a@x: fail on vkms'])


if __name__ == '__main__':
    unittest.main()
