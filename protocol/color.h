/* Colours in requests. */
#pragma once

#include "base/value.h"

/* Reads "#rrggbb", "#rrggbbaa" or "transparent" into sRGB with straight alpha, [0, 1]. value may be
 * NULL: color stays as it is. Fails with ERROR_INVALID_VALUE and the place. */
bool color_read(const struct value *value, double color[static 4], struct error *err);
