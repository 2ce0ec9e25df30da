/* The other operation with a "look_at": that of avatars, whose eyes are known. */
#pragma once

#include "pose/operations.h"

/* The members of a gaze. */
extern const struct member_table gaze_members;

/* True for {"look_at": [x, y, z], "to": P} and {"look_at": {"yaw", "pitch"}, "to": P}: what is no
 * pose is looked at, and with a "to" and neither "joint" nor "target" it is meant to be. */
bool look_at_is_avatar_s(const struct value *value);

/* Evaluates one that is. */
operation_evaluate look_at_as_avatar;
