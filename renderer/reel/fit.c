// One camera for all frames of a sequence.
#include <string.h>

#include "picture/frame.h"
#include "picture/framing.h"
#include "picture/ground.h"
#include "reel/reel.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"
#include "view/extent.h"
#include "view/turntable.h"

/* What is found out about the points of all stills. */
struct search {
	struct renderer *renderer;
	struct reel *reel;
	struct frame_job frame;
	struct bounds box;
	struct camera_extremes extremes;
	struct turntable_reach reach;
	bool reaching; // the box is known, and the reach is being found
};

static struct posed_subject subject_of(const struct reel *reel, const struct still *still) {
	struct posed_subject subject = reel->job.frame.subject;
	subject.pose = still->pose;
	subject.clock_s = still->time_s;
	return subject;
}

static void add_points(struct search *search, const struct framing *framing) {
	if (search->reaching) {
		turntable_reach_add(&search->reach, framing->points, framing->count);
		return;
	}
	const struct bounds box = bounds_of_points(framing->points, framing->count);
	if (search->reel->job.frame.picture.fit == FIT_CLIP) {
		bounds_add_beyond(&search->box, &box, BOUNDS_SLACK);
	} else {
		bounds_add(&search->box, &box);
	}
	camera_extremes_add(&search->extremes, framing->points, framing->count);
}

/* What the camera is to fit of a still. Of a clip, or the rest pose, the first moment says all;
 * what else there is may go on when its longest clip is over. */
static bool wants_points(struct search *search, size_t i, enum fit *fit) {
	const struct still *still = &search->reel->stills[i];
	const bool first = i == 0 || still[-1].pose != still->pose;
	*fit = search->reel->job.frame.picture.fit;
	switch (*fit) {
	case FIT_POSE:
		return true;
	case FIT_CLIP:
		*fit = first ? FIT_CLIP : FIT_POSE;
		return first || !(still->pose && value_member(still->pose, "clip"));
	case FIT_REST:
		return i == 0;
	}
	return false;
}

static bool look_at_points(struct search *search, const struct prepared *prepared,
	const struct figure *figure, struct arena *arena, struct error *err) {
	const struct frame_job *frame = &search->frame;
	const struct framing_wish wish = {
		&frame->picture, &frame->subject, prepared, figure->positions, figure->overlays};
	struct framing framing;
	if (!framing_find(search->renderer, &wish, arena, &framing, err)) {
		return false;
	}
	if (framing.points) {
		add_points(search, &framing);
	}
	return true;
}

/* Looks at what the camera is to fit, if anything, and at what stands on the ground. */
static bool look_at_still(struct search *search, size_t i, const struct prepared *prepared,
	struct arena *arena, struct error *err) {
	struct frame_job *frame = &search->frame;
	const bool wanted = wants_points(search, i, &frame->picture.fit);
	const bool has_ground = picture_has_ground(&frame->picture) && !search->reaching;
	struct figure figure = {0};
	frame->subject = subject_of(search->reel, &search->reel->stills[i]);
	if ((has_ground || (wanted && framing_wants_positions(&frame->picture))) &&
		!frame_skin(search->renderer, frame, prepared, arena, &figure, err)) {
		return false;
	}
	return (!wanted || look_at_points(search, prepared, &figure, arena, err)) &&
		(!has_ground ||
			figure_add_footing(&figure, &frame->picture, &search->reel->footing, err));
}

static bool look(struct search *search, size_t i, struct arena *arena, struct error *err) {
	struct prepared prepared;
	if (!stop_check(search->frame.subject.stop, err) ||
		!reel_prepare(search->renderer, search->reel, i, arena, &prepared, err)) {
		return false;
	}
	const bool fine = look_at_still(search, i, &prepared, arena, err);
	prepared_finish(&prepared);
	return fine;
}

static bool look_at_all(struct search *search, struct error *err) {
	struct arena *arena = arena_create();
	bool fine = true;
	for (size_t i = 0; fine && i < search->reel->still_count; i++) {
		fine = look(search, i, arena, err);
		arena_reset(arena);
	}
	arena_destroy(arena);
	return fine;
}

