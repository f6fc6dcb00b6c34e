# shellcheck shell=bash disable=SC2034 # its variables are used by those who source it
# SPDX-License-Identifier: MIT
#
# Paths, messages and progress reports for all scripts below vm/. To be sourced:
#
#	. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

set -euo pipefail

# The path of an ordinary user may lack the folders of chroot and sysctl.
export PATH=$PATH:/usr/sbin:/sbin

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# Generated files; the same folder is $TOP/build on the host and inside.
BUILD=$TOP/build
SYSROOT=$BUILD/sysroot
STAMPS=$BUILD/stamps
LOGS=$BUILD/log
# Paths of the repository and of the cache inside the sysroot.
INSIDE_TOP=/vivgpu
INSIDE_CACHE=/cache
# A file that exists only inside the sysroot.
INSIDE_MARK=/etc/vivgpu-sysroot
SUITE=trixie
KERNEL_SERIES=6.12
JOBS=${JOBS:-$(nproc)}

# Whether this script runs inside the sysroot.
inside() {
	[[ -e $INSIDE_MARK ]]
}

# Downloads, source archives and the ccache are outside of build/ and shared by all clones.
if inside; then
	CACHE=$INSIDE_CACHE
else
	# Without $HOME, as in some services, bash looks up the user's folder.
	CACHE=${XDG_CACHE_HOME:-~/.cache}/vivgpu
fi

# say MESSAGE...: one line to the user.
say() {
	printf '%s\n' "$*"
}

# warn MESSAGE...: one line on stderr.
warn() {
	printf '%s\n' "$*" >&2
}

# die MESSAGE...: one line on stderr, then end with status 1.
die() {
	warn "${0##*/}: $*"
	exit 1
}

# have PROGRAM: whether it is in the path.
have() {
	command -v "$1" >/dev/null 2>&1
}

# read_processor_time VARIABLE: set it to the user and system time, in seconds, of this shell and of
# those of its descendants that have ended and were waited for. What is left behind in vm/enter's process
# namespace and killed at its end is not among them.
read_processor_time() {
	local line fields
	read -r line <"/proc/$BASHPID/stat"
	# After the name, which is in parentheses: field 3 and those after it.
	read -ra fields <<<"${line##*) }"
	printf -v "$1" '%d' \
		$(((fields[11] + fields[12] + fields[13] + fields[14]) / $(getconf CLK_TCK)))
}

# progress PERCENT: report progress to vm/stages, which shows it instead of the line.
progress() {
	printf '@progress %s%%\n' "$1"
}

# count_progress TOTAL [REGEX]: copy stdin to stdout and report progress for
# each further percent of TOTAL lines that match REGEX (default: every line).
# For builds that print a line per step but no percentage, such as the kernel's.
count_progress() {
	local total=$1 regex=${2:-.} line last=-1 seen=0 percent
	while IFS= read -r line; do
		printf '%s\n' "$line"
		[[ $line =~ $regex ]] || continue
		percent=$((++seen * 100 / total))
		if ((percent != last && percent < 100)); then
			progress "$percent"
			last=$percent
		fi
	done
}

# big_build_lock: wait until no other large build of this clone runs, then
# keep the lock until this shell ends. Two builds at once take as long as one after the other,
# and twice the memory.
big_build_lock() {
	mkdir -p "$BUILD"
	exec {BIG_BUILD_FD}>"$BUILD/.big-build.lock"
	flock -n "$BIG_BUILD_FD" && return
	say "waiting for another large build in this clone to end"
	flock "$BIG_BUILD_FD"
}

# enter COMMAND...: run it inside the sysroot; also works there.
enter() {
	"$TOP/vm/enter" "$@"
}

# build_in FOLDER...: run make in these folders, in the sysroot. Suites that run in parallel may
# need the same programs, so a lock serialises them.
build_in() (
	mkdir -p "$BUILD"
	exec {lock}>"$BUILD/.programs.lock"
	flock "$lock"
	for folder in "$@"; do
		enter make -s -C "$INSIDE_TOP/$folder" || exit
	done
)
