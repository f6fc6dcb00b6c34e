# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Many programs at once on our driver, for suites that source this after tests/lib.sh.

# endurance SECONDS: for so long on the debug kernel, with u_threaded_context and the
# card's display.
endurance() {
	local seconds=$1
	build_in tests/endurance || return
	# shellcheck disable=SC2154 # tests/lib.sh sets it
	"$TOP/vm/launch" --name=endurance "${debug_kernel[@]}" --driver=vivgpu --display=card \
		--mode=640x432 --timeout=$((seconds + 1200)) -- "$INSIDE_TOP/vm/env" ours \
		env GALLIUM_THREAD=1 MESA_SHADER_CACHE_DISABLE=true PYTHONDONTWRITEBYTECODE=1 \
		"$INSIDE_TOP/tests/storm/guest" "$INSIDE_TOP/tests/endurance/endure.py" "$seconds" || return
	no_warnings "$BUILD/run/endurance/console"
}
