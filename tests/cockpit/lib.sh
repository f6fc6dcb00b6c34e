# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# What the demonstration and the test have in common. Sourced after vm/lib.sh.

COCKPIT=$BUILD/cockpit

# The modelled i.MX6Q with a slow clock: frames of several ms have few pixels, and the host, which
# draws them, keeps up. With SHRINK=N the pictures have 1/N of the width and height.
SHRINK=${SHRINK:-1}
COCKPIT_MHZ=$((160 / (SHRINK * SHRINK)))

# cockpit TIME POLICY TIMEOUT [OPTION...]: run it in a guest, with the card's JITTER (0).
cockpit() {
	local time=$1 policy=$2 timeout=$3
	shift 3
	mkdir -p "$COCKPIT"
	sed -e "s/^core_clock .*/core_clock $COCKPIT_MHZ MHz/" -e 's/^set .*/set cockpit/' \
		"$TOP/card/clock/params/imx6q.params" >"$COCKPIT/slow.params"
	"$TOP/vm/launch" --name="cockpit-$policy" --driver=vivgpu --display=card --mode=640x432 \
		--view="${VIEW:-on}" --time="$time" --timeout="$timeout" \
		--card-option=--params="$INSIDE_TOP/build/cockpit/slow.params" "--card-option=--jitter=${JITTER:-0}" -- \
		"$INSIDE_TOP/vm/env" ours env RECORD="${RECORD-}" \
		"$INSIDE_TOP/tests/cockpit/guest" "$INSIDE_TOP/build/cockpit" "$policy" -s "$SHRINK" "$@"
}
