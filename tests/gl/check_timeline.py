#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_timeline.py FILE PROGRAM...: checks a timeline; jobs of the first program are predicted.

The file is what vivgpu-events wrote in virtual time, where a job takes as long as
its cycles. Prints a line for each check, as the programs of tests/gl do, and the
line of counts.
"""
import bisect
import json
import statistics
import sys
from collections import defaultdict

CLOCK_MHZ = 528
# Stamps have 1 ns; reading the counter comes after the interrupt.
CYCLES_OFF = 2000

results = []


def check(good, text):
    results.append(good)
    print('%sok %d - tool: %s' % ('' if good else 'not ', len(results), text))


def ends_after(event):
    return event['ts'] + event['dur']


def threads_nest(events):
    """Spans of one thread are beside or inside each other."""
    for spans in events.values():
        open_ends = []
        for event in sorted(spans, key=lambda e: (e['ts'], -e['dur'])):
            while open_ends and open_ends[-1] <= event['ts'] + 0.0005:
                open_ends.pop()
            if open_ends and ends_after(event) > open_ends[-1] + 0.0005:
                return False
            open_ends.append(ends_after(event))
    return True


def pairs(events, kind):
    """From (client, job) to begin and end of its waits of a kind."""
    found = defaultdict(dict)
    for event in events:
        if event['name'] == kind:
            found[event['args']['client'], event['args']['job']][event['ph']] = event['ts']
    return found


def before_blanks(times, blanks):
    """How long times in us are before the next of the vertical blanks seen, or of one a period from them."""
    period = statistics.median(b - a for a, b in zip(blanks, blanks[1:]))
    near = sorted(blanks + [b + period for b in blanks] + [b - period for b in blanks])
    return [near[bisect.bisect(near, time)] - time for time in times]


def upper_bound(job):
    """What the Gallium driver passes on as the bound of a job whose cost it passes on."""
    cost = job['args']['predicted ns']
    return cost + min(job['args']['bound ns'], cost // 2)


def check_hints(mine, others, blanks):
    """Jobs of frames have the next vertical blank as deadline and the prediction as cost."""
    hinted = [j for j in mine if 'slack ns' in j['args']]
    check(len(hinted) >= 0.9 * len(mine), '%d of %d jobs have a deadline' % (len(hinted), len(mine)))
    # Records have the end of a vertical blank, which takes less than 1 ms, and deadlines its begin.
    before = before_blanks([ends_after(j) + j['args']['slack ns'] / 1e3 for j in hinted], blanks)
    check(max(before) < 1000 and max(before) - min(before) < 1,
          'each %.1f to %.1f us before the end of a vertical blank' % (min(before), max(before)))
    costs = [j for j in mine[len(mine) // 2:] if j['args'].get('cost ns') == j['args']['predicted ns']]
    check(len(costs) == len(mine) - len(mine) // 2,
          'the prediction is the cost of %d of the last %d' % (len(costs), len(mine) - len(mine) // 2))
    # What the kernel assumes is the larger of the bound and what it measured, with at most 0.1 ms added.
    bounds = [(j, upper_bound(j)) for j in costs]
    check(all(j['args']['assumed bound ns'] >= bound for j, bound in bounds),
          'the kernel assumes at least the bound of each of them')
    decided = [(j, b) for j, b in bounds if j['args']['bound from'] == 'prediction']
    check(decided and all(j['args']['assumed bound ns'] - b in range(100001) for j, b in decided),
          'and that bound where the prediction decides: %d of them' % len(decided))
    check(others and not any({'slack ns', 'cost ns'} & set(j['args']) for j in others),
          'jobs of no frame have neither')


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        timeline = json.load(file)
    events = timeline['traceEvents']
    spans = [e for e in events if e['ph'] == 'X']
    jobs = sorted((e for e in spans if e['name'] == 'Job'), key=lambda e: e['ts'])
    flushes = {(e['args']['client'], e['args']['job']): e for e in spans if e['name'] == 'Flush'}
    waiting, ready = pairs(events, 'Waiting'), pairs(events, 'Ready')

    check(not any(timeline['otherData'].values()), 'nothing was lost')
    names = {e['args'].get('program') for e in jobs}
    check(names == set(sys.argv[2:]), 'jobs are those of %s' % sorted(map(str, names)))
    by_thread = defaultdict(list)
    for event in spans:
        by_thread[event['pid'], event['tid']].append(event)
    check(threads_nest(by_thread), 'spans of %d threads nest' % len(by_thread))
    check(all(ends_after(a) <= b['ts'] + 0.001 for a, b in zip(jobs, jobs[1:])),
          '%d jobs run one after the other' % len(jobs))

    wrong = [j for j in jobs if abs(j['dur'] * CLOCK_MHZ - j['args']['cycles']) > CYCLES_OFF]
    check(jobs and not wrong, '%d of them do not take the time of their cycles' % len(wrong))

    keys = [(j['args']['client'], j['args']['job']) for j in jobs]
    check(all(set(waiting[k]) == set(ready[k]) == {'b', 'e'} for k in keys),
          'each waited, with a begin and an end')
    check(all(waiting[k]['e'] == ready[k]['b'] and ready[k]['e'] == j['ts']
              for k, j in zip(keys, jobs)), 'and began when its waiting ended')
    check(all(k in flushes and flushes[k]['ts'] <= waiting[k]['b'] <= ends_after(flushes[k])
              for k in keys), 'each was submitted by a flush of its program')
    check(all(flushes[k]['args']['bytes'] == j['args']['bytes'] for k, j in zip(keys, jobs)),
          'flush and job have the same bytes')
    check({e['id'] for e in events if e['ph'] == 's'} >= {e['id'] for e in events if e['ph'] == 'f'},
          'each arrow that ends has begun')
    predicted = pairs(events, 'Predicted')
    mine = [j for j in jobs if j['args'].get('program') == sys.argv[2]]
    check(mine and all(set(predicted[j['args']['client'], j['args']['job']]) == {'b', 'e'}
                       for j in mine), 'each job of %s was predicted' % sys.argv[2])
    ends = [(predicted[j['args']['client'], j['args']['job']].get('e', 0),
             j['ts'] + j['args'].get('predicted ns', 0) / 1e3) for j in mine]
    check(all(abs(drawn - end) < 0.002 for drawn, end in ends),
          'predictions are drawn from the begin of their jobs on')
    late = mine[len(mine) // 2:]
    right = [j for j in late if abs(1e3 * j['dur'] - j['args']['predicted ns']) <=
             j['args']['bound ns']]
    check(len(right) >= 0.95 * len(late), '%d of the last %d are within the bound' %
          (len(right), len(late)))
    check_hints(mine, [j for j in jobs if j not in mine],
                sorted(e['ts'] for e in events if e['name'] == 'Vertical blank'))
    print('%d passed, %d failed, 0 skipped' % (sum(results), len(results) - sum(results)))
    return not all(results)


if __name__ == '__main__':
    sys.exit(main())
