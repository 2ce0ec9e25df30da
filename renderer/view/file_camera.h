/* Cameras that a file brings along. */
#pragma once

#include "base/value.h"
#include "view/camera.h"

/* The camera that a value names: a string is the name of the node that holds it, or else its own,
 * or the node's index in decimal, as in a URL; a number is the node's index. NULL with
 * ERROR_INVALID_VALUE and the cameras that there are. */
const struct file_camera *file_camera_find(
	const struct rig *rig, const struct value *value, struct error *err);

/* The matrices that it stands for, as CAMERA_MATRICES.
 *
 * world   of its joint, rows; its scale is ignored, and what is sheared is squared up
 * aspect  width / height of the picture: all that the camera shows is seen, and what the picture
 *         has room for beside it, or above and below where the picture is narrower
 * False with ERROR_INVALID_VALUE at place, where the node's matrix is flat.
 * Source: glTF 2.0, 3.10. */
bool file_camera_settings(const struct file_camera *camera, const double world[static 12],
	double aspect, const struct value *place, struct camera_settings *out, struct error *err);
