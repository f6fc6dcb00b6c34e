# SPDX-License-Identifier: MIT
#
# LEVEL: of x86-64, v2 to v4, as far as this machine goes; for all that is linked with the card's objects.

HAS = grep -qw $(1) /proc/cpuinfo
LEVEL := $(shell $(call HAS,avx2) && $(call HAS,fma) && echo v3 || echo v2)
LEVEL := $(if $(filter v3,$(LEVEL)),$(shell $(call HAS,avx512bw) && $(call HAS,avx512dq) && $(call HAS,avx512vl) && \
	   $(call HAS,avx512cd) && echo v4 || echo v3),$(LEVEL))
