# shellcheck shell=bash disable=SC2154 # mesa and logs are set by those who source it
# SPDX-License-Identifier: MIT
#
# Weston with Xwayland on the guest's display, for scripts that run in the guest. They
# set $mesa, the Mesa that Weston and all programs get (see vm/env), and $logs, a folder.

# A command with arguments that runs Weston; empty: none.
weston_prefix=()

env=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/env

# The udev daemon, from which Weston learns about input devices and monitors.
start_udev() {
	[[ -S /run/udev/control ]] || /usr/lib/systemd/systemd-udevd --daemon 2>"$logs/udev"
	udevadm trigger --action=add --subsystem-match=input --subsystem-match=drm
	udevadm settle
}

# start_weston CONFIG: returns when programs can connect. The guest has neither a login manager
# nor virtual terminals, so Weston opens devices itself. --debug lets weston-screenshooter read
# the screen. Without flight recorder: it formats the DRM backend's messages in each frame, which
# takes more than half of the instructions that Weston needs for a frame, and nobody reads them.
start_weston() {
	start_udev
	export LIBSEAT_BACKEND=builtin SEATD_VTBOUND=0
	export XDG_RUNTIME_DIR=/run/desktop WAYLAND_DISPLAY=wayland-1 DISPLAY=:0
	mkdir -m 700 "$XDG_RUNTIME_DIR"
	mkdir -m 1777 /tmp/.X11-unix
	"$env" "$mesa" "${weston_prefix[@]}" weston --backend=drm --config="$1" --debug --flight-rec-scopes= \
		--log="$logs/weston" 2>"$logs/weston.errors" &
	weston=$!
	until [[ -S $XDG_RUNTIME_DIR/$WAYLAND_DISPLAY && -S /tmp/.X11-unix/X0 ]]; do
		kill -0 "$weston" 2>/dev/null || {
			cat "$logs/weston.errors" >&2
			return 1
		}
		sleep 0.1
	done
}

# Print Weston's outputs and windows. A weston-debug that does not end within 10 s, as was seen once on a
# busy machine, is asked again. Fails if there is no Weston.
scene_graph() {
	local graph
	until graph=$("$env" "$mesa" timeout 10 weston-debug scene-graph 2>/dev/null); do
		(($? == 124)) || return 1
	done
	printf '%s\n' "$graph"
}

# open COMMAND...: start a program in a window of its own; its output goes to $logs.
open() {
	"$env" "$mesa" "$@" >>"$logs/programs" 2>&1 &
}

# take_picture FILE: write a PNG of the screen. weston-screenshooter writes to the working
# directory, to a file with the time in its name.
take_picture() {
	local folder
	folder=$(mktemp -d)
	(cd "$folder" && "$env" "$mesa" weston-screenshooter) && mv "$folder"/*.png "$1"
}
