// Offsets that run out.
#include "pose/motion/inertia.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/quat.h"
#include "base/vec.h"

/* Offsets below this are none: metres, radians, shares. */
#define LEAST 1e-6

#define PI 3.14159265358979323846

struct inertia inertia_make(double x0, double speed, double duration_s) {
	if (!(x0 >= LEAST) || !(duration_s > 0)) {
		return (struct inertia){0};
	}
	const double v0 = fmin(speed, 0);
	const double t = v0 < 0 ? fmin(duration_s, -5 * x0 / v0) : duration_s;
	const double a0 = fmax(0, (-8 * v0 * t - 20 * x0) / (t * t));
	const double att = a0 * t * t, vt = v0 * t;
	return (struct inertia){
		.a = -(att + 6 * vt + 12 * x0) / (2 * t * t * t * t * t),
		.b = (3 * att + 16 * vt + 30 * x0) / (2 * t * t * t * t),
		.c = -(3 * att + 12 * vt + 20 * x0) / (2 * t * t * t),
		.a0 = a0,
		.v0 = v0,
		.x0 = x0,
		.end_s = t,
	};
}

double inertia_at(const struct inertia *i, double time_s) {
	const double t = time_s;
	if (t >= i->end_s) {
		return 0;
	}
	// Never below 0 but for roundings at the end.
	return fmax(0, ((((i->a * t + i->b) * t + i->c) * t + i->a0 / 2) * t + i->v0) * t + i->x0);
}

/* An offset along or about one direction. */
struct offset {
	double axis[3]; // unit; for a morph weight its sign and two zeros
	struct inertia inertia;
};

struct inertia_pose {
	struct offset *rotations, *translations, *scales; // [joint_count]
	struct offset *weights;                           // [weight_count]
};

static void turn_between(const float *from, const float *to, double out[static 4]) {
	double a[4], b[4];
	for (int i = 0; i < 4; i++) {
		a[i] = from[i];
		b[i] = to[i];
	}
	quat_normalize(a);
	quat_normalize(b);
	quat_conjugate(b, b);
	quat_multiply(a, b, out);
}

/* The angle in [-pi, pi] by which a rotation turns about an axis. */
static double angle_about(const double q[static 4], const double axis[static 3]) {
	const double sign = q[3] < 0 ? -1 : 1;
	const double sine = sign * vec3_dot(q, axis), cosine = sign * q[3];
	if (sine == 0 && cosine == 0) {
		return 0;
	}
	return (sine < 0 ? -2 : 2) * angle_atan2(fabs(sine), cosine);
}

static struct offset offset_rotation(const struct inertia_job *job, int joint) {
	double now[4], before[4];
	turn_between(job->from->local[joint].rotation, job->to->local[joint].rotation, now);
	turn_between(job->from_before->local[joint].rotation, job->to_before->local[joint].rotation,
		before);
	struct offset offset = {0};
	quat_to_vector(now, offset.axis);
	const double angle = vec3_length(offset.axis);
	if (!vec3_normalize(offset.axis)) {
		return offset;
	}
	double change = angle - angle_about(before, offset.axis);
	change += change > PI ? -2 * PI : change < -PI ? 2 * PI : 0;
	offset.inertia = inertia_make(angle, change / job->step_s, job->duration_s);
	return offset;
}

/* The present offset of count <= 3 numbers from others, and the one before. */
static struct offset offset_numbers(const struct inertia_job *job, const float *from,
	const float *to, const float *from_before, const float *to_before, int count) {
	struct offset offset = {0};
	double before[3] = {0};
	for (int i = 0; i < count; i++) {
		offset.axis[i] = (double)from[i] - to[i];
		before[i] = (double)from_before[i] - to_before[i];
	}
	const double length = vec3_length(offset.axis);
	if (vec3_normalize(offset.axis)) {
		const double speed = (length - vec3_dot(before, offset.axis)) / job->step_s;
		offset.inertia = inertia_make(length, speed, job->duration_s);
	}
	return offset;
}

