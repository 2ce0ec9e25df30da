/* Linear blend skinning and dual quaternion skinning mixed: v' = (1 - m) lbs + m dqs. The share m
 * is one number, or painted on the vertices, or follows the pose: dual quaternions where joints
 * twist, linear blending where they bend. At 0 and 1 it is either one, to the bit.
 * METHODS A25. */
#include "skin/method.h"
#include "skin/motion.h"
#include "skin/normal.h"
#include "skin/palette.h"
#include "skin/rigid.h"
#include "skin/stretch.h"

/* A palette entry: real part, dual part, a matrix, stretch (see rigid.h),
 * the share of twist in the joint's turn. */
#define ENTRY_FLOATS 44

enum { SIGN, SCALE, RIGID_FROM, MIX, BY };

enum by { BY_CONSTANT, BY_PAINT, BY_TWIST };

enum section {
	SHARES, // by paint [vertex_count]; by twist [influence_count], each joint's; they sum to 1
	BONES,  // by twist [slot_count][4]: unit direction, or 0; slot of the joint before, or -1
};

skin_kernel lbs_dqs_mix_skin, lbs_dqs_mix_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 8};
static const struct field real_field = {ENTRY_FLOATS, 0};
static const struct field dual_field = {ENTRY_FLOATS, 4};
static const struct field stretch_field = {ENTRY_FLOATS, 24};
static const struct field twist_field = {ENTRY_FLOATS, 40};

/* The source of the share. */
struct mixing {
	enum by by;
	float constant;
	const float *shares; // the data's
};

KERNEL lanes share_of(const struct block *block, const struct mixing *mixing) {
	lanes share = {0};
	if (mixing->by == BY_CONSTANT) {
		return share + mixing->constant;
	}
	if (mixing->by == BY_PAINT) {
		return block_row1(block, mixing->shares, 1);
	}
	for (int k = 0; k < block->influence_count; k++) {
		lanes twist;
		for (int i = 0; i < LANE_COUNT; i++) {
			twist[i] = *block_field(block, i, k, twist_field);
		}
		share += twist * block_influence_row1(block, k, mixing->shares, 1);
	}
	return share;
}

/* By the blended matrices; the tangent is not finished. */
KERNEL struct surface linear_surface(const struct block *block, const struct surface *rest) {
	const struct lanes_matrix m = block_blend_matrices(block, matrix_field, NULL);
	struct surface s = *rest;
	s.position = lanes_map_point(&m, rest->position);
	s.normal = normal_map(block->job->normals_by, block, &m, normal_palette_size_square(block),
		rest->normal, matrix_field);
	s.tangent = lanes_map_direction(&m, rest->tangent);
	return s;
}

/* By the blended motions. */
KERNEL struct surface rigid_surface(const struct block *block, const struct surface *rest,
	enum skin_sign sign, bool stretched) {
	struct surface s = *rest;
	if (stretched) {
		stretch_surface(block, stretch_field, &s);
	}
	const struct motion motion = motion_blend(block, real_field, dual_field, sign);
	const struct lanes_matrix m = motion_matrix(motion);
	surface_move(&m, &s);
	return s;
}

/* From a to b; at the ends their own bits. */
KERNEL struct lanes3 mix_vectors(struct lanes3 a, struct lanes3 b, lanes share) {
	const struct lanes3 between =
		lanes3_add(lanes3_scale(a, 1.0f - share), lanes3_scale(b, share));
	return lanes3_select(share == 0, a, lanes3_select(share == 1, b, between));
}

/* The same for unit vectors; where they cancel, b. */
KERNEL struct lanes3 mix_normals(struct lanes3 a, struct lanes3 b, lanes share) {
	const struct lanes3 between = mix_vectors(a, b, share);
	const lanes square = lanes3_dot(between, between);
	const struct lanes3 unit = lanes3_scale(between, 1.0f / lanes_sqrt(square));
	const lane_mask ok = (square > NORMAL_LEAST_SQUARE) & (share != 1);
	return lanes3_select(share == 0, a, lanes3_select(ok, unit, b));
}

KERNEL void skin_block(const struct block *block, const struct mixing *mixing, enum skin_sign sign,
	bool stretched) {
	const struct surface rest = surface_of(block);
	const struct surface linear = linear_surface(block, &rest);
	struct surface s = rigid_surface(block, &rest, sign, stretched);
	const lanes share = share_of(block, mixing);
	s.position = mix_vectors(linear.position, s.position, share);
	s.normal = mix_normals(linear.normal, s.normal, share);
	s.tangent = mix_vectors(linear.tangent, s.tangent, share);
	surface_put(block, &s);
}

LANES_TARGET void LANES_NAME(lbs_dqs_mix_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive, stretch_field);
	const enum skin_sign sign = (enum skin_sign)job->options->values[SIGN];
	const struct mixing mixing = {
		.by = (enum by)job->options->values[BY],
		.constant = (float)job->options->values[MIX],
		.shares = skin_data_read_floats(job->data, SHARES),
	};
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block, &mixing, sign, stretched);
	}
}

#ifndef LANES_AVX2
#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "skin/bones.h"

static const char *const ways[] = {
	[BY_CONSTANT] = "constant", [BY_PAINT] = "paint", [BY_TWIST] = "twist", NULL};

static const struct skin_option mix_option = {
	.name = "mix",
	.title = "the share of dual quaternions where it is constant",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0,
	.most = 1,
	.standard = 0.5,
};

