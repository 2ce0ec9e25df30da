/* The "camera" of a frame: the name of a preset, or one of four forms, told apart by their members.
 */
#pragma once

#include "base/settings.h"
#include "base/value.h"

/* The members of a camera that is an object. */
extern const struct member_table camera_members;

/* Reads "front", {preset, yaw, pitch, distance, fov, target, orthographic, height}, {eye, target,
 * up, fov, orthographic, height}, {view, projection}, {view, fov} or {node}; value may be NULL: an
 * orbit of all defaults. Fails with ERROR_INVALID_VALUE (also where members of two forms are mixed)
 * or ERROR_UNKNOWN_MEMBER, and the place. */
bool camera_read(const struct value *value, struct camera_settings *out, struct error *err);
