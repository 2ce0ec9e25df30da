/* Direct delta mush: what smoothing the posed surface would do, in closed form. With Omega of
 * mesh/ddm.h the sum of M_j Omega_j over a vertex' joints is [Q q; p^T 1]; the rotation R nearest
 * to Q - q p^T turns the vertex about the centre p, which goes to q: v' = R (v - p) + q. Omega is
 * held about the centre, so that Q - q p^T is Q itself. Variants put other maps in the place of R.
 * Joints that scale or shear take two phases (METHODS 0.4), but for v3 and v5, which are linear.
 * Source: Le, Lewis, Direct delta mush skinning and variants, ACM TOG 38 (2019). METHODS A21. */
#include "skin/method.h"
#include "skin/methods/ddm_data.h"
#include "skin/motion.h"
#include "skin/nearest_rotation.h"
#include "skin/stretch.h"

/* A palette entry: the rigid motion (see turned.h), then the stretch (see rigid.h). */
#define ENTRY_FLOATS (TURNED_FLOATS + RIGID_STRETCH_FLOATS)

/* Below this determinant, of factors of length and trace 1, v1's map is mostly rounding. */
#define V1_LEAST_DETERMINANT 1e-12f

/* More than the sum of a rotation's squares. */
#define ROTATION_SIZE_SQUARE 4.0f

/* Behind the entries each slot's matrix once more for the CPU, every number four times. */
#define SPREAD_FLOATS 48

skin_kernel ddm_skin, ddm_skin_avx2;

static const struct field motion_field = {ENTRY_FLOATS, 0};
static const struct field stretch_field = {ENTRY_FLOATS, TURNED_FLOATS};

/* The data, taken apart once. */
struct view {
	const uint32_t *ranges, *slots;
	const float *omegas, *centres, *spreads;
	const float *spread; // [slot_count][SPREAD_FLOATS], behind the palette's entries
};

static inline struct view view_of(const struct skin_job *job) {
	const struct skin_data *data = job->data;
	return (struct view){
		.spread = job->palette + (size_t)job->rig->slot_count * ENTRY_FLOATS,
		.ranges = skin_data_read_words(data, DDM_RANGES),
		.slots = skin_data_read_words(data, DDM_SLOTS),
		.omegas = skin_data_read_floats(data, DDM_OMEGAS),
		.centres = skin_data_read_floats(data, DDM_CENTRES),
		.spreads = skin_data_read_floats(data, DDM_SPREADS),
	};
}

typedef float floats8 __attribute__((vector_size(32)));

/* The sum of both halves. */
KERNEL void store_halves(const floats8 *sum, float *out) {
	const floats4 lower = __builtin_shufflevector(*sum, *sum, 0, 1, 2, 3);
	const floats4 upper = __builtin_shufflevector(*sum, *sum, 4, 5, 6, 7);
	store4(lower + upper, out);
}

/* Adds M T Omega of one vertex' joints, two products of a row of M with rows of T Omega beside each
 * other. Vertex by vertex, for the same reason as block_blend_matrices(). */
KERNEL void sum_moments(const struct view *view, size_t vertex, float *rows) {
	const uint32_t start = view->ranges[vertex * 2], count = view->ranges[vertex * 2 + 1];
	floats8 sums[3] = {{0}, {0}, {0}};
	for (uint32_t i = start; i < start + count; i++) {
		const float *m = view->spread + (size_t)view->slots[i] * SPREAD_FLOATS;
		const float *omega = view->omegas + (size_t)i * 16;
		floats8 first, second, left, right;
		memcpy(&first, omega, sizeof first);
		memcpy(&second, omega + 8, sizeof second);
#pragma GCC unroll 3
		for (int row = 0; row < 3; row++) {
			memcpy(&left, m + row * 16, sizeof left);
			memcpy(&right, m + row * 16 + 8, sizeof right);
			sums[row] += left * first + right * second;
		}
	}
	for (int row = 0; row < 3; row++) {
		store_halves(&sums[row], rows + row * 4);
	}
}

