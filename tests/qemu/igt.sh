# shellcheck shell=bash disable=SC2154 # OUT is of tests/qemu/run, which sources this
# SPDX-License-Identifier: MIT
#
# igt ARCH: our IGT tests on our kernel driver in a guest of QEMU, the fuzzer of calls and the storm of faults for some
# minutes. Debian has libigt for amd64 only: what the tests need of it is tests/igt/compat/igt.c. Called by
# tests/qemu/run.

# Without deadline: it measures times while the system is loaded, and suspends, which 9p over virtio does not survive.
IGT_TESTS=(bo counts fdinfo isolation perf pressure priority query record reset stream submit sync time totals)

# igt_guest NAME ARCH CPUS PROGRAM...: a guest in which these run; their logs are in OUT/NAME.
igt_guest() {
	local name=$1 arch=$2 cpus=$3
	shift 3
	"$TOP/tests/qemu/build" "$arch" stable igt && "$TOP/vm/qemu-module" "$arch" || return
	rm -rf "${TOP:?}/$OUT/$name"
	mkdir -p "$TOP/$OUT/$name"
	vm/qemu-launch --arch="$arch" --driver=none --face=pci --display=none --cpus="$cpus" --name="qemu-$name" --timeout=1800 -- \
		env IGT_VIVGPU_SECONDS="${IGT_VIVGPU_SECONDS-120}" IGT_VIVGPU_FAULTS="${IGT_VIVGPU_FAULTS-40}" \
		"$INSIDE_TOP/tests/qemu/igt-guest" "$INSIDE_TOP/build/tests/qemu/$arch" "$INSIDE_TOP/$OUT/$name" "$@"
}

# igt_judge NAME: each subtest has passed, or ended as tests/qemu/expected-igt.txt says.
igt_judge() {
	enter tests/qemu/igt_results.py "$OUT/$1" &&
		enter tests/igt/judge.py "$OUT/$1/list" "$OUT/$1/results.json" tests/qemu/expected-igt.txt 0
}

# igt_program NAME PROGRAM
igt_program() {
	cat "$TOP/$OUT/$1/$2.log" && grep -qx 0 "$TOP/$OUT/$1/$2.status"
}

igt() {
	check "$1-igt: boot" igt_guest "$1-igt" "$1" 1 "${IGT_TESTS[@]/#/vivgpu_}"
	check "$1-igt: subtests" igt_judge "$1-igt"
	check "$1-igt: no warnings" no_warnings "$BUILD/run/qemu-$1-igt/console"
	check "$1-fuzz: boot, two processors" igt_guest "$1-fuzz" "$1" 2 fuzz storm
	check "$1-fuzz: calls and streams of chance" igt_program "$1-fuzz" fuzz
	check "$1-fuzz: storm of faults" igt_program "$1-fuzz" storm
	check "$1-fuzz: no warnings" no_warnings "$BUILD/run/qemu-$1-fuzz/console"
}
