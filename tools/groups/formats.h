/* SPDX-License-Identifier: MIT */
/* Names of Mesa's formats. */
#ifndef VIVGPU_TOOLS_GROUPS_FORMATS_H
#define VIVGPU_TOOLS_GROUPS_FORMATS_H

/** format_name - the name of an enum pipe_format without its prefix, NULL if there is none */
const char *format_name(unsigned int format);

#endif
