# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Usage of the GPU by clients, from /proc/PID/fdinfo, and page flips, from the kernel's trace, for
# scripts that run in the guest.

tracing=/sys/kernel/tracing

# Enable the trace event of page flips.
trace_flips() {
	echo mono >$tracing/trace_clock
	echo 1 >$tracing/events/drm/drm_vblank_event_delivered/enable
}

# Print "FLIPS RATE": the number of flips, with those that the trace has overwritten, and flips
# per second between the first and the last in the trace.
flips() {
	awk -F: '/^(entries|overrun)/ { n += $2 } END { printf "%d ", n }' \
		$tracing/per_cpu/cpu0/stats
	sed -n 's/.* \([0-9.]*\): drm_vblank_event_delivered.*/\1/p' $tracing/trace |
		awk 'NR == 1 { first = $1 }
			{ last = $1 }
			END { print(last > first ? (NR - 1) / (last - first) : 0) }'
}

# read_usage FILE: print "CLIENT NS CYCLES" of a file of /proc/PID/fdinfo. The file is read only
# once, because it may not exist any more at a second reading.
read_usage() {
	awk -F '[:\t ]+' '$1 == "drm-client-id" { client = $2 }
		$1 ~ /^drm-engine-/ && $1 !~ /-capacity-/ { ns = $2 }
		$1 ~ /^drm-cycles-/ { cycles = $2 }
		END { if (client && ns != "") print client, ns, cycles + 0 }' "$1" 2>/dev/null
}

# Update usage[CLIENT] = "COMMAND NS CYCLES" for every open file of a GPU driver with usage
# statistics. Files and processes that ended since they were listed are skipped.
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

# watch_clients PID [SECONDS]: read every client's usage at this interval (0.25), as gputop does,
# until the process ends, then print "CLIENT COMMAND NS CYCLES" of each.
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
