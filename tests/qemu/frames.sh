# shellcheck shell=bash disable=SC2154 # OUT is of tests/qemu/run, which sources this
# SPDX-License-Identifier: MIT
#
# frames ARCH: glmark2 by etnaviv on a display, in QEMU with Debian's kernel and Mesa of that architecture, on QEMU's own
# display, and in User-Mode Linux with ours of the same versions, on vkms. A frame takes the same cycles of the core.
# Called by tests/qemu/run.

FRAMES=100
FRAMES_SCENES=(build effect2d)
# The size of vkms's monitor
FRAMES_MODE=640x432

# frames_in_qemu ARCH SCENE
frames_in_qemu() {
	"$TOP/tests/qemu/build" "$1" || return
	vm/qemu-launch --arch="$1" --driver=etnaviv --display=virtio --mode=$FRAMES_MODE --name="qemu-$1-frames-$2" --timeout=300 -- \
		"$INSIDE_TOP/tests/qemu/frames-guest" "$INSIDE_TOP/build/tests/qemu/$1" "$2" $FRAMES
}

# frames_in_uml SCENE
frames_in_uml() {
	local programs=build/tests/qemu/x86_64
	# With the sysroot's libraries
	enter make -s -C tests/qemu ARCH=x86_64 LIBRARIES=/usr/lib/x86_64-linux-gnu "../../$programs/"{frame-clock,one-mode}.so ||
		return
	vm/launch --driver=etnaviv --display=vkms --name="uml-frames-$1" --timeout=300 -- \
		"$INSIDE_TOP/tests/qemu/frames-guest" "$INSIDE_TOP/$programs" "$1" $FRAMES "$INSIDE_TOP/vm/env" peer
}

# busy NAME: the cycles in which the core was busy.
busy() {
	sed -n 's/^gc\.busy_cycles //p' "$BUILD/run/$1/stats" | grep .
}

# same_frames NAME NAME: within 1 %.
same_frames() {
	local qemu uml
	qemu=$(busy "$1") && uml=$(busy "$2") || return
	awk -v qemu="$qemu" -v uml="$uml" -v frames=$FRAMES 'BEGIN {
		printf "%d cycles a frame, User-Mode Linux %d, ratio %.4f\n", qemu / frames, uml / frames, qemu / uml
		exit !(qemu > 0.99 * uml && qemu < 1.01 * uml) }'
}

frames() {
	local scene
	for scene in "${FRAMES_SCENES[@]}"; do
		check "$1-frames: $scene in QEMU" frames_in_qemu "$1" "$scene"
		check "$1-frames: $scene in User-Mode Linux" frames_in_uml "$scene"
		check "$1-frames: $scene, cycles of a frame" same_frames "qemu-$1-frames-$scene" "uml-frames-$scene"
		check "$1-frames: $scene, no warnings" no_warnings "$BUILD/run/qemu-$1-frames-$scene/console"
	done
}
