# shellcheck shell=bash disable=SC2154 # OUT is of tests/qemu/run, which sources this
# SPDX-License-Identifier: MIT
#
# mesa ARCH: our Mesa driver on our kernel driver in a guest of QEMU of another architecture than ours: the programs
# of tests/gl that need no virtual time, and pictures, which equal those of x86-64 in User-Mode Linux, the scenes of tests/peer
# and of tests/draws. Called by tests/qemu/run.

# Without brcm_event_monitor: it needs a software driver besides, which this build has not.
GL_PROGRAMS=(occlusion context_budget arb_pipeline_statistics_query arb_pipeline_statistics_query_submitted
	amd_performance_monitor_exact brcm_event_truth)
# Scenes of tests/draws
DRAWS_COUNT=${DRAWS_COUNT:-200}

mesa_guest() {
	"$TOP/tests/qemu/build" "$1" && "$TOP/tests/qemu/build" "$1" stable gl && "$TOP/vm/qemu-module" "$1" || return
	rm -rf "${TOP:?}/$OUT/$1-mesa"
	mkdir -p "$TOP/$OUT/$1-mesa"
	vm/qemu-launch --arch="$1" --driver=none --face=pci --display=none --name="qemu-$1-mesa" --timeout=1800 -- \
		"$INSIDE_TOP/tests/qemu/mesa-guest" "$INSIDE_TOP/build/tests/qemu/$1" "$INSIDE_TOP/$OUT/$1-mesa" \
		"$DRAWS_COUNT" "${GL_PROGRAMS[@]}"
}

# The same pictures by x86-64 in User-Mode Linux
mesa_uml() {
	local out=$OUT/x86_64-mesa
	build_in tests/draws tests/peer || return
	rm -rf "${TOP:?}/$out"
	mkdir -p "$TOP/$out"
	vm/launch --driver=vivgpu --display=none --time=virtual --name=uml-mesa --timeout=600 -- "$INSIDE_TOP/vm/env" ours \
		bash -c "build/tests/peer/peer-scenes $INSIDE_TOP/$out &&
			build/tests/draws/draws --vivgpu-gc3000 --kinds 1 0 $DRAWS_COUNT" | tee "$TOP/$out/draws.log"
}

# digest FOLDER: the digest of all pictures, and how many scenes were right.
digest() {
	sed -n '/digest of the pictures/p; /^[0-9]* passed/p' "$TOP/$OUT/$1/draws.log" | grep .
}

same_digest() {
	digest "$1" && diff <(digest "$1") <(digest x86_64-mesa)
}

mesa() {
	local name=$1-mesa scene program
	check "$name: boot" mesa_guest "$1"
	check "$name: the same pictures by x86-64" mesa_uml
	check "$name: a triangle, exactly" step "$name" triangle
	for scene in "${SCENES[@]}"; do
		check "$name: $scene equals x86-64's" cmp "$OUT/$name/$scene.png" "$OUT/x86_64-mesa/$scene.png"
	done
	check "$name: scenes of random state" step "$name" draws
	check "$name: each equals x86-64's" same_digest "$name"
	for program in "${GL_PROGRAMS[@]}"; do
		check "$name: $program" step "$name" "$program"
	done
	check "$name: a triangle after unloading" step "$name" again
	check "$name: messages of vfio-user" bus_is_clean "$name" pci
	check "$name: no warnings" no_warnings "$BUILD/run/qemu-$name/console"
}
