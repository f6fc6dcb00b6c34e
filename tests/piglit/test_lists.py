#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what decides about piglit's results; needs neither piglit nor a guest."""

import contextlib
import io
import json
import os
import tempfile
import unittest

import choose
import compare
import expectations
import judge
import offered

EGLINFO = """EGL client extensions string:
    EGL_EXT_platform_base
EGL extensions string:
    EGL_KHR_fence_sync,
OpenGL compatibility profile version: 2.1 Mesa
OpenGL compatibility profile shading language version: 1.20
OpenGL compatibility profile extensions:
    GL_ARB_depth_texture, GL_KHR_texture_compression_astc_ldr,
    GL_EXT_texture_array
OpenGL ES profile version: OpenGL ES 2.0 Mesa
OpenGL ES profile shading language version: OpenGL ES GLSL ES 1.0.16
OpenGL ES profile extensions:
    GL_OES_depth24
"""


class Files(unittest.TestCase):
    """Gives a test a folder and writes files there."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        """Its path."""
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path


class TestChoose(Files):
    """What the driver offers, and what is left out for that."""

    def test_eglinfo(self):
        apis = offered.parse(EGLINFO)
        self.assertEqual(offered.number(apis['compat']['language']), 1.2)
        self.assertEqual(apis['gles2']['extensions'], {'GL_OES_depth24'})
        self.assertNotIn('core', apis)

    def test_groups(self):
        driver = choose.Driver(self.write('eglinfo', EGLINFO))
        for name in ('spec@arb_depth_texture@a', 'spec@khr_texture_compression_astc@b',
                     'spec@egl_khr_fence_sync@c', 'spec@glsl-1.20@d', 'shaders@e',
                     'spec@!opengl 1.1@f', 'spec@glsl-es-1.00@g'):
            self.assertEqual(driver.lacks(name), '', name)
        for name in ('spec@arb_gpu_shader5@a', 'spec@glsl-1.30@b', 'spec@glsl-es-3.00@c',
                     'glx@d', 'spec@oes_viewport_array@e'):
            self.assertNotEqual(driver.lacks(name), '', name)


class TestJudge(Files):
    """Which outcome counts as what."""

    def verdict(self, outcomes, expected='', core='gc2000'):
        """(passed, failed, skipped) for {name: outcome} on a core."""
        for kind, text in (('fails', 'spec@Known, A,Fail\n'), ('flakes', 'spec@wobbly.*\n'),
                           ('skips', 'spec@long.*\n')):
            self.write(f'etnaviv-gc2000-{kind}.txt', text)
        verdict = judge.Verdict(expectations.MesaLists(self.folder, core),
                                expectations.Expected(self.write('expected', expected), core))
        with contextlib.redirect_stdout(io.StringIO()):
            for name, outcome in outcomes.items():
                verdict.add(name, outcome)
            verdict.check_list(True)
        return verdict.passed, verdict.failed, verdict.skipped

    def test_outcomes(self):
        self.assertEqual(self.verdict({'a': 'pass', 'b': 'warn', 'c': 'skip'}), (2, 0, 1))
        for outcome in ('fail', 'crash', 'timeout', 'incomplete', 'notrun'):
            self.assertEqual(self.verdict({'a': outcome}), (0, 1, 0), outcome)

    def test_mesa_lists(self):
        self.assertEqual(self.verdict({'spec@known- a': 'fail', 'spec@wobbly 1': 'crash'}),
                         (0, 0, 2))
        self.assertEqual(self.verdict({'spec@known, a': 'pass'}), (1, 0, 0))

    def test_mesa_lists_are_of_the_gc2000(self):
        for name in ('spec@known- a', 'spec@wobbly 1'):
            self.assertEqual(self.verdict({name: 'fail'}, core='gc3000'), (0, 1, 0))
        many = {f'p{i}': 'pass' for i in range(98)}
        known = 'spec@known- a | gc3000 | as on a GC2000'
        self.assertEqual(self.verdict({**many, 'spec@known, a': 'fail'}, known, 'gc3000'),
                         (98, 0, 1))
        self.assertEqual(self.verdict({**many, 'spec@known, a': 'pass'}, known, 'gc3000')[1], 2)
        self.assertEqual(self.verdict({'spec@known, a': 'fail'}, known, 'gc3000'), (0, 0, 1))
        self.assertEqual(self.verdict({**many, 'x': 'fail'}, 'x | gc3000 | as on a GC2000',
                                      'gc3000')[1], 1)
        for core, left_out in (('gc2000', True), ('gc3000', False)):
            lists = expectations.MesaLists(self.folder, core)
            self.assertEqual(lists.left_out('spec@wobbly 1'), left_out)
            self.assertTrue(lists.left_out('spec@long 1'))

    def test_our_list(self):
        many = {f'p{i}': 'pass' for i in range(98)}
        self.assertEqual(self.verdict({**many, 'x@a, b': 'fail'}, 'x@* | all | why'), (98, 0, 1))
        self.assertEqual(self.verdict({**many, 'x': 'pass'}, 'x | all | why')[1], 2)
        self.assertEqual(self.verdict(many, 'nobody | all | why')[1], 1)
        self.assertEqual(self.verdict({**many, 'x': 'fail'}, 'x | all |')[1], 1)
        self.assertEqual(self.verdict({'a': 'pass', 'x': 'fail'}, 'x | all | why')[1], 1)

    def test_lines_hold_for_cores(self):
        many = {f'p{i}': 'pass' for i in range(98)}
        for cores, there in (('gc2000', True), ('gc3000', False), ('gc3000 gc2000', True)):
            line = f'x | {cores} | why'
            self.assertEqual(self.verdict({**many, 'x': 'fail'}, line)[1], 0 if there else 1)
            self.assertEqual(self.verdict({**many, 'x': 'pass'}, line)[1], 2 if there else 0)
        self.assertRaises(ValueError, self.verdict, {}, 'x | why')
        self.assertRaises(ValueError, self.verdict, {}, 'x | gc300 | why')
        self.assertRaises(ValueError, self.verdict, {}, 'x | all | why\nx | gc2000 | why')

    def test_units(self):
        batch = {'result': 'fail', 'subtests': {'a': 'pass', 'b': 'notrun', '__type__': 'S'}}
        self.assertEqual(judge.units('t', batch, {}), [('t@a', 'pass'), ('t@b', 'notrun')])
        self.assertEqual(judge.units('t', batch, {'t@b': 0}), [('t@a', 'pass'), ('t', 'fail')])
        self.assertEqual(judge.units('t', {'result': 'crash'}, {}), [('t', 'crash')])
        asked = {'result': 'pass', 'subtests': {'ldr': 'notrun', 'ldr profile': 'pass'}}
        self.assertEqual(judge.units('x@t ldr', asked, {}), [('x@t ldr@ldr profile', 'pass')])


class TestCompare(Files):
    """What passes in one run and not in another."""

    def run_of(self, name, tests):
        """The folder of a run with some outcomes."""
        os.makedirs(os.path.join(self.folder, name, 'gl', 'tests'))
        self.write(os.path.join(name, 'gl', 'tests', '0.json'),
                   json.dumps({test: {'result': outcome} for test, outcome in tests.items()}))
        return os.path.join(self.folder, name)

    def compare(self, peer, ours):
        """(status, what is printed)."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = compare.main(self.run_of('peer', peer), self.run_of('ours', ours))
        return status, output.getvalue()

    def test_nothing_lost(self):
        status, output = self.compare({'a': 'pass', 'b': 'fail'}, {'a': 'warn', 'b': 'pass'})
        self.assertEqual((status, output.splitlines()),
                         (False, ['1 pass with ours alone', '1 passed, 0 failed, 0 skipped']))

    def test_lost(self):
        status, output = self.compare({'a': 'pass', 'b': 'pass', 'c': 'pass'},
                                      {'a': 'pass', 'b': 'skip'})
        self.assertTrue(status)
        self.assertIn('FAIL  b: skip', output)
        self.assertIn('FAIL  c: not run', output)
        self.assertIn('1 passed, 2 failed', output)

    def test_nothing_to_compare(self):
        self.assertTrue(self.compare({}, {})[0])


if __name__ == '__main__':
    unittest.main()
