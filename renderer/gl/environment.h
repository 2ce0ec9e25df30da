/* Light from all around, of our own making, as shaders look it up. For the thread whose context is
 * current. */
#pragma once

#include "base/error.h"
#include "base/settings.h"

struct environments;

/* Nothing is made so far. */
struct environments *environments_create(void);
void environments_destroy(struct environments *environments); // takes NULL

/* Binds what shaded.frag takes: the light filtered for each roughness and its irradiance, except
 * for ENVIRONMENT_NONE; and what share of light comes back. Made when first asked for, by a shader:
 * the same on each driver every time. Fails with ERROR_INTERNAL. */
bool environments_use(
	struct environments *environments, enum environment environment, struct error *err);
