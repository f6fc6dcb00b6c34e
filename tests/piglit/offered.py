# SPDX-License-Identifier: MIT
"""What the driver offers, read from the output of eglinfo.

read() gives, by API (compat, core, gles2), the version and shading language
strings and the set of extensions; EGL's extensions are under 'egl'.
"""

import re

# How eglinfo heads the lines of each API.  Under "OpenGL ES profile" it opens
# a context of any version from 2 on.
_HEADS = {
    'OpenGL compatibility profile': 'compat',
    'OpenGL core profile': 'core',
    'OpenGL ES profile': 'gles2',
}
_FIELDS = {'version': 'version', 'shading language version': 'language'}


def _split(line):
    """(API, field, value) of a line "OpenGL ... profile FIELD: VALUE", or None."""
    for head, api in _HEADS.items():
        if line.startswith(head + ' '):
            field, _, value = line[len(head) + 1:].partition(':')
            return api, field, value.strip()
    if re.match(r'EGL (client )?extensions string:', line):
        return 'egl', 'extensions', ''
    return None


def parse(text):
    """The dictionary described at the top, from eglinfo's output."""
    apis = {}
    listing = None
    for line in text.splitlines():
        if listing is not None and line.startswith('    '):
            listing.update(re.findall(r'\w+', line))
            continue
        listing = None
        found = _split(line)
        if not found:
            continue
        api, field, value = found
        entry = apis.setdefault(api, {'version': '', 'language': '', 'extensions': set()})
        if field == 'extensions':
            listing = entry['extensions']
        elif field in _FIELDS:
            entry[_FIELDS[field]] = value
    return apis


def read(path):
    """parse() the file at PATH."""
    with open(path, encoding='utf-8') as file:
        return parse(file.read())


def number(text):
    """The first number M.N in a version string; 0 without one."""
    found = re.search(r'\d+\.\d+', text)
    return float(found.group()) if found else 0.0
