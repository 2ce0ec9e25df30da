// The error of what optimising has made, from its file alone.
#include <math.h>

#include "compress/layout.h"
#include "compress/measure.h"
#include "interface/optimise.h"
#include "pose/sample/sampler.h"

#include "base/quat.h"

/* The made clip. */
struct made {
	const struct source *source;
	const struct rig *rig;
	const struct clip *clip;
	struct pose pose;
};

static bool local_of_made(
	void *decoder, int moment, struct source_transform *local, double *weights) {
	struct made *made = decoder;
	clip_sample(made->rig, made->clip, source_moment_s(made->source, moment), &made->pose);
	for (int i = 0; i < made->rig->joint_count; i++) {
		const struct transform *from = &made->pose.local[i];
		for (int k = 0; k < 3; k++) {
			local[i].translation[k] = (double)from->translation[k];
			local[i].scale[k] = (double)from->scale[k];
		}
		for (int k = 0; k < 4; k++) {
			local[i].rotation[k] = (double)from->rotation[k];
		}
		quat_normalize(local[i].rotation);
	}
	for (int i = 0; i < made->rig->weight_count; i++) {
		weights[i] = (double)made->pose.weights[i];
	}
	return true;
}

static bool measure_clip(const struct rig *rig, const struct rig *made_rig, int clip,
	const struct error_shell *shell, const double *reaches, struct optimise_clip *out,
	struct error *err) {
	struct arena *arena = arena_create();
	struct source source;
	struct shell_error error = {0};
	const struct source_job job = {rig, &rig->clips[clip], NULL};
	bool done = source_make_at_keys(&job, arena, &source, err);
	if (done) {
		struct made made = {
			&source, made_rig, &made_rig->clips[clip], pose_rest(made_rig, arena)};
		struct measure measure = measure_make(&source, shell, reaches, arena);
		done = measure_all(&measure, local_of_made, &made, arena, &error) ||
			error_set(err, ERROR_INTERNAL, "the optimised clip cannot be measured");
	}
	out->max_m = error.max_m;
	out->rms_m = error.rms_m;
	out->joint = error.joint;
	out->time_s = error.time_s;
	arena_destroy(arena);
	return done;
}

bool renderer_optimise_measure(const struct rig *rig, const struct rig *made,
	struct optimise_clip *clips, struct error *err) {
	if (made->joint_count != rig->joint_count || made->weight_count != rig->weight_count ||
		made->clip_count != rig->clip_count) {
		return error_set(err, ERROR_INTERNAL,
			"the optimised file has other joints or clips than the original");
	}
	struct arena *arena = arena_create();
	const struct error_shell shell =
		error_shell_make(rig, error_shell_default_radius(rig), arena);
	double *reaches = arena_alloc(arena, (size_t)rig->weight_count + 1, sizeof *reaches);
	bool done = true;
	layout_find_reaches(rig, reaches);
	for (int i = 0; i < rig->clip_count && done; i++) {
		done = measure_clip(rig, made, i, &shell, reaches, &clips[i], err);
	}
	arena_destroy(arena);
	return done;
}
