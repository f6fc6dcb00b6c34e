# shellcheck shell=bash disable=SC2154 # its variables are of those who source it
# SPDX-License-Identifier: MIT
#
# What the launchers of guests share, vm/launch and vm/qemu-launch. To be sourced after lib.sh. The
# variables are the launchers': name and run, the guest's folder below build/run; card, card_pid, view,
# status, timeout, exclusive, quiet.

# one_of OPTION VALUE CHOICE...: end with a message unless VALUE is a CHOICE.
one_of() {
	local option=$1 value=$2 choice
	shift 2
	for choice; do
		[[ $value != "$choice" ]] || return 0
	done
	die "$option=$value: choose one of: $*"
}

# check_folder HOW DIR: the folder of --view=HOW:DIR is seen by the card, which runs in the sysroot,
# under another path than on the host: make $view that of the sysroot.
check_folder() {
	local path
	[[ $2 ]] || die "--view=$1: needs a folder: $1:DIR"
	! inside && [[ $2 != "$INSIDE_TOP"/* ]] || return 0
	path=$(realpath -m -- "$2")
	[[ $path == "$TOP"/* ]] ||
		die "--view=$1:$2: the card sees no folders outside of the repository, $TOP"
	view=$1:$INSIDE_TOP${path#"$TOP"}
}

# Ordinary guests hold the machine's lock shared, benchmarks (--exclusive) exclusively.
lock_machine() {
	mkdir -p "$CACHE"
	exec {machine_fd}>"$CACHE/machine.lock"
	if [[ $exclusive ]]; then
		flock --nonblock "$machine_fd" || say "waiting for other guests to end" >&2
		flock "$machine_fd"
	else
		flock --nonblock --shared "$machine_fd" ||
			say "waiting for a benchmark to end" >&2
		flock --shared "$machine_fd"
	fi
}

# A folder of its own for each guest; its name keeps socket paths short. Of two guests with the same name one waits
# for the other: the lock is held until the launcher and its programs have ended.
make_run_folder() {
	local name_fd
	mkdir -p "$BUILD/run"
	if [[ $name ]]; then
		exec {name_fd}>"$BUILD/run/.lock-$name"
		flock --nonblock "$name_fd" || say "waiting for another guest in build/run/$name to end" >&2
		flock "$name_fd"
		rm -rf "$BUILD/run/$name"
		mkdir "$BUILD/run/$name"
	else
		name=$(basename "$(mktemp -d "$BUILD/run/g.XXXXXX")")
	fi
	run=$BUILD/run/$name
}

# wait_for_socket PATH PID: wait until the card listens; fail if the card ends.
wait_for_socket() {
	until [[ -S $1 ]]; do
		kill -0 "$2" 2>/dev/null || die "the card did not start: $(tail -n 3 "$run/card")"
		sleep 0.01
	done
}

# Wait for the VNC server's line with its address, or with its error, and print it.
print_vnc() {
	[[ $view == vnc* ]] || return 0
	until grep -m 1 '^vivgpu-card-vnc: ' "$run/card" >&2; do
		kill -0 "$card_pid" 2>/dev/null || die "the card did not start: $(tail -n 3 "$run/card")"
		sleep 0.01
	done
}

# The card writes its statistics and ends when its guest has ended; after 2 s it gets SIGTERM,
# after 5 s SIGKILL.
end_card() {
	[[ $card ]] || return 0
	local i
	for ((i = 0; i < 500; i++)); do
		kill -0 "$card_pid" 2>/dev/null || break
		((i != 200)) || kill -TERM "$card_pid" 2>/dev/null
		sleep 0.01
	done
	kill -KILL "$card_pid" 2>/dev/null || true
	local card_status=0
	wait "$card_pid" 2>/dev/null || card_status=$?
	((card_status == 0)) || {
		warn "the card ended with status $card_status: $(tail -n 3 "$run/card")"
		((status != 0)) || status=125
	}
}

explain_failure() {
	((status != 0)) && [[ -z $quiet ]] || return 0
	case $status in
	124) warn "guest: time was up after $timeout s" ;;
	125) warn "guest: died before the command ended; its last messages:"
		[[ ! -e $run/console ]] || tail -n 15 "$run/console" >&2 ;;
	esac
	warn "guest: status $status, logs in build/run/$name"
}
