# shellcheck shell=bash disable=SC2034 # its variables are used by those who source it
# SPDX-License-Identifier: MIT
#
# What differs between the architectures of QEMU's guests. To be sourced after lib.sh:
#
#	choose_architecture arm64

ARCHITECTURES=(arm64 armhf x86_64)
KERNELS=(stable rt newest sid)

# The card's slot on the first PCI bus; with it the card's interrupt INTA is GIC_SPI 4 of "virt":
# 3 + (slot + pin - 1) mod 4 (create_gpex() and create_pcie_irq_map() of QEMU's hw/arm/virt.c).
CARD_SLOT=5
CARD_SPI=4
# Address of the card's BAR0 on "virt": Linux assigns addresses from the start of the 32-bit window, to
# the largest BAR first, and no other device has a larger one.
CARD_BAR=0x10000000
CARD_CORE_BYTES=0x10000

# choose_architecture NAME: set the variables of that architecture.
#
#	debian		Debian's name of it
#	triplet		folder of its libraries
#	flavour		Debian's kernel for it
#	qemu, machine, cpu	QEMU's program and its models; "armmp" has no LPAE, so that nothing may lie
#			above 4 GiB
#	serial		the serial line
#	ecam		address of the configuration space of the first PCI bus; empty: the firmware
#			has initialised the bus
choose_architecture() {
	case $1 in
	arm64)
		debian=arm64 triplet=aarch64-linux-gnu flavour=arm64
		qemu=qemu-system-aarch64 machine=virt cpu=cortex-a72
		serial=ttyAMA0 ecam=0x4010000000
		;;
	armhf)
		debian=armhf triplet=arm-linux-gnueabihf flavour=armmp
		qemu=qemu-system-arm machine=virt,highmem=off cpu=cortex-a15
		serial=ttyAMA0 ecam=0x3f000000
		;;
	x86_64)
		debian=amd64 triplet=x86_64-linux-gnu flavour=amd64
		qemu=qemu-system-x86_64 machine=q35 cpu=max
		serial=ttyS0 ecam=
		;;
	*) die "ARCH=$1: choose one of: ${ARCHITECTURES[*]}" ;;
	esac
}

# image_name ARCH KERNEL [desktop]: print the name of an image.
image_name() {
	local name=$1${3:+-$3}
	[[ $2 == stable ]] || name+=-$2
	say "$name"
}

# any_image ARCH [KERNEL]: print the folder of an image with that kernel: the same packages build for all.
any_image() {
	local image name
	name=$(image_name "$1" "${2:-stable}")
	for image in "$BUILD/qemu/$name" "$BUILD/qemu/$1-desktop"; do
		[[ ! -e $image/root.img ]] || break
	done
	say "$image"
}

# image_inside FOLDER: print the folder of an image as seen inside the roots; build/qemu/ARCH is a
# link into the cache folder.
image_inside() {
	local folder
	folder=$(realpath "$1") || return
	case $folder in
	"$(realpath "$CACHE")"/*) say "$INSIDE_CACHE${folder#"$(realpath "$CACHE")"}" ;;
	"$TOP"/*) say "$INSIDE_TOP${folder#"$TOP"}" ;;
	*) die "$folder is neither in the repository nor in the cache folder" ;;
	esac
}
