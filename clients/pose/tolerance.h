/* Holding a comparison to a tolerance. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

/* A number of at least 0, in the rig's unit. Else false, which is said on standard error. */
bool tolerance_is_valid(const char *text);

/* STATUS_APART and a sentence on standard error where a pair of the comparison (as /v1/compare
 * answers it) has vertices that are farther apart; else STATUS_FINE. */
int tolerance_check(const struct buffer *comparison, const char *tolerance);
