#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the flushes and stalls in streams of the Gallium driver.

flushes.py [--no-indexed-strips] FILE: FILE is what VIVGPU_DEBUG=stream printed. Prints each rule with how
often it applied and how often it was broken; the status is 1 if one was broken or never applied.

depth    depth, stencil and alpha test states behind a draw: a flush of DEPTH and a stall between them
color    blending, colour mask and dithering behind a draw: the same with COLOR
texture  invalidation of texture caches behind a draw: the front end has waited for the pixel engine
vertex   TEXTUREVS is invalidated by a write of its own
strips   an indexed draw: not a triangle strip (with the option)
"""

import argparse
import re
import sys

DEPTH, COLOR, TEXTURE, TEXTUREVS = 1, 2, 4, 16
DEPTH_STATES = ('PE_DEPTH_CONFIG', 'PE_STENCIL_', 'PE_ALPHA_OP')
COLOR_STATES = ('PE_ALPHA_CONFIG', 'PE_COLOR_FORMAT', 'PE_LOGIC_OP', 'PE_DITHER')
TRIANGLE_STRIP = 5
STATE = re.compile(r'  [0-9a-f]{5} (\S+) = ([0-9a-f]{8}) ')
DRAW = re.compile(r'draw( indexed| instanced)?((?: [0-9a-f]{8})+)')


class Checker:
    def __init__(self, strips):
        self.rules = {rule: [0, 0] for rule in ('depth', 'color', 'texture', 'vertex')}
        if strips:
            self.rules['strips'] = [0, 0]
        self.held = 0  # caches with lines of draws
        self.flushing = 0  # flushed, but no stall came yet
        self.drawing = False  # since the front end last waited

    def apply(self, rule, broken):
        self.rules[rule][0] += 1
        self.rules[rule][1] += bool(broken)

    def flush(self, value):
        self.flushing |= value
        if value & TEXTURE:
            self.apply('texture', self.drawing)
        if value & (TEXTURE | TEXTUREVS):
            self.apply('vertex', value & TEXTURE and value & TEXTUREVS)

    def stall(self):
        self.held &= ~self.flushing
        self.flushing = 0

    def state(self, name, value):
        if name == 'GL_FLUSH_CACHE':
            self.flush(value)
        elif name == 'GL_STALL_TOKEN':
            self.stall()
        elif name.startswith(DEPTH_STATES):
            self.apply('depth', self.held & DEPTH)
        elif name.startswith(COLOR_STATES):
            self.apply('color', self.held & COLOR)

    def draw(self, kind, words):
        self.held = DEPTH | COLOR
        self.drawing = True
        if 'strips' in self.rules and kind == ' indexed':
            self.apply('strips', words[1] == TRIANGLE_STRIP)

    def line(self, text):
        if match := STATE.match(text):
            self.state(match[1], int(match[2], 16))
        elif match := DRAW.match(text):
            self.draw(match[1], [int(word, 16) for word in match[2].split()])
        elif text.startswith('stall'):
            self.stall()
            self.drawing = False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--no-indexed-strips', action='store_true')
    parser.add_argument('file')
    arguments = parser.parse_args()
    checker = Checker(arguments.no_indexed_strips)
    with open(arguments.file, encoding='utf-8', errors='replace') as file:
        for text in file:
            checker.line(text)
    for rule, (applied, broken) in checker.rules.items():
        print(f'{rule}: applied {applied}, broken {broken}')
    return any(broken or not applied for applied, broken in checker.rules.values())


if __name__ == '__main__':
    sys.exit(main())
