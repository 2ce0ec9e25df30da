/* Swing and twist: what a joint turns against its parent is taken apart into a twist about the bone
 * between them and a swing, and each is interpolated by a weight of its own. Of more than two
 * influences a parent and its child, the pair of greatest weight, move the vertex so; the others
 * are blended with that motion as dual quaternions.
 * Source: simplified from Kavan, Sorkine. Elasticity-Inspired Deformers for Character Articulation.
 * ACM TOG 31(6), 2012. METHODS A23. */
#include <math.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "skin/lanes_angle.h"
#include "skin/method.h"
#include "skin/motion.h"
#include "skin/rigid.h"
#include "skin/stretch.h"

/* A palette entry: real part, dual part; swing and twist against the parent as half rotation
 * vectors; the joint's bind position, and where it is; the stretch (see rigid.h). */
#define ENTRY_FLOATS 40

enum { SIGN, TWIST, SCALE, RIGID_FROM };

/* The source of a twist's weight. */
enum { TWIST_WEIGHTS, TWIST_BONE };

/* Sections of the data. */
enum {
	PAIRS,   // [vertex_count] struct pair
	REST,    // [influence_count] weights; 0 for those of the pair
	PARENTS, // [slot_count] slots + 1, in the rig; 0 = none
	SECTIONS
};

/* The motion of a vertex by swing and twist. */
struct pair {
	uint16_t child, parent; // relative to the primitive's first slot
	float weight;           // of both among all; 0 = there is no pair
	float swing, twist;     // the child's weights in the pair
};

_Static_assert(sizeof(struct pair) == 4 * sizeof(uint32_t), "a pair is four words of the data");

skin_kernel swing_twist_skin, swing_twist_skin_avx2;

static const struct field real_field = {ENTRY_FLOATS, 0};
static const struct field dual_field = {ENTRY_FLOATS, 4};
static const struct field stretch_field = {ENTRY_FLOATS, 24};

enum { SWING_AT = 8, TWIST_AT = 12, JOINT_AT = 16, TARGET_AT = 20 };

/* The pairs of a block's vertices, and where in the palette their joints' numbers are. */
struct lanes_pairs {
	lanes weight, swing, twist;
	const float *child[LANE_COUNT], *parent[LANE_COUNT];
};

KERNEL struct lanes_pairs pairs_of(const struct block *block) {
	const struct pair *all =
		(const struct pair *)(const void *)skin_data_read_words(block->job->data, PAIRS);
	struct lanes_pairs out;
	for (int i = 0; i < LANE_COUNT; i++) {
		const struct pair *pair = &all[block_vertex(block, i)];
		out.weight[i] = pair->weight;
		out.swing[i] = pair->swing;
		out.twist[i] = pair->twist;
		out.child[i] = block->palette + (size_t)pair->child * ENTRY_FLOATS;
		out.parent[i] = block->palette + (size_t)pair->parent * ENTRY_FLOATS;
	}
	return out;
}

KERNEL struct lanes3 numbers_at(const float *const entries[static LANE_COUNT], int offset) {
	const float *rows[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = entries[i] + offset;
	}
	return lanes3_of(lanes_load_rows(rows));
}

/* The pair's motion: the parent's rotation, a share of the swing, a share of the twist, so that the
 * joint between them goes where it is. */
KERNEL struct motion pair_motion(const struct lanes_pairs *pairs) {
	const struct lanes3 swing = lanes3_scale(numbers_at(pairs->child, SWING_AT), pairs->swing);
	const struct lanes3 twist = lanes3_scale(numbers_at(pairs->child, TWIST_AT), pairs->twist);
	const struct lanes4 turn = angle_multiply(angle_exp(swing), angle_exp(twist));
	const struct lanes4 q = angle_multiply(lanes_load_rows(pairs->parent), turn);
	const struct lanes3 turned = angle_turn(q, numbers_at(pairs->child, JOINT_AT));
	const struct lanes3 t = lanes3_subtract(numbers_at(pairs->child, TARGET_AT), turned);
	const lanes zero = {0};
	const struct lanes4 half = {0.5f * t.x, 0.5f * t.y, 0.5f * t.z, zero};
	return (struct motion){.real = q, .dual = angle_multiply(half, q)};
}