/* Adds the joints' matrices by weight. */
KERNEL void sum_matrices(
	const struct view *view, const float *palette, size_t vertex, float *rows) {
	const uint32_t start = view->ranges[vertex * 2], count = view->ranges[vertex * 2 + 1];
	floats4 sums[3] = {{0}, {0}, {0}};
	for (uint32_t i = start; i < start + count; i++) {
		const float *entry = block_entry(palette, view->slots[i], motion_field);
		const float weight = view->omegas[(size_t)i * 16 + 15];
		for (int row = 0; row < 3; row++) {
			sums[row] += weight * load4(entry + row * 4);
		}
	}
	for (int row = 0; row < 3; row++) {
		store4(sums[row], rows + row * 4);
	}
}

/* The joints' rotations blended by weight, with the signs of the first; where they cancel, the
 * first. */
KERNEL floats4 sum_rotations(const struct view *view, const float *palette, size_t vertex) {
	const uint32_t start = view->ranges[vertex * 2], count = view->ranges[vertex * 2 + 1];
	floats4 sum = {0}, first = {0};
	for (uint32_t i = start; i < start + count; i++) {
		const float *entry = block_entry(palette, view->slots[i], motion_field);
		const floats4 q = load4(entry + TURNED_ROTATION);
		first = i == start ? q : first;
		const floats4 products = q * first;
		const float dot = (products[0] + products[1]) + (products[2] + products[3]);
		const float weight = view->omegas[(size_t)i * 16 + 15];
		sum += (dot < 0 ? -weight : weight) * q;
	}
	const floats4 squares = sum * sum;
	const float square = (squares[0] + squares[1]) + (squares[2] + squares[3]);
	return square > MOTION_LEAST_SQUARE ? sum : first;
}

/* The sums over joints, for all lanes. */
KERNEL struct lanes_matrix moments_of(const struct block *block, const struct view *view) {
	float rows[LANE_COUNT][16] __attribute__((aligned(32)));
	for (int i = 0; i < LANE_COUNT; i++) {
		sum_moments(view, block_vertex(block, i), rows[i]);
	}
	return block_columns_of(lanes_load4(rows[0], 16), lanes_load4(rows[0] + 4, 16),
		lanes_load4(rows[0] + 8, 16));
}

KERNEL struct lanes_matrix matrices_of(const struct block *block, const struct view *view) {
	float rows[LANE_COUNT][16] __attribute__((aligned(32)));
	for (int i = 0; i < LANE_COUNT; i++) {
		sum_matrices(view, block->job->palette, block_vertex(block, i), rows[i]);
	}
	return block_columns_of(lanes_load4(rows[0], 16), lanes_load4(rows[0] + 4, 16),
		lanes_load4(rows[0] + 8, 16));
}

KERNEL struct lanes_columns rotations_of(const struct block *block, const struct view *view) {
	float rows[LANE_COUNT][4] __attribute__((aligned(32)));
	for (int i = 0; i < LANE_COUNT; i++) {
		store4(sum_rotations(view, block->job->palette, block_vertex(block, i)), rows[i]);
	}
	const struct lanes_matrix m = motion_rotation(lanes_load4(rows[0], 4));
	return (struct lanes_columns){m.a0, m.a1, m.a2};
}

KERNEL struct lanes_columns columns_select(
	lane_mask mask, struct lanes_columns yes, struct lanes_columns no) {
	return (struct lanes_columns){lanes3_select(mask, yes.a0, no.a0),
		lanes3_select(mask, yes.a1, no.a1), lanes3_select(mask, yes.a2, no.a2)};
}

/* The rotation of v0; blended ones where the surroundings have none. */
KERNEL struct lanes_columns turn_of(
	const struct block *block, const struct view *view, struct lanes_columns a) {
	lane_mask ok;
	const struct lanes_columns r = nearest_rotation(a, &ok);
	if (__builtin_expect(lanes_all(ok), true)) {
		return r;
	}
	return columns_select(ok, r, rotations_of(block, view));
}

/* x^(1/3) for x above 0: a guess by the exponent, then Newton's steps, which give the same bits
 * anywhere. */
