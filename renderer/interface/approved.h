/* An asset against approved pictures: of what it looked like when somebody found that right. */
#pragma once

#include "base/buffer.h"
#include "interface/checks.h"
#include "interface/context.h"

/* A view that there are pictures of. */
struct check_view {
	const char *clip;    // name
	int namesake;        // earlier clips of the file with this name, in whatever case
	const char *camera;  // "front"
	const char *shading; // "clay"
	int moment, moments; // from 1 on, of so many that lie evenly in the clip
};

/* Where approved pictures are stored, by whoever calls: PNG files with transparency. */
struct approved_pictures {
	void *context;
	/* Appends the i-th one of a view. False where there is none, and with *err where it cannot
	 * be read. */
	bool (*read)(void *context, const struct check_view *view, size_t i, struct buffer *png,
		struct error *err);
	/* The camera that the pictures of a view's clip were approved with, but for its angles.
	 * False where there is none, and with *err where it cannot be read. */
	bool (*read_camera)(void *context, const struct check_view *view,
		struct check_camera *camera, struct error *err);
	/* Adds one to those of a view, and the camera of a clip that has none. NULL = the asset is
	 * only compared. */
	bool (*add)(void *context, const struct check_view *view, const struct buffer *png,
		struct error *err);
	bool (*add_camera)(void *context, const struct check_view *view,
		const struct check_camera *camera, struct error *err);
};

struct check_approved_job {
	struct check_run *run; // all steps are taken
	const struct approved_pictures *pictures;
	const char *none;          // why a clip has none, or why none can be drawn
	struct renderer *renderer; // on its thread; NULL = every clip is skipped
	const struct stop *stop;   // NULL = never stops
};

/* Measures the rules picture/... of the clip of a step, which may be any, against its approved
 * pictures: before renderer_check_finish(). A view that has several counts by the one that it is
 * most like. The first approval of a clip chooses the camera, so that later ones show what differs
 * and not another size of the whole. With `add`, each picture that no approved one is like within
 * the limits is approved first. A clip that has no approved picture is skipped; *lacking is the
 * number of views that have none while others of the clip have. False from the stop, and with
 * ERROR_CONTEXT_LOST. */
bool renderer_check_approved(
	const struct check_approved_job *job, size_t step, int *lacking, struct error *err);
