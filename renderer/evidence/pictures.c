// Pictures of findings: the figure in clay, with what the finding is about drawn over it. A palette
// keeps reports of many findings small.
#include "evidence/pictures.h"

#include <math.h>
#include <string.h>

#include "check/run.h"
#include "evidence/camera.h"
#include "image/encode.h"
#include "interface/sequences.h"

#define SAMPLES 4

/* An animation shows so much of the clip on both sides of the moment, so many times as slowly, in
 * so many frames at most. */
#define AROUND_S 0.4
#define SLOWNESS 4
#define FRAMES_MAX 24

/* Its side, as a share of that of stills. */
#define ANIMATION_SHARE (2.0 / 3)

/* Dots on the way of a foot. */
#define PATH_DOTS_MAX 24

/* Share of the distance of the eye that half the ground's side is. */
#define GROUND_SHARE 0.5

#define CHAIN_MAX 64

static const double BACKGROUND[4] = {0.945, 0.953, 0.965, 1};

/* Drawings that findings of some rules have besides joints and elements. */
enum drawing_bits {
	DRAW_GROUND = 1 << 0,
	DRAW_PATH = 1 << 1,
	DRAW_SEAM = 1 << 2,
	DRAW_VERSIONS = 1 << 3, // not the samples before and after, but the earlier version
};

static const struct {
	const char *rule; // glob
	unsigned drawings;
} rows[] = {
	{"contact/*", DRAW_GROUND | DRAW_PATH},
	{"motion/loop_*", DRAW_SEAM},
	{"motion/root_drift", DRAW_SEAM},
	{"clip/frame_short", DRAW_SEAM},
	{"diff/*", DRAW_VERSIONS},
};

static unsigned drawings_of(const struct check_finding *finding) {
	const char *id = renderer_check_rule((size_t)finding->at.rule)->id;
	unsigned drawings = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		drawings |= check_glob(rows[i].rule, id) ? rows[i].drawings : 0;
	}
	return drawings;
}

/* A finding on its way into pictures. */
struct work {
	struct renderer *renderer;
	const struct check_evidence_job *job;
	const struct evidence_scene *scene;
	const struct check_clip *clip; // NULL = the rest pose
	struct arena *arena;           // of the pictures
	struct arena *scratch;
	struct frame_job frame;
	struct check_finding *finding;
};

/* --- Values, as requests have them --- */

static const struct value *list_names(struct work *work, const int *joints, size_t count) {
	const struct rig *rig = work->scene->asset->rig;
	struct value *list = arena_alloc(work->scratch, count + 1, sizeof *list);
	for (size_t i = 0; i < count; i++) {
		list[i + 1] = (struct value){.kind = VALUE_STRING,
			.string = rig->joints[joints[i]].name,
			.parent = list,
			.index = i};
	}
	*list = (struct value){.kind = VALUE_LIST, .count = count, .items = list + 1};
	return list;
}

static const struct value *list_number(struct work *work, double number) {
	struct value *list = arena_alloc(work->scratch, 2, sizeof *list);
	list[1] = (struct value){.kind = VALUE_NUMBER, .number = number, .parent = list};
	*list = (struct value){.kind = VALUE_LIST, .count = 1, .items = list + 1};
	return list;
}

/* {"clip": name, "time": seconds}; NULL = the rest pose. */
static const struct value *pose_at(struct work *work, double time_s) {
	if (!work->clip) {
		return NULL;
	}
	struct value *pose = arena_alloc(work->scratch, 3, sizeof *pose);
	pose[0] = (struct value){.kind = VALUE_OBJECT, .count = 2, .items = pose + 1};
	pose[1] = (struct value){
		.kind = VALUE_STRING, .string = work->clip->name, .key = "clip", .parent = pose};
	pose[2] = (struct value){
		.kind = VALUE_NUMBER, .number = time_s, .key = "time", .parent = pose};
	return pose;
}

/* --- The frame --- */

/* The joint, those above it and those that hang on it. */
static void show_chain(struct work *work) {
	const struct check_asset *asset = work->scene->asset;
	const int joint = work->scene->joint;
	int chain[CHAIN_MAX];
	size_t count = 0;
	for (int i = joint; i >= 0 && count < CHAIN_MAX; i = asset->rig->joints[i].parent) {
		if (i == joint || asset->active[i]) {
			chain[count++] = i;
		}
	}
	for (int i = joint + 1; i < asset->rig->joint_count && count < CHAIN_MAX; i++) {
		if (asset->rig->joints[i].parent == joint && asset->active[i]) {
			chain[count++] = i;
		}
	}
	work->frame.picture.overlays.shown |= 1u << OVERLAY_SKELETON;
	work->frame.picture.overlays.skeleton.joints = list_names(work, chain, count);
}

