# shellcheck shell=bash disable=SC2154 # OUT is of tests/qemu/run, which sources this
# SPDX-License-Identifier: MIT
#
# desktop ARCH: Debian with systemd and udev in QEMU, our kernel driver, and Weston on the card's display: boot and
# login prompt, keyboard and pointer, pictures, usage statistics. Called by tests/qemu/run.

# Codes of keys: "touch t" and enter
KEYS=(20 24 22 46 35 57 20 28)
# Weston's first launcher
LAUNCHER=(22 16)

# act ACTION...: what a user does.
act() {
	enter build/card/vivgpu-cardctl --socket="build/run/qemu-$desktop/control" input "$@"
}

# wait_for FILE: from the guest; fails when that has ended.
wait_for() {
	until [[ -e $TOP/$OUT/$desktop/$1 ]]; do
		[[ ! -e $TOP/$OUT/$desktop/ended ]] || return
		sleep 0.2
	done
}

desktop_user() {
	local key
	wait_for may-click || return
	act pointer "${LAUNCHER[@]}" && act button left press && act button left release || return
	wait_for may-type || return
	for key in "${KEYS[@]}"; do
		act key "$key" press && act key "$key" release || return
	done
}

boot_desktop() {
	local status=0 user
	"$TOP/tests/qemu/build" "$1" && "$TOP/vm/qemu-module" "$1" || return
	rm -rf "${TOP:?}/$OUT/$desktop"
	mkdir -p "$TOP/$OUT/$desktop"
	desktop_user &
	user=$!
	vm/qemu-launch --arch="$1" --boot=debian --cpus=2 --driver=vivgpu --face=pci --input=/dev/null --name="qemu-$desktop" \
		--timeout=600 -- "$INSIDE_TOP/tests/qemu/desktop-guest" "$INSIDE_TOP/build/tests/qemu/$1" \
		"$INSIDE_TOP/$OUT/$desktop" || status=$?
	touch "$TOP/$OUT/$desktop/ended"
	wait $user || status=$?
	return $status
}

# The programs were drawn by the card, and statistics say so of each of them.
desktop_programs() {
	local log=$TOP/$OUT/$desktop/desktop.log name
	step "$desktop" desktop && grep 'GL_RENDERER: *Vivante' "$log" || return
	for name in weston glmark2-es2-way weston-simple-e; do
		grep -E " [0-9.]*[1-9][0-9.]* % .*\| $name" "$log" || return
	done
}

# The picture is Weston's: its panel on top, and of the programs' colours more than a few.
desktop_picture() {
	enter python3 -c '
import sys
sys.path.insert(0, "tests")
from png import read_png
width, height, pixels = read_png(sys.argv[1])
colours = {pixels[i:i + 3] for i in range(0, len(pixels), 3)}
print(width, height, len(colours), "colours")
sys.exit(not (width == 1280 and height == 720 and len(colours) > 200))' "$OUT/$desktop/desktop.png"
}

# No message of the input devices was refused, which the statistics of the bus do not count.
desktop_bus() {
	bus_is_clean "$desktop" pci && ! grep -E '^vivgpu-card: vivgpu (keyboard|mouse|touch screen): ' "$BUILD/run/qemu-$desktop/card"
}

desktop() {
	local desktop=$1-desktop
	check "$desktop: boot" boot_desktop "$1"
	check "$desktop: all of systemd, our driver by udev" step "$desktop" system
	check "$desktop: a login on the serial line" grep -a "^$SUITE login: " "$BUILD/run/qemu-$desktop/console"
	check "$desktop: pointer and keyboard" step "$desktop" input
	check "$desktop: programs in windows" desktop_programs
	check "$desktop: a picture" desktop_picture
	check "$desktop: messages of vfio-user" desktop_bus
	check "$desktop: no warnings" no_warnings "$BUILD/run/qemu-$desktop/console"
}
