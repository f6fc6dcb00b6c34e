# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# What the tests of the build scripts share: counting, and asking about output.
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

# equal GOT WANTED
equal() {
	[[ $1 == "$2" ]] && return
	printf 'got:    %s\nwanted: %s\n' "$1" "$2"
	return 1
}

# says TEXT COMMAND...: does the command's output (stdout and stderr) hold TEXT?
says() {
	local text=$1 output
	shift
	output=$("$@" 2>&1) || true
	[[ $output == *"$text"* ]] && return
	printf 'no "%s" in:\n%s\n' "$text" "$output"
	return 1
}

# fails COMMAND...: does it end with another status than 0?
fails() {
	! "$@"
}

# The last line every test program prints, and its status.
summary() {
	printf '%d passed, %d failed, 0 skipped\n' "$PASSED" "$FAILED"
	((FAILED == 0))
}
