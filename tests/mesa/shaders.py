#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions and temporaries of piglit's shaders, ours beside etnaviv's.

usage: shaders.py PROGRAM STEP (called by tests/mesa/shaders, inside the sysroot)
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

PIGLIT = '/usr/lib/x86_64-linux-gnu/piglit'
VERSIONS = (100, 110, 120)
CRASHED = 16 # and the signal's number: mesa-shader-stats's statuses
PASSTHROUGH = '''#version {version}
attribute vec4 piglit_vertex;
void main() {{ gl_Position = piglit_vertex; }}
'''
# Stages, types and lookups that neither driver has. (cull_distance's programs are of version 1.30.)
OTHERS = re.compile(r'/(glsl-(1\.[3-9]|[2-9]|es-3)|amd_texture_texture4|[^/]*(geometry|tess|compute|fp64|int64))')


def programs():
    """Paths of all shader tests of the versions that count."""
    found = []
    for folder, _, names in os.walk(PIGLIT):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith('.shader_test') and not OTHERS.search(path):
                found.append(path)
    return sorted(found)


def sources(path):
    """(version, vertex, fragment) of a shader test; None when it does not count."""
    with open(path, encoding='utf-8', errors='replace') as file:
        parts = re.split(r'^\[([^\]]*)\]\s*$', file.read(), flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2]))
    vertex = sections.get('vertex shader', '').lstrip()
    fragment = sections.get('fragment shader', '').lstrip()
    match = re.search(r'#version\s+(\d+)', vertex + fragment)
    if not match:
        match = re.search(r'GLSL( ES)?\s*>=\s*(\d)\.(\d\d)', parts[2] if len(parts) > 2 else '')
        version = int(match[2] + match[3]) if match else 110
    else:
        version = int(match[1])
    if version not in VERSIONS or not vertex + fragment:
        return None
    if 'vertex shader passthrough' in sections:
        vertex = PASSTHROUGH.format(version=version)
    return version, vertex, fragment


def write_sources(folder, chosen):
    """Files of all programs; the lines that name them."""
    lines = []
    for number, (version, *texts) in enumerate(chosen):
        names = []
        for suffix, text in zip(('vert', 'frag'), texts):
            name = os.path.join(folder, f'{number}.{suffix}')
            with open(name, 'w', encoding='utf-8') as file:
                file.write(text)
            names.append(name if text else '-')
        lines.append(f'{version} {names[0]} {names[1]}\n')
    return lines


def compile_all(program, lines):
    """For each line what the program printed, and its status and our milliseconds."""
    result = subprocess.run([program], input=''.join(lines), capture_output=True, text=True,
                            errors='replace', check=True)
    outputs, current = [], []
    for line in result.stdout.splitlines():
        match = re.match(r'end (\d+) (\d+)$', line)
        if match:
            outputs.append((current, int(match[1]), int(match[2])))
            current = []
        elif ' MESA_SHADER_' in line:
            current.append(line)
    assert len(outputs) == len(lines)
    return outputs


def compile_in_parallel(program, lines):
    """The same, by as many processes as there are processors."""
    parts = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(parts) as pool:
        results = list(pool.map(lambda first: compile_all(program, lines[first::parts]),
                                range(parts)))
    outputs = [None] * len(lines)
    for first, result in enumerate(results):
        outputs[first::parts] = result
    return outputs


class Sums:
    """What all shaders come to."""

    def __init__(self):
        self.total = [0] * 4
        self.passed = self.failed = self.skipped = 0
        self.more, self.slow, self.alone = [], [], 0

    def add_shader(self, name, line):
        """A line of mesa-shader-stats."""
        match = re.search(r'MESA_SHADER_\w+ (\d+) (\d+)(?: (\d+) (\d+))?$', line)
        if not match:
            self.failed += 1
            print('FAIL ', name, line.split(' ', 1)[-1])
            return
        self.passed += 1
        numbers = [int(number or 0) for number in match.groups()]
        if not numbers[2]: # etnaviv refuses it, or aborts
            self.alone += 1
            return
        self.total = [a + b for a, b in zip(self.total, numbers)]
        if numbers[0] > numbers[2]:
            self.more.append((numbers[0] - numbers[2], name))

    def add_program(self, name, lines, status, milliseconds):
        """All that is known of a program."""
        if status in (2, 3):
            self.skipped += 1
            if status == 3:
                print("SKIP ", name, "Mesa's GLSL compiler does not end")
            return
        # etnaviv may crash behind our figures, but not we before them
        if status >= CRASHED and not (lines and lines[-1][-1].isdigit()):
            lines.append(f'x crashed with signal {status - CRASHED}')
        for line in lines:
            self.add_shader(name, line)
        self.slow.append((milliseconds, name))

    def show(self):
        """Prints the sums; whether nothing failed."""
        for extra, name in sorted(self.more, reverse=True)[:10]:
            print(f'{extra} more: {name}')
        for milliseconds, name in sorted(self.slow, reverse=True)[:5]:
            print(f'{milliseconds} ms: {name}')
        for title, ours, theirs in (('instructions', self.total[0], self.total[2]),
                                    ('temporaries', self.total[1], self.total[3])):
            print(f'{title}: {ours}, etnaviv {theirs}, ratio {ours / max(theirs, 1):.3f}')
        print(f'{len(self.more)} shaders have more instructions than with etnaviv, '
              f'{self.alone} etnaviv does not compile')
        print(f'{self.passed} passed, {self.failed} failed, {self.skipped} skipped')
        return self.failed == 0


def main():
    program, step = sys.argv[1], int(sys.argv[2])
    chosen = [(path, parts) for path in programs() if (parts := sources(path))][::step]
    sums = Sums()
    with tempfile.TemporaryDirectory() as folder:
        lines = write_sources(folder, [parts for _, parts in chosen])
        outputs = compile_in_parallel(program, lines)
    for (path, _), output in zip(chosen, outputs):
        sums.add_program(os.path.relpath(path, PIGLIT), *output)
    return not sums.show()


sys.exit(main())
