# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# A machine of QEMU that starts stopped: its registers are accessed by QEMU's qtest protocol, then it may
# run. To be sourced in the QEMU root, after lib.sh:
#
#	make_qtest FOLDER
#	qemu-system-aarch64 "${QTEST_ARGUMENTS[@]}" ... &
#	QTEST_PID=$!
#	ask_qtest "readl 0x4010000000"
#	run_machine

QTEST_SECONDS=60

# make_qtest FOLDER: make the pipes there and set QTEST_ARGUMENTS, QEMU's arguments.
make_qtest() {
	QTEST_FOLDER=$1
	mkfifo "$1"/{qtest,qmp}.{in,out}
	# Open for reading and writing, which does not wait for the other side.
	exec {QTEST_IN}<>"$1/qtest.in" {QTEST_OUT}<>"$1/qtest.out" {QMP_IN}<>"$1/qmp.in" {QMP_OUT}<>"$1/qmp.out"
	# shellcheck disable=SC2034 # used by those who source this
	QTEST_ARGUMENTS=(-S -qtest-log none -qtest "pipe:$1/qtest" -qmp "pipe:$1/qmp")
}

# read_answer DESCRIPTOR: print the next line of it, for which QEMU has some time, as long as it runs.
read_answer() {
	local line='' part i
	for ((i = 0; i < QTEST_SECONDS; i++)); do
		if IFS= read -r -t 1 -u "$1" part; then
			say "$line$part"
			return
		fi
		line+=$part
		kill -0 "$QTEST_PID" 2>/dev/null || die "QEMU has ended"
	done
	die "QEMU does not answer in $QTEST_FOLDER"
}

# ask_qtest COMMAND: print the value that it returns, if any; a failure is one of the function.
ask_qtest() {
	local answer
	say "$1" >&"$QTEST_IN"
	answer=$(read_answer "$QTEST_OUT") || return
	[[ $answer == OK* ]] || { warn "qtest: $1: $answer"; return 1; }
	say "${answer#OK }"
}

# ask_qmp COMMAND: execute it.
ask_qmp() {
	local answer
	say "{\"execute\":\"$1\"}" >&"$QMP_IN"
	until answer=$(read_answer "$QMP_OUT") && [[ $answer == *'"return"'* ]]; do
		[[ $answer && $answer != *'"error"'* ]] || { warn "QMP: $1: $answer"; return 1; }
	done
}

# run_machine: let it run.
run_machine() {
	ask_qmp qmp_capabilities && ask_qmp cont
}
