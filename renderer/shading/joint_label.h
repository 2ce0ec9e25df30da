/* What joints are called in pictures. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* A joint's name, borrowed; or "#12", its index in the file, in the arena, where the name is empty
 * or has characters that there are no letters for. */
const char *joint_label(const struct joint *joint, struct arena *arena);
