// One camera for all frames of a sequence.
#include <string.h>

#include "picture/frame.h"
#include "picture/framing.h"
#include "picture/ground.h"
#include "sequence/sequence_render.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"
#include "view/extent.h"
#include "view/turntable.h"

/* The search for the bounds of all samples' points. */
struct search {
	struct renderer *renderer;
	struct sequence *sequence;
	struct frame_job frame;
	struct bounds box;
	struct camera_extremes extremes;
	struct turntable_reach reach;
	bool reaching; // second pass: the box is known, the reach is being found
};

static struct posed_subject subject_of(
	const struct sequence *sequence, const struct pose_sample *sample) {
	struct posed_subject subject = sequence->job.frame.subject;
	subject.pose = sample->pose;
	subject.clock_s = sample->time_s;
	return subject;
}

static void add_points(struct search *search, const struct framing *framing) {
	if (search->reaching) {
		turntable_reach_add(&search->reach, framing->points, framing->count);
		return;
	}
	const struct bounds box = bounds_of_points(framing->points, framing->count);
	if (search->sequence->job.frame.picture.fit == FIT_CLIP) {
		bounds_add_beyond(&search->box, &box, BOUNDS_SLACK);
	} else {
		bounds_add(&search->box, &box);
	}
	camera_extremes_add(&search->extremes, framing->points, framing->count);
}

/* Returns false if the sample's points do not count for the camera. A clip's box, or the rest pose,
 * is complete with the first sample; other poses may go on after their longest clip has ended. */
static bool wants_points(struct search *search, size_t i, enum fit *fit) {
	const struct pose_sample *sample = &search->sequence->samples[i];
	const bool first = i == 0 || sample[-1].pose != sample->pose;
	*fit = search->sequence->job.frame.picture.fit;
	switch (*fit) {
	case FIT_POSE:
		return true;
	case FIT_CLIP:
		*fit = first ? FIT_CLIP : FIT_POSE;
		return first || !(sample->pose && value_member(sample->pose, "clip"));
	case FIT_REST:
		return i == 0;
	}
	return false;
}

static bool look_at_points(struct search *search, const struct prepared *prepared,
	const struct figure *figure, struct arena *arena, struct error *err) {
	const struct frame_job *frame = &search->frame;
	const struct framing_params params = {
		&frame->picture, &frame->subject, prepared, figure->positions, figure->overlays};
	struct framing framing;
	if (!framing_find(search->renderer, &params, arena, &framing, err)) {
		return false;
	}
	if (framing.points) {
		add_points(search, &framing);
	}
	return true;
}

/* Adds the sample to the camera's bounds, if it counts for them, and to the footing on the
 * ground. */
static bool look_at_sample(struct search *search, size_t i, const struct prepared *prepared,
	struct arena *arena, struct error *err) {
	struct frame_job *frame = &search->frame;
	const bool wanted = wants_points(search, i, &frame->picture.fit);
	const bool has_ground = picture_has_ground(&frame->picture) && !search->reaching;
	struct figure figure = {0};
	frame->subject = subject_of(search->sequence, &search->sequence->samples[i]);
	if ((has_ground || (wanted && framing_wants_positions(&frame->picture))) &&
		!frame_skin(search->renderer, frame, prepared, arena, &figure, err)) {
		return false;
	}
	return (!wanted || look_at_points(search, prepared, &figure, arena, err)) &&
		(!has_ground ||
			figure_add_footing(
				&figure, &frame->picture, &search->sequence->footing, err));
}

static bool look(struct search *search, size_t i, struct arena *arena, struct error *err) {
	struct prepared prepared;
	if (!stop_check(search->frame.subject.stop, err) ||
		!sequence_prepare(search->renderer, search->sequence, i, arena, &prepared, err)) {
		return false;
	}
	const bool ok = look_at_sample(search, i, &prepared, arena, err);
	prepared_finish(&prepared);
	return ok;
}

static bool look_at_all(struct search *search, struct error *err) {
	struct arena *arena = arena_create();
	bool ok = true;
	for (size_t i = 0; ok && i < search->sequence->sample_count; i++) {
		ok = look(search, i, arena, err);
		arena_reset(arena);
	}
	arena_destroy(arena);
	return ok;
}

