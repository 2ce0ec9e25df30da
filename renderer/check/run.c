// A check: the passes of all rules over a rig at rest and over each of its clips.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check/results.h"
#include "check/rules.h"
#include "check/run.h"
#include "check/skinner.h"
#include "check/tracks.h"
#include "pose/sample/sampler.h"

#define TOO_LONG "the clip has more than 1,048,576 samples"

static void finish_plan(void *plan) {
	skin_plan_finish(plan);
}

static void finish_arena(void *arena) {
	arena_destroy(arena);
}

/* --- Beginning --- */

/* Each pass once, in the order of its first rule. */
static void list_passes(struct check_run *run) {
	run->passes = arena_alloc(run->arena, (size_t)check_rule_count, sizeof *run->passes);
	for (int i = 0; i < check_rule_count; i++) {
		size_t k = 0;
		while (k < run->pass_count && run->passes[k] != check_rules[i]->pass) {
			k++;
		}
		if (k == run->pass_count && check_rules[i]->pass) {
			run->passes[run->pass_count++] = check_rules[i]->pass;
		}
	}
}

/* The rig, then each clip that is wanted. */
static void list_steps(struct check_run *run) {
	const struct rig *rig = run->job.rig;
	run->steps = arena_alloc(run->arena, (size_t)rig->clip_count + 1, sizeof *run->steps);
	run->steps[run->step_count++].clip = -1;
	for (int i = 0; i < rig->clip_count; i++) {
		if (check_globs_match(run->job.profile->clips, rig->clips[i].name)) {
			run->steps[run->step_count++].clip = i;
		}
	}
	for (size_t i = 0; i < run->step_count; i++) {
		run->steps[i].arena = arena_create();
		arena_defer(run->arena, finish_arena, run->steps[i].arena);
	}
}

static int compare_turns(const void *first, const void *second) {
	const struct check_turn *a = first, *b = second;
	if (a->seconds != b->seconds) {
		return a->seconds > b->seconds ? -1 : 1;
	}
	return a->step < b->step ? -1 : 1;
}

static void list_turns(struct check_run *run) {
	run->turns = arena_alloc(run->arena, run->step_count, sizeof *run->turns);
	for (size_t i = 0; i < run->step_count; i++) {
		const int clip = run->steps[i].clip;
		const double seconds = clip < 0 ? INFINITY : run->job.rig->clips[clip].duration_s;
		run->turns[i] = (struct check_turn){i, seconds};
	}
	qsort(run->turns, run->step_count, sizeof *run->turns, compare_turns);
}

static bool make_plan(struct check_run *run, struct error *err) {
	const char *method = run->job.profile->settings.skinning;
	const struct value id = {.kind = VALUE_STRING, .string = method, .key = "skinning"};
	const struct skin_plan_params params = {
		.subject = {.rig = run->job.rig,
			.skinning = {.method = &id},
			.stop = run->job.stop},
		.clip = -1,
	};
	if (!method || strcmp(method, "lbs") == 0) {
		run->plan = skin_plan_default(run->job.rig);
		// Others follow the surface that a joint turns inside out, and hide it.
		run->plan.normals = NORMALS_SAME;
		return true;
	}
	if (!skin_plan_make(run->job.library, &params, &run->plan, err)) {
		return false;
	}
	arena_defer(run->arena, finish_plan, &run->plan);
	return run->plan.rig == run->job.rig ||
		error_set(err, ERROR_INVALID_VALUE,
			"%s cuts the mesh into parts: checks look at the asset's own vertices",
			method);
}

struct check_run *renderer_check_begin(
	const struct check_job *job, struct arena *arena, struct error *err) {
	struct check_run *run = arena_alloc(arena, 1, sizeof *run);
	*run = (struct check_run){.job = *job, .arena = arena, .begin_s = clock_now_s()};
	if (!stop_check(job->stop, err) || !make_plan(run, err)) {
		return NULL;
	}
	run->asset = check_asset_create(job->rig, job->facts, job->profile, job->stop, arena);
	if (!stop_check(job->stop, err)) {
		return NULL;
	}
	list_passes(run);
	list_steps(run);
	list_turns(run);
	return run;
}

size_t renderer_check_steps(const struct check_run *run) {
	return run->step_count;
}

size_t renderer_check_turn(const struct check_run *run, size_t turn) {
	return run->turns[turn].step;
}

const char *renderer_check_step_name(const struct check_run *run, size_t step) {
	const int clip = run->steps[step].clip;
	return clip < 0 ? NULL : run->job.rig->clips[clip].name;
}

/* --- Conditions --- */

static bool has_skin(const struct check_asset *asset) {
	const int count = asset->rig->vertex_count;
	return count > 0 && memchr(asset->skinned, 1, (size_t)count);
}

