/* The subject of a picture's camera: by the picture's fit, over a pose, its clips or the
 * rest pose; of the whole rig or of a part of it. */
#pragma once

#include "draw/back_end.h"
#include "interface/pictures.h"
#include "overlay/overlays.h"
#include "skinned/prepare.h"
#include "view/camera.h"

struct renderer;

struct framing {
	struct camera_settings
		camera;      // the picture's; in place of a camera of the file its matrices
	const float *points; // [count][3] to be fitted; NULL where nothing is
	size_t count;
};

/* The input of framing. */
struct framing_params {
	const struct picture_settings *picture;
	const struct posed_subject *subject;
	const struct prepared *prepared;
	const float *positions;    // posed; NULL only where framing_wants_positions() says so
	struct overlays *overlays; // with figures that are to be seen, too; NULL = none
};

/* True when making the camera looks at posed vertices: to fit them, or so that they are between
 * near and far. */
bool framing_wants_positions(const struct picture_settings *picture);

/* Finds it; what it says is in the arena or belongs to params. Fails like pose_evaluate, and with
 * ERROR_INVALID_VALUE where the camera wants what the rig lacks: a camera of the file, a part of
 * the body. */
bool framing_find(struct renderer *renderer, const struct framing_params *params,
	struct arena *arena, struct framing *out, struct error *err);

/* Makes the camera of one picture from it, with all of its posed vertices between near and far. */
bool framing_camera(struct renderer *renderer, const struct framing_params *params,
	struct camera *out, struct error *err);

/* Has all posed vertices be between near and far of a camera that was made otherwise. Fails like
 * overlays_see(). */
bool framing_hold(const struct framing_params *params, struct camera *camera, struct error *err);

/* The pixels of a picture that drawing can touch: those around the projected vertices.
 *
 * view_projection  world to clip space, column-major, as the vertices are drawn with
 * positions        [count][3] skinned; whatever their numbers, all that is drawn is inside */
struct area drawn_area(const float view_projection[static 16], const float *positions, size_t count,
	int width, int height);
