# SPDX-License-Identifier: MIT
#
# The version of the tools and of the module's source is that of the kernel driver's interface,
# MAJOR.MINOR. Included by the Makefiles of tools, card and tests/qemu.

VERSION := $(shell sed -nE 's/^\t\.(major|minor) = ([0-9]+),/\2/p' \
	     $(dir $(lastword $(MAKEFILE_LIST)))../drivers/gpu/drm/vivgpu/vivgpu_drv.c | paste -sd.)
VERSION_FLAGS := -DVIVGPU_VERSION='"$(VERSION)"'
