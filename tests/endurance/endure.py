#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""endure.py SECONDS: in a guest, programs of many kinds on our driver at the same time.

- two processes "share" and one "churn": they stay, and check their own pictures;
- one more "share" that is killed and begun again;
- glmark2's scenes in turns: as it validates them, and for a second on the display;
- piglit's programs of tests/peer/pictures-list.

Every few seconds memory is looked at. It must not grow after the warm-up by more
than BOUNDS say, and nothing may be left of any client at the end. Prints the samples,
how often each kind of program ran, and "ok" or "FAIL" lines. The status is 1 if
anything was wrong.
"""

import glob
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PROGRAMS = f'{TOP}/build/tests/endurance'
PIGLIT = '/usr/lib/x86_64-linux-gnu/piglit/bin'
LIST = f'{TOP}/tests/peer/pictures-list'

SAMPLES = 60        # in a whole run
MIN_PERIOD = 2    # seconds between two of them
PROGRAM_TIME = 600  # seconds that a program may take: the kernel is slow, the machine busy
LAST_JOBS = 30      # seconds until the kernel has done what the last programs left
SEED = 1
STAY = ('share 1', 'share 2', 'churn')

# KiB that each figure may grow after the warm-up. A process's own memory has the
# C library's arenas; the slabs have what KASAN and kmemleak keep for a while; of the
# buffers, "churn" has 1.2 MiB at one moment and none at another.
BOUNDS = {'own': 4096, 'drm': 2048, 'resident': 2048, 'slab': 16384, 'available': 32768}


class Results:
    """Results of all checks; thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self.failed = 0
        self.turns = {}

    def check(self, good, text):
        """One line."""
        with self._lock:
            self.failed += not good
            print('ok   ' if good else 'FAIL ', text, flush=True)
        return good

    def turn(self, kind, good, text):
        """A run of a kind of program has ended; only a failure is printed at once."""
        with self._lock:
            self.turns[kind] = self.turns.get(kind, 0) + 1
        if not good:
            self.check(False, f'{kind}: {text}')


def run(command, **settings):
    """(status, output) of a program."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=PROGRAM_TIME,
                              env={**os.environ, **settings}, check=False)
    except subprocess.TimeoutExpired as error:
        return 'timeout', str(error.output)
    return done.returncode, done.stdout


def start(program):
    """A program of ours that goes on until it gets a signal; returns when it draws."""
    process = subprocess.Popen([f'{PROGRAMS}/{program}'], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, text=True)
    head = []
    for line in process.stdout:
        head.append(line)
        if line == 'drawing\n':
            break
    return process, ''.join(head)


def listed(kind):
    """What tests/peer/pictures-list has of one kind of program."""
    with open(LIST, encoding='utf-8') as file:
        rows = [line.split(None, 3) for line in file if line.strip() and line[0] != '#']
    return [row[3].strip() for row in rows if row[2] == kind]


class Stays:
    """A program that goes on to the end."""

    def __init__(self, name, program, results):
        self.name = name
        self._results = results
        self.process, self._head = start(program)

    def proc(self, path):
        """The text of a file of the process."""
        with open(f'/proc/{self.process.pid}/{path}', encoding='utf-8') as file:
            return file.read()

    def memory(self):
        """{figure: KiB} now."""
        infos = []
        for path in glob.glob(f'/proc/{self.process.pid}/fdinfo/*'):
            try:
                infos.append(self.proc('fdinfo/' + os.path.basename(path)))
            except FileNotFoundError:
                pass  # closed meanwhile
        total, resident = figures.drm_memory(infos)
        own = figures.size(figures.fields(self.proc('status'))['RssAnon'])
        return {'own': own, 'drm': total, 'resident': resident}

    def threads(self):
        """Names of its threads."""
        return [open(path, encoding='utf-8').read().strip()
                for path in glob.glob(f'/proc/{self.process.pid}/task/*/comm')]

    def end(self):
        """Ask it to end, and check its exit status and counts."""
        self.process.send_signal(signal.SIGTERM)
        output = self._head + self.process.communicate(timeout=PROGRAM_TIME)[0]
        rounds = re.search(r'^rounds: (\d+)', output, re.MULTILINE)
        counts = ' '.join(line for line in output.splitlines()
                          if line.startswith(('not ok', '# ')))
        self._results.check(self.process.returncode == 0 and rounds and
                            'vendor: vivgpu' in output,
                            f'{self.name}: status {self.process.returncode} {counts}')
        return int(rounds.group(1)) if rounds else 0


class Loop(threading.Thread):
    """Something that is done again and again until the end."""

    def __init__(self, turn, stop):
        super().__init__(daemon=True)
        self._turn, self._stop_event = turn, stop
        self.start()

    def run(self):
        number = 0
        while not self._stop_event.is_set():
            self._turn(number)
            number += 1


def glmark2_turn(results):
    """The next scene, validated and then shown.

    glmark2 knows the colours of its own window size, which the display's is not: what it
    says of a scene the first time, it must say each time. That its scenes are those of
    llvmpipe is shown by tests/gallium/run.
    """
    scenes = listed('glmark2')
    verdicts = {}

    def turn(number):
        scene = scenes[number % len(scenes)]
        status, output = run(['glmark2-es2-drm', '--validate', '-b', scene])
        said = re.search(r'Validation: (\w+)', output)
        good = said and status == 0 and 'GL_VENDOR:      vivgpu' in output and \
            verdicts.setdefault(scene, said.group(1)) == said.group(1)
        results.turn('glmark2 validated', good, f'{scene}: status {status}\n{output[-2000:]}')
        if said and said.group(1) == 'Success':
            results.turn('glmark2 found right', True, '')
        status, output = run(['glmark2-es2-drm', '-b', f'{scene}:duration=1'])
        results.turn('glmark2 shown', status == 0 and 'FPS' in output,
                     f'{scene}: status {status}\n{output[-2000:]}')
    return turn


def piglit_turn(results):
    """The next program of piglit's."""
    tests = listed('piglit')

    def turn(number):
        test = tests[number % len(tests)]
        status, output = run([f'{PIGLIT}/{test}', '-auto', '-fbo'],
                             PIGLIT_PLATFORM='surfaceless_egl')
        results.turn('piglit', '"result": "pass"' in output,
                     f'{test}: status {status}\n{output[-2000:]}')
    return turn