static void mark_elements(struct work *work) {
	const struct check_measurement *at = &work->finding->at;
	struct marks_settings *marks = &work->frame.picture.overlays.marks;
	if (at->vertex_count > 0) {
		int *vertices = arena_alloc(work->scratch, at->vertex_count, sizeof *vertices);
		for (size_t i = 0; i < at->vertex_count; i++) {
			vertices[i] = (int)at->vertices[i];
		}
		marks->vertices = vertices;
		marks->vertex_count = at->vertex_count;
	}
	marks->triangles = work->scene->triangles;
	marks->triangle_count = (size_t)work->scene->triangle_count;
}

static void show_ground(struct work *work) {
	const struct check_camera *camera = &work->finding->camera;
	struct marks_settings *marks = &work->frame.picture.overlays.marks;
	marks->has_ground = true;
	memcpy(marks->ground, camera->target, sizeof marks->ground);
	marks->ground[1] = work->scene->asset->ground;
	marks->ground_half = GROUND_SHARE * camera->distance;
}

static struct frame_job frame_of(struct work *work) {
	const struct check_run *run = work->job->run;
	const struct check_camera *camera = &work->finding->camera;
	const char *method = run->job.profile->settings.skinning;
	const int side = work->job->side > 0 ? work->job->side : EVIDENCE_SIDE;
	struct frame_job frame = {
		.subject = {.rig = run->job.rig, .stop = work->job->stop},
		.picture = {.width = side,
			.height = side,
			.samples = SAMPLES,
			.format = picture_format_named("rgba"),
			.camera = {.yaw_deg = camera->yaw_deg,
				.pitch_deg = camera->pitch_deg,
				.distance = camera->distance,
				.fov_deg = EVIDENCE_FOV_DEG,
				.has_target = true},
			.shading = {.mode = SHADING_MATCAP}},
	};
	if (method) {
		struct value *id = arena_alloc(work->scratch, 1, sizeof *id);
		*id = (struct value){.kind = VALUE_STRING, .string = method, .key = "skinning"};
		frame.subject.skinning.method = id;
	}
	memcpy(frame.picture.background, BACKGROUND, sizeof BACKGROUND);
	memcpy(frame.picture.camera.target, camera->target, sizeof camera->target);
	return frame;
}

static void compose(struct work *work) {
	work->frame = frame_of(work);
	mark_elements(work);
	if (work->scene->joint >= 0) {
		show_chain(work);
	}
	if (drawings_of(work->finding) & DRAW_GROUND) {
		show_ground(work);
	}
}

/* Drawings that are told by the time from the picture's moment. */
static void follow_time(struct work *work, double time_s) {
	const unsigned drawings = work->clip ? drawings_of(work->finding) : 0;
	struct overlay_settings *overlays = &work->frame.picture.overlays;
	if ((drawings & DRAW_PATH) && work->scene->joint >= 0 &&
		work->clip->end_s > work->clip->start_s) {
		overlays->shown |= 1u << OVERLAY_TRAILS;
		overlays->trails = (struct trails_settings){
			.joints = list_names(work, &work->scene->joint, 1),
			.has_span = true,
			.start_s = work->clip->start_s - time_s,
			.end_s = work->clip->end_s - time_s,
			.count = (int)fmin(fmax(work->clip->count, 2), PATH_DOTS_MAX),
		};
	}
	if ((drawings & DRAW_SEAM) && time_s > work->clip->start_s) {
		overlays->shown |= 1u << OVERLAY_ONION;
		overlays->onion = (struct onion_settings){
			.times = list_number(work, work->clip->start_s - time_s)};
	}
}

/* --- Pictures --- */

/* True when work may go on: with the picture that failed left out. */
static bool goes_on(const struct error *err) {
	return err->code != ERROR_CONTEXT_LOST && err->code != ERROR_DEADLINE &&
		err->code != ERROR_CLIENT_LEFT && err->code != ERROR_SHUTTING_DOWN;
}

static void add_picture(
	struct work *work, const char *label, const char *type, const struct buffer *file) {
	struct check_finding *finding = work->finding;
	unsigned char *bytes = arena_alloc(work->arena, file->size, 1);
	memcpy(bytes, file->data, file->size);
	finding->pictures[finding->picture_count++] =
		(struct check_picture){label, type, bytes, file->size};
}

/* Draws the frame as it is. */
static bool draw_frame(struct work *work, const char *label, struct error *err) {
	struct buffer file = {0}, pixels = {0};
	struct skinning_report report;
	struct error why = {0};
	const bool drawn = renderer_frame(work->renderer, &work->frame, &pixels, &report, &why) &&
		encode_png_palette(&(struct picture){.width = work->frame.picture.width,
					   .height = work->frame.picture.height,
					   .rgba = pixels.data},
			&file, &why);
	if (drawn) {
		add_picture(work, label, "image/png", &file);
	}
	buffer_finish(&pixels);
	buffer_finish(&file);
	return drawn || goes_on(&why) || error_pass(err, &why);
}

