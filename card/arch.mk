# SPDX-License-Identifier: MIT
#
# LEVEL: highest level of x86-64 (v2 to v4) that this machine supports; used for everything that is
# linked with objects of the card.

HAS = grep -qw $(1) /proc/cpuinfo
LEVEL := $(shell $(call HAS,avx2) && $(call HAS,fma) && echo v3 || echo v2)
LEVEL := $(if $(filter v3,$(LEVEL)),$(shell $(call HAS,avx512bw) && $(call HAS,avx512dq) && $(call HAS,avx512vl) && \
	   $(call HAS,avx512cd) && echo v4 || echo v3),$(LEVEL))
