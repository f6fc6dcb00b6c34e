/* SPDX-License-Identifier: MIT */
/* A string that is put together from parts, for the functions of vivgpu_group_text.h. */
#ifndef VIVGPU_GROUP_OUT_H
#define VIVGPU_GROUP_OUT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct vivgpu_group_out {
   char *text;
   size_t size;
   /** Length of the whole text, which may exceed the buffer */
   int length;
};

/** Add to the string, as printf(). */
__attribute__((format(printf, 2, 3))) static inline void
vivgpu_group_put(struct vivgpu_group_out *out, const char *format, ...)
{
   size_t at = (size_t)out->length < out->size ? (size_t)out->length : out->size;
   va_list arguments;

   va_start(arguments, format);
   out->length += vsnprintf(out->text + at, out->size - at, format, arguments);
   va_end(arguments);
}

#endif
