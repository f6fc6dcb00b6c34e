# SPDX-License-Identifier: MIT
"""Lists of what to expect: Mesa's own for the GC2000, and ours."""

import os
import re


def normal(name):
    """A test's name as Mesa's runner writes it: lower case, no commas."""
    return name.lower().replace(',', '-')


def _lines(path):
    with open(path, encoding='utf-8') as file:
        for line in file:
            line = line.strip()
            if line and not line.startswith('#'):
                yield line


class Patterns:
    """Names with '*' for anything; one a line, a reason after ' | '."""

    def __init__(self, path):
        self.reasons = {}
        self._patterns = {}
        for line in _lines(path):
            name, _, reason = line.partition(' | ')
            name = normal(name.strip())
            if name in self.reasons:
                raise ValueError(f'{path}: twice in the list: {name}')
            self.reasons[name] = reason.strip()
            self._patterns[name] = re.compile('.*'.join(map(re.escape, name.split('*'))))

    def matches(self, test):
        """The pattern that TEST matches, or an empty string."""
        test = normal(test)
        for name, pattern in self._patterns.items():
            if pattern.fullmatch(test):
                return name
        return ''


class MesaLists:
    """etnaviv-gc2000-{fails,flakes,skips}.txt of Mesa's continuous integration.

    Fails are names with a result; flakes and skips are regular expressions.
    """

    def __init__(self, folder, core='etnaviv-gc2000'):
        def path(kind):
            return os.path.join(folder, f'{core}-{kind}.txt')
        self._fails = {normal(line.rsplit(',', 1)[0]) for line in _lines(path('fails'))}
        self._unreliable = [re.compile(line, re.IGNORECASE)
                            for kind in ('flakes', 'skips') for line in _lines(path(kind))]

    def unreliable(self, test):
        """Whether TEST is in the list of flakes or skips."""
        return any(line.fullmatch(normal(test)) for line in self._unreliable)

    def fails(self, test):
        """Whether TEST is known to fail on real silicon; it may pass here."""
        return normal(test) in self._fails
