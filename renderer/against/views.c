// Fixed views of a clip.
#include "against/views.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/vec.h"
#include "interface/pictures.h"

#define SAMPLES 4
#define FOV_DEG 30
#define MOMENTS 3

static const struct {
	const char *name;
	double yaw_deg, pitch_deg;
} cameras[] = {{"front", 0, 0}, {"side", 90, 0}, {"oblique", 45, 15}};

#define CAMERAS (sizeof cameras / sizeof *cameras)

static const struct {
	const char *name;
	enum shading mode;
} looks[] = {{"clay", SHADING_MATCAP}, {"material", SHADING_MATERIAL}};

#define LOOKS (sizeof looks / sizeof *looks)

_Static_assert(MOMENTS *CAMERAS *LOOKS == VIEWS_COUNT, "all views are counted");

static size_t camera_of(size_t view) {
	return view % CAMERAS;
}

static size_t look_of(size_t view) {
	return view / CAMERAS % LOOKS;
}

static size_t moment_of(size_t view) {
	return view / (CAMERAS * LOOKS);
}

bool view_set_make(const struct check_run *run, const struct check_step *step,
	struct renderer *renderer, const struct stop *stop, struct view_set *out,
	struct error *err) {
	const struct rig *rig = run->job.rig;
	struct bounds box;
	if (!renderer_clip_bounds(renderer, rig, step->clip, stop, &box, err)) {
		return false;
	}
	const bool any = box.min[0] <= box.max[0];
	double sides[3] = {0};
	*out = (struct view_set){.clip = step->facts};
	if (any) {
		vec3_sub(box.max, box.min, sides);
	}
	const double radius = vec3_length(sides) / 2;
	out->distance = (radius > 0 ? radius : 1) / sin(FOV_DEG / 360.0 * acos(-1));
	for (int k = 0; any && k < 3; k++) {
		out->target[k] = 0.5 * (box.min[k] + box.max[k]);
	}
	return true;
}

struct check_camera view_camera(const struct view_set *set, size_t view) {
	struct check_camera camera = {
		.yaw_deg = cameras[camera_of(view)].yaw_deg,
		.pitch_deg = cameras[camera_of(view)].pitch_deg,
		.distance = set->distance,
	};
	memcpy(camera.target, set->target, sizeof camera.target);
	return camera;
}

double view_time(const struct view_set *set, size_t view) {
	const double share = ((double)moment_of(view) + 0.5) / MOMENTS;
	return set->clip->start_s + share * (set->clip->end_s - set->clip->start_s);
}

struct check_view view_describe(
	const struct view_set *set, const struct check_run *run, size_t view) {
	const struct rig *rig = run->job.rig;
	int namesake = 0;
	for (int i = 0; i < rig->clip_count && &rig->clips[i] != set->clip->clip; i++) {
		namesake += strcasecmp(rig->clips[i].name, set->clip->name) == 0;
	}
	return (struct check_view){
		.clip = set->clip->name,
		.namesake = namesake,
		.camera = cameras[camera_of(view)].name,
		.shading = looks[look_of(view)].name,
		.moment = (int)moment_of(view) + 1,
		.moments = MOMENTS,
	};
}

static struct frame_job frame_of(
	const struct view_set *set, size_t view, const struct view_subject *subject) {
	const struct check_camera camera = view_camera(set, view);
	struct frame_job frame = {
		.subject = {.rig = subject->run->job.rig, .stop = subject->stop},
		.picture = {.width = VIEW_SIDE,
			.height = VIEW_SIDE,
			.samples = SAMPLES,
			.camera = {.yaw_deg = camera.yaw_deg,
				.pitch_deg = camera.pitch_deg,
				.distance = camera.distance,
				.fov_deg = FOV_DEG,
				.has_target = true},
			.shading = {.mode = looks[look_of(view)].mode},
			.format = picture_format_named("rgba")},
	};
	memcpy(frame.picture.camera.target, camera.target, sizeof camera.target);
	return frame;
}

bool view_draw(const struct view_set *set, size_t view, const struct view_subject *subject,
	struct buffer *rgba, struct error *err) {
	const char *method = subject->run->job.profile->settings.skinning;
	const struct value id = {.kind = VALUE_STRING, .string = method, .key = "skinning"};
	struct value pose[3];
	pose[0] = (struct value){.kind = VALUE_OBJECT, .count = 2, .items = pose + 1};
	pose[1] = (struct value){
		.kind = VALUE_STRING, .string = subject->clip, .key = "clip", .parent = pose};
	pose[2] = (struct value){.kind = VALUE_NUMBER,
		.number = view_time(set, view),
		.key = "time",
		.parent = pose};
	struct frame_job frame = frame_of(set, view, subject);
	struct skinning_report report;
	frame.subject.pose = pose;
	frame.subject.skinning.method = method ? &id : NULL;
	return renderer_frame(subject->renderer, &frame, rgba, &report, err);
}

bool view_goes_on(const struct error *err) {
	return err->code != ERROR_CONTEXT_LOST && err->code != ERROR_DEADLINE &&
		err->code != ERROR_CLIENT_LEFT && err->code != ERROR_SHUTTING_DOWN;
}
