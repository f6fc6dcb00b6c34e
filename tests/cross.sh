# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The kernel driver compiled for another architecture, in the kernel's tree. Only what the driver
# needs of the kernel is built, so nothing is run. Sourced after vm/lib.sh and tests/lib.sh, with
# these set:
#
#	ARCHITECTURE	the kernel's name of it
#	CROSS_COMPILE	prefix of the compiler's programs

DRIVER=drivers/gpu/drm/vivgpu
SOURCE=build/kernel/src
OBJECTS=build/kernel/$ARCHITECTURE

# cross_make ARGUMENT...
cross_make() {
	enter make --no-print-directory -s -C "$SOURCE" O="$INSIDE_TOP/$OBJECTS" \
		ARCH="$ARCHITECTURE" CROSS_COMPILE="$CROSS_COMPILE" -j "$JOBS" "$@"
}

# Bring the kernel's copy of the driver up to date.
copy_driver() {
	enter rsync -r --checksum --delete "$DRIVER/" "$SOURCE/$DRIVER/"
	enter rsync --checksum include/uapi/drm/vivgpu_drm.h "$SOURCE/include/uapi/drm/"
}

# configure PCI [LINE...]: PCI and display (y or n), further lines of the configuration; device
# trees are always on. Fails if a line, the driver or device trees are not in the configuration.
configure() {
	local pci=$1 line
	shift
	mkdir -p "$TOP/$OBJECTS"
	{
		cat <<-EOF
			CONFIG_EXPERT=y
			CONFIG_MODULES=y
			CONFIG_PM=y
			CONFIG_SUSPEND=y
			CONFIG_PCI=$pci
			CONFIG_REGULATOR=y
			CONFIG_RESET_CONTROLLER=y
			CONFIG_COMMON_CLK=y
			CONFIG_THERMAL=y
			CONFIG_SHMEM=y
			CONFIG_DEBUG_FS=y
			CONFIG_FTRACE=y
			CONFIG_ENABLE_DEFAULT_TRACERS=y
			CONFIG_DRM=y
			CONFIG_DRM_VIVGPU=m
			CONFIG_DRM_VIVGPU_KMS=$pci
			CONFIG_DRM_VIVGPU_ETNAVIV_ABI=y
			CONFIG_KUNIT=m
			CONFIG_DRM_VIVGPU_KUNIT_TEST=m
		EOF
		((!$#)) || printf '%s\n' "$@"
	} >"$TOP/$OBJECTS/fragment"
	cross_make KCONFIG_ALLCONFIG="$INSIDE_TOP/$OBJECTS/fragment" allnoconfig || return
	for line in CONFIG_DRM_VIVGPU=m CONFIG_OF=y "$@"; do
		grep -qx "$line" "$TOP/$OBJECTS/.config" || { echo "the configuration has no $line"; return 1; }
	done
}

# silent COMMAND...: it succeeds and says nothing.
silent() {
	local log
	log=$("$@" 2>&1) || { echo "$log"; return 1; }
	[[ -z $log ]] || { echo "$log"; return 1; }
}

# inside_tree ARGUMENT...: the driver's objects, with arguments for make; there must be no message.
inside_tree() {
	cross_make modules_prepare || return
	rm -rf "${TOP:?}/$OBJECTS/$DRIVER"
	silent cross_make "$@" "$DRIVER/"
}

# objects_are ARCHITECTURE OBJECT...: as readelf names it.
objects_are() {
	local wanted=$1 object
	shift
	for object; do
		enter readelf -h "$OBJECTS/$DRIVER/$object" | grep "Machine:.*$wanted" || return
	done
}
