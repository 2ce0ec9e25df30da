/* Log-matrix blending: rigid motions are blended as screws, by their logarithms. They count from
 * the motion of the vertex' topologically first joint, which makes the blend one that moves with
 * the whole rig, or, as it was first done, from nothing at all. Sources: Alexa. Linear Combination
 * of Transformations. SIGGRAPH 2002; Cordier, Magnenat-Thalmann. A Data-driven Approach for
 * Real-time Clothes Simulation. CGF 24(2), 2005. METHODS A14. */
#include "skin/lanes_angle.h"
#include "skin/method.h"
#include "skin/motion.h"
#include "skin/rigid.h"
#include "skin/stretch.h"

/* A palette entry: rotation as a quaternion, translation and a zero, the stretch (see
 * rigid.h). */
#define ENTRY_FLOATS 24

enum { PIVOT, SCALE, RIGID_FROM };

/* The origin of logarithms. */
enum { PIVOT_FIRST, PIVOT_NONE };

/* Sections of the data. */
enum { FIRST_SLOTS, SECTIONS }; // [vertex_count] relative to the primitive's first slot

skin_kernel log_blend_skin, log_blend_skin_avx2;

static const struct field rotation_field = {ENTRY_FLOATS, 0};
static const struct field translation_field = {ENTRY_FLOATS, 4};
static const struct field stretch_field = {ENTRY_FLOATS, 8};

/* A rigid motion: a unit quaternion, then a translation. */
struct rigid {
	struct lanes4 q;
	struct lanes3 b;
};

/* The logarithm of one: half the rotation vector, and the way along it. */
struct screw {
	struct lanes3 half, along;
};

KERNEL struct rigid identity_motion(void) {
	const lanes zero = {0};
	return (struct rigid){{zero, zero, zero, zero + 1.0f}, {zero, zero, zero}};
}

KERNEL struct rigid motion_of(const struct block *block, int k) {
	return (struct rigid){block_gather(block, k, rotation_field),
		lanes3_of(block_gather(block, k, translation_field))};
}

/* The same of a usual block. */
KERNEL struct rigid motion_usual(const struct block *block, int k) {
	return (struct rigid){block_gather_usual(block, k, rotation_field),
		lanes3_of(block_gather_usual(block, k, translation_field))};
}

/* The motion of every vertex' topologically first joint. */
KERNEL struct rigid first_motion(const struct block *block) {
	const uint32_t *slots = skin_data_read_words(block->job->data, FIRST_SLOTS);
	const float *q[LANE_COUNT], *b[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		q[i] = block->palette + (size_t)slots[block_vertex(block, i)] * ENTRY_FLOATS;
		b[i] = q[i] + 4;
	}
	return (struct rigid){lanes_load_rows(q), lanes3_of(lanes_load_rows(b))};
}

/* A motion after another is undone, seen from where that one has brought the origin: the frame of
 * the world spares turning it there and back. */
KERNEL struct rigid relative(struct rigid from, struct rigid motion) {
	return (struct rigid){angle_multiply(motion.q, angle_conjugate(from.q)),
		lanes3_subtract(motion.b, from.b)};
}

/* With v the quaternion's vector part, x the squared tangent of a quarter of the angle and P =
 * atan(sqrt x) / sqrt x, half the angle over its sine is 2 P / (1 + w), and what goes twice across
 * v is (P - (P - 1) / x) / (1 + w)^2: nothing cancels at small angles. */
KERNEL struct screw screw_of(struct rigid motion) {
	const struct lanes4 q = angle_shorter(motion.q);
	const struct lanes3 v = lanes3_of(q), b = motion.b;
	const lanes by = 1.0f / (1.0f + q.w), x = (1.0f - q.w) * by;
	const lanes rest = angle_arc_rest(x), p = 1.0f + x * rest;
	const lanes once = 2.0f * by * p, twice = (p - rest) * (by * by);
	const struct lanes3 across = lanes3_cross(v, b);
	const struct lanes3 bent = lanes3_subtract(
		lanes3_scale(lanes3_cross(v, across), twice), lanes3_scale(across, once));
	return (struct screw){lanes3_scale(v, once), lanes3_add(b, bent)};
}

/* The same way back, from sin(h) / h = 1 + y s and cos(h) = 1 + y c for y = h^2. */
KERNEL struct rigid motion_of_screw(struct screw screw) {
	const struct lanes3 h = screw.half, u = screw.along;
	const lanes y = lanes3_dot(h, h);
	const lanes s = angle_sine_rest(y), c = angle_cosine_rest(y);
	const lanes sine = 1.0f + y * s, twice = (s + c) + y * s * c;
	const struct lanes3 v = lanes3_scale(h, sine), across = lanes3_cross(h, u);
	const struct lanes3 bent = lanes3_subtract(
		lanes3_scale(across, sine * sine), lanes3_scale(lanes3_cross(h, across), twice));
	return (struct rigid){{v.x, v.y, v.z, 1.0f + y * c}, lanes3_add(u, bent)};
}

