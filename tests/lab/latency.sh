# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# How late a thread with the highest priority wakes beside a program that draws (thesis, 7.2.2), in
# real time: it says what a real machine's interrupts would add, here those of the guest. In virtual
# time there is no such delay, so nothing else in the lab depends on it. Sourced by tests/lab/run.

LATENCY_LOOPS=1000

# measure_latency: build/lab/latency gets the line "latency LOOPS MEAN LARGEST", in us.
measure_latency() {
	local tests=$INSIDE_TOP/build/tests/lab
	"$TOP/vm/launch" --name=lab-latency --driver=vivgpu --display=card --mode=640x432 --timeout=300 -- \
		"$INSIDE_TOP/vm/env" ours env MESA_SHADER_CACHE_DISABLE=true bash -c "
			$tests/lab-work gears 100000 & pid=\$!
			sleep 2
			$tests/lab-work latency $LATENCY_LOOPS
			kill \$pid" >"$LAB/latency" 2>"$LAB/latency.log" && grep -q '^latency ' "$LAB/latency"
}

# latency: a check, and lines of results.csv and the report. There is no limit.
latency() {
	local loops mean largest
	check 'latency: a thread beside a program that draws' measure_latency
	read -r _ loops mean largest < <(grep '^latency ' "$LAB/latency") || return 0
	printf 'real time,latency,7.2.2,%s,%s,,\n' "mean us of $loops" "$mean" \
		"largest us of $loops" "$largest" >>"$LAB/results.csv"
	printf '<h2>latency</h2><p>Thesis, %s</p><p>Here, in real time: %s us on average, %s us at most in %s loops.</p>\n' \
		"$(awk -F'\t' '$1 == "latency" { print $2 }' "$TOP/tests/lab/thesis")" "$mean" "$largest" \
		"$loops" >>"$LAB/index.html"
}