KERNEL lanes cube_root(lanes x) {
	lane_mask bits = (lane_mask)x;
	lanes guess;
	for (int i = 0; i < LANE_COUNT; i++) {
		bits[i] = bits[i] / 3 + 709921077;
	}
	guess = (lanes)bits;
	for (int i = 0; i < 4; i++) {
		guess = (2.0f * guess + x / (guess * guess)) * (1.0f / 3.0f);
	}
	return guess;
}

/* The map of v1: cof(A) C, made of determinant 1; v0's where it has none above 0. */
KERNEL struct lanes_columns inverse_transpose_of(
	const struct block *block, const struct view *view, struct lanes_columns a) {
	const struct lanes4 c = block_row4(block, view->spreads, DDM_SPREAD_FLOATS);
	const struct lanes4 d = block_row4(block, view->spreads + 4, DDM_SPREAD_FLOATS);
	// Of length 1 first: determinants of small things are too small.
	lane_mask ok;
	const struct lanes_columns n = lanes_columns_unit(a, &ok);
	const struct lanes_columns cofactor = {
		lanes3_cross(n.a1, n.a2), lanes3_cross(n.a2, n.a0), lanes3_cross(n.a0, n.a1)};
	const struct lanes_columns m = {lanes_columns_map(&cofactor, c.x, c.y, c.z),
		lanes_columns_map(&cofactor, c.y, c.w, d.x),
		lanes_columns_map(&cofactor, c.z, d.x, d.y)};
	const lanes determinant = lanes3_dot(m.a0, lanes3_cross(m.a1, m.a2));
	ok &= determinant > V1_LEAST_DETERMINANT;
	const lanes one = determinant * 0 + 1.0f;
	const lanes by = 1.0f / cube_root(lanes_select(ok, determinant, one));
	const struct lanes_columns map = {
		lanes3_scale(m.a0, by), lanes3_scale(m.a1, by), lanes3_scale(m.a2, by)};
	if (__builtin_expect(lanes_all(ok), true)) {
		return map;
	}
	return columns_select(ok, map, turn_of(block, view, a));
}

/* The linear map of a block's vertices about their centres, and in b where those go. */
KERNEL struct lanes_matrix map_of(const struct block *block, const struct view *view,
	enum ddm_variant variant, struct lanes3 centre) {
	const struct lanes_matrix m = variant == DDM_V4 || variant == DDM_V5
		? matrices_of(block, view)
		: moments_of(block, view);
	const struct lanes3 goes =
		variant == DDM_V4 || variant == DDM_V5 ? lanes_map_point(&m, centre) : m.b;
	struct lanes_columns a = {m.a0, m.a1, m.a2};
	if (variant == DDM_V0) {
		a = turn_of(block, view, a);
	} else if (variant == DDM_V1) {
		a = inverse_transpose_of(block, view, a);
	} else if (variant == DDM_V2 || variant == DDM_V4) {
		a = rotations_of(block, view);
	} else if (variant == DDM_V3) {
		const struct lanes_matrix blend = matrices_of(block, view);
		a = (struct lanes_columns){blend.a0, blend.a1, blend.a2};
	}
	return (struct lanes_matrix){a.a0, a.a1, a.a2, goes};
}

KERNEL void skin_block(const struct block *block, const struct view *view, enum ddm_variant variant,
	bool stretched) {
	struct surface s = surface_stretched(block, stretch_field, stretched);
	const struct lanes3 centre = lanes3_of(block_vertex_row4(block, view->centres));
	const struct lanes_matrix m = map_of(block, view, variant, centre);
	s.position = lanes_map_point(&m, lanes3_subtract(s.position, centre));
	// Of a rotation the cofactors are itself.
	const bool rotates = variant == DDM_V0 || variant == DDM_V2 || variant == DDM_V4;
	const lanes size_square =
		rotates ? (lanes){0} + ROTATION_SIZE_SQUARE : normal_size_square(&m);
	s.normal = normal_map(rotates ? NORMALS_SAME : block->job->normals_by, block, &m,
		size_square, s.normal, motion_field);
	s.tangent = lanes_map_direction(&m, s.tangent);
	surface_put(block, &s);
}

KERNEL void skin(const struct skin_job *job, const struct primitive *primitive,
	enum ddm_variant variant, bool stretched) {
	const struct view view = view_of(job);
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block, &view, variant, stretched);
	}
}

