// SPDX-License-Identifier: MIT
/*
 * Drawing of parameters. Only operations that IEEE 754 defines to the last bit are used, not
 * pow() or exp(), whose last bits depend on the library.
 */
#include "clock/params_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "clock/params_field.h"
#include "clock/random.h"

#define STEPS 24 /* halvings of the range */

/* FNV-1a. */
static uint64_t hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3u;
	return h;
}

/*
 * Geometric bisection: each bit of @bits selects the lower or the higher half of the logarithms. If
 * @low is 0, so is the result.
 */
static double between(double low, double high, uint64_t bits)
{
	for (unsigned int i = 0; i < STEPS; i++, bits >>= 1) {
		double middle = sqrt(low * high);

		if (bits & 1)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void gpu_params_draw(struct gpu_params *params, const struct gpu_params *low,
		     const struct gpu_params *high, uint64_t seed)
{
	const struct gpu_param_field *field;

	*params = *low;
	snprintf(params->name, sizeof(params->name), "seed:%" PRIu64, seed);
	for (unsigned int i = 0; (field = gpu_param_field_at(i)); i++) {
		uint64_t state = seed ^ hash(field->name);

		gpu_param_set(params, field,
			      between(gpu_param_get(low, field), gpu_param_get(high, field),
				      random_next(&state)));
	}
}

#define SECRET_HZ 528000000 /* that of the i.MX6Q's GC2000 */

void gpu_params_draw_secret(struct gpu_params *params, const struct gpu_params *low,
			    const struct gpu_params *high, uint64_t secret)
{
	static const uint8_t lengths[] = { 1, 2, 4, 8, 16 };
	uint64_t state = secret;

	gpu_params_draw(params, low, high, random_next(&state));
	gpu_structure_draw(&params->structure, random_next(&state));
	for (unsigned int s = 0; s < GPU_STAGES; s++)
		params->queue[s] = lengths[random_next(&state) % sizeof(lengths)];
	params->core_hz = SECRET_HZ;
	snprintf(params->name, sizeof(params->name), "secret");
}
