// SPDX-License-Identifier: MIT
#include "calibrate.h"
int measure_gears(const char *figure)
{
	(void)figure;
	return 0;
}
