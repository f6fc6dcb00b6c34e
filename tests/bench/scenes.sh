# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Scenes of glmark2 with one setting of the driver and with another: instructions by callgrind and GPU
# cycles, both in virtual time. Sourced by tests/bench/groups and tests/bench/predict, which set:
#
#	NAME	of the files and guests
#	SCENES	array of glmark2's benchmarks
#	ON, OFF	arrays of settings VARIABLE=VALUE that are compared
#
# Each scene has FRAMES frames, of which the first SKIP are not counted: until all buffers of the window
# were used twice, the command monitor describes what it has not seen. It reads results for 32 jobs or 250 ms
# at once (JOBS_A_READ and READ_AGAIN_NS in vivgpu_monitor.c); so 32 frames are counted, in virtual
# time, in which they take no longer because they are counted.

OUT=$BUILD/bench/$NAME
INSIDE_OUT=$INSIDE_TOP/build/bench/$NAME
PROGRAMS=$INSIDE_TOP/build/tests/bench
FRAMES=64
SKIP=32
# By frame-clock.so's time, in which 64 frames take 19.2 s; glmark2's default is less.
SECONDS_AT_MOST=60

# Before a command: with our Mesa, without threads and caches of its own.
OURS=("$INSIDE_TOP/vm/env" ours env GALLIUM_THREAD=0 MESA_SHADER_CACHE_DISABLE=true)

# guest NAME OPTION... -- COMMAND...: with our kernel driver.
guest() {
	"$TOP/vm/launch" --driver=vivgpu --name="bench-$NAME-$1" --timeout=900 "${@:2}"
}

# settings KIND: of on or off.
settings() {
	if [[ $1 == on ]]; then
		printf '%s\n' "${ON[@]}"
	else
		printf '%s\n' "${OFF[@]}"
	fi
}

# frame KIND: instructions of 100 frames of 100 small draws (events-bench.c).
frame() {
	local with
	mapfile -t with < <(settings "$1")
	guest frame --display=none --card-option=--null-draw -- "${OURS[@]}" env "${with[@]}" valgrind \
		--tool=callgrind --dump-before=event_mark --compress-strings=no \
		--callgrind-out-file="$INSIDE_OUT/frame-$1" "$PROGRAMS/events-bench" instructions \
		>"$OUT/frame-$1.log" 2>&1
	awk '/^totals:/ { print $2 }' "$OUT/frame-$1.2"
}

# set_command KIND WRAPPER...: COMMAND runs the scenes.
set_command() {
	local kind=$1 scene benchmarks=() with
	shift
	mapfile -t with < <(settings "$kind")
	for scene in "${SCENES[@]}"; do
		benchmarks+=(-b "$scene:nframes=$FRAMES:duration=$SECONDS_AT_MOST")
	done
	COMMAND=(env "${with[@]}" FRAME_CLOCK_EVERY=0
		FRAME_MARKS_FRAMES="$FRAMES" FRAME_MARKS_SKIP="$SKIP"
		LD_PRELOAD="$PROGRAMS/frame-marks.so $INSIDE_TOP/build/tests/peer/frame-clock.so"
		"$@" glmark2-es2-drm "${benchmarks[@]}")
}

# scenes KIND [--card-option=OPTION] -- WRAPPER...
scenes() {
	local kind=$1 options=()
	shift
	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	shift
	set_command "$kind" "$@"
	guest scenes --display=card --mode=640x432 --time=virtual "${options[@]}" -- "${OURS[@]}" "${COMMAND[@]}" \
		>"$OUT/$kind.log" 2>&1
}

# count KIND: instructions of each scene, a number a line.
count() {
	local i
	scenes "$1" --card-option=--null-draw -- valgrind --quiet --tool=callgrind --instr-atstart=no \
		--compress-strings=no --callgrind-out-file="$INSIDE_OUT/profile-$1"
	for ((i = 1; i <= ${#SCENES[@]}; i++)); do
		awk '/^totals:/ { print $2 }' "$OUT/profile-$1.$i"
	done
}

# cycles KIND: GPU cycles of each scene, a number a line.
cycles() {
	scenes "$1" -- env
	sed -n 's/.*frame-marks \([0-9]*\) .*/\1/p' "$OUT/$1.log"
}

# kernel KIND: instructions of the guest's kernel for each scene, a number a line.
kernel() {
	set_command "$1" env FRAME_MARKS_KERNEL=1
	"$TOP/tests/bench/kernel-frames" "$NAME-$1" "${OURS[@]}" "${COMMAND[@]}"
}

# row NAME OURS PEER
row() {
	awk -v OFS=, -v name="$1" -v ours="$2" -v peer="$3" \
		'BEGIN { print name, ours, peer, sprintf("%.4f", ours / peer) }'
}

# rows METRIC FUNCTION: rows of the scenes by count or cycles, whose results are left in the
# files on.METRIC and off.METRIC.
rows() {
	local i=0 scene on off metric=$1 measure=$2
	"$measure" on >"$OUT/on.$metric"
	"$measure" off >"$OUT/off.$metric"
	mapfile -t on <"$OUT/on.$metric"
	mapfile -t off <"$OUT/off.$metric"
	for scene in "${SCENES[@]}"; do
		row "mesa.$NAME.$metric.${scene%%:*}" "${on[i]}" "${off[i]}"
		i=$((i + 1))
	done
}
