/* Multi-weight enveloping: twelve weights to an influence, one for each number of its matrix,
 * fitted to examples. The palette's matrices are in the frame of the fit: without the motion of a
 * root, and turned (see fit/mwe.h).
 * Source: Wang, Phillips. Multi-Weight Enveloping: Least-Squares Approximation Techniques for Skin
 * Animation. SCA 2002. METHODS A18. */
#include "fit/mwe.h"

#include "fit/joints.h"
#include "skin/block.h"
#include "skin/fitted.h"
#include "skin/normal.h"
#include "skin/palette.h"

/* An entry: the slot's matrix in the fitting frame, and the way back into the world. */
#define ENTRY_FLOATS (2 * PALETTE_MATRIX_FLOATS)

/* Sections of the data: the weights, rows of 3x4 to an influence; the root of each slot. */
enum { SECTION_WEIGHTS, SECTION_ROOTS };

skin_kernel mwe_skin, mwe_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};
static const struct field back_field = {ENTRY_FLOATS, PALETTE_MATRIX_FLOATS};

/* One lane's matrices, each number times its weight, summed into rows. */
KERNEL void envelope_vertex(const struct block *block, int lane, const float *weights,
	float rows[static PALETTE_MATRIX_FLOATS]) {
	floats4 sum[3] = {{0}, {0}, {0}};
	for (int k = 0; k < block->influence_count; k++) {
		const float *matrix = block_field(block, lane, k, matrix_field);
		const float *w = weights + block_influence(block, lane, k) * 12;
		for (int row = 0; row < 3; row++) {
			sum[row] += load4(w + row * 4) * load4(matrix + row * 4);
		}
	}
	for (int row = 0; row < 3; row++) {
		store4(sum[row], rows + row * 4);
	}
}

KERNEL struct lanes_matrix envelope(const struct block *block, const float *weights) {
	float rows[LANE_COUNT][PALETTE_MATRIX_FLOATS] __attribute__((aligned(32)));
	for (int i = 0; i < LANE_COUNT; i++) {
		envelope_vertex(block, i, weights, rows[i]);
	}
	const int stride = PALETTE_MATRIX_FLOATS;
	return block_columns_of(lanes_load4(rows[0], stride), lanes_load4(rows[0] + 4, stride),
		lanes_load4(rows[0] + 8, stride));
}

KERNEL lanes frame_row(struct lanes3 v, int row) {
	const double *m = mwe_frame + row * 4;
	return (v.x * (float)m[0] + v.y * (float)m[1]) + v.z * (float)m[2];
}

KERNEL struct lanes3 into_frame(struct lanes3 v) {
	return (struct lanes3){frame_row(v, 0), frame_row(v, 1), frame_row(v, 2)};
}

KERNEL struct lanes3 mapped_normal(const struct block *block, const struct lanes_matrix *m,
	struct lanes3 n, struct field field) {
	return normal_map(block->job->normals_by, block, m, normal_size_square(m), n, field);
}

KERNEL void skin_block(const struct block *block, const float *weights) {
	const struct lanes_matrix m = envelope(block, weights);
	const struct lanes_matrix back = block_matrix_of(block, 0, back_field);
	const struct lanes3 framed = lanes_map_point(&m, into_frame(block_position(block)));
	block_put_position(block, lanes_map_point(&back, framed));
	const struct lanes3 turned =
		mapped_normal(block, &m, into_frame(block_normal(block)), matrix_field);
	const struct lanes3 normal = mapped_normal(block, &back, turned, back_field);
	block_put_normal(block, normal);
	if (block_has_tangents(block)) {
		const struct lanes4 tangent = block_tangent(block);
		const struct lanes3 t = lanes_map_direction(&m, into_frame(lanes3_of(tangent)));
		const struct lanes3 mapped = lanes_map_direction(&back, t);
		block_put_tangent(block, normal_finish_tangent(normal, mapped), tangent.w);
	}
}

LANES_TARGET void LANES_NAME(mwe_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const float *weights = skin_data_read_floats(job->data, SECTION_WEIGHTS);
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block, weights);
	}
}

#ifndef LANES_AVX2
extern const struct skinning_method mwe_method;

enum { RIDGE, PCR };

static const struct skin_option pcr = {
	.name = "pcr",
	.title = "fit by principal components above a hundredth of the greatest, without a ridge",
	.kind = SKIN_OPTION_BOOLEAN,
	.standard = 0,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[RIDGE] = &fitted_option_ridge, [PCR] = &pcr, NULL};

static const int *roots_of(const struct skin_data *data) {
	return (const int *)(const void *)skin_data_read_words(data, SECTION_ROOTS);
}

static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	(void)err;
	const size_t slots = (size_t)job->rig->slot_count;
	double(*framed)[12] = arena_alloc(job->arena, slots, sizeof *framed);
	double(*back)[12] = arena_alloc(job->arena, slots, sizeof *back);
	mwe_palette(job->rig, roots_of(job->data), job->matrices, framed, back);
	for (size_t i = 0; i < slots; i++) {
		float *entry = palette + i * ENTRY_FLOATS;
		palette_write_matrix(framed[i], entry + matrix_field.offset);
		palette_write_matrix(back[i], entry + back_field.offset);
	}
	return true;
}

static bool fit(struct fitting_room *room, struct skin_data *data, struct error *err) {
	const double *values = room->job->options->values;
	const struct equations_recipe recipe = {
		.ridge = values[RIDGE], .principal = values[PCR] != 0, .cut = 0.01};
	joints_find_roots(room->job->rig, (int *)(void *)skin_data_words(data, SECTION_ROOTS));
	return mwe_fit(&room->input, &recipe, roots_of(data),
		skin_data_floats(data, SECTION_WEIGHTS), err);
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const size_t lengths[] = {[SECTION_WEIGHTS] = job->rig->influence_count * 12,
		[SECTION_ROOTS] = (size_t)job->rig->slot_count};
	return fitted_derive(job, &mwe_method, lengths, 2, fit, err);
}

static const struct skin_recipe recipe = {.name = "mwe",
	.version = 1,
	.keep = true,
	.needs_examples = true,
	.uses_algebra = true,
	.derive = derive};

const struct skinning_method mwe_method = {
	.id = "mwe",
	.title = "multi-weight enveloping: a weight for each number of a matrix, from examples",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "mwe.comp",
			.entry_floats = ENTRY_FLOATS,
			.prepare = prepare,
			.skin = mwe_skin,
			.skin_avx2 = mwe_skin_avx2,
		},
};
#endif
