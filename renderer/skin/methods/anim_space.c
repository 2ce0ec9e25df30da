/* Animation space: each influence has its own point with four coordinates, fitted to examples; here
 * what it differs by from that of linear blending. Normals are those of the surface that comes out.
 * Source: Merry, Marais, Gain. Animation Space: A Truly Linear Framework for Character Animation.
 * ACM TOG 25(4), 2006. METHODS A19. */
#include "fit/anim_space.h"

#include "fit/sculpt_normals.h"
#include "skin/block.h"
#include "skin/fitted.h"
#include "skin/normal.h"
#include "skin/palette.h"

#define ENTRY_FLOATS PALETTE_MATRIX_FLOATS

/* Sections of the data, to an influence: four numbers of deviation; the derivatives of the point
 * along x, y and z, four numbers each. */
enum { SECTION_DEVIATIONS, SECTION_DERIVATIVES };

skin_kernel anim_space_skin, anim_space_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};

/* sum + M p for p with four coordinates. */
KERNEL struct lanes3 add_mapped(struct lanes3 sum, const struct lanes_matrix *m, struct lanes4 p) {
	const struct lanes3 xy = lanes3_add(lanes3_scale(m->a0, p.x), lanes3_scale(m->a1, p.y));
	const struct lanes3 zw = lanes3_add(lanes3_scale(m->a2, p.z), lanes3_scale(m->b, p.w));
	return lanes3_add(sum, lanes3_add(xy, zw));
}

/* w [v] + y: the point of the k-th influence. */
KERNEL struct lanes4 point_of(const struct block *block, int k, struct lanes3 v) {
	const float *rows = skin_data_read_floats(block->job->data, SECTION_DEVIATIONS);
	const struct lanes4 y = block_influence_row4(block, k, rows, 4);
	const lanes w = block_weights(block, k);
	return (struct lanes4){w * v.x + y.x, w * v.y + y.y, w * v.z + y.z, w + y.w};
}

KERNEL void skin_block(const struct block *block) {
	const float *derivatives = skin_data_read_floats(block->job->data, SECTION_DERIVATIVES);
	const struct lanes3 v = block_position(block);
	struct lanes_matrix map = {
		{{0}, {0}, {0}}, {{0}, {0}, {0}}, {{0}, {0}, {0}}, {{0}, {0}, {0}}};
	for (int k = 0; k < block->influence_count; k++) {
		const struct lanes_matrix m = block_matrix_of(block, k, matrix_field);
		map.b = add_mapped(map.b, &m, point_of(block, k, v));
		map.a0 = add_mapped(map.a0, &m, block_influence_row4(block, k, derivatives, 12));
		map.a1 =
			add_mapped(map.a1, &m, block_influence_row4(block, k, derivatives + 4, 12));
		map.a2 =
			add_mapped(map.a2, &m, block_influence_row4(block, k, derivatives + 8, 12));
	}
	block_put_position(block, map.b);
	const struct lanes3 normal = normal_map(NORMALS_COF, block, &map, normal_size_square(&map),
		block_normal(block), matrix_field);
	normal_put(block, &map, normal, block_has_tangents(block));
}

LANES_TARGET void LANES_NAME(anim_space_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block);
	}
}

#ifndef LANES_AVX2
extern const struct skinning_method anim_space_method;

enum { RIDGE };

static const struct skin_option *const options[] = {[RIDGE] = &fitted_option_ridge, NULL};

static bool fit(struct fitting_room *room, struct skin_data *data, struct error *err) {
	const struct equations_recipe recipe = {.ridge = room->job->options->values[RIDGE]};
	float *deviations = skin_data_floats(data, SECTION_DEVIATIONS);
	return anim_fit(&room->input, &recipe, deviations, err) &&
		anim_derivatives(
			&room->input, deviations, skin_data_floats(data, SECTION_DERIVATIVES), err);
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const size_t influences = job->rig->influence_count;
	const size_t lengths[] = {
		[SECTION_DEVIATIONS] = influences * 4, [SECTION_DERIVATIVES] = influences * 12};
	return fitted_derive(job, &anim_space_method, lengths, 2, fit, err);
}

static const struct skin_recipe recipe = {.name = "anim_space",
	.version = 1,
	.keep = true,
	.needs_examples = true,
	.uses_algebra = true,
	.derive = derive};

const struct skinning_method anim_space_method = {
	.id = "anim_space",
	.title = "animation space: a point of its own for each influence, from examples",
	.options = options,
	.normals = 1 << NORMALS_EXACT,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "anim_space.comp",
			.entry_floats = ENTRY_FLOATS,
			.prepare = palette_prepare,
			.skin = anim_space_skin,
			.skin_avx2 = anim_space_skin_avx2,
		},
};
#endif
