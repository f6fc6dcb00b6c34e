# shellcheck shell=bash disable=SC2154 # OUT is of tests/qemu/run, which sources this
# SPDX-License-Identifier: MIT
#
# job ARCH: the same jobs, a triangle twice by etnaviv, in QEMU with Debian's kernel and Mesa of that architecture, in User-Mode
# Linux with ours of the same versions, and in a core of its own without a guest, which is fed what the cards
# recorded of both (card/gc/record.h). All count the same. Called by tests/qemu/run.

# job_in_qemu ARCH
job_in_qemu() {
	local name=qemu-$1-job
	"$TOP/tests/qemu/build" "$1" || return
	vm/qemu-launch --arch="$1" --driver=etnaviv --name="$name" --timeout=300 \
		--card-option=--record="$INSIDE_TOP/build/run/$name/record" -- \
		"$INSIDE_TOP/tests/qemu/job-guest" "$INSIDE_TOP/build/tests/qemu/$1/qemu-triangle" Vivante 2
}

job_in_uml() {
	# With the sysroot's libraries
	enter make -s -C tests/qemu ARCH=x86_64 LIBRARIES=/usr/lib/x86_64-linux-gnu ../../build/tests/qemu/x86_64/qemu-triangle ||
		return
	vm/launch --driver=etnaviv --display=none --name=uml-job --timeout=300 \
		--card-option=--record="$INSIDE_TOP/build/run/uml-job/record" -- \
		"$INSIDE_TOP/tests/qemu/job-guest" "$INSIDE_TOP/vm/env" peer \
		"$INSIDE_TOP/build/tests/qemu/x86_64/qemu-triangle" Vivante 2
}

# replay NAME FILE [OPTION]: feed the record of a run to the core without a guest.
replay() {
	enter build/card/replay ${3:+"$3"} "build/run/$1/record" >"$BUILD/run/$1/$2"
}

# replayed NAME: all counts and cycles are those that the card had there. The total of cycles goes on while it is idle.
replayed() {
	local run=$BUILD/run/$1
	replay "$1" replayed || return
	grep '^gc\.' "$run/stats" | grep -v '^gc\.cycles ' >"$run/counted"
	grep -x 'gc.fe.draws [1-9][0-9]*' "$run/counted" && grep '^gc.busy_cycles ' "$run/counted" &&
		diff "$run/counted" <(grep -v '^gc\.cycles ' "$run/replayed")
}

# same_job NAME NAME: the second job, which finds the front end waiting, as the first one may or may not. From the first to its last command both take the same cycles, and count the same,
# but for the waits of the memory's clients, which are differences of rounded sums since the reset.
same_job() {
	replay "$1" last-job --last-job && replay "$2" last-job --last-job || return
	grep -x 'gc.fe.draws [1-9][0-9]*' "$BUILD/run/$1/last-job" && grep '^gc.busy_cycles ' "$BUILD/run/$1/last-job" &&
		diff <(grep -v '_stalls ' "$BUILD/run/$1/last-job") <(grep -v '_stalls ' "$BUILD/run/$2/last-job")
}

job() {
	check "$1-job: QEMU" job_in_qemu "$1"
	check "$1-job: User-Mode Linux" job_in_uml
	check "$1-job: QEMU's, without a guest: the same cycles and counts" replayed "qemu-$1-job"
	check "$1-job: User-Mode Linux's, without a guest: the same" replayed uml-job
	check "$1-job: both are one job" same_job "qemu-$1-job" uml-job
}