/* The pair's motion and those of all other joints, blended. */
KERNEL struct motion blend(const struct block *block, enum skin_sign sign) {
	const struct lanes_pairs pairs = pairs_of(block);
	const struct motion first = pair_motion(&pairs);
	const struct motion pivot = {.real = block_gather(block, 0, real_field),
		.dual = block_gather(block, 0, dual_field)};
	const lanes share = motion_weights(sign, pairs.weight, first.real, pivot.real);
	struct motion sum = {
		.real = lanes4_scale(first.real, share), .dual = lanes4_scale(first.dual, share)};
	const float *rest = skin_data_read_floats(block->job->data, REST);
	for (int k = 0; k < block->influence_count; k++) {
		const struct lanes4 real = block_gather(block, k, real_field);
		const struct lanes4 dual = block_gather(block, k, dual_field);
		const lanes weight = motion_weights(
			sign, block_influence_row1(block, k, rest, 1), real, pivot.real);
		sum.real = lanes4_add_scaled(sum.real, real, weight);
		sum.dual = lanes4_add_scaled(sum.dual, dual, weight);
	}
	const lane_mask ok = lanes4_dot(sum.real, sum.real) > MOTION_LEAST_SQUARE;
	return (struct motion){
		lanes4_select(ok, sum.real, pivot.real), lanes4_select(ok, sum.dual, pivot.dual)};
}

KERNEL void skin_block(const struct block *block, enum skin_sign sign, bool stretched) {
	struct surface s = surface_stretched(block, stretch_field, stretched);
	const struct lanes_matrix m = motion_matrix(blend(block, sign));
	surface_move(&m, &s);
	surface_put(block, &s);
}

LANES_TARGET void LANES_NAME(swing_twist_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive, stretch_field);
	const enum skin_sign sign = (enum skin_sign)job->options->values[SIGN];
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block, sign, stretched);
	}
}

