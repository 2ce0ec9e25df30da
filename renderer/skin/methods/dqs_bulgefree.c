/* Dual quaternion skinning without its bulges: what a bend has pushed away from the bone goes back
 * to the distance that it was bound at. The bone is that of the vertex' strongest joint. Where
 * joints scale or shear, the distance is that after the first of the two phases (METHODS 0.4).
 * Source: Kim, Han. Bulging-free dual quaternion skinning. CAVW 25(3-4), 2014. METHODS A12. */
#include "skin/bones.h"
#include "skin/method.h"
#include "skin/motion.h"
#include "skin/rigid.h"
#include "skin/stretch.h"

/* A palette entry: real part, dual part, stretch in columns (see rigid.h), the posed bone's start
 * and end, the stretched bone's. */
#define ENTRY_FLOATS 40

/* Rounding of a squared distance that is no bulge. */
#define TOLERANCE 4e-6f

enum { SIGN, SCALE, RIGID_FROM, SMOOTH };

enum section {
	DISTANCES, // [vertex_count] from the bone, when bound
	ENDS,      // [slot_count][4] of the bones, when bound
};

skin_kernel dqs_bulgefree_skin, dqs_bulgefree_skin_avx2;

static const struct field real_field = {ENTRY_FLOATS, 0};
static const struct field dual_field = {ENTRY_FLOATS, 4};
static const struct field stretch_field = {ENTRY_FLOATS, 8};
static const struct field posed_from = {ENTRY_FLOATS, 24}, posed_to = {ENTRY_FLOATS, 28};
static const struct field bound_from = {ENTRY_FLOATS, 32}, bound_to = {ENTRY_FLOATS, 36};

/* From the nearest point of the pivot's bone to p. */
KERNEL struct lanes3 out_of_bone(
	const struct block *block, struct lanes3 p, struct field from, struct field to) {
	const struct lanes3 a = lanes3_of(block_gather(block, 0, from));
	const struct lanes3 along = lanes3_subtract(lanes3_of(block_gather(block, 0, to)), a);
	const struct lanes3 out = lanes3_subtract(p, a);
	const lanes zero = {0}, one = zero + 1.0f;
	const lanes square = lanes3_dot(along, along);
	lanes t = lanes_select(square > 0, lanes3_dot(out, along) / square, zero);
	t = lanes_select(t > 0, t, zero);
	t = lanes_select(t < 1, t, one);
	return lanes3_subtract(out, lanes3_scale(along, t));
}

/* The share of a bulge to remove: all of it, or a ramp over the first tenth of the distance. */
KERNEL lanes share_of(lanes distance, lanes bound, bool smooth) {
	const lanes zero = {0}, one = zero + 1.0f;
	if (!smooth) {
		return one;
	}
	const lanes t = (distance - bound) / (bound * 0.1f);
	const lanes inside = lanes_select(t < 1, t, one);
	return inside * inside * (3.0f - 2.0f * inside);
}

/* Puts p back to its distance from the bone where it is farther. */
KERNEL struct lanes3 without_bulge(
	const struct block *block, struct lanes3 p, lanes bound, bool smooth) {
	const struct lanes3 out = out_of_bone(block, p, posed_from, posed_to);
	const lanes square = lanes3_dot(out, out);
	const lane_mask bulges = (square > bound * bound * (1.0f + TOLERANCE)) & (square > 0);
	const lanes distance = lanes_sqrt(square);
	const lanes back = (1.0f - bound / distance) * share_of(distance, bound, smooth);
	return lanes3_select(bulges, lanes3_subtract(p, lanes3_scale(out, back)), p);
}

KERNEL void skin_block(const struct block *block, const float *distances, enum skin_sign sign,
	bool smooth, bool stretched) {
	struct surface s = surface_of(block);
	lanes bound = block_row1(block, distances, 1);
	if (stretched) {
		stretch_surface(block, stretch_field, &s);
		const struct lanes3 out = out_of_bone(block, s.position, bound_from, bound_to);
		bound = lanes_sqrt(lanes3_dot(out, out));
	}
	const struct motion motion = motion_blend(block, real_field, dual_field, sign);
	const struct lanes_matrix m = motion_matrix(motion);
	s.position = without_bulge(block, lanes_map_point(&m, s.position), bound, smooth);
	s.normal = lanes_map_direction(&m, s.normal);
	s.tangent = lanes_map_direction(&m, s.tangent);
	surface_put(block, &s);
}

LANES_TARGET void LANES_NAME(dqs_bulgefree_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive, stretch_field);
	const enum skin_sign sign = (enum skin_sign)job->options->values[SIGN];
	const bool smooth = job->options->values[SMOOTH] != 0;
	const float *distances = skin_data_read_floats(job->data, DISTANCES);
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block, distances, sign, smooth, stretched);
	}
}