KERNEL struct screw add_screw(
	struct screw sum, struct rigid from, struct rigid motion, lanes weights) {
	const struct screw screw = screw_of(relative(from, motion));
	return (struct screw){lanes3_add(sum.half, lanes3_scale(screw.half, weights)),
		lanes3_add(sum.along, lanes3_scale(screw.along, weights))};
}

/* The mean of the screws from one motion to all. Sums begin at 0, so influences without weight may
 * be left out: they would not change a bit. */
KERNEL struct screw mean_screw(const struct block *block, struct rigid from) {
	struct screw sum = {identity_motion().b, identity_motion().b};
	if (block_is_usual(block)) {
		const struct lanes4 weights = block_weights_usual(block);
		const lanes each[] = {weights.x, weights.y, weights.z, weights.w};
		for (int k = 0; k < 4; k++) {
			if (!lanes_all(each[k] == 0)) {
				sum = add_screw(sum, from, motion_usual(block, k), each[k]);
			}
		}
		return sum;
	}
	for (int k = 0; k < block->influence_count; k++) {
		sum = add_screw(sum, from, motion_of(block, k), block_weights(block, k));
	}
	return sum;
}

KERNEL void skin_block(const struct block *block, bool from_first, bool stretched) {
	struct surface s = surface_stretched(block, stretch_field, stretched);
	const struct rigid from = from_first ? first_motion(block) : identity_motion();
	const struct rigid blend = motion_of_screw(mean_screw(block, from));
	struct lanes_matrix m = motion_rotation(angle_multiply(blend.q, from.q));
	m.b = lanes3_add(from.b, blend.b);
	surface_move(&m, &s);
	surface_put(block, &s);
}

LANES_TARGET void LANES_NAME(log_blend_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive, stretch_field);
	const bool from_first = job->options->values[PIVOT] == PIVOT_FIRST;
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block, from_first, stretched);
	}
}

#ifndef LANES_AVX2
static const struct skin_option pivot_option = {
	.name = "pivot",
	.title = "what motions count from: the first of a vertex' joints in the skeleton, or "
		 "nothing, "
		 "which makes the blend depend on where the rig is",
	.kind = SKIN_OPTION_CHOICE,
	.choices = (const char *const[]){[PIVOT_FIRST] = "first", [PIVOT_NONE] = "none", NULL},
	.standard = PIVOT_FIRST,
};

static const struct skin_option *const options[] = {
	[PIVOT] = &pivot_option,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

/* The slot, among those that move a vertex, whose joint stands first. */
static uint16_t first_slot(
	const struct rig *rig, const struct primitive *primitive, size_t influence) {
	const struct palette_slot *slots = rig->slots + primitive->first_slot;
	uint16_t first = rig->influence_slots[influence];
	for (int k = 1; k < primitive->influence_count; k++) {
		const uint16_t slot = rig->influence_slots[influence + (size_t)k];
		const int difference = slots[slot].joint - slots[first].joint;
		if (rig->influence_weights[influence + (size_t)k] > 0 &&
			(difference < 0 || (difference == 0 && slot < first))) {
			first = slot;
		}
	}
	return first;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct rig *rig = job->rig;
	const size_t lengths[SECTIONS] = {(size_t)rig->vertex_count};
	struct skin_data *data = skin_data_create(lengths, SECTIONS, err);
	uint32_t *out = data ? skin_data_words(data, FIRST_SLOTS) : NULL;
	for (int p = 0; data && p < rig->primitive_count; p++) {
		const struct primitive *primitive = &rig->primitives[p];
		for (int i = 0; i < primitive->vertex_count; i++) {
			out[primitive->first_vertex + i] = first_slot(rig, primitive,
				primitive->first_influence +
					(size_t)i * (size_t)primitive->influence_count);
		}
	}
	return data;
}

static const struct skin_recipe recipe = {
	.name = "first_slots",
	.version = 1,
	.derive = derive,
};

static void write_entry(const struct prepare_job *job, int slot, float *entry) {
	const struct rigid_joint *joint = &job->joints[slot];
	for (int k = 0; k < 4; k++) {
		entry[k] = (float)joint->rotation[k];
		entry[4 + k] = k < 3 ? (float)joint->translation[k] : 0;
	}
}

const struct skinning_method log_blend_method = {
	.id = "log_blend",
	.title = "log-matrix blending: rigid motions blended as screws",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "log_blend.comp",
			.entry_floats = ENTRY_FLOATS,
			.stretch_at = 8,
			.write_entry = write_entry,
			.skin = log_blend_skin,
			.skin_avx2 = log_blend_skin_avx2,
		},
};
#endif
