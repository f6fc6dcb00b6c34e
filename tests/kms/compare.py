#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py: stock IGT tests on the card's display beside the same on vkms.

compare.py counts RESULTS
	how many subtests of one run passed, failed and were skipped

compare.py judge FOLDER EXPECTED CSV
	FOLDER/card/*.json are igt_results' results on the card's display,
	FOLDER/vkms/*.json those on vkms, each with NAME.json.status, how the guest
	ended.  The card's are judged by EXPECTED as tests/igt/judge.py says.  Then,
	program by program, both are counted; what passes on vkms alone is shown with
	EXPECTED's reason, and so is what passes on the card alone.  CSV has a line for
	each subtest.  Ends with "N passed, N failed, N skipped".
"""

import csv
import glob
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'igt'))
import judge  # pylint: disable=wrong-import-position

# Dynamic subtests carry the connector's name, which is another one on vkms.
CONNECTOR = re.compile(r'(@pipe-[a-z])-(virtual|dpi)-1')
# What igt_runner says, in three words.
KINDS = {'pass': 'pass', 'skip': 'skip'}


def kind(result):
    """pass, skip or fail; '' if there is no result."""
    return KINDS.get(result, 'fail') if result else ''


def counts(results):
    """(passed, failed, skipped)"""
    kinds = [kind(result) for result in results.values()]
    return kinds.count('pass'), kinds.count('fail'), kinds.count('skip')


def program(name):
    """igt@PROGRAM of a subtest."""
    return '@'.join(name.split('@')[:2])


def status_of(path):
    """How the guest ended that left these results."""
    with open(path + '.status', encoding='utf-8') as file:
        return file.read().strip()


def paths_in(folder):
    """The results kept in a folder, one file a guest, also those that came to nothing."""
    return [path.removesuffix('.status')
            for path in sorted(glob.glob(os.path.join(folder, '*.json.status')))]


def read_folder(folder):
    """{name: result} of all the files in it."""
    results = {}
    for path in paths_in(folder):
        results.update((CONNECTOR.sub(r'\1', name), result)
                       for name, result in judge.read_results(path).items())
    return results


def subtest(name):
    """A dynamic subtest's subtest, which alone has a result when it was skipped; else the name."""
    return '@'.join(name.split('@')[:3])


def result_of(name, results):
    """What became of it; '' if it did not run."""
    return results.get(name) or results.get(subtest(name), '')


def only(here, there):
    """Names that pass in the first and not in the second."""
    return sorted(name for name, result in here.items()
                  if result == 'pass' and result_of(name, there) != 'pass')


def reason_for(name, expected):
    """What the list says about a subtest; '' if nothing."""
    return next((e.reason for e in expected if e.matches(name) or e.matches(subtest(name))), '')


def judge_folder(folder, card, vkms, expected):
    """The verdict on the card's results, beside vkms's."""
    verdict = judge.Verdict(expected)
    for name, result in sorted(card.items()):
        verdict.add(name, result)
    for path in paths_in(os.path.join(folder, 'card')):
        if not judge.read_results(path):
            verdict.fail(path, 'no result')
        if status_of(path) != '0':
            verdict.fail(path, judge.FATAL_STATUS.get(status_of(path), 'the guest failed'))
    for path in paths_in(os.path.join(folder, 'vkms')):
        if not judge.read_results(path):
            verdict.fail(path, 'nothing to compare with')
    for name in only(vkms, card):
        if not result_of(name, card):
            verdict.fail(name, 'passes on vkms, and has no result here')
    verdict.check_list({program(name) for name in card})
    return verdict


def table(card, vkms):
    """Lines: for each program what passed, failed and was skipped, here and on vkms."""
    lines = [f'{"passed/failed/skipped":28} {"here":>12} {"on vkms":>12}']
    for name in sorted({program(name) for name in [*card, *vkms]}):
        here, there = ('/'.join(str(count) for count in
                                counts({n: r for n, r in results.items() if program(n) == name}))
                       for results in (card, vkms))
        lines.append(f'{name.removeprefix("igt@"):28} {here:>12} {there:>12}')
    return lines


def comparison(card, vkms, expected):
    """Lines: the table, and what passes on one of the two alone."""
    lines = table(card, vkms)
    for name in only(vkms, card):
        lines.append(f'vkms alone  {name}: here {result_of(name, card) or "no result"}: '
                     f'{reason_for(name, expected)}')
    for name in only(card, vkms):
        lines.append(f'here alone  {name}: {result_of(name, vkms) or "no result"} on vkms')
    return lines


def write_csv(path, card, vkms, expected):
    """A line for each subtest."""
    with open(path, 'w', encoding='utf-8', newline='') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(['subtest', 'here', 'vkms', 'reason'])
        for name in sorted({*card, *vkms}):
            writer.writerow([name, result_of(name, card), result_of(name, vkms),
                             reason_for(name, expected)])


def show_counts(path):
    """One line about a file of results."""
    passed, failed, skipped = counts(judge.read_results(path))
    status = status_of(path)
    ending = '' if status == '0' else f' ({judge.FATAL_STATUS.get(status, status)})'
    print(f'{passed} passed, {failed} failed, {skipped} skipped{ending}')


def main():
    """The command."""
    if sys.argv[1] == 'counts':
        show_counts(sys.argv[2])
        return
    folder, expected_path, csv_path = sys.argv[2:]
    card, vkms = (read_folder(os.path.join(folder, name)) for name in ('card', 'vkms'))
    expected = [judge.Expectation(line) for line in judge.read_lines(expected_path)]
    verdict = judge_folder(folder, card, vkms, expected)
    write_csv(csv_path, card, vkms, expected)
    print('\n'.join(comparison(card, vkms, expected) + verdict.lines))
    print(f'{verdict.passed} passed, {verdict.failed} failed, {verdict.skipped} skipped')
    sys.exit(verdict.failed > 0)


if __name__ == '__main__':
    main()
