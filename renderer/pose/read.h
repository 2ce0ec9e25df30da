/* Points, directions and rotations as a request says them, after value_read_members. */
#pragma once

#include <stdbool.h>

#include "base/value.h"

/* True when three numbers fit float32; source is their list, NULL = absent, which is valid. False
 * with ERROR_INVALID_VALUE and the place. */
bool read_point(const struct value *source, const double point[static 3], struct error *err);

/* Makes a direction unit; false with ERROR_INVALID_VALUE where it has no length. source as above.
 */
bool read_direction(const struct value *source, double direction[static 3], struct error *err);

/* Makes a quaternion unit; false with ERROR_INVALID_VALUE where it has no length. source as above.
 */
bool read_rotation(const struct value *source, double rotation[static 4], struct error *err);

/* True when a weight is in [0, 1]; false with ERROR_INVALID_VALUE. source as above. */
bool read_share(const struct value *source, double share, struct error *err);
