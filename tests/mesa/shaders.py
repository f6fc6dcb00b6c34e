#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions and temporaries of piglit's shaders, ours beside etnaviv's.

usage: shaders.py PROGRAM STEP (called by tests/mesa/shaders, inside the sysroot)
"""

import os
import re
import subprocess
import sys
import tempfile

PIGLIT = '/usr/lib/x86_64-linux-gnu/piglit'
VERSIONS = (100, 110, 120)
SECONDS = 60
PASSTHROUGH = '''#version {version}
attribute vec4 piglit_vertex;
void main() {{ gl_Position = piglit_vertex; }}
'''
# Stages and types that neither driver has.
OTHERS = re.compile(r'/(glsl-(1\.[3-9]|[2-9]|es-3)|[^/]*(geometry|tess|compute|fp64|int64|cull))')


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


def compile_one(program, folder, version, vertex, fragment):
    """The program's lines, or None when it is no valid program."""
    names = []
    for suffix, text in (('vert', vertex), ('frag', fragment)):
        name = os.path.join(folder, 'shader.' + suffix)
        with open(name, 'w', encoding='utf-8') as file:
            file.write(text)
        names.append(name if text else '-')
    result = subprocess.run([program, str(version), *names], capture_output=True, text=True,
                            errors='replace', timeout=SECONDS, check=False)
    if result.returncode == 2:
        return None
    lines = [line for line in result.stdout.splitlines() if ' MESA_SHADER_' in line]
    if result.returncode not in (0, 1) and not (lines and lines[-1][-1].isdigit()):
        lines.append(f'crashed with status {result.returncode}')
    return lines


def main():
    program, step = sys.argv[1], int(sys.argv[2])
    total, passed, failed, skipped, more = [0] * 4, 0, 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for path in programs()[::step]:
            parts = sources(path)
            lines = compile_one(program, folder, *parts) if parts else None
            if lines is None:
                skipped += parts is not None
                continue
            for line in lines:
                match = re.search(r'MESA_SHADER_\w+ (\d+) (\d+)(?: (\d+) (\d+))?$', line)
                if not match:
                    failed += 1
                    print('FAIL ', os.path.relpath(path, PIGLIT), line.split(' ', 1)[-1])
                    continue
                passed += 1
                numbers = [int(number or 0) for number in match.groups()]
                if not numbers[2]: # etnaviv refuses it, or aborts
                    continue
                total = [a + b for a, b in zip(total, numbers)]
                if numbers[0] > numbers[2]:
                    more.append((numbers[0] - numbers[2], os.path.relpath(path, PIGLIT)))
    for extra, path in sorted(more, reverse=True)[:10]:
        print(f'{extra} more: {path}')
    print(f'instructions: {total[0]}, etnaviv {total[2]}, ratio {total[0] / max(total[2], 1):.3f}')
    print(f'temporaries: {total[1]}, etnaviv {total[3]}, ratio {total[1] / max(total[3], 1):.3f}')
    print(f'{len(more)} shaders have more instructions than with etnaviv')
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return failed > 0


sys.exit(main())
