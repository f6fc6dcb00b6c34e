# shellcheck shell=bash disable=SC2154 # OUT is of tests/qemu/run, which sources this
# SPDX-License-Identifier: MIT
#
# paths: instructions of our Mesa for uploads and for vertices that the core cannot fetch, in guests of the three
# architectures, whose compilers and processors have different ones. Called by tests/qemu/run.

PATHS_ARCHITECTURES=(x86_64 arm64 armhf)
# Nanoseconds of an instruction with --icount=1
PATHS_NS=2

# paths_in ARCH
paths_in() {
	"$TOP/tests/qemu/build" "$1" && "$TOP/vm/qemu-module" "$1" || return
	mkdir -p "$TOP/$OUT/paths"
	vm/qemu-launch --arch="$1" --driver=vivgpu --face=pci --display=none --icount=1 --name="qemu-paths-$1" --timeout=600 -- \
		env GALLIUM_THREAD=0 "$INSIDE_TOP/vm/env" ours "$INSIDE_TOP/build/tests/qemu/$1/qemu-paths" $PATHS_NS |
		tr -d '\r' | tee "$TOP/$OUT/paths/$1"
}

# paths_ratio ARCH: no case takes three times x86's instructions.
paths_ratio() {
	awk 'NR == FNR { x86[$1] = $2; next }
		{ printf "%-20s %8.1f, x86 %8.1f, ratio %.2f\n", $1, $2, x86[$1], $2 / x86[$1]; bad += $2 > 3 * x86[$1]; cases++ }
		END { exit bad || cases < 6 }' "$TOP/$OUT/paths/x86_64" "$TOP/$OUT/paths/$1"
}

paths() {
	local arch
	for arch in "${PATHS_ARCHITECTURES[@]}"; do
		check "paths: $arch" paths_in "$arch"
	done
	for arch in arm64 armhf; do
		check "paths: $arch beside x86_64" paths_ratio "$arch"
	done
}
