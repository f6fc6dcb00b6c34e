# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The cases of tests/clock/report, one function each: title, parameter, what a GPU does and
# why, then the properties: must (an error if it does not hold) and silicon (reported only).
# c["SERIES", PARAMETER] are cycles. Sourced by report.

# In the order of the page.
# shellcheck disable=SC2034 # read by report
CASES=(area width instructions temporaries fetches)

# Side of the largest texture of this case's sizes that the texture cache holds: 2 KB
# on cores before HALTI2, 4 KB on later ones.
case $PERSONALITY in
gc2000) cached=16 next=32 ;;
*) cached=32 next=64 ;;
esac

case_area() {
	begin_case "Fragments" "side of the square in pixels" \
		"A small draw costs what its job costs; beyond that each pixel costs the same, so four times the area is four times the time."
	must "a few pixels more cost nothing" 'c["plain", 8] / c["plain", 4]' 0.99 1.2
	must "four times the pixels, beyond a job" \
		'(c["plain", 256] - c["plain", 128]) / (c["plain", 128] - c["plain", 64])' 3.6 4.4
}

case_width() {
	begin_case "Width of the target" "width in pixels of a target with 65,536 pixels" \
		"Tiles keep pixels that are near each other in one cache line, so the width of the target makes little difference."
	silicon "1,024 columns over 128" 'c["65536 pixels", 1024] / c["65536 pixels", 128]' 0.8 1.3
}

case_instructions() {
	begin_case "Instructions per fragment" "instructions" \
		"Few instructions are hidden behind the pixel engine, which writes pixels at its own rate; from then on the shader cores are the bottleneck and time follows the instructions."
	must "the second instruction is hidden" 'c["chain", 2] / c["chain", 1]' 0.99 1.1
	must "128 over 64 instructions" 'c["chain", 128] / c["chain", 64]' 1.8 2.1
}

case_temporaries() {
	begin_case "Temporaries" "values that live at the same time" \
		"Threads share the register file: the more temporaries a program has, the fewer threads are in flight, and the less of the latency of lookups they hide."
	must "more temporaries are never faster" \
		'c["lookups", 56] / c["lookups", 2]' 0.99 100
	silicon "lookups with 56 temporaries over 8" 'c["lookups", 56] / c["lookups", 8]' 1.05 100
}

case_fetches() {
	begin_case "Dependent texture lookups" "lookups" \
		"While a thread waits for a texel others run, so lookups that depend on each other cost as much as others, if there are enough threads; with a few pixels the latency shows."
	must "dependent over independent, many pixels" \
		'c["dependent", 32] / c["independent", 32]' 0.7 1.3
	must "a lookup of one of 64 pixels over one of 65,536" \
		'(c["dependent on 64 pixels", 32] - c["dependent on 64 pixels", 16]) * 1024 / (c["dependent", 32] - c["dependent", 16])' 1.5 100
}