def kill_turn(results):
    """A program that is in the middle of its work when it is killed."""
    chance = random.Random(SEED)

    def turn(_):
        process, head = start('share')
        time.sleep(chance.uniform(0, 1))
        process.kill()
        output = head + process.communicate()[0]
        good = process.returncode == -signal.SIGKILL and 'wrong' not in output
        results.turn('killed', good, f'status {process.returncode} {output}')
    return turn


def kernel_memory():
    """{figure: KiB} of the whole guest."""
    with open('/proc/meminfo', encoding='utf-8') as file:
        info = figures.fields(file.read())
    return {'slab': figures.size(info['SUnreclaim']),
            'available': figures.size(info['MemAvailable'])}


def debugfs(name):
    """The text of one of our driver's files in debugfs."""
    paths = [path for path in glob.glob(f'/sys/kernel/debug/dri/*/{name}')
             if os.path.basename(os.path.dirname(path)).isdigit()]
    with open(sorted(paths)[0], encoding='utf-8') as file:
        return file.read()


def await_clients(before):
    """What the kernel has of more clients than before when it has done their last jobs: {}."""
    end = time.monotonic() + LAST_JOBS
    while True:
        now = figures.mappings(debugfs('mmu'))
        left = {client: size for client, size in now.items() if client not in before}
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.1)


class Samples:
    """Rows of figures, by name."""

    def __init__(self):
        self.rows = {}

    def take(self, stays):
        """One sample of everything."""
        now = {f'kernel {figure}': value for figure, value in kernel_memory().items()}
        for program in stays:
            for figure, value in program.memory().items():
                now[f'{program.name} {figure}'] = value
        clients = figures.mappings(debugfs('mmu'))
        now['clients'] = len(clients)
        now['mapped'] = sum(kib for _, kib in clients.values())
        for name, value in now.items():
            self.rows.setdefault(name, []).append(value)
        print('#', json.dumps(now), flush=True)

    def judge(self, results):
        """Each bounded figure of each program, and the kernel's slabs."""
        for name, row in self.rows.items():
            bound = BOUNDS.get(name.split()[-1])
            if bound is None or name == 'kernel available':
                continue
            grown = figures.growth(row)
            results.check(grown is not None and grown <= bound,
                          f'{name}: {row[0]} KiB at first, {row[-1]} at last, '
                          f'grown by {grown} of {bound} at most')


def all_threaded(results, program):
    """Both contexts have a thread of u_threaded_context."""
    names = program.threads()
    results.check(sum('gdrv' in name for name in names) >= 2,
                  f'{program.name}: threads {" ".join(sorted(names))}')


def endure(seconds, results):
    """Everything at once; returns the samples."""
    stop = threading.Event()
    stays = [Stays(name, name.split()[0], results) for name in STAY]
    for program in stays[:2]:
        all_threaded(results, program)
    loops = [Loop(turn(results), stop) for turn in (glmark2_turn, piglit_turn, kill_turn)]
    samples = Samples()
    end = time.monotonic() + seconds
    period = max(seconds / SAMPLES, MIN_PERIOD)
    while time.monotonic() < end:
        time.sleep(period)
        samples.take(stays)
    stop.set()
    for loop in loops:
        loop.join()
    for program in stays:
        results.turns[program.name] = program.end()
    return samples


def main(seconds):
    """As the text at the top says."""
    results = Results()
    before = kernel_memory()
    # The display has a client of the kernel's own.
    clients = figures.mappings(debugfs('mmu'))
    samples = endure(seconds, results)
    samples.judge(results)
    left = await_clients(clients)
    after = kernel_memory()
    lost = before['available'] - after['available']
    results.check(lost <= BOUNDS['available'],
                  f'{lost} KiB less memory available than at the beginning')
    results.check(not left, f'clients that are left: {left}')
    for kind in ('glmark2 validated', 'glmark2 found right', 'glmark2 shown', 'piglit', 'killed',
                 *STAY):
        results.check(results.turns.get(kind, 0) > 0, f'{kind}: {results.turns.get(kind, 0)} times')
    return results.failed > 0


if __name__ == '__main__':
    sys.exit(main(int(sys.argv[1])))
