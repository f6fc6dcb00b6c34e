#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
options.py TOOL PAGE: whether TOOL's --help and its manual page PAGE have the same options.

An option is compared as its letter, its long name and the name of its value. Help has lines
"  -o, --output=NAME   text"; the page, in mdoc, has list items
".It Fl o Ar NAME , Fl -output Ns = Ns Ar NAME".
"""

import re
import subprocess
import sys

HELP = re.compile(r"^ {2}(?:-(\w), |    )--([a-z-]+)(?:=(\S+))?(?= {2}| )", re.M)
PAGE = re.compile(r"^\.It (?:Fl (\w)(?: Ar (\S+))? , )?Fl -([a-z-]+)(?: Ns = Ns Ar (\S+))?$", re.M)


def options_of_help(text):
    """Options that --help lists, as a set of (letter, name, value)."""
    return set(HELP.findall(text))


def options_of_page(text):
    """The same for a page; the value after the letter has to be that after the name."""
    found = set()
    for letter, short_value, name, value in PAGE.findall(text):
        if letter and short_value != value:
            sys.exit(f"-{letter} takes '{short_value}', --{name} '{value}'")
        found.add((letter, name, value))
    if len(found) != len(re.findall(r"^\.It Fl ", text, re.M)):
        sys.exit("the page has an option that this program cannot read")
    return found


def main(tool, page):
    text = subprocess.run([tool, "--help"], check=True, capture_output=True, text=True)
    if text.stderr:
        sys.exit(f"{tool} --help prints to stderr: {text.stderr}")
    with open(page, encoding="utf-8") as file:
        ours, theirs = options_of_help(text.stdout), options_of_page(file.read())
    if len(ours) < 2:
        sys.exit(f"{tool} --help lists {ours}")
    for option in sorted(ours - theirs):
        print(f"only in --help of {tool}: {option}")
    for option in sorted(theirs - ours):
        print(f"only in {page}: {option}")
    return 1 if ours != theirs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
