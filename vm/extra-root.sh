# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# make_extra_root, for scripts that make a small Debian tree besides the sysroot, from packages that
# its suite has not. To be sourced; brings vm/sysroot's functions.

. "$(dirname "${BASH_SOURCE[0]}")/sysroot"

# Arguments of mmdebstrap for vm/sysroot, but with settings files of our own: both may run at once.
# The tree is used as it is for as long as it is there, and the release file of a suite that changes
# may be past its date on a mirror.
extra_root_arguments() {
	local sysroot_build=$BUILD
	BUILD=$BUILD/$1.settings
	mkdir -p "$BUILD"
	mmdebstrap_arguments
	ARGUMENTS+=(--include="$2" --aptopt='Acquire::Check-Valid-Until "false"')
	BUILD=$sysroot_build
}

# mirror_line SUITE SOURCES: the line of another suite on the mirror of the file SOURCES.
mirror_line() {
	awk -v suite="$1" '$1 == "deb" { print $1, $2, suite, $4; exit }' "$2"
}

# make_extra_root NAME SUITE PACKAGES [SUITE]: make build/NAME, in which vm/enter --sysroot runs
# commands, with PACKAGES, separated by commas. Those of the second suite are preferred.
#
# Packages are kept in the cache folder. Safe to interrupt: the tree appears under its name only when
# complete.
make_extra_root() {
	local name=$1 included=$3 preferred=${4-} mode=root settings=$BUILD/$1.settings
	inside && die "runs on the host only"
	((EUID == 0)) || mode=unshare
	SUITE=$2 BASE=$BUILD/$name.tmp SYSROOT=$BUILD/$name
	SCRATCH=${TMPDIR:-/tmp}/vivgpu-$name-$EUID-$(cksum <<<"$BUILD" | cut -d' ' -f1)
	ARCHIVES=$CACHE/apt/archives-${preferred:-$SUITE}
	mkdir -p "$BUILD" "$CACHE/apt"
	exec {lock}>"$CACHE/apt/lock-vivgpu-${preferred:-$SUITE}"
	flock "$lock"
	progress 0
	as_owner rm -rf "$BASE" "$SCRATCH" "$SYSROOT"
	mkdir -p "$BASE" "$ARCHIVES"
	mkdir -m 711 "$SCRATCH"
	extra_root_arguments "$name" "$included"
	sources "$SUITE" >"$settings/sources.list"
	if [[ $preferred ]]; then
		mirror_line "$preferred" "$settings/sources.list" >>"$settings/sources.list"
		ARGUMENTS+=(--aptopt="APT::Default-Release \"$preferred\"")
	fi
	progress 5
	TMPDIR=$SCRATCH mmdebstrap --mode="$mode" --format=tar "${ARGUMENTS[@]}" "$SUITE" - \
		"$settings/sources.list" |
		as_owner tar -C "$BASE" --exclude='./dev/*' -xf -
	as_owner mkdir -p "$BASE/vivgpu" "$BASE/cache"
	as_owner touch "$BASE$INSIDE_MARK"
	as_owner rm -rf "$SCRATCH"
	mv -T "$BASE" "$SYSROOT"
	progress 100
}
