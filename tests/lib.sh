# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# What the suites share: run one test after the other, count, keep logs.
# Sourced after vm/lib.sh:
#
#	begin_suite peer
#	check "name of the test" command...
#	end_suite

# Tests that check has begun, and those whose result it has counted: they differ after a wrong arithmetic
# expression, at which bash leaves all functions, check among them, even with "set -e", and goes on
# with the next line of the file.
passed=0 failed=0 skipped=0 begun=0 checked=0

# The kernel for tests, as vm/launch takes it: the debug kernel, or with KERNEL=newest in the
# environment that one, with CPUS processors. With STRETCH=SEED the driver is delayed at places
# where races are possible. Its objects and its source.
# shellcheck disable=SC2034 # used by those who source this
debug_kernel=(--kernel=debug --stretch="${STRETCH:-0}") debug_build=build/kernel/debug debug_source=build/kernel/src
if [[ ${KERNEL-} == newest ]]; then
	# shellcheck disable=SC2034
	debug_kernel=(--kernel=newest --cpus="${CPUS:-2}" --stretch="${STRETCH:-0}")
	debug_build=build/kernel/newest debug_source=build/kernel/src-newest
fi

# Ctrl-C ends the suite: an interrupted vm/enter ends with a status, not by the signal, so bash would go on
# with the next test. What runs in the background does not get the signal.
end_interrupted() {
	local background
	trap - INT
	mapfile -t background < <(jobs -p)
	((!${#background[@]})) || kill "${background[@]}" 2>/dev/null || true
	kill -INT $$
}
trap end_interrupted INT

# begin_suite NAME: logs of the tests go to build/log/NAME/.
begin_suite() {
	suite_logs=$LOGS/$1
	rm -rf "$suite_logs"
	mkdir -p "$suite_logs"
}

# check NAME COMMAND...: one test. Its output is shown when it fails.
check() {
	local name=$1 log start=$SECONDS
	shift
	begun=$((begun + 1))
	log=$suite_logs/${name//[^A-Za-z0-9._-]/-}.log
	if "$@" >"$log" 2>&1 </dev/null; then
		passed=$((passed + 1))
		printf 'ok    %s (%d s)\n' "$name" $((SECONDS - start))
	else
		failed=$((failed + 1))
		printf 'FAIL  %s (log: %s)\n' "$name" "${log#"$TOP"/}"
		tail -n 12 "$log" | sed 's/^/      /'
	fi
	checked=$((checked + 1))
}

# skip NAME REASON: a test that cannot count; the reason cites code or a specification.
skip() {
	skipped=$((skipped + 1))
	printf 'skip  %s: %s\n' "$1" "$2"
}

# check_virtual NAME COMMAND...: one test that is about virtual time.
check_virtual() {
	if [[ $debug_build == */newest ]]; then
		skip "$1" "User-Mode Linux has no virtual time with SMP (arch/um/Kconfig)"
	else
		check "$@"
	fi
}

# end_suite: print the totals and end with the right status.
end_suite() {
	if ((begun > checked)); then
		echo "FAIL  $((begun - checked)) tests ended by an error of their own"
		failed=$((failed + begun - checked))
	fi
	echo "$passed passed, $failed failed, $skipped skipped"
	exit $((failed > 0))
}

# no_warnings CONSOLE: whether a guest's kernel log is free of what a kernel
# prints when something is wrong; shows the lines otherwise, with those before, which say what
# a call trace is about.
no_warnings() {
	local pattern='WARNING:|BUG:|KASAN|UBSAN|INFO: (possible|task|suspicious|trying)|Call [Tt]race|nobody cared'
	pattern+='|DEBUG_LOCKS_WARN|DMA-API: .*: |unreferenced object|refcount_t|Oops|Kernel panic'
	[[ -s $1 ]] || { echo "no kernel log in $1"; return 1; }
	! grep -nE -B 8 "$pattern" "$1"
}

# guest NAME [OPTION...] -- COMMAND...: a command in a guest with guest_options, which a suite may set, and
# these options of vm/launch; its kernel's log must be free of warnings.
guest_options=()
guest() {
	local name=$1
	shift
	"$TOP/vm/launch" --name="$name" "${guest_options[@]}" "$@" || return
	no_warnings "$BUILD/run/$name/console"
}

# plant NAME (FILE ANCHOR LINE)...: our kernel driver with a line after each line of
# FILE that has ANCHOR in it, which must be there: to make moments long that are too
# short to be met. The module is build/tests/planted/NAME/vivgpu.ko.
plant() {
	local folder=$BUILD/tests/planted/$1 file anchor line
	shift
	rm -rf "$folder"
	mkdir -p "$folder"
	cp -r "$TOP/drivers/gpu/drm/vivgpu/." "$folder/"
	while (($#)); do
		file=$folder/$1 anchor=$2 line=$3
		grep -qF -e "$anchor" "$file" || { echo "no '$anchor' in $file"; return 1; }
		awk -v anchor="$anchor" -v line="$line" \
			'{ print } index($0, anchor) { print line }' "$file" >"$file.new"
		mv "$file.new" "$file"
		shift 3
	done
	enter make --no-print-directory -s -C "$debug_source" O="$INSIDE_TOP/$debug_build" \
		ARCH=um -j "$JOBS" M="$INSIDE_TOP/${folder#"$TOP"/}"
}
