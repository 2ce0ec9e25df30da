/* Shared by the readers of both versions' expressions. */
#pragma once

#include "import/vrm.h"

/* Expressions of an avatar: faces that are made for capture have 52 besides the presets, and names
 * are compared with one another. */
#define VRM_EXPRESSIONS_MAX 4096

/* Room for so many expressions; false when there are too many. */
bool vrm_expressions_begin(struct vrm *vrm, size_t count, struct error *err);
