// SPDX-License-Identifier: MIT

#include "formats.h"

#include <stddef.h>

/* Made by tools/format-names: the names in the order of the enum. */
#include "format_names.h"

const char *format_name(unsigned int format)
{
	return format < sizeof(names) / sizeof(names[0]) ? names[format] : NULL;
}