/* Near and far are around the box. */
static void keep_box(struct search *search) {
	struct reel *reel = search->reel;
	if (search->box.min[0] <= search->box.max[0]) {
		bounds_corners(&search->box, reel->points);
		reel->point_count = 8;
	}
}

static void keep_extremes(struct search *search) {
	struct reel *reel = search->reel;
	camera_extremes_end(&search->extremes);
	reel->point_count = search->extremes.count;
	memcpy(reel->points, search->extremes.points, sizeof search->extremes.points);
}

/* The corners of a box reach farther than what is in it, so that all points are looked at again
 * once it is known about which axis they turn. */
static bool find_reach(struct search *search, struct error *err) {
	struct reel *reel = search->reel;
	double middle[3] = {0, 0, 0};
	for (int k = 0; reel->point_count > 0 && k < 3; k++) {
		middle[k] = (search->box.min[k] + search->box.max[k]) / 2;
	}
	const struct picture_settings *picture = &reel->job.frame.picture;
	turntable_reach_begin(
		&search->reach, &reel->camera, (double)picture->width / picture->height, middle);
	search->reaching = true;
	if (picture->fit == FIT_POSE) {
		if (!look_at_all(search, err)) {
			return false;
		}
	} else {
		turntable_reach_add(&search->reach, reel->points, reel->point_count);
	}
	reel->camera = turntable_reach_end(&search->reach);
	return true;
}

static bool check_turntable(const struct reel *reel, struct error *err) {
	const struct turntable_settings *turntable = &reel->job.frames.turntable;
	return turntable->count == 0 || reel->camera.kind == CAMERA_ORBIT ||
		value_error(turntable->place, err, ERROR_INVALID_VALUE,
			"a turntable needs a camera that orbits what it looks at");
}

bool reel_fit(struct renderer *renderer, struct reel *reel, struct error *err) {
	const struct picture_settings *picture = &reel->job.frame.picture;
	const struct turntable_settings *turntable = &reel->job.frames.turntable;
	struct search search = {
		.renderer = renderer,
		.reel = reel,
		.frame = reel->job.frame,
		.box = BOUNDS_NONE,
	};
	reel->camera = picture->camera;
	reel->footing = FOOTING_NONE;
	reel->first_yaw_deg =
		turntable->has_start ? turntable->start_yaw_deg : picture->camera.yaw_deg;
	if (camera_needs_points(&picture->camera)) {
		camera_extremes_begin(&picture->camera, (double)picture->width / picture->height,
			&search.extremes);
	}
	if (!check_turntable(reel, err) || !look_at_all(&search, err)) {
		return false;
	}
	if (picture->fit == FIT_POSE && turntable->count == 0) {
		keep_extremes(&search);
	} else {
		keep_box(&search);
	}
	return turntable->count == 0 || find_reach(&search, err);
}

bool reel_camera(struct renderer *renderer, const struct reel *reel, size_t frame,
	const struct prepared *prepared, const struct figure *figure, struct camera *out,
	struct error *err) {
	const struct picture_settings *picture = &reel->job.frame.picture;
	const struct posed_subject subject =
		subject_of(reel, &reel->stills[frame % reel->still_count]);
	const struct framing_wish wish = {
		picture, &subject, prepared, figure->positions, figure->overlays};
	struct camera_settings settings = reel->camera;
	if (!camera_needs_points(&settings)) {
		// It is that of the picture by itself, and may go along with the pose.
		return framing_camera(renderer, &wish, out, err);
	}
	if (reel->job.frames.turntable.count > 0) {
		settings.yaw_deg = reel->first_yaw_deg +
			reel->job.frames.turntable.degrees * (double)(frame / reel->still_count) /
				(double)reel->turn_count;
	}
	return camera_make(&settings, (double)picture->width / picture->height, reel->points,
		       reel->point_count, out, err) &&
		framing_hold(&wish, out, err);
}
