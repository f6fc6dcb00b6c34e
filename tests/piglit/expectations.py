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


# The virtual card's personalities; 'all' stands for each.
CORES = ('gc2000', 'gc3000')

# The reason of a line for another core that Mesa's list for the GC2000 has, too.
AS_ON_GC2000 = 'as on a GC2000'


class Patterns:
    """Names with '*' for anything, one a line."""

    def __init__(self, path):
        self._patterns = {}
        for line in _lines(path):
            self.add(line)

    def add(self, name):
        """One more; returns it as it is compared."""
        name = normal(name.strip())
        self._patterns[name] = re.compile('.*'.join(map(re.escape, name.split('*'))))
        return name

    def matches(self, test):
        """The pattern that TEST matches, or an empty string."""
        test = normal(test)
        for name, pattern in self._patterns.items():
            if pattern.fullmatch(test):
                return name
        return ''


class Expected(Patterns):
    """What of our list of expected failures holds for CORE.

    A line is "name | cores | reason": names as in Patterns, cores that it holds for, apart by
    blanks, or all.
    """

    def __init__(self, path, core):
        super().__init__(os.devnull)
        self.reasons = {}
        seen = set()
        for line in _lines(path):
            name, cores, reason = self._parse(path, line)
            if any((name, one) in seen for one in cores):
                raise ValueError(f'{path}: twice in the list: {name}')
            seen.update((name, one) for one in cores)
            if core in cores:
                self.reasons[self.add(name)] = reason

    @staticmethod
    def _parse(path, line):
        parts = [part.strip() for part in line.split('|', 2)]
        cores = CORES if parts[1:2] == ['all'] else tuple(parts[1].split()) if parts[1:] else ()
        if len(parts) < 3 or not cores or not set(cores) <= set(CORES):
            raise ValueError(f'{path}: not "name | cores | reason": {line}')
        return normal(parts[0]), cores, parts[2]


class MesaLists:
    """etnaviv-gc2000-{fails,flakes,skips}.txt of Mesa's continuous integration.

    Fails are names with a result; flakes and skips are regular expressions. What fails and
    wobbles on a GC2000 is expected on that core only; what takes too long, the skips, is left
    out on all.
    """

    def __init__(self, folder, core):
        def lines(kind):
            return _lines(os.path.join(folder, f'etnaviv-gc2000-{kind}.txt'))
        self._own = core == 'gc2000'
        self._fails = {normal(line.rsplit(',', 1)[0]) for line in lines('fails')}
        self._flakes = [re.compile(line, re.IGNORECASE) for line in lines('flakes')]
        self._skips = [re.compile(line, re.IGNORECASE) for line in lines('skips')]

    def lists(self, test):
        """Whether TEST fails on a GC2000, each time or now and then."""
        test = normal(test)
        return test in self._fails or any(line.fullmatch(test) for line in self._flakes)

    def expects(self, test):
        """Whether that, or a skip, excuses a failure on this core."""
        return self.left_out(test) or self._own and self.lists(test)

    def left_out(self, test):
        """Whether TEST is not run on this core."""
        skips = self._skips + (self._flakes if self._own else [])
        return any(line.fullmatch(normal(test)) for line in skips)
