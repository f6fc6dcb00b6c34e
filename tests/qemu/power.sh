# shellcheck shell=bash disable=SC2154 # OUT is of tests/qemu/run, which sources this
# SPDX-License-Identifier: MIT
#
# power ARCH: our driver on a core in a device tree whose clocks can be changed: what its cooling device, runtime PM and
# suspend to idle do with them, by the counts and rates of the kernel's clocks. Called by tests/qemu/run.

# The guest powers itself off, as the share with the file of its status ends with the suspend.
power_in_qemu() {
	"$TOP/tests/qemu/build" "$1" && "$TOP/vm/qemu-module" "$1" || return
	mkdir -p "$TOP/$OUT"
	vm/qemu-launch --arch="$1" --driver=vivgpu --name="qemu-$1-power" --timeout=900 --quiet -- \
		bash -c "cp tests/qemu/power-guest build/tests/qemu/$1/qemu-triangle /run; exec /run/power-guest" \
		</dev/null | tr -d '\r' | tee "$TOP/$OUT/$1-power"
	grep -qx end "$TOP/$OUT/$1-power"
}

# said ARCH LINE: a line of the guest's.
said() {
	grep -x "$2" "$TOP/$OUT/$1-power"
}

# keeps_rate ARCH: the kernel said that a clock has no such rate.
keeps_rate() {
	grep 'clock core keeps its rate' "$BUILD/run/qemu-$1-power/console"
}

power() {
	local full=594000000 half=297000000
	check "$1-power: boot" power_in_qemu "$1"
	check "$1-power: a cooling device with seven states" said "$1" 'cooling: state 0 of 6'
	check "$1-power: clocks at full speed" said "$1" "full: bus $full, core $full, shader $full"
	check "$1-power: state 1 halves the clocks of core and shaders" \
		said "$1" "state 1: bus $full, core $half, shader $half"
	check "$1-power: a triangle at half speed" said "$1" 'triangle at half speed: 0'
	check "$1-power: clocks are off while the core sleeps" said "$1" 'asleep: 0 0'
	check "$1-power: clocks are on while it is awake" said "$1" 'awake: 1 1'
	check "$1-power: suspend to idle switches them off and on" \
		said "$1" 'suspend: works, core clk_disable clk_enable, shader clk_disable clk_enable'
	check "$1-power: their rates stay" said "$1" "after it: bus $full, core $half, shader $half"
	check "$1-power: a triangle after it" said "$1" 'triangle after it: 0'
	check "$1-power: state 0" said "$1" "state 0: bus $full, core $full, shader $full"
	check "$1-power: state 2, which these clocks cannot have" keeps_rate "$1"
	check "$1-power: a triangle then" said "$1" 'triangle in state 2: 0'
	check "$1-power: no warnings" no_warnings "$BUILD/run/qemu-$1-power/console"
}