struct inertia_pose *inertia_pose_make(
	const struct rig *rig, const struct inertia_job *job, struct arena *arena) {
	const size_t joints = (size_t)rig->joint_count, weights = (size_t)rig->weight_count;
	struct inertia_pose *made = arena_alloc(arena, 1, sizeof *made);
	made->rotations = arena_alloc(arena, joints, sizeof *made->rotations);
	made->translations = arena_alloc(arena, joints, sizeof *made->translations);
	made->scales = arena_alloc(arena, joints, sizeof *made->scales);
	made->weights = arena_alloc(arena, weights, sizeof *made->weights);
	for (int i = 0; i < rig->joint_count; i++) {
		const struct transform *from = &job->from->local[i], *to = &job->to->local[i];
		const struct transform *from_before = &job->from_before->local[i];
		const struct transform *to_before = &job->to_before->local[i];
		made->rotations[i] = offset_rotation(job, i);
		made->translations[i] = offset_numbers(job, from->translation, to->translation,
			from_before->translation, to_before->translation, 3);
		made->scales[i] = offset_numbers(
			job, from->scale, to->scale, from_before->scale, to_before->scale, 3);
	}
	for (int i = 0; i < rig->weight_count; i++) {
		made->weights[i] = offset_numbers(job, &job->from->weights[i], &job->to->weights[i],
			&job->from_before->weights[i], &job->to_before->weights[i], 1);
	}
	return made;
}

/* True when there was something to add, and what was added to is finite. */
struct added {
	bool any, ok;
};

static struct added add_rotation(const struct offset *offset, double time_s, float *out) {
	const double angle = inertia_at(&offset->inertia, time_s);
	if (angle == 0) {
		return (struct added){false, true};
	}
	double vector[3], turn[4], q[4];
	vec3_scale(offset->axis, angle, vector);
	quat_from_vector(vector, turn);
	for (int i = 0; i < 4; i++) {
		q[i] = out[i];
	}
	quat_multiply(turn, q, q);
	quat_normalize(q);
	for (int i = 0; i < 4; i++) {
		out[i] = (float)q[i];
	}
	return (struct added){true, true};
}

static struct added add_numbers(const struct offset *offset, double time_s, float *out, int count) {
	const double left = inertia_at(&offset->inertia, time_s);
	struct added added = {left != 0, true};
	for (int i = 0; added.any && i < count; i++) {
		out[i] = (float)(out[i] + left * offset->axis[i]);
		added.ok = added.ok && isfinite(out[i]);
	}
	return added;
}

static bool add_joint(const struct rig *rig, const struct inertia_pose *inertia, double time_s,
	int joint, struct pose *out) {
	struct transform *local = &out->local[joint];
	const int first = rig->joints[joint].first_weight;
	struct added added[4] = {
		[CHANNEL_TRANSLATION] =
			add_numbers(&inertia->translations[joint], time_s, local->translation, 3),
		[CHANNEL_ROTATION] =
			add_rotation(&inertia->rotations[joint], time_s, local->rotation),
		[CHANNEL_SCALE] = add_numbers(&inertia->scales[joint], time_s, local->scale, 3),
		[CHANNEL_WEIGHTS] = {false, true},
	};
	for (int i = first; i < first + rig->joints[joint].weight_count; i++) {
		const struct added one =
			add_numbers(&inertia->weights[i], time_s, &out->weights[i], 1);
		added[CHANNEL_WEIGHTS].any = added[CHANNEL_WEIGHTS].any || one.any;
		added[CHANNEL_WEIGHTS].ok = added[CHANNEL_WEIGHTS].ok && one.ok;
	}
	bool ok = true;
	for (int path = 0; path < 4; path++) {
		out->driven[joint] |= (unsigned char)(added[path].any ? 1 << path : 0);
		ok = ok && added[path].ok;
	}
	return ok;
}

bool inertia_pose_add(const struct rig *rig, const struct inertia_pose *inertia, double time_s,
	struct pose *out, int *joint) {
	for (int i = 0; i < rig->joint_count; i++) {
		if (!add_joint(rig, inertia, time_s, i, out)) {
			*joint = i;
			return false;
		}
	}
	return true;
}
