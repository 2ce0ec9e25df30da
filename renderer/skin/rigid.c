// Joints as rigid motions.
#include "skin/rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/vec.h"
#include "skin/palette.h"

/* Tighter than METHODS' 1e-4, which would move a lone influence by as much: float rounding alone
 * stays below it. */
#define RIGID_TOLERANCE 1e-6

/* Bind spaces whose unit is nearer to 1 are taken to have just that. */
#define UNIT_TOLERANCE 1e-3

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* The grouping of joints by a method. */
struct rigid_options {
	enum skin_scale scale;
	enum skin_rigid_from from;
	enum skin_sign sign;
};

static struct rigid_options read_options(const struct prepare_job *job) {
	const struct skin_option *const *list = job->option_list;
	struct rigid_options out = {SKIN_SCALE_TWO_PHASE, SKIN_RIGID_FROM_POLAR, SKIN_SIGN_PIVOT};
	for (int i = 0; list && list[i]; i++) {
		const int value = (int)job->options->values[i];
		if (list[i] == &skin_option_scale) {
			out.scale = (enum skin_scale)value;
		} else if (list[i] == &skin_option_rigid_from) {
			out.from = (enum skin_rigid_from)value;
		} else if (list[i] == &skin_option_sign || list[i] == &skin_option_sign_hierarchy) {
			out.sign = (enum skin_sign)value;
		}
	}
	return out;
}

void rigid_bind_position(const struct palette_slot *slot, double position[static 3]) {
	double bind[12];
	const bool invertible = mat_invert(slot->inverse_bind, bind);
	for (int row = 0; row < 3; row++) {
		position[row] = invertible ? bind[row * 4 + 3] : 0;
	}
}

static bool is_identity(const double stretch[static 9]) {
	for (int i = 0; i < 9; i++) {
		if (fabs(stretch[i] - identity[i]) > RIGID_TOLERANCE) {
			return false;
		}
	}
	return true;
}

static void rotate(const double q[static 4], const double v[static 3], double out[static 3]) {
	const double u[3] = {q[1] * v[2] - q[2] * v[1] + q[3] * v[0],
		q[2] * v[0] - q[0] * v[2] + q[3] * v[1], q[0] * v[1] - q[1] * v[0] + q[3] * v[2]};
	out[0] = v[0] + 2 * (q[1] * u[2] - q[2] * u[1]);
	out[1] = v[1] + 2 * (q[2] * u[0] - q[0] * u[2]);
	out[2] = v[2] + 2 * (q[0] * u[1] - q[1] * u[0]);
}

/* The world rotation that the local rotations of the chain make, against the bind pose's. */
static void chain_rotation(
	const struct prepare_job *job, const struct palette_slot *slot, double rotation[static 4]) {
	double turned[4] = {0, 0, 0, 1}, bound[4], stretch[9], bind[12];
	for (int j = slot->joint; j >= 0; j = job->rig->joints[j].parent) {
		double local[4];
		for (int i = 0; i < 4; i++) {
			local[i] = job->local[j].rotation[i];
		}
		quat_normalize(local);
		quat_multiply(local, turned, turned);
	}
	if (!mat_invert(slot->inverse_bind, bind)) {
		memcpy(bind, (double[12])MAT_IDENTITY, sizeof bind);
	}
	mat_polar(bind, bound, stretch);
	quat_conjugate(bound, bound);
	quat_multiply(turned, bound, rotation);
}

/* R^T A: what is left of the linear part when the rotation is taken off its left. */
static void stretch_left(
	const double m[static 12], const double rotation[static 4], double stretch[static 9]) {
	double inverse[4];
	quat_conjugate(rotation, inverse);
	for (int column = 0; column < 3; column++) {
		const double a[3] = {m[column], m[4 + column], m[8 + column]};
		double turned[3];
		rotate(inverse, a, turned);
		for (int row = 0; row < 3; row++) {
			stretch[row * 3 + column] = turned[row];
		}
	}
}

/* The determinants of joints' world matrices at rest, [joint_count]: each the product of all scales
 * from its root on. Parents come first. */
static double *rest_determinants(const struct rig *rig) {
	double *determinants = xcalloc((size_t)rig->joint_count, sizeof *determinants);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		const float *scale = rig->joints[i].rest.scale;
		determinants[i] = (double)scale[0] * (double)scale[1] * (double)scale[2] *
			(parent < 0 ? 1 : determinants[parent]);
	}
	return determinants;
}

static double unit_of(
	const struct rig *rig, const struct primitive *primitive, const double *determinants) {
	double sum = 0;
	int count = 0;
	for (int i = 0; i < primitive->slot_count; i++) {
		const struct palette_slot *slot = &rig->slots[primitive->first_slot + i];
		const double determinant =
			fabs(mat_determinant(slot->inverse_bind) * determinants[slot->joint]);
		// Not what rests scaled to nothing.
		if (isfinite(determinant) && determinant > 1e-60) {
			sum += log(determinant);
			count++;
		}
	}
	const double unit = exp(sum / 3 / (count ? count : 1));
	return fabs(unit - 1) < UNIT_TOLERANCE ? 1 : unit;
}