#ifndef LANES_AVX2
static const struct skin_option twist_option = {
	.name = "twist",
	.title = "how much of a joint's twist a vertex takes: by its weights, or by how far along "
		 "the bone to the joint it lies",
	.kind = SKIN_OPTION_CHOICE,
	.choices = (const char *const[]){[TWIST_WEIGHTS] = "weights", [TWIST_BONE] = "bone", NULL},
	.standard = TWIST_WEIGHTS,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[SIGN] = &skin_option_sign,
	[TWIST] = &twist_option,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

/* --- The recipe: each vertex' pair --- */

struct pairing {
	const struct rig *rig;
	int *parents;         // [slot_count] slots
	double (*origins)[3]; // [slot_count] bind positions
	bool along_bones;
};

/* One vertex. */
struct sharing {
	const struct primitive *primitive;
	size_t influence;   // its first
	double position[3]; // in the rig's unit
};

/* The weight of a slot of the rig in a vertex. */
static double weight_of(const struct rig *rig, const struct sharing *vertex, int slot) {
	double sum = 0;
	for (int k = 0; k < vertex->primitive->influence_count; k++) {
		const size_t at = vertex->influence + (size_t)k;
		if (vertex->primitive->first_slot + rig->influence_slots[at] == slot) {
			sum += rig->influence_weights[at];
		}
	}
	return sum;
}

/* The child of the pair with the greatest weight; -1 = no parent and child move the vertex. */
static int heaviest_child(const struct pairing *pairing, const struct sharing *vertex) {
	const struct rig *rig = pairing->rig;
	int best = -1;
	double most = 0;
	for (int k = 0; k < vertex->primitive->influence_count; k++) {
		const int slot = vertex->primitive->first_slot +
			rig->influence_slots[vertex->influence + (size_t)k];
		const int parent = pairing->parents[slot];
		const double own = weight_of(rig, vertex, slot);
		const double above = parent >= 0 ? weight_of(rig, vertex, parent) : 0;
		if (own > 0 && above > 0 &&
			(own + above > most || (own + above == most && slot < best))) {
			most = own + above;
			best = slot;
		}
	}
	return best;
}

/* The position of a point along the bone from a slot's parent to it, in [0, 1]; *distance from
 * it. */
static double along_bone(
	const struct pairing *pairing, int slot, const double point[static 3], double *distance) {
	const double *from = pairing->origins[pairing->parents[slot]];
	double bone[3], way[3];
	vec3_sub(pairing->origins[slot], from, bone);
	vec3_sub(point, from, way);
	const double square = vec3_dot(bone, bone);
	const double share = square > 0 ? fmin(fmax(vec3_dot(way, bone) / square, 0), 1) : 1;
	for (int i = 0; i < 3; i++) {
		way[i] -= share * bone[i];
	}
	*distance = vec3_length(way);
	return share;
}

/* The child of the vertex' heaviest joint to which the nearest bone leads; -1 = it has none. */
static int nearest_child(const struct pairing *pairing, const struct sharing *vertex) {
	const struct primitive *primitive = vertex->primitive;
	const int parent = primitive->first_slot + pairing->rig->influence_slots[vertex->influence];
	int best = -1;
	double least = INFINITY;
	for (int slot = primitive->first_slot; slot < primitive->first_slot + primitive->slot_count;
		slot++) {
		double distance;
		if (pairing->parents[slot] != parent) {
			continue;
		}
		along_bone(pairing, slot, vertex->position, &distance);
		if (distance < least) {
			least = distance;
			best = slot;
		}
	}
	return best;
}

static struct pair pair_of(const struct pairing *pairing, const struct sharing *vertex) {
	const int first = vertex->primitive->first_slot;
	const uint16_t pivot = pairing->rig->influence_slots[vertex->influence];
	int child = heaviest_child(pairing, vertex);
	if (child < 0 && pairing->along_bones) {
		child = nearest_child(pairing, vertex);
	}
	if (child < 0) {
		return (struct pair){.child = pivot, .parent = pivot};
	}
	const int parent = pairing->parents[child];
	const double own = weight_of(pairing->rig, vertex, child);
	const double both = own + weight_of(pairing->rig, vertex, parent);
	double distance;
	const double twist = pairing->along_bones
		? along_bone(pairing, child, vertex->position, &distance)
		: own / both;
	return (struct pair){.child = (uint16_t)(child - first),
		.parent = (uint16_t)(parent - first),
		.weight = (float)both,
		.swing = (float)(own / both),
		.twist = (float)twist};
}

static void write_vertex(const struct pairing *pairing, const struct sharing *vertex,
	struct pair *pair, float *rest) {
	const struct rig *rig = pairing->rig;
	*pair = pair_of(pairing, vertex);
	for (int k = 0; k < vertex->primitive->influence_count; k++) {
		const size_t at = vertex->influence + (size_t)k;
		const uint16_t slot = rig->influence_slots[at];
		const bool paired =
			pair->weight > 0 && (slot == pair->child || slot == pair->parent);
		rest[at] = paired ? 0 : rig->influence_weights[at];
	}
}

static void write_primitive(
	const struct pairing *pairing, const struct primitive *primitive, struct skin_data *data) {
	struct pair *pairs = (struct pair *)(void *)skin_data_words(data, PAIRS);
	float *rest = skin_data_floats(data, REST);
	const double unit = rigid_bind_unit(pairing->rig, primitive);
	for (int i = 0; i < primitive->vertex_count; i++) {
		const int at = primitive->first_vertex + i;
		const float *p = pairing->rig->positions + (size_t)at * 3;
		const struct sharing vertex = {.primitive = primitive,
			.influence = primitive->first_influence +
				(size_t)i * (size_t)primitive->influence_count,
			.position = {unit * p[0], unit * p[1], unit * p[2]}};
		write_vertex(pairing, &vertex, &pairs[at], rest);
	}
}

static struct pairing pairing_begin(const struct derive_job *job, struct arena *arena) {
	const size_t slots = (size_t)job->rig->slot_count;
	const struct pairing pairing = {.rig = job->rig,
		.parents = arena_alloc(arena, slots, sizeof *pairing.parents),
		.origins = arena_alloc(arena, slots, sizeof *pairing.origins),
		.along_bones = job->options->values[TWIST] == TWIST_BONE};
	rigid_slot_parents(job->rig, arena, pairing.parents);
	rigid_origins(job->rig, pairing.origins);
	return pairing;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct rig *rig = job->rig;
	const size_t lengths[SECTIONS] = {
		[PAIRS] = (size_t)rig->vertex_count * 4,
		[REST] = rig->influence_count,
		[PARENTS] = (size_t)rig->slot_count,
	};
	struct skin_data *data = skin_data_create(lengths, SECTIONS, err);
	if (!data) {
		return NULL;
	}
	struct arena *arena = arena_create();
	const struct pairing pairing = pairing_begin(job, arena);
	bool ok = true;
	for (int i = 0; ok && i < rig->primitive_count; i++) {
		write_primitive(&pairing, &rig->primitives[i], data);
		ok = stop_check(job->stop, err);
	}
	for (int i = 0; i < rig->slot_count; i++) {
		skin_data_words(data, PARENTS)[i] = (uint32_t)(pairing.parents[i] + 1);
	}
	arena_destroy(arena);
	if (!ok) {
		skin_data_release(data);
		return NULL;
	}
	return data;
}

static const struct skin_recipe recipe = {
	.name = "swing_twist",
	.version = 1,
	.derive = derive,
};

/* --- The palette --- */

/* Half the rotation vector of a unit quaternion whose real part is not negative. */
static void write_half(const double q[static 4], float *out) {
	const double sine = vec3_length(q);
	const double by = sine > 1e-12 ? atan2(sine, q[3]) / sine : 1;
	for (int i = 0; i < 3; i++) {
		out[i] = (float)(by * q[i]);
	}
}

/* q = swing * twist, the twist about an axis (unit; zero = there is none): METHODS 0.5. */
static void decompose(const double q[static 4], const double axis[static 3], double swing[static 4],
	double twist[static 4]) {
	const double along = vec3_dot(q, axis), length = sqrt(along * along + q[3] * q[3]);
	const bool ok = length >= 1e-6;
	for (int i = 0; i < 3; i++) {
		twist[i] = ok ? along * axis[i] / length : 0;
	}
	twist[3] = ok ? q[3] / length : 1;
	double back[4];
	quat_conjugate(twist, back);
	quat_multiply(q, back, swing);
}

static void write_swing_and_twist(const struct rigid_joint *joint, const struct rigid_joint *parent,
	const double axis[static 3], float *entry) {
	double back[4], q[4], swing[4], twist[4];
	quat_conjugate(parent->rotation, back);
	quat_multiply(back, joint->rotation, q);
	const double sign = q[3] < 0 ? -1 : 1;
	for (int i = 0; i < 4; i++) {
		q[i] *= sign;
	}
	decompose(q, axis, swing, twist);
	write_half(swing, entry + SWING_AT);
	write_half(twist, entry + TWIST_AT);
}

static void write_entry(const struct prepare_job *job, const struct rigid_joint *joints,
	const double (*origins)[3], int slot, float *entry) {
	const int parent = (int)skin_data_read_words(job->data, PARENTS)[slot] - 1;
	const double *origin = origins[slot];
	double axis[3], m[12], target[3];
	rigid_matrix(&joints[slot], m);
	mat_map_point(m, origin, target);
	rigid_write_motion(&joints[slot], entry);
	if (parent >= 0) {
		vec3_sub(origin, origins[parent], axis);
		vec3_normalize(axis);
		write_swing_and_twist(&joints[slot], &joints[parent], axis, entry);
	}
	for (int i = 0; i < 3; i++) {
		entry[JOINT_AT + i] = (float)origin[i];
		entry[TARGET_AT + i] = (float)target[i];
	}
	rigid_write_stretch(&joints[slot], entry + stretch_field.offset);
}

static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	const size_t count = (size_t)job->rig->slot_count;
	const struct rigid_joint *joints = rigid_joints(job, err);
	if (!joints) {
		return false;
	}
	double(*origins)[3] = arena_alloc(job->arena, count, sizeof *origins);
	rigid_origins(job->rig, origins);
	for (size_t i = 0; i < count; i++) {
		write_entry(job, joints, (const double(*)[3])origins, (int)i,
			palette + i * ENTRY_FLOATS);
	}
	return true;
}

const struct skinning_method swing_twist_method = {
	.id = "swing_twist",
	.title = "swing and twist of a joint against its parent, each interpolated by its own "
		 "weight",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "swing_twist.comp",
			.entry_floats = ENTRY_FLOATS,
			.stretch_at = 24,
			.prepare = prepare,
			.skin = swing_twist_skin,
			.skin_avx2 = swing_twist_skin_avx2,
		},
};
#endif
