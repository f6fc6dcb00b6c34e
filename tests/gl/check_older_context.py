#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_older_context.py FILE FRAMES: a program of FRAMES frames that began before there was a budget.

The file is what vivgpu-events wrote of kmscube and, later, of draw-bench with a budget. Prints a line
for each check, and the line of counts.
"""
import json
import sys

# Eight results make trust; they come up to three frames late.
GUESSES = 40

results = []


def check(good, text):
    results.append(good)
    print('%sok %d - tool: %s' % ('' if good else 'not ', len(results), text))


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        events = json.load(file)['traceEvents']
    jobs = sorted((e for e in events if e['ph'] == 'X' and e['name'] == 'Job'), key=lambda e: e['ts'])
    mine = [j for j in jobs if j['args'].get('program') == 'kmscube']
    others = [j['ts'] for j in jobs if j['args'].get('program') == 'draw-bench']
    if not mine or not others:
        check(False, '%d and %d jobs' % (len(mine), len(others)))
        print('0 passed, 1 failed, 0 skipped')
        return 1
    before = [j for j in mine if j['ts'] < others[0]]
    during = [j for j in mine if others[0] < j['ts'] < others[-1]]
    check(before and not any('cost ns' in j['args'] for j in before),
          'none of %d jobs before the budget has a cost' % len(before))
    # A frame that has begun, and those whose jobs are guesses until there are results
    first = next((i for i, j in enumerate(during) if 'cost ns' in j['args']), len(during))
    check(first <= GUESSES, '%d of the first jobs beside the budget have none' % first)
    costs = [j for j in during[first:]
             if j['args'].get('assumed bound ns', 0) >= j['args'].get('cost ns', float('inf'))]
    check(len(costs) >= 10 and len(costs) >= 0.9 * len(during[first:]),
          '%d of the %d after these have a cost, and no bound below it' % (len(costs), len(during) - first))
    # A frame is six draws, which are six jobs until their lengths are known.
    check(len(mine) >= int(sys.argv[2]) + 5, '%s frames are %d jobs' % (sys.argv[2], len(mine)))
    print('%d passed, %d failed, 0 skipped' % (sum(results), len(results) - sum(results)))
    return not all(results)


if __name__ == '__main__':
    sys.exit(main())
