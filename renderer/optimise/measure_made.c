// The error of what optimising has made, from its file alone.
#include <math.h>

#include "base/quat.h"
#include "compress/layout.h"
#include "compress/measure.h"
#include "interface/optimise.h"
#include "pose/sample/sampler.h"

/* The made clip. */
struct made {
	const struct source *source;
	const struct rig *rig;
	const struct clip *clip;
	const int *joints; // [source->joint_count] those of the rig, by the source's
	struct pose pose;
};

static void take_weights(const struct made *made, int joint, double *weights) {
	const struct joint *to = &made->source->rig->joints[joint];
	const struct joint *from = &made->rig->joints[made->joints[joint]];
	for (int i = 0; i < to->weight_count; i++) {
		const int weight = to->first_weight + i;
		weights[weight] = from->weight_count > 0
			? (double)made->pose.weights[from->first_weight + i]
			: (double)made->source->rig->rest_weights[weight];
	}
}

static bool local_of_made(
	void *decoder, int moment, struct source_transform *local, double *weights) {
	struct made *made = decoder;
	clip_sample(made->rig, made->clip, source_moment_s(made->source, moment), &made->pose);
	for (int i = 0; i < made->source->joint_count; i++) {
		const struct transform *from = &made->pose.local[made->joints[i]];
		for (int k = 0; k < 3; k++) {
			local[i].translation[k] = (double)from->translation[k];
			local[i].scale[k] = (double)from->scale[k];
		}
		for (int k = 0; k < 4; k++) {
			local[i].rotation[k] = (double)from->rotation[k];
		}
		quat_normalize(local[i].rotation);
		take_weights(made, i, weights);
	}
	return true;
}

static int count_keys(const struct clip *clip) {
	int count = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		count += clip->channels[i].key_count;
	}
	return count;
}

/* All that measuring needs but a clip. */
struct measuring {
	const struct optimise_job *job;
	const struct rig *made;
	struct error_shell shell;
	double *reaches;
	int *joints;
};

static bool measure_clip(
	const struct measuring *measuring, int clip, struct optimise_clip *out, struct error *err) {
	const struct optimise_job *job = measuring->job;
	struct arena *arena = arena_create();
	struct source source;
	struct shell_error error = {0};
	const struct source_job sampled = {job->rig, &job->rig->clips[clip], job->stop};
	bool done = source_make_at_keys(&sampled, arena, &source, err);
	if (done) {
		struct made made = {&source, measuring->made, &measuring->made->clips[clip],
			measuring->joints, pose_rest(measuring->made, arena)};
		struct measure measure =
			measure_make(&source, &measuring->shell, measuring->reaches, arena);
		done = measure_all(&measure, local_of_made, &made, arena, &error) ||
			(stop_check(job->stop, err) &&
				error_set(err, ERROR_INTERNAL,
					"the optimised clip cannot be measured"));
		out->samples = source.sample_count;
		out->keys = count_keys(made.clip);
	}
	out->max_m = error.max_m;
	out->p99_m = error.p99_m;
	out->rms_m = error.rms_m;
	out->max_at_samples_m = error.max_at_samples_m;
	out->joint = error.joint;
	out->time_s = error.time_s;
	arena_destroy(arena);
	return done;
}

/* By joint of the rig, the made file's of the same index, in the arena. NULL where they do not
 * correspond. */
static int *match_joints(const struct rig *rig, const struct rig *made, struct arena *arena) {
	int count = 0;
	for (int i = 0; i < made->joint_count; i++) {
		count = made->joints[i].index >= count ? made->joints[i].index + 1 : count;
	}
	int *by_index = arena_alloc(arena, (size_t)count + 1, sizeof *by_index);
	int *joints = arena_alloc(arena, (size_t)rig->joint_count + 1, sizeof *joints);
	for (int i = 0; i < made->joint_count; i++) {
		by_index[made->joints[i].index] = i + 1;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		joints[i] = joint->index < count ? by_index[joint->index] - 1 : -1;
		const int weights = joints[i] < 0 ? -1 : made->joints[joints[i]].weight_count;
		if (weights != joint->weight_count && weights != 0) {
			return NULL;
		}
	}
	return joints;
}

bool renderer_optimise_measure(const struct optimise_job *job, const struct rig *made,
	struct optimise_clip *clips, struct error *err) {
	const struct rig *rig = job->rig;
	struct arena *arena = arena_create();
	const double radius_m = job->shell_m > 0 ? job->shell_m : error_shell_default_radius(rig);
	const struct measuring measuring = {.job = job,
		.made = made,
		.shell = error_shell_make(rig, radius_m, arena),
		.reaches = arena_alloc(
			arena, (size_t)rig->weight_count + 1, sizeof *measuring.reaches),
		.joints = match_joints(rig, made, arena)};
	bool done = (measuring.joints && made->clip_count == rig->clip_count) ||
		error_set(err, ERROR_INTERNAL,
			"the optimised file has other joints or clips than the original");
	layout_find_reaches(rig, measuring.reaches);
	for (int i = 0; i < rig->clip_count && done; i++) {
		done = measure_clip(&measuring, i, &clips[i], err);
	}
	arena_destroy(arena);
	return done;
}
