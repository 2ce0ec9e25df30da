/* One look at the driver's errors after an operation. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* True if no error was raised since the last look; else false with ERROR_INTERNAL, the error's
 * name and what was being done (ERROR_TOO_LARGE when the driver ran out of memory,
 * ERROR_CONTEXT_LOST when the context is gone). */
bool gl_check(const char *what, struct error *err);