LANES_TARGET void LANES_NAME(ddm_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive, stretch_field);
	const enum ddm_variant variant = (enum ddm_variant)job->options->values[DDM_OPTION_VARIANT];
	if (variant == DDM_V0 && !stretched) {
		skin(job, primitive, DDM_V0, false); // constants: less to ask in the loop
	} else {
		skin(job, primitive, variant, stretched);
	}
}

#ifndef LANES_AVX2
static const char *const variants[] = {"v0", "v1", "v2", "v3", "v4", "v5", NULL};
static const char *const laplacians[] = {"uniform", "cotangent", NULL};

static const struct skin_option variant_option = {
	.name = "variant",
	.title = "how much of the model is kept: v0 all of it, v5 linear blending with other "
		 "weights",
	.kind = SKIN_OPTION_CHOICE,
	.choices = variants,
	.derives = true,
};

static const struct skin_option lambda_option = {
	.name = "lambda",
	.title = "how much each step smooths",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0.01,
	.most = 100,
	.standard = 3,
	.derives = true,
};

static const struct skin_option times_option = {
	.name = "p",
	.title = "steps of smoothing",
	.kind = SKIN_OPTION_INTEGER,
	.least = 1,
	.most = 200,
	.standard = 30,
	.derives = true,
};

static const struct skin_option kappa_option = {
	.name = "kappa",
	.title = "how much each step smooths the weights that alpha mixes in",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0.01,
	.most = 100,
	.standard = 0.5,
	.derives = true,
};

static const struct skin_option alpha_option = {
	.name = "alpha",
	.title = "share of linear blending of the centres",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0,
	.most = 0.99,
	.derives = true,
};

static const struct skin_option laplacian_option = {
	.name = "laplacian",
	.title = "weights of the edges that smoothing goes along",
	.kind = SKIN_OPTION_CHOICE,
	.choices = laplacians,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[DDM_OPTION_VARIANT] = &variant_option,
	[DDM_OPTION_LAMBDA] = &lambda_option,
	[DDM_OPTION_TIMES] = &times_option,
	[DDM_OPTION_KAPPA] = &kappa_option,
	[DDM_OPTION_ALPHA] = &alpha_option,
	[DDM_OPTION_LAPLACIAN] = &laplacian_option,
	[DDM_OPTION_SCALE] = &skin_option_scale,
	[DDM_OPTION_RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

static size_t extra_floats(const struct rig *rig, const struct skin_data *data) {
	(void)data;
	return (size_t)rig->slot_count * SPREAD_FLOATS;
}

static void spread_matrix(const float *matrix, float *out) {
	for (int i = 0; i < SPREAD_FLOATS; i++) {
		out[i] = matrix[i / 4];
	}
}

static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	const size_t count = (size_t)job->rig->slot_count;
	const enum ddm_variant variant = (enum ddm_variant)job->options->values[DDM_OPTION_VARIANT];
	const struct rigid_joint *joints = rigid_joints(job, err);
	const bool linear = variant == DDM_V3 || variant == DDM_V5;
	if (!joints) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		float *entry = palette + i * ENTRY_FLOATS;
		if (linear && (int)job->options->values[DDM_OPTION_SCALE] == SKIN_SCALE_IGNORE) {
			turned_write_in(&joints[i], joints[i].unit, entry);
		} else if (linear) {
			palette_write_matrix(job->matrices[i], entry);
		} else {
			turned_write(&joints[i], entry);
			rigid_write_stretch(&joints[i], entry + stretch_field.offset);
		}
		spread_matrix(entry, palette + count * ENTRY_FLOATS + i * SPREAD_FLOATS);
	}
	return true;
}

const struct skinning_method ddm_method = {
	.id = "ddm",
	.title =
		"direct delta mush: as if the posed surface were smoothed and its details put back",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &ddm_recipe,
	.kernel =
		{
			.shader = "ddm.comp",
			.entry_floats = ENTRY_FLOATS,
			.stretch_at = TURNED_FLOATS,
			.extra_floats = extra_floats,
			.prepare = prepare,
			.skin = ddm_skin,
			.skin_avx2 = ddm_skin_avx2,
		},
};
#endif