double rigid_bind_unit(const struct rig *rig, const struct primitive *primitive) {
	double *determinants = rest_determinants(rig);
	const double unit = unit_of(rig, primitive, determinants);
	free(determinants);
	return unit;
}

static void set_units(const struct rig *rig, struct rigid_joint *joints) {
	double *determinants = rest_determinants(rig);
	for (int i = 0; i < rig->slot_count; i++) {
		joints[i].unit = 0;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		struct rigid_joint *own = joints + primitive->first_slot;
		if (own[0].unit > 0) {
			continue; // another primitive has the same slots
		}
		const double unit = unit_of(rig, primitive, determinants);
		for (int k = 0; k < primitive->slot_count; k++) {
			own[k].unit = unit;
		}
	}
	free(determinants);
}

void rigid_origins(const struct rig *rig, double (*origins)[3]) {
	double *determinants = rest_determinants(rig);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const double unit = unit_of(rig, primitive, determinants);
		for (int k = primitive->first_slot;
			k < primitive->first_slot + primitive->slot_count; k++) {
			rigid_bind_position(&rig->slots[k], origins[k]);
			vec3_scale(origins[k], unit, origins[k]);
		}
	}
	free(determinants);
}

/* True when a stretch does no more than change to the rig's unit. */
static bool only_changes_unit(const struct rigid_joint *joint) {
	double relative[9];
	for (int i = 0; i < 9; i++) {
		relative[i] = joint->stretch[i] / joint->unit;
	}
	return is_identity(relative);
}

static void drop_stretch(struct rigid_joint *joint) {
	for (int i = 0; i < 9; i++) {
		joint->stretch[i] = identity[i] * joint->unit;
	}
	joint->rigid = joint->unit == 1;
}

static void decompose(const struct prepare_job *job, int slot, enum skin_rigid_from from,
	struct rigid_joint *joint) {
	const double *m = job->matrices[slot];
	if (from == SKIN_RIGID_FROM_CHAIN) {
		chain_rotation(job, &job->rig->slots[slot], joint->rotation);
		stretch_left(m, joint->rotation, joint->stretch);
	} else {
		mat_polar(m, joint->rotation, joint->stretch);
	}
	joint->rigid = is_identity(joint->stretch);
	if (joint->rigid) {
		memcpy(joint->stretch, identity, sizeof identity);
		memset(joint->about, 0, sizeof joint->about);
	} else {
		rigid_bind_position(&job->rig->slots[slot], joint->about);
	}
	// D's translation is M c - R c, with the second c in the unit of the rig.
	double mapped[3], turned[3];
	mat_map_point(m, joint->about, mapped);
	rotate(joint->rotation, joint->about, turned);
	for (int i = 0; i < 3; i++) {
		joint->translation[i] = mapped[i] - joint->unit * turned[i];
	}
}

static void negate(double q[static 4]) {
	for (int i = 0; i < 4; i++) {
		q[i] *= -1;
	}
}

/* Chooses a slot's quaternion by its parent's, which was chosen before. before, if not NULL, is
 * what it was against the parent's in the frame before, and becomes what it is. */
static void align(
	struct rigid_joint *joint, const struct rigid_joint *parent, double *before, bool follows) {
	double relative[4];
	quat_conjugate(parent->rotation, relative);
	quat_multiply(relative, joint->rotation, relative);
	// Against no frame the nearer one to the parent's is that with a real part of no sign.
	if ((follows ? quat_dot(relative, before) : relative[3]) < 0) {
		negate(joint->rotation);
		negate(relative);
	}
	if (before) {
		memcpy(before, relative, sizeof relative);
	}
}

/* The slots of a primitive that a joint has: the first of them, and the next after each; -1 =
 * none. */
struct joint_slots {
	int *first; // [joint_count]
	int *next;  // [slot_count]
};

static struct joint_slots joint_slots_of(
	const struct rig *rig, const struct primitive *primitive, struct arena *arena) {
	const struct joint_slots slots = {arena_alloc(arena, (size_t)rig->joint_count, sizeof(int)),
		arena_alloc(arena, (size_t)rig->slot_count, sizeof(int))};
	for (int j = 0; j < rig->joint_count; j++) {
		slots.first[j] = -1;
	}
	for (int i = primitive->first_slot; i < primitive->first_slot + primitive->slot_count;
		i++) {
		slots.next[i] = slots.first[rig->slots[i].joint];
		slots.first[rig->slots[i].joint] = i;
	}
	return slots;
}

/* The first slot of the nearest joint above joint j that has one; above holds those of all joints
 * before j. */
static int slot_above(
	const struct rig *rig, const struct joint_slots *slots, const int *above, int j) {
	const int parent = rig->joints[j].parent;
	return parent < 0 ? -1 : slots->first[parent] >= 0 ? slots->first[parent] : above[parent];
}

/* Each after the nearest joint above it that has a slot, too. Joints stand parents before
 * children. */
