# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# What the kernel says of its GPU clients in /proc/PID/fdinfo, and of the frames
# it showed, for scripts that run in the guest.

tracing=/sys/kernel/tracing

# From now on the kernel's trace has each page flip.
trace_flips() {
	echo mono >$tracing/trace_clock
	echo 1 >$tracing/events/drm/drm_vblank_event_delivered/enable
}

# "FLIPS RATE": all flips of the trace, those it overwrote included, and flips a
# second between the first and the last that it still has.
flips() {
	awk -F: '/^(entries|overrun)/ { n += $2 } END { printf "%d ", n }' \
		$tracing/per_cpu/cpu0/stats
	sed -n 's/.* \([0-9.]*\): drm_vblank_event_delivered.*/\1/p' $tracing/trace |
		awk 'NR == 1 { first = $1 }
			{ last = $1 }
			END { print(last > first ? (NR - 1) / (last - first) : 0) }'
}

# "CLIENT NS CYCLES" of one file of /proc/PID/fdinfo, read in one go: the next
# time it may be gone.
read_usage() {
	awk -F '[:\t ]+' '$1 == "drm-client-id" { client = $2 }
		$1 ~ /^drm-engine-/ && $1 !~ /-capacity-/ { ns = $2 }
		$1 ~ /^drm-cycles-/ { cycles = $2 }
		END { if (client && ns != "") print client, ns, cycles + 0 }' "$1" 2>/dev/null
}

# Renew usage[CLIENT] = "COMMAND NS CYCLES" for every open file of a GPU driver
# that says so. A file or a process may be gone since it was listed.
declare -A usage
read_all_usage() {
	local file command client ns cycles
	for file in $(grep -ls '^drm-engine-' /proc/[0-9]*/fdinfo/*); do
		command=$(cat "${file%/fdinfo/*}/comm" 2>/dev/null) || continue
		read -r client ns cycles <<<"$(read_usage "$file")"
		[[ -n $cycles ]] || continue
		usage[$client]="$command $ns $cycles"
	done
}

# watch_clients PID [SECONDS]: as a monitor like gputop does, read every client's usage at this
# interval (0.25) until the process ends, then print "CLIENT COMMAND NS CYCLES" of each.
watch_clients() {
	local client
	while kill -0 "$1" 2>/dev/null; do
		read_all_usage
		sleep "${2:-0.25}"
	done
	for client in "${!usage[@]}"; do
		echo "$client ${usage[$client]}"
	done
}
