# SPDX-License-Identifier: MIT
#
# Included at the end of Makefiles of test programs: objects of the C files here and in
# the folders of VPATH, made again when a header changed. INCLUDES are further options.

CFLAGS ?= -O2 -g
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror $(CFLAGS) -MMD -MP $(INCLUDES)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

.PHONY: all
.SECONDARY:
-include $(wildcard $(BUILD)/*.d)
