# shellcheck shell=bash disable=SC2154 # debian is of vm/qemu-arch.sh
# SPDX-License-Identifier: MIT
#
# extract_foreign, for scripts that need files of Debian's packages for another architecture. To be sourced, with
# vm/qemu-arch.sh; brings vm/sysroot's functions.

. "$(dirname "${BASH_SOURCE[0]}")/extra-root.sh"

# extract_foreign TREE PACKAGES TAR-ARGUMENT...: make the folder TREE of what tar's arguments choose of these packages,
# separated by commas, and of those that they need, for the architecture that choose_architecture has chosen.
#
# The packages are extracted, not installed; those of the release without updates, as for vm/qemu-image. Safe to interrupt:
# TREE appears under its name only when complete.
extract_foreign() {
	local tree=$1 wanted=$2 mode=root settings=$1.settings scratch
	shift 2
	((EUID == 0)) || mode=unshare
	scratch=${TMPDIR:-/tmp}/vivgpu-foreign-$EUID-$(cksum <<<"$tree" | cut -d' ' -f1)
	as_owner rm -rf "$scratch"
	rm -rf "$tree" "$tree.tmp"
	mkdir -p "$tree.tmp" "$settings"
	mkdir -m 711 "$scratch"
	host_apt_settings >"$settings/apt.conf"
	sources "$SUITE" >"$settings/all.list"
	mirror_line "$SUITE" "$settings/all.list" >"$settings/sources.list"
	TMPDIR=$scratch mmdebstrap --mode="$mode" --format=tar --quiet --variant=extract --architectures="$debian" \
		--aptopt="$settings/apt.conf" --include="$wanted" --skip=output/mknod "$SUITE" - "$settings/sources.list" |
		tar -C "$tree.tmp" --no-same-owner -xf - "$@"
	as_owner rm -rf "$scratch"
	mv -T "$tree.tmp" "$tree"
}
