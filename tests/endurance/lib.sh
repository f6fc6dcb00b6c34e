# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# endurance(), for suites that source this after tests/lib.sh.

# endurance SECONDS: run endure.py, many programs on our driver at the same time, for that time in a
# guest with the debug kernel and the card's display, with u_threaded_context. Fails if a program or
# kmemleak finds something wrong, or if the kernel's log has a warning.
endurance() {
	local seconds=$1
	build_in tests/endurance || return
	# shellcheck disable=SC2154 # tests/lib.sh sets it
	guest endurance "${debug_kernel[@]}" --driver=vivgpu --display=card \
		--mode=640x432 --timeout=$((seconds + 1200)) -- "$INSIDE_TOP/vm/env" ours \
		env GALLIUM_THREAD=1 MESA_SHADER_CACHE_DISABLE=true PYTHONDONTWRITEBYTECODE=1 \
		"$INSIDE_TOP/tests/storm/guest" "$INSIDE_TOP/tests/endurance/endure.py" "$seconds"
}
