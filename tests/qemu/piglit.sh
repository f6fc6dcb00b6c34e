# shellcheck shell=bash disable=SC2154 # OUT is of tests/qemu/run, which sources this
# SPDX-License-Identifier: MIT
#
# piglit ARCH: the part of piglit that tests/piglit/core.txt names, by Debian's etnaviv and Mesa in QEMU, the release's
# and unstable's: what differs is in expected-piglit.txt. Piglit's framework runs on our machine, where it prints the
# commands; its programs are those of ARCH, its data the sysroot's. An interrupted run is continued. Called by
# tests/qemu/run.

# Seconds
PIGLIT_TIMEOUT=14400

# piglit_commands FOLDER: FOLDER/commands; what etnaviv offers is asked for in User-Mode Linux. Results of other commands
# are removed, and those of a run that has come to its end.
piglit_commands() {
	local folder=$1 kernel
	mkdir -p "$folder"
	vm/launch --name=qemu-piglit-eglinfo --driver=etnaviv --timeout=120 -- \
		"$INSIDE_TOP/vm/env" peer eglinfo -p gbm >"$folder/eglinfo" || return
	enter env PYTHONDONTWRITEBYTECODE=1 tests/piglit/choose.py "$folder/eglinfo" build/mesa/src/src/etnaviv/ci gc3000 \
		"$folder" tests/piglit/core.txt || return
	piglit_print "$folder" shader quick_shader.no_isolation && piglit_print "$folder" gl quick_gl || return
	cat "$folder"/{shader,gl}.commands >"$folder/commands.new"
	if [[ -e $folder/done ]] || ! cmp "$folder/commands" "$folder/commands.new"; then
		rm -rf "$folder"/{stable,sid,done}
	fi
	mv "$folder/commands.new" "$folder/commands"
	for kernel in stable sid; do
		mkdir -p "$folder/$kernel"
	done
}

# piglit_print FOLDER HALF PROFILE: the commands of the tests in HALF.list.
piglit_print() {
	enter env PIGLIT_PLATFORM=gbm piglit print-cmd "$3" --format '{name} ::: {command}' |
		awk -F ' ::: ' 'NR == FNR { wanted[$0]; next } tolower($1) in wanted' "$1/$2.list" - >"$1/$2.commands"
	[[ -s $1/$2.commands ]]
}

# piglit_guest ARCH KERNEL
piglit_guest() {
	local inside=$INSIDE_TOP/$OUT/$1-piglit triplet
	choose_architecture "$1"
	vm/qemu-launch --arch="$1" --kernel="$2" --driver=etnaviv --name="qemu-$1-piglit-$2" --timeout=$PIGLIT_TIMEOUT -- \
		"$INSIDE_TOP/tests/qemu/piglit-guest" "$INSIDE_TOP/build/piglit/$1/usr/lib/$triplet" \
		"$INSIDE_TOP/build/sysroot/usr/lib/x86_64-linux-gnu/piglit" "$inside/commands" "$inside/$2"
}

# piglit_compare ARCH
piglit_compare() {
	local folder=$OUT/$1-piglit
	enter tests/qemu/piglit_results.py "$folder/"{commands,stable,sid} tests/qemu/expected-piglit.txt && touch "$folder/done"
}

piglit() {
	local kernel
	check "$1-piglit: programs" "$TOP/tests/qemu/piglit-programs" "$1"
	check "$1-piglit: commands" piglit_commands "$OUT/$1-piglit"
	for kernel in stable sid; do
		check "$1-piglit: $kernel" piglit_guest "$1" $kernel
		check "$1-piglit: $kernel, no warnings" no_warnings "$BUILD/run/qemu-$1-piglit-$kernel/console"
	done
	check "$1-piglit: what differs" piglit_compare "$1"
}
