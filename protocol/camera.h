/* The "camera" of a frame: one of three forms, told apart by their members. */
#pragma once

#include "base/settings.h"
#include "base/value.h"

/* Reads {yaw, pitch, distance, fov, target}, {eye, target, up, fov}, {view, projection} or {view,
 * fov}; value may be NULL: an orbit of all defaults. Fails with ERROR_INVALID_VALUE (also where
 * members of two forms are mixed) or ERROR_UNKNOWN_MEMBER, and the place. */
bool camera_read(const struct value *value, struct camera_settings *out, struct error *err);
