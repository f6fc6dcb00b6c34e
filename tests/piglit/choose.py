#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""choose.py EGLINFO MESA_CI PERSONALITY OUTPUT [CORE]: which tests of piglit's profile "gpu" to run.

Writes OUTPUT/shader.list and OUTPUT/gl.list, test lists for the two halves of
the profile (shader tests, many in a process; programs), and OUTPUT/left-out,
one line "name | reason" for each test that is not run:

- tests of an extension or GLSL version which the driver does not offer,
  recognised by their group (spec@EXTENSION@...), so that not even a
  process is started for them;
- Mesa's own list of skips for the GC2000, and on that core its flakes;
- tests that compare the processor's time with the GPU's: they say nothing in real
  time, where the card is software; tests/gl/run runs them in virtual time.

CORE is a file with one pattern a line: only what matches one is run.
"""

import gzip
import os
import sys
import xml.etree.ElementTree as xml

import expectations
import offered

PIGLIT = '/usr/lib/x86_64-linux-gnu/piglit/tests'
HALVES = {'shader': 'quick_shader.no_isolation', 'gl': 'quick_gl'}

# Who gives extensions their names (the OpenGL and EGL registries).
VENDORS = ('amd', 'angle', 'apple', 'arb', 'ati', 'ext', 'img', 'intel', 'khr', 'mesa',
           'nv', 'nvx', 'oes', 'ovr', 'qcom', 'sgis', 'sgix', 'android', 'wl', 'arm', '3dfx')

IN_VIRTUAL_TIME = ('spec@arb_timer_query@timestamp-get', 'spec@ext_disjoint_timer_query@simple',
                   'spec@ext_timer_query@time-elapsed')


def names(profile):
    """The names of a profile's tests, in its order."""
    with gzip.open(f'{PIGLIT}/{profile}.xml.gz', 'rt', encoding='utf-8') as file:
        for _, element in xml.iterparse(file):
            if element.tag == 'Test':
                yield element.attrib['name'].lower()
                element.clear()


class Driver:
    """Answers whether the driver has what a group of tests is about."""

    def __init__(self, path):
        apis = offered.read(path)
        compat, es2 = apis['compat'], apis['gles2']
        self.versions = {
            'glsl-es-': offered.number(es2['language']),
            'glsl-': offered.number(compat['language']),
        }
        self.extensions = {extension.lower() for api in apis.values()
                           for extension in api['extensions']}

    def _lacks_version(self, group):
        for prefix, version in self.versions.items():
            if group.startswith(prefix):
                return offered.number(group[len(prefix):]) > version
        return False

    def _lacks_extension(self, group):
        if group.split('_')[0] not in VENDORS:
            return False
        # A group can stand for several: khr_texture_compression_astc.
        return not any(extension.startswith((f'gl_{group}', f'egl_{group}'))
                       for extension in self.extensions)

    def lacks(self, test):
        """The group that the driver does not offer, or an empty string."""
        parts = test.split('@')
        if parts[0] == 'glx' or parts[:1] == ['spec'] and parts[1].startswith('glx'):
            return 'GLX'
        if parts[0] != 'spec':
            return ''
        group = parts[1]
        return group if self._lacks_version(group) or self._lacks_extension(group) else ''


def choose(profile, driver, mesa, core):
    """(tests to run, {left out: reason}) of one half of the profile."""
    chosen, left_out = [], {}
    for test in names(profile):
        group = driver.lacks(test)
        if core and not core.matches(test):
            continue
        if group:
            left_out[test] = f'{group} is not offered'
        elif test in IN_VIRTUAL_TIME:
            left_out[test] = 'run in virtual time by tests/gl/run'
        elif mesa.left_out(test):
            left_out[test] = "in Mesa's list of skips or flakes"
        else:
            chosen.append(test)
    return chosen, left_out


def main(arguments):
    """As the text at the top says."""
    driver = Driver(arguments[0])
    mesa = expectations.MesaLists(arguments[1], arguments[2])
    output = arguments[3]
    core = expectations.Patterns(arguments[4]) if len(arguments) > 4 else None
    with open(os.path.join(output, 'left-out'), 'w', encoding='utf-8') as left_out_file:
        for half, profile in HALVES.items():
            chosen, left_out = choose(profile, driver, mesa, core)
            with open(os.path.join(output, f'{half}.list'), 'w', encoding='utf-8') as file:
                file.writelines(f'{test}\n' for test in chosen)
            left_out_file.writelines(f'{test} | {why}\n' for test, why in left_out.items())
            print(f'{half}: {len(chosen)} tests to run, {len(left_out)} left out')


if __name__ == '__main__':
    main(sys.argv[1:])