#ifndef LANES_AVX2
#include "base/mat.h"

static const struct skin_option smooth_option = {
	.name = "smooth",
	.title = "mend bulges more and more over the first tenth of the distance, not at once",
	.kind = SKIN_OPTION_BOOLEAN,
};

static const struct skin_option *const options[] = {
	[SIGN] = &skin_option_sign,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	[SMOOTH] = &smooth_option,
	NULL,
};

static void write_distances(const struct rig *rig, const struct bone *bones, float *distances) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int v = 0; v < p->vertex_count; v++) {
			const size_t vertex = (size_t)(p->first_vertex + v);
			const float *at = rig->positions + vertex * 3;
			const size_t pivot = p->first_influence + (size_t)(v * p->influence_count);
			const struct bone *bone =
				&bones[p->first_slot + rig->influence_slots[pivot]];
			distances[vertex] = (float)bone_distance(bone->from, bone->to,
				(const double[3]){(double)at[0], (double)at[1], (double)at[2]});
		}
	}
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct rig *rig = job->rig;
	const size_t lengths[] = {
		[DISTANCES] = (size_t)rig->vertex_count, [ENDS] = (size_t)rig->slot_count * 4};
	struct skin_data *data = skin_data_create(lengths, 2, err);
	if (!data) {
		return NULL;
	}
	struct arena *arena = arena_create();
	struct bone *bones = arena_alloc(arena, (size_t)rig->slot_count, sizeof *bones);
	bones_find(rig, arena, bones);
	for (int i = 0; i < rig->slot_count; i++) {
		for (int k = 0; k < 3; k++) {
			skin_data_floats(data, ENDS)[i * 4 + k] = (float)bones[i].to[k];
		}
	}
	write_distances(rig, bones, skin_data_floats(data, DISTANCES));
	arena_destroy(arena);
	return data;
}

static const struct skin_recipe recipe = {.name = "dqs_bulgefree", .version = 1, .derive = derive};

static void write_point(const double point[static 3], float *out) {
	for (int k = 0; k < 3; k++) {
		out[k] = (float)point[k];
	}
}

/* A point after the first phase. */
static void stretch_point(
	const struct rigid_joint *joint, const double point[static 3], double out[static 3]) {
	for (int row = 0; row < 3; row++) {
		out[row] = joint->unit * joint->about[row];
		for (int k = 0; k < 3; k++) {
			out[row] += joint->stretch[row * 3 + k] * (point[k] - joint->about[k]);
		}
	}
}

/* A point after the second phase. */
static void move_point(
	const struct rigid_joint *joint, const double point[static 3], double out[static 3]) {
	const double *q = joint->rotation;
	const double u[3] = {q[1] * point[2] - q[2] * point[1] + q[3] * point[0],
		q[2] * point[0] - q[0] * point[2] + q[3] * point[1],
		q[0] * point[1] - q[1] * point[0] + q[3] * point[2]};
	out[0] = point[0] + 2 * (q[1] * u[2] - q[2] * u[1]) + joint->translation[0];
	out[1] = point[1] + 2 * (q[2] * u[0] - q[0] * u[2]) + joint->translation[1];
	out[2] = point[2] + 2 * (q[0] * u[1] - q[1] * u[0]) + joint->translation[2];
}

static void write_bone(const struct palette_slot *slot, const float *end,
	const struct rigid_joint *joint, float *entry) {
	double from[3], posed[3];
	rigid_bind_position(slot, from);
	const double to[3] = {(double)end[0], (double)end[1], (double)end[2]};
	const double *ends[] = {from, to};
	for (int i = 0; i < 2; i++) {
		double bound[3];
		stretch_point(joint, ends[i], bound);
		move_point(joint, bound, posed);
		write_point(posed, entry + posed_from.offset + i * 4);
		write_point(bound, entry + bound_from.offset + i * 4);
	}
}

static void write_entry(const struct prepare_job *job, int slot, float *entry) {
	const float *end = skin_data_read_floats(job->data, ENDS) + (size_t)slot * 4;
	rigid_write_motion(&job->joints[slot], entry);
	write_bone(&job->rig->slots[slot], end, &job->joints[slot], entry);
}

const struct skinning_method dqs_bulgefree_method = {
	.id = "dqs_bulgefree",
	.title = "dual quaternion skinning; what bulges goes back to its distance from the bone",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "dqs_bulgefree.comp",
			.entry_floats = ENTRY_FLOATS,
			.stretch_at = 8,
			.write_entry = write_entry,
			.skin = dqs_bulgefree_skin,
			.skin_avx2 = dqs_bulgefree_skin_avx2,
		},
};
#endif
