# shellcheck shell=bash disable=SC2154 # variables of vm/guest/weston.sh and of those who source it
# SPDX-License-Identifier: MIT
#
# What the guests of tests/desktop share. Sourced after vm/guest/weston.sh.

fail() {
	echo "desktop: $*" >&2
	exit 1
}

# What is written to the log when a wait was in vain; tests replace it.
report_usage() {
	tail -n 5 "$logs/programs"
}

# patiently COMMAND...: until it succeeds, for 180 s at most.
patiently() {
	local i
	for ((i = 0; i < 900; i++)); do
		! "$@" || return 0
		sleep 0.2
	done
	report_usage
	fail "in vain: $*"
}

window() {
	grep -q "top-level window '$1" <<<"$(scene_graph)"
}

# show TITLE COMMAND...: open a program, and wait for its window, so that windows are placed in
# the same order in every run.
show() {
	open "${@:2}"
	patiently window "$1"
}

# settled FILE: two pictures one after the other are the same: all windows show what they will, and
# Weston's own fades have ended.
settled() {
	take_picture "$1" && take_picture "$logs/again.png" && cmp -s "$1" "$logs/again.png"
}

# act ACTION...: be the user, see Documentation/vm/desktop.rst.
act() {
	"$top/build/card/vivgpu-cardctl" input "$@" || fail "the card refused '$*'"
}

# open_game [WRAPPER...]: Neverball, a game with OpenGL 2.1, in a small window of the X server.
open_game() {
	local settings=$logs/game/.neverball
	mkdir -p "$settings"
	printf '%s\n' 'fullscreen 0' 'width 400' 'height 300' 'background 0' 'textures 2' 'aniso 0' 'player one' \
		>"$settings/neverballrc"
	open env HOME="$logs/game" SDL_AUDIODRIVER=dummy "$@" /usr/games/neverball
}

# Programs end before their display and the guest do.
end_programs() {
	local programs
	mapfile -t programs < <(jobs -p)
	kill "${programs[@]}" 2>/dev/null
	wait
}