static void align_primitive(const struct prepare_job *job, const struct primitive *primitive,
	double (*before)[4], bool follows, struct rigid_joint *joints) {
	const struct rig *rig = job->rig;
	struct arena *arena = job->arena;
	const struct joint_slots slots = joint_slots_of(rig, primitive, arena);
	int *above = arena_alloc(arena, (size_t)rig->joint_count, sizeof(int));
	for (int j = 0; j < rig->joint_count; j++) {
		above[j] = slot_above(rig, &slots, above, j);
		for (int i = slots.first[j]; i >= 0 && above[j] >= 0; i = slots.next[i]) {
			align(&joints[i], &joints[above[j]], before ? before[i] : NULL, follows);
		}
	}
}

/* True when an earlier primitive has the same slots. */
static bool is_seen(const struct rig *rig, int at) {
	for (int i = 0; i < at; i++) {
		if (rig->primitives[i].first_slot == rig->primitives[at].first_slot) {
			return true;
		}
	}
	return false;
}

static void align_joints(
	const struct prepare_job *job, enum skin_sign sign, struct rigid_joint *joints) {
	struct skin_memory *memory = sign == SKIN_SIGN_TEMPORAL ? job->memory : NULL;
	const bool follows = memory && memory->relative;
	if (memory && !follows) {
		memory->relative = arena_alloc(
			memory->arena, (size_t)job->rig->slot_count, sizeof *memory->relative);
	}
	for (int i = 0; i < job->rig->primitive_count; i++) {
		if (!is_seen(job->rig, i)) {
			align_primitive(job, &job->rig->primitives[i],
				memory ? memory->relative : NULL, follows, joints);
		}
	}
}

void rigid_slot_parents(const struct rig *rig, struct arena *arena, int *parents) {
	int *above = arena_alloc(arena, (size_t)rig->joint_count, sizeof(int));
	for (int i = 0; i < rig->primitive_count; i++) {
		if (is_seen(rig, i)) {
			continue;
		}
		const struct joint_slots slots = joint_slots_of(rig, &rig->primitives[i], arena);
		for (int j = 0; j < rig->joint_count; j++) {
			above[j] = slot_above(rig, &slots, above, j);
			for (int slot = slots.first[j]; slot >= 0; slot = slots.next[slot]) {
				parents[slot] = above[j];
			}
		}
	}
}

/* False for a joint that the options refuse. */
static bool decompose_all(const struct prepare_job *job, const struct rigid_options *options,
	struct rigid_joint *joints, struct error *err) {
	const struct rig *rig = job->rig;
	set_units(rig, joints);
	for (int i = 0; i < rig->slot_count; i++) {
		struct rigid_joint *joint = &joints[i];
		decompose(job, i, options->from, joint);
		if (options->scale == SKIN_SCALE_ERROR && !only_changes_unit(joint)) {
			return error_at(err, ERROR_INVALID_VALUE, "/pose",
				"joint \"%s\" is scaled or sheared, which \"scale\": \"error\" "
				"refuses",
				rig->joints[rig->slots[i].joint].name);
		}
		if (options->scale == SKIN_SCALE_IGNORE) {
			drop_stretch(joint);
		}
	}
	return true;
}

struct rigid_joint *rigid_joints(const struct prepare_job *job, struct error *err) {
	const struct rigid_options options = read_options(job);
	struct rigid_joint *joints =
		arena_alloc(job->arena, (size_t)job->rig->slot_count, sizeof *joints);
	if (!decompose_all(job, &options, joints, err)) {
		return NULL;
	}
	if (options.sign != SKIN_SIGN_PIVOT) {
		align_joints(job, options.sign, joints);
	}
	return joints;
}

void rigid_matrix(const struct rigid_joint *joint, double m[static 12]) {
	for (int column = 0; column < 3; column++) {
		double image[3];
		rotate(joint->rotation, &identity[column * 3], image);
		for (int row = 0; row < 3; row++) {
			m[row * 4 + column] = image[row];
		}
	}
	for (int row = 0; row < 3; row++) {
		m[row * 4 + 3] = joint->translation[row];
	}
}

void rigid_write_motion(const struct rigid_joint *joint, float *entry) {
	const double *q = joint->rotation, *t = joint->translation;
	const double dual[4] = {
		0.5 * (t[0] * q[3] + t[1] * q[2] - t[2] * q[1]),
		0.5 * (t[1] * q[3] + t[2] * q[0] - t[0] * q[2]),
		0.5 * (t[2] * q[3] + t[0] * q[1] - t[1] * q[0]),
		-0.5 * (t[0] * q[0] + t[1] * q[1] + t[2] * q[2]),
	};
	for (int i = 0; i < 4; i++) {
		entry[i] = (float)q[i];
		entry[4 + i] = (float)dual[i];
	}
}

void rigid_write_stretch(const struct rigid_joint *joint, float *entry) {
	double m[12];
	for (int row = 0; row < 3; row++) {
		const double *s = &joint->stretch[row * 3], *c = joint->about;
		memcpy(&m[row * 4], s, 3 * sizeof *s);
		m[row * 4 + 3] = joint->unit * c[row] - (s[0] * c[0] + s[1] * c[1] + s[2] * c[2]);
	}
	palette_write_matrix(m, entry);
	entry[RIGID_STRETCH_FLAG] = joint->rigid ? 0 : 1;
}