static const struct skin_option by_option = {
	.name = "by",
	.title = "the share of dual quaternions: constant; painted, as the file's attribute "
		 "_DQS_MIX; or by how much of a joint's turn is twist",
	.kind = SKIN_OPTION_CHOICE,
	.choices = ways,
	.standard = BY_CONSTANT,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[SIGN] = &skin_option_sign,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	[MIX] = &mix_option,
	[BY] = &by_option,
	NULL,
};

/* True when a vertex goes with a slot, too. */
static bool has_slot(const uint16_t *slots, const float *weights, int count, int slot) {
	for (int k = 0; k < count; k++) {
		if (slots[k] == slot && weights[k] > 0) {
			return true;
		}
	}
	return false;
}

/* A joint counts where the vertex lies between it and the joint before: there its turn is what
 * deforms. Of joints none of which is another's parent, all count. */
static void share_out(const struct primitive *primitive, const struct bone *bones,
	const uint16_t *slots, const float *weights, float *shares) {
	const int count = primitive->influence_count;
	float sum = 0;
	for (int k = 0; k < count; k++) {
		const int parent = bones[primitive->first_slot + slots[k]].parent;
		const bool between = parent >= 0 &&
			has_slot(slots, weights, count, parent - primitive->first_slot);
		shares[k] = between ? weights[k] : 0;
		sum += shares[k];
	}
	for (int k = 0; k < count; k++) {
		shares[k] = sum > 0 ? shares[k] / sum : weights[k];
	}
}

static void write_shares(const struct rig *rig, const struct bone *bones, float *shares) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (size_t v = 0; v < (size_t)p->vertex_count; v++) {
			const size_t at = p->first_influence + v * (size_t)p->influence_count;
			share_out(p, bones, rig->influence_slots + at, rig->influence_weights + at,
				shares + at);
		}
	}
}

/* A bone without a length takes the direction of the one before. */
static void write_bones(const struct rig *rig, const struct bone *bones, float *rows) {
	for (int i = 0; i < rig->slot_count; i++) {
		const int parent = bones[i].parent;
		double along[3];
		vec3_sub(bones[i].to, bones[i].from, along);
		if (!vec3_normalize(along) && parent >= 0) {
			vec3_sub(bones[i].from, bones[parent].from, along);
			vec3_normalize(along);
		}
		for (int k = 0; k < 3; k++) {
			rows[i * 4 + k] = (float)along[k];
		}
		rows[i * 4 + 3] = (float)parent;
	}
}

static void write_twist_data(const struct rig *rig, struct skin_data *data) {
	struct arena *arena = arena_create();
	struct bone *bones = arena_alloc(arena, (size_t)rig->slot_count, sizeof *bones);
	bones_find(rig, arena, bones);
	write_shares(rig, bones, skin_data_floats(data, SHARES));
	write_bones(rig, bones, skin_data_floats(data, BONES));
	arena_destroy(arena);
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct rig *rig = job->rig;
	const enum by by = (enum by)job->options->values[BY];
	if (by == BY_PAINT && !rig->dqs_mix) {
		error_set(err, ERROR_MISSING_DATA,
			"the rig's vertices have no attribute _DQS_MIX; paint it and put the file "
			"again, or let \"by\" be constant or twist");
		return NULL;
	}
	const size_t vertices = (size_t)rig->vertex_count;
	const size_t lengths[] = {
		[SHARES] = by == BY_PAINT ? vertices
			: by == BY_TWIST  ? rig->influence_count
					  : 0,
		[BONES] = by == BY_TWIST ? (size_t)rig->slot_count * 4 : 0,
	};
	struct skin_data *data = skin_data_create(lengths, 2, err);
	if (data && by == BY_PAINT) {
		memcpy(skin_data_floats(data, SHARES), rig->dqs_mix, vertices * sizeof(float));
	} else if (data && by == BY_TWIST) {
		write_twist_data(rig, data);
	}
	return data;
}

static const struct skin_recipe recipe = {.name = "lbs_dqs_mix", .version = 1, .derive = derive};

/* The squared cosine of the angle between the axis that a slot's joint turns about, against the
 * joint before, and its bone: 1 for a twist, 0 for a bend or no joint before. */
static double twist_of(const struct rigid_joint *joints, int slot, const float bone[static 4]) {
	const double along[3] = {(double)bone[0], (double)bone[1], (double)bone[2]};
	double turn[4];
	if (bone[3] < 0) {
		return 0;
	}
	quat_conjugate(joints[(int)bone[3]].rotation, turn);
	quat_multiply(turn, joints[slot].rotation, turn);
	const double square = vec3_dot(turn, turn), cosine = vec3_dot(turn, along);
	return square > 1e-20 ? cosine * cosine / square : 0;
}

static void write_entry(const struct prepare_job *job, int slot, float *entry) {
	rigid_write_motion(&job->joints[slot], entry);
	palette_write_matrix(job->matrices[slot], entry + matrix_field.offset);
	if (job->options->values[BY] == BY_TWIST) {
		const float *bone = skin_data_read_floats(job->data, BONES) + (size_t)slot * 4;
		entry[twist_field.offset] = (float)twist_of(job->joints, slot, bone);
	}
}

const struct skinning_method lbs_dqs_mix_method = {
	.id = "lbs_dqs_mix",
	.title = "linear blend and dual quaternion skinning mixed by a share of the latter",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "lbs_dqs_mix.comp",
			.entry_floats = ENTRY_FLOATS,
			.stretch_at = 24,
			.write_entry = write_entry,
			.skin = lbs_dqs_mix_skin,
			.skin_avx2 = lbs_dqs_mix_skin_avx2,
		},
};
#endif
