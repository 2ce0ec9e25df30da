/* The camera: what a request says of it, and what must fit into the frame -> matrices. */
#pragma once

#include "base/error.h"
#include "base/settings.h"
#include "base/value.h"
#include "model/rig.h"

struct camera {
	double view[16];                 // world to eye, column-major
	double projection[16];           // eye to clip space (OpenGL's), column-major
	double view_projection[16];      // both: world to clip space
	double eye[3];                   // in the world
	double right[3], up[3], back[3]; // its axes in the world, unit; back points at the viewer
	bool orthographic;               // lines of sight are parallel to back, wherever the eye is
	/* The range that is drawn, as distances along the view. near may be negative where lines of
	 * sight are parallel, far may be infinite where a projection was given. */
	double near, far;
	/* Least and greatest distance of what it was made for; camera_hold() widens them. */
	double nearest, farthest;
	bool is_given; // the projection was: near and far stay as they are
};

/* Smallest box around points; [count][3]. Empty for no points. */
struct bounds bounds_of_points(const float *points, size_t count);

/* Grows a to hold b. */
void bounds_add(struct bounds *a, const struct bounds *b);

/* Share of a box' diagonal that what belongs in it may stick out of it, since it was found by
 * looking at moments: too little to be seen. */
#define BOUNDS_SLACK 1e-4

/* The same at the sides where b sticks out by more than a share of a's diagonal. */
void bounds_add_beyond(struct bounds *a, const struct bounds *b, double share);

/* The box's eight corners as points. */
void bounds_corners(const struct bounds *bounds, float corners[static 24]);

/* True when making this camera looks at points at all: two matrices stand on their own. */
bool camera_needs_points(const struct camera_settings *settings);

/* Share of the frame's half that fitted points may fill. */
double camera_fill(const struct camera_settings *settings);

/* Half of the height that is seen at distance 1; 0 where lines of sight are parallel. */
double camera_slope(const struct camera_settings *settings);

/* Axes of a camera that orbits; yaw 0 looks from +Z, pitch lifts it. */
void camera_orbit_axes(const struct camera_settings *settings, struct camera *camera);

/* Turns a camera whose yaw counts from the front of the figure, as nobody gave one, to that of a
 * rig: VRM 0.x avatars face -Z, everything else +Z. */
void camera_face(const struct rig *rig, struct camera_settings *settings);

/* Makes the camera. What the settings leave open is chosen so that all points lie within the frame,
 * as large as they can be with the margin.
 *
 * settings  not CAMERA_NODE, which stands for matrices of its own
 * points    [count][3] world positions, finite; may be empty: then as if one lay at the origin
 * aspect    width / height
 * Fails with ERROR_INVALID_VALUE (at /camera) where no picture can come of it: eye and target in
 * one place, up along the view, a singular matrix, or a product of both beyond float. */
bool camera_make(const struct camera_settings *settings, double aspect, const float *points,
	size_t count, struct camera *out, struct error *err);

/* Moves near and far apart, so that points are drawn that the camera was not made for: [count][3],
 * finite. What is behind the eye of a perspective is not. Nothing happens where the projection was
 * given. */
void camera_hold(struct camera *camera, const float *points, size_t count);

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