static bool has_normals(const struct check_asset *asset) {
	bool any = false;
	for (int i = 0; i < asset->facts->primitive_count; i++) {
		any |= asset->facts->primitives[i].has_normals;
	}
	return any;
}

static bool has_triangles(const struct check_asset *asset) {
	bool any = false;
	for (int i = 0; i < asset->rig->primitive_count; i++) {
		const struct primitive *p = &asset->rig->primitives[i];
		any |= p->topology == TOPOLOGY_TRIANGLES && p->index_count > 0;
	}
	return any;
}

/* The reason why a pass is not applied; NULL = it is. clip may be NULL. */
static const char *find_lack(const struct check_asset *asset, const struct check_clip *clip,
	const struct check_pass *pass) {
	const bool loop = clip && (clip->loop || clip->likely_loop);
	const struct {
		unsigned need;
		bool lacks;
		const char *reason;
	} rows[] = {
		{CHECK_NEEDS_VERTICES, asset->rig->vertex_count == 0, "no vertices"},
		{CHECK_NEEDS_TRIANGLES, !has_triangles(asset), "no triangles"},
		{CHECK_NEEDS_JOINTS, asset->root_count == 0, "no joint that moves anything"},
		{CHECK_NEEDS_SKIN, !has_skin(asset), "no skin"},
		{CHECK_NEEDS_NORMALS, !has_normals(asset), "no normals in the file"},
		{CHECK_NEEDS_MOTION, clip && clip->still, "a still pose"},
		{CHECK_NEEDS_LOOP, clip && !loop, "not a loop"},
		{CHECK_NEEDS_GROUND, clip && clip->airborne, "in the air"},
		{CHECK_NEEDS_LENGTH | CHECK_NEEDS_JOINTS | CHECK_NEEDS_SKIN, !(asset->length > 0),
			"the figure has no extent"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if ((pass->needs & rows[i].need) && rows[i].lacks) {
			return rows[i].reason;
		}
	}
	return NULL;
}

/* --- Steps --- */

/* A pass over one clip. */
struct working {
	const struct check_pass *pass;
	void *state;
};

/* All that a clip's passes work with. */
struct clip_work {
	struct check_run *run;
	struct check_step *step;
	struct working *working; // [count] whose functions go joint by joint or sample by sample
	size_t count;
	bool tracks, poses, surfaces; // some pass has that function
	check_point *points;          // [vertex_count] of a sample
};

static bool looks_at_clips(const struct check_pass *pass) {
	return pass->clip || pass->track || pass->pose || pass->surface;
}

static void begin_pass(struct clip_work *work, const struct check_pass *pass) {
	struct check_step *step = work->step;
	const bool by_joint = pass->track, by_sample = pass->pose || pass->surface;
	if (pass->clip) {
		pass->clip(work->run->asset, step->facts, step->scratch, step->sink);
	}
	if (!by_joint && !by_sample) {
		return;
	}
	if (step->facts->too_long && (by_joint || pass->pose)) {
		check_skip_pass(step->sink, pass, TOO_LONG);
		return;
	}
	work->working[work->count++] = (struct working){pass,
		pass->begin ? pass->begin(work->run->asset, step->facts, step->scratch) : NULL};
	work->tracks |= by_joint;
	work->poses |= pass->pose != NULL;
	work->surfaces |= pass->surface != NULL;
}

static bool begin_passes(struct clip_work *work, struct error *err) {
	struct check_step *step = work->step;
	for (size_t i = 0; i < work->run->pass_count; i++) {
		const struct check_pass *pass = work->run->passes[i];
		if (!stop_check(work->run->job.stop, err)) {
			return false;
		}
		if (!looks_at_clips(pass) || !check_wants_pass(step->sink, pass)) {
			continue;
		}
		const char *lack = find_lack(work->run->asset, step->facts, pass);
		if (lack) {
			check_skip_pass(step->sink, pass, lack);
		} else {
			begin_pass(work, pass);
		}
	}
	return true;
}

static bool run_tracks(struct clip_work *work, struct error *err) {
	const struct check_asset *asset = work->run->asset;
	struct check_step *step = work->step;
	struct check_tracks *tracks = check_tracks_create(asset, step->facts, step->scratch);
	for (int joint = 0; joint < asset->rig->joint_count; joint++) {
		if (!asset->active[joint] || !(step->facts->driven[joint] & DRIVEN_TRANSFORM)) {
			continue;
		}
		const struct check_track *track = check_tracks_joint(tracks, joint);
		for (size_t i = 0; i < work->count; i++) {
			if (work->working[i].pass->track) {
				work->working[i].pass->track(
					work->working[i].state, track, step->sink);
			}
		}
		if (!stop_check(work->run->job.stop, err)) {
			return false;
		}
	}
	return true;
}

static bool run_surface(struct clip_work *work, struct check_skinner *skinner,
	const struct check_pose *pose, struct error *err) {
	struct check_surface_sample sample;
	if (!check_skinner_run(skinner, pose, &sample, err)) {
		return false;
	}
	check_sums_points(sample.positions, (size_t)work->run->job.rig->vertex_count, work->points);
	sample.points = (const check_point *)work->points;
	for (size_t i = 0; i < work->count; i++) {
		if (work->working[i].pass->surface) {
			work->working[i].pass->surface(
				work->working[i].state, &sample, work->step->sink);
		}
	}
	return true;
}

static bool run_samples(struct clip_work *work, struct error *err) {
	const struct check_asset *asset = work->run->asset;
	struct check_step *step = work->step;
	const struct check_clip *clip = step->facts;
	struct skin_plan *plan = arena_alloc(step->scratch, 1, sizeof *plan);
	*plan = work->run->plan;
	plan->clip = clip->index;
	struct check_skinner *skinner =
		work->surfaces ? check_skinner_create(plan, step->scratch) : NULL;
	work->points =
		arena_alloc(step->scratch, (size_t)asset->rig->vertex_count, sizeof *work->points);
	struct pose pose = pose_rest(asset->rig, step->scratch);
	double(*world)[12] =
		arena_alloc(step->scratch, (size_t)asset->rig->joint_count, sizeof *world);
	const int stride = work->poses ? 1 : clip->surface_stride;
	for (int f = 0; f < clip->count; f += stride) {
		const struct check_pose at = {asset, clip, f, check_clip_time(clip, f), &pose,
			(const double(*)[12])world};
		pose_set_rest(asset->rig, 0, &pose);
		clip_sample(asset->rig, clip->clip, at.time_s, &pose);
		pose_to_world(asset->rig, &pose, world);
		plan->time_s = at.time_s;
		for (size_t i = 0; i < work->count; i++) {
			if (work->working[i].pass->pose) {
				work->working[i].pass->pose(
					work->working[i].state, &at, step->sink);
			}
		}
		if ((skinner && f % clip->surface_stride == 0 &&
			    !run_surface(work, skinner, &at, err)) ||
			!stop_check(work->run->job.stop, err)) {
			return false;
		}
	}
	return true;
}

static bool step_clip(struct check_run *run, struct check_step *step, struct error *err) {
	struct clip_work work = {.run = run, .step = step};
	work.working = arena_alloc(step->scratch, run->pass_count, sizeof *work.working);
	if (!begin_passes(&work, err) || (work.tracks && !run_tracks(&work, err)) ||
		((work.poses || work.surfaces) && !run_samples(&work, err))) {
		return false;
	}
	for (size_t i = 0; i < work.count; i++) {
		if (work.working[i].pass->end) {
			work.working[i].pass->end(work.working[i].state, step->sink);
		}
		if (!stop_check(run->job.stop, err)) {
			return false;
		}
	}
	return true;
}

static bool step_asset(struct check_run *run, struct check_step *step, struct error *err) {
	for (size_t i = 0; i < run->pass_count; i++) {
		const struct check_pass *pass = run->passes[i];
		if (!pass->asset || !check_wants_pass(step->sink, pass)) {
			continue;
		}
		const char *lack = find_lack(run->asset, NULL, pass);
		if (lack) {
			check_skip_pass(step->sink, pass, lack);
		} else {
			pass->asset(run->asset, step->scratch, step->sink);
		}
		if (!stop_check(run->job.stop, err)) {
			return false;
		}
	}
	return true;
}

bool renderer_check_step(struct check_run *run, size_t index, struct error *err) {
	struct check_step *step = &run->steps[index];
	double mark = clock_now_s();
	const char *clip = renderer_check_step_name(run, index);
	if (!stop_check(run->job.stop, err)) {
		return false;
	}
	step->facts = clip ? check_clip_create(run->asset, step->clip, step->arena) : NULL;
	step->sink = check_sink_create(run->asset, run->job.path, clip, step->arena);
	step->sink->clip = step->facts;
	step->scratch = arena_create();
	// Loops that have ended early count on this look.
	const bool ok = (clip ? step_clip(run, step, err) : step_asset(run, step, err)) &&
		stop_check(run->job.stop, err);
	arena_destroy(step->scratch);
	step->scratch = NULL;
	step->seconds = clock_lap_s(&mark);
	return ok;
}

/* --- Rules --- */

static const struct check_rule_info *const infos[] = {
#define CHECK_INFO_ROW(name) &check_rule_##name.info,
	CHECK_RULES(CHECK_INFO_ROW)
#undef CHECK_INFO_ROW
};

const struct check_rule_info *const *renderer_check_rules(size_t *count) {
	*count = sizeof infos / sizeof *infos;
	return infos;
}

const struct check_rule_info *renderer_check_rule(size_t i) {
	return i < sizeof infos / sizeof *infos ? infos[i] : NULL;
}