static bool draw_still(
	struct work *work, const char *label, double time_s, bool overlays, struct error *err) {
	compose(work);
	if (overlays) {
		follow_time(work, time_s);
	}
	work->frame.subject.pose = pose_at(work, time_s);
	return draw_frame(work, label, err);
}

/* Both versions from the same side. The earlier one may have none of what is marked on the other.
 */
static bool draw_versions(struct work *work, struct error *err) {
	const double time_s = work->finding->at.time_s;
	work->frame = frame_of(work);
	work->frame.subject.rig = work->job->before->job.rig;
	work->frame.subject.pose = pose_at(work, time_s);
	return draw_frame(work, "earlier version", err) &&
		draw_still(work, "this version", time_s, true, err);
}

static bool draw_stills(struct work *work, struct error *err) {
	static const char *const labels[] = {"before", "at", "after"};
	const int sample = work->finding->at.sample;
	if (work->job->before && (drawings_of(work->finding) & DRAW_VERSIONS)) {
		return draw_versions(work, err);
	}
	if (!work->clip || sample < 0) {
		return draw_still(work, "at", work->finding->at.time_s, true, err);
	}
	for (int i = -1; i <= 1; i++) {
		const int f = sample + i;
		if (f >= 0 && f < work->clip->count &&
			!draw_still(work, labels[i + 1],
				i == 0 ? work->finding->at.time_s : check_clip_time(work->clip, f),
				i == 0 || !(drawings_of(work->finding) & DRAW_SEAM), err)) {
			return false;
		}
	}
	return true;
}

/* The clip's own samples where they are few, else evenly spread moments. */
static double *list_moments(const struct work *work, double begin_s, double end_s, size_t *count) {
	const double step = fmax(1 / work->clip->rate, (end_s - begin_s) / (FRAMES_MAX - 1));
	*count = (size_t)floor((end_s - begin_s) / step + 1e-6) + 1;
	double *moments = arena_alloc(work->scratch, *count, sizeof *moments);
	for (size_t i = 0; i < *count; i++) {
		moments[i] = (double)i * step;
	}
	return moments;
}

static bool draw_sequence(
	struct work *work, const struct sequence_job *job, struct buffer *out, struct error *err) {
	struct sequence *sequence = renderer_sequence_create(work->renderer, job, err);
	const struct sequence_piece whole = {0};
	bool done = false, ok = sequence != NULL;
	while (ok && !done) {
		struct skinning_report report;
		size_t frames;
		ok = renderer_sequence_draw(
			work->renderer, sequence, &whole, out, &frames, &done, &report, err);
	}
	renderer_sequence_destroy(sequence);
	return ok;
}

static bool draw_animation(struct work *work, struct error *err) {
	const double at_s = work->finding->at.time_s;
	if (!work->clip || work->finding->picture_count == CHECK_PICTURES_MAX ||
		!(work->clip->end_s > work->clip->start_s)) {
		return true;
	}
	const double begin_s = fmax(at_s - AROUND_S, work->clip->start_s);
	const double end_s = fmin(at_s + AROUND_S, work->clip->end_s);
	struct sequence_job job = {
		.poses = pose_at(work, begin_s),
		.pose_count = 1,
		.format = sequence_format_named("apng"),
		.passes = 1,
		.max_frames = FRAMES_MAX,
		.max_pixels = UINT64_MAX,
		.max_bytes = SIZE_MAX,
		.max_rate = SEQUENCE_FPS_MAX,
	};
	compose(work);
	job.frame = work->frame;
	job.frame.picture.width = (int)(work->frame.picture.width * ANIMATION_SHARE);
	job.frame.picture.height = job.frame.picture.width;
	job.frames.moments.list =
		list_moments(work, begin_s, end_s, &job.frames.moments.list_count);
	const size_t count = job.frames.moments.list_count;
	job.frames.rate = count > 1 ? 1 / (job.frames.moments.list[1] * SLOWNESS) : 1;
	struct buffer file = {0};
	struct error why = {0};
	const bool drawn = draw_sequence(work, &job, &file, &why);
	if (drawn) {
		add_picture(work, "animation", "image/apng", &file);
	}
	buffer_finish(&file);
	return drawn || goes_on(&why) || error_pass(err, &why);
}

bool evidence_draw(struct renderer *renderer, const struct check_evidence_job *job,
	const struct evidence_scene *scene, struct arena *arena, struct check_finding *finding,
	struct error *err) {
	struct work work = {
		.renderer = renderer,
		.job = job,
		.scene = scene,
		.clip = isnan(finding->at.time_s) ? NULL : evidence_clip(job->run, finding),
		.arena = arena,
		.scratch = arena_create(),
		.finding = finding,
	};
	const bool ok = draw_stills(&work, err) &&
		(job->pictures != EVIDENCE_ANIMATED || draw_animation(&work, err));
	arena_destroy(work.scratch);
	return ok;
}
