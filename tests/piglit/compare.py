#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py PEER OURS: what passes in one run of piglit and does not in the other.

Both are folders of results that tests/piglit/run wrote. Each subtest is compared,
and each test that has none; one that was not run or says that something is not
offered does not pass. Prints what passes in PEER alone, and how many pass in OURS
alone. Ends with one line "N passed, N failed, N skipped" over what passes in PEER;
skipped are those of NOT_FOR_US that say so, and those of EXCUSED that fail.
"""

import sys

import judge

# Tests that have nothing to test with our driver, and why.
NOT_FOR_US = {
    'spec@arb_fragment_program@fp-indirections':
        'wants a limit below 16384; vivgpu_compiler_max_instructions() is 32767, etnaviv says 2048',
}

# Tests that may fail, and why.
EXCUSED = {
    'spec@egl_khr_create_context@no-error context gl':
        'expects EGL_BAD_MATCH for robust access, but without robust access, which our driver does '
        'not offer, EGL_EXT_create_context_robustness says EGL_BAD_CONFIG; etnaviv has no such '
        'extension, and the test leaves this out',
    'glx@glx-copy-sub-buffer': 'fails in some runs with etnaviv as well: 1 of 16; ours 7 of 48',
    'glx@glx-copy-sub-buffer samples=4': 'as without samples',
    'spec@egl_chromium_sync_control@conformance@eglgetsyncvalueschromium_msc_and_sbc_test':
        'reads the number of completed swaps right after eglSwapBuffers(), when Xwayland has seldom '
        'completed one: fails in 18 of 20 runs with etnaviv, in 17 of 20 with ours',
    'glx@glx-visuals-depth': 'fails in some runs with etnaviv as well: 1 of 2',
}


def outcomes(output):
    """{name: outcome} of all that a run says."""
    results = judge.read_run(output)
    return {unit: outcome for name, result in results.items()
            for unit, outcome in judge.units(name, result, results)}


def passes(run):
    """The names that pass in outcomes()."""
    return {name for name, outcome in run.items() if outcome in judge.PASS}


def main(peer_folder, our_folder):
    """As the text at the top says."""
    peer, ours = outcomes(peer_folder), outcomes(our_folder)
    wanted, good = passes(peer), passes(ours)
    skipped = {name: why for name, why in NOT_FOR_US.items()
               if name in wanted and ours.get(name) == 'skip'}
    skipped.update((name, EXCUSED[name]) for name in wanted - good if name in EXCUSED)
    lost = sorted(wanted - good - skipped.keys())
    for name in lost:
        print(f'FAIL  {name}: {ours.get(name, "not run")}')
    for name in sorted(skipped):
        print(f'skip  {name}: {skipped[name]}')
    print(f'{len(good - wanted)} pass with ours alone')
    print(f'{len(wanted & good)} passed, {len(lost)} failed, {len(skipped)} skipped')
    return bool(lost) or not wanted


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