/* Near and far enclose the box. */
static void keep_box(struct search *search) {
	struct sequence *sequence = search->sequence;
	if (search->box.min[0] <= search->box.max[0]) {
		bounds_corners(&search->box, sequence->points);
		sequence->point_count = 8;
	}
}

static void keep_extremes(struct search *search) {
	struct sequence *sequence = search->sequence;
	camera_extremes_end(&search->extremes);
	sequence->point_count = search->extremes.count;
	memcpy(sequence->points, search->extremes.points, sizeof search->extremes.points);
}

/* The corners of a box reach farther than its contents, so all points are visited again once the
 * axis of rotation is known. */
static bool find_reach(struct search *search, struct error *err) {
	struct sequence *sequence = search->sequence;
	double middle[3] = {0, 0, 0};
	for (int k = 0; sequence->point_count > 0 && k < 3; k++) {
		middle[k] = (search->box.min[k] + search->box.max[k]) / 2;
	}
	const struct picture_settings *picture = &sequence->job.frame.picture;
	turntable_reach_begin(&search->reach, &sequence->camera,
		(double)picture->width / picture->height, middle);
	search->reaching = true;
	if (picture->fit == FIT_POSE) {
		if (!look_at_all(search, err)) {
			return false;
		}
	} else {
		turntable_reach_add(&search->reach, sequence->points, sequence->point_count);
	}
	sequence->camera = turntable_reach_end(&search->reach);
	return true;
}

static bool check_turntable(const struct sequence *sequence, struct error *err) {
	const struct turntable_settings *turntable = &sequence->job.frames.turntable;
	return turntable->count == 0 || sequence->camera.kind == CAMERA_ORBIT ||
		value_error(turntable->source, err, ERROR_INVALID_VALUE,
			"a turntable needs a camera that orbits what it looks at");
}

bool sequence_fit_camera(struct renderer *renderer, struct sequence *sequence, struct error *err) {
	const struct picture_settings *picture = &sequence->job.frame.picture;
	const struct turntable_settings *turntable = &sequence->job.frames.turntable;
	struct search search = {
		.renderer = renderer,
		.sequence = sequence,
		.frame = sequence->job.frame,
		.box = BOUNDS_NONE,
	};
	sequence->camera = picture->camera;
	sequence->footing = FOOTING_NONE;
	sequence->first_yaw_deg =
		turntable->has_start ? turntable->start_yaw_deg : picture->camera.yaw_deg;
	if (camera_needs_points(&picture->camera)) {
		camera_extremes_begin(&picture->camera, (double)picture->width / picture->height,
			&search.extremes);
	}
	if (!check_turntable(sequence, err) || !look_at_all(&search, err)) {
		return false;
	}
	if (picture->fit == FIT_POSE && turntable->count == 0) {
		keep_extremes(&search);
	} else {
		keep_box(&search);
	}
	return turntable->count == 0 || find_reach(&search, err);
}

bool sequence_camera(struct renderer *renderer, const struct sequence *sequence, size_t frame,
	const struct prepared *prepared, const struct figure *figure, struct camera *out,
	struct error *err) {
	const struct picture_settings *picture = &sequence->job.frame.picture;
	const struct posed_subject subject =
		subject_of(sequence, &sequence->samples[frame % sequence->sample_count]);
	const struct framing_params params = {
		picture, &subject, prepared, figure->positions, figure->overlays};
	struct camera_settings settings = sequence->camera;
	if (!camera_needs_points(&settings)) {
		// The camera of the single picture, which may follow the pose.
		return framing_camera(renderer, &params, out, err);
	}
	if (sequence->job.frames.turntable.count > 0) {
		settings.yaw_deg = sequence->first_yaw_deg +
			sequence->job.frames.turntable.degrees *
				(double)(frame / sequence->sample_count) /
				(double)sequence->view_count;
	}
	return camera_make(&settings, (double)picture->width / picture->height, sequence->points,
		       sequence->point_count, out, err) &&
		framing_hold(&params, out, err);
}
