// The poses that coefficients are interpolated between.
#include <string.h>

#include "base/quat.h"
#include "fit/displacing_internal.h"
#include "fit/joints.h"

/* The coordinates of a joint of the group; false if they need a bone and it has none. */
static bool set_joint(
	const struct rig *rig, enum rbf_metric metric, int joint, struct rbf_joint *out) {
	*out = (struct rbf_joint){.joint = joint, .importance = 1};
	if (metric != RBF_ANGLE) {
		return joints_bone(rig, joint, out->reference);
	}
	for (int i = 0; i < 4; i++) {
		out->reference[i] = rig->joints[joint].rest.rotation[i];
	}
	quat_normalize(out->reference);
	return true;
}

static bool set_joints(struct fitting *f, const struct group *group, struct rbf *rbf) {
	rbf->joint_count = group->joint_count;
	rbf->joints = arena_alloc(f->model->arena, (size_t)group->joint_count, sizeof *rbf->joints);
	for (int i = 0; i < group->joint_count; i++) {
		if (!set_joint(f->input->rig, rbf->metric, group->joints[i], &rbf->joints[i])) {
			return false;
		}
	}
	return true;
}

/* The centre nearer to a feature than RBF_MIN_ANGLE, -1 where there is none. */
static int find_close(const struct rbf *rbf, const double *feature) {
	const size_t width = (size_t)rbf->joint_count * 4;
	for (int i = 0; i < rbf->centre_count; i++) {
		if (rbf_angle(rbf, rbf->features + (size_t)i * width, feature) < RBF_MIN_ANGLE) {
			return i;
		}
	}
	return -1;
}

/* The rest pose's local transforms. */
static struct transform *rest_pose(const struct rig *rig, struct arena *arena) {
	struct transform *rest = arena_alloc(arena, (size_t)rig->joint_count, sizeof *rest);
	for (int j = 0; j < rig->joint_count; j++) {
		rest[j] = rig->joints[j].rest;
	}
	return rest;
}

int displacing_place(
	struct fitting *f, const struct group *group, struct displacing_space *space, int *used) {
	struct rbf *rbf = &space->rbf;
	*space = (struct displacing_space){
		.rbf = {.metric = f->recipe->metric, .kernel = f->recipe->kernel}};
	const bool has_bones = set_joints(f, group, rbf);
	const size_t width = (size_t)group->joint_count * 4;
	rbf->features = arena_alloc(
		f->model->arena, ((size_t)group->example_count + 1) * width, sizeof *rbf->features);
	rbf_feature(rbf, rest_pose(f->input->rig, f->model->arena), rbf->features);
	rbf->centre_count = 1;
	int count = 0;
	for (int i = 0; i < group->example_count; i++) {
		const int example = group->examples[i];
		struct fit_example_report *report = &f->report->examples[example];
		if (report->verdict != FIT_USED) {
			continue;
		}
		if (!has_bones) {
			report->verdict = FIT_NO_BONE;
			report->joint = group->joints[0];
			continue;
		}
		double *feature = rbf->features + (size_t)rbf->centre_count * width;
		rbf_feature(rbf, f->input->examples[example].local, feature);
		const int close = find_close(rbf, feature);
		if (close >= 0) {
			report->verdict = FIT_TOO_CLOSE;
			report->other = close == 0 ? -1 : used[close - 1];
			continue;
		}
		rbf->centre_count++;
		used[count++] = example;
	}
	return count;
}

bool displacing_take(struct fitting *f, struct displacing_space *space, const int *used, int count,
	struct error *err) {
	struct arena *arena = f->model->arena;
	struct rbf *rbf = &space->rbf;
	struct target *list = displacing_append(f, count);
	double *values = arena_alloc(arena, (size_t)(count + 1) * (size_t)count, sizeof *values);
	for (int i = 0; i < count; i++) {
		list[i] = f->displaced[used[i]];
		f->displaced[used[i]] = (struct target){0};
		values[(i + 1) * count + i] = 1;
	}
	rbf->output_count = count;
	if (f->recipe->linear && !rbf_fit_linear(rbf, values, arena, err)) {
		return false;
	}
	double rcond;
	rbf_set_widths(rbf, f->recipe->width, arena);
	return rbf_solve(rbf, values, f->recipe->ridge * count, arena, &rcond, err);
}
