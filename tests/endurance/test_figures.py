#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether figures.py reads and judges rightly."""

import unittest

import figures

FDINFO = """pos:\t0
drm-driver:\tvivgpu
drm-client-id:\t7
drm-engine-3d:\t12 ns
drm-total-memory:\t{} KiB
drm-resident-memory:\t2 MiB
"""

MMU = """client 3 (current)
  00001000 00002000 a label
  00008000 00000800 closed other
client 4
"""


class Reading(unittest.TestCase):
    """The kernel's texts."""

    def test_sizes(self):
        """With and without a unit."""
        self.assertEqual(figures.size('2048'), 2)
        self.assertEqual(figures.size('3 KiB'), 3)
        self.assertEqual(figures.size(' 3 kB'), 3)
        self.assertEqual(figures.size('2 MiB'), 2048)

    def test_drm_memory(self):
        """A client counts once, other drivers' files not at all."""
        one = FDINFO.format(100)
        other = one.replace('client-id:\t7', 'client-id:\t8')
        self.assertEqual(figures.drm_memory([one, one, 'pos: 0\n']), (100, 2048))
        self.assertEqual(figures.drm_memory([one, other]), (200, 4096))
        self.assertEqual(figures.drm_memory([]), (0, 0))
        none = one[:one.index('drm-total')]
        self.assertEqual(figures.drm_memory([none]), (0, 0))

    def test_mappings(self):
        """Each client with what it has, if that is nothing, too."""
        self.assertEqual(figures.mappings(MMU), {'3': (2, 10), '4': (0, 0)})
        self.assertEqual(figures.mappings(''), {})


class Growth(unittest.TestCase):
    """Rows of samples."""

    def test_flat(self):
        """Warming up does not count, nor does what goes up and down."""
        self.assertEqual(figures.growth([0, 5] + [10, 12] * 6), 0)

    def test_grows(self):
        """A leak of one a sample shows."""
        self.assertEqual(figures.growth(list(range(15))), 8)

    def test_comes_and_goes(self):
        """Nor does what is given back each time, wherever most of it is seen."""
        self.assertEqual(figures.growth([0, 0] + [0, 0, 9, 0] + [9, 0] * 2 + [9, 9, 0, 9]), 0)

    def test_too_few(self):
        """Nothing can be said of two samples."""
        self.assertIsNone(figures.growth([1, 2]))


if __name__ == '__main__':
    unittest.main()
