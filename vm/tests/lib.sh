# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Functions for tests of the build scripts: counting, and checks of output.
# Sourced after the script under test.

PASSED=0
FAILED=0

# passes NAME COMMAND...: count whether the command succeeds; show why not.
passes() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		printf 'FAILED: %s\n%s\n' "$name" "$output"
	fi
}

# equal GOT WANTED: succeed if they are equal; print both otherwise.
equal() {
	[[ $1 == "$2" ]] && return
	printf 'got:    %s\nwanted: %s\n' "$1" "$2"
	return 1
}

# says TEXT COMMAND...: succeed if the command's output (stdout and stderr) contains TEXT.
says() {
	local text=$1 output
	shift
	output=$("$@" 2>&1) || true
	[[ $output == *"$text"* ]] && return
	printf 'no "%s" in:\n%s\n' "$text" "$output"
	return 1
}

# fails COMMAND...: succeed if the command ends with a status other than 0.
fails() {
	! "$@"
}

# The last line every test program prints, and its status.
summary() {
	printf '%d passed, %d failed, 0 skipped\n' "$PASSED" "$FAILED"
	((FAILED == 0))
}
