/* Skinning with optimised centres of rotation: v' = Q (v - p) + sum of w_k M_k p, where Q blends
 * the rotations and p, at rest, is the middle of the surface whose weights are like the vertex'.
 * A vertex without a centre is its own: what one joint moves goes with it, the rest as by linear
 * blending. Quaternions take their signs from the pivot (METHODS 0.6) and not one after another as
 * A13 has it, so that their order does not count. Joints that scale or shear take two phases (0.4).
 * Source: Le, Hodgins, Real-time skeletal skinning with optimized centers of rotation, ACM TOG 35
 * (2016). METHODS A13. */
#include <stdlib.h>

#include "base/memory.h"
#include "mesh/volume.h"
#include "skin/method.h"
#include "skin/motion.h"
#include "skin/stretch.h"

/* A palette entry: the rigid motion (see turned.h), then the stretch (see rigid.h). */
#define ENTRY_FLOATS (TURNED_FLOATS + RIGID_STRETCH_FLOATS)

enum { SIGN, SCALE, RIGID_FROM };

/* Sections of the data: floats [vertex_count][4], each vertex' centre and a spare number. */
enum { CENTRES, SECTION_COUNT };

skin_kernel cor_skin, cor_skin_avx2;

static const struct field motion_field = {ENTRY_FLOATS, 0};
static const struct field rotation_field = {ENTRY_FLOATS, TURNED_ROTATION};
static const struct field stretch_field = {ENTRY_FLOATS, TURNED_FLOATS};

KERNEL void skin_block(const struct block *block, enum skin_sign sign, bool stretched) {
	struct surface s = surface_stretched(block, stretch_field, stretched);
	const float *centres = skin_data_read_floats(block->job->data, CENTRES);
	const struct lanes3 centre = lanes3_of(block_vertex_row4(block, centres));
	const struct lanes_matrix m = block_blend_matrices(block, motion_field, NULL);
	const struct lanes4 q = block_is_usual(block)
		? turned_blend_usual(block, rotation_field, sign)
		: turned_blend(block, rotation_field, sign);
	const struct lanes_matrix turn = motion_rotation(q);
	const struct lanes3 arm = lanes3_subtract(s.position, centre);
	s.position = lanes3_add(lanes_map_direction(&turn, arm), lanes_map_point(&m, centre));
	s.normal = lanes_map_direction(&turn, s.normal);
	s.tangent = lanes_map_direction(&turn, s.tangent);
	surface_put(block, &s);
}

LANES_TARGET void LANES_NAME(cor_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive, stretch_field);
	const enum skin_sign sign = (enum skin_sign)job->options->values[SIGN];
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block, sign, stretched);
	}
}

#ifndef LANES_AVX2
static const struct skin_option *const options[] = {
	[SIGN] = &skin_option_sign,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

static void write_entry(const struct prepare_job *job, int slot, float *entry) {
	turned_write(&job->joints[slot], entry);
}

/* Copies the points' centres to a primitive's vertices, in the rig's unit as stretched positions
 * are. */
static void spread_to(const struct primitive *primitive, const struct rig *rig,
	const struct mesh_surface *surface, const double (*centres)[4], struct skin_data *data) {
	float *out = skin_data_floats(data, CENTRES);
	const double unit = rigid_bind_unit(rig, primitive);
	const size_t first = (size_t)primitive->first_vertex;
	for (size_t v = first; v < first + (size_t)primitive->vertex_count; v++) {
		const int point = surface->points[v];
		const bool found = centres[point][3] > 0;
		for (size_t k = 0; k < 3; k++) {
			out[v * 4 + k] = (float)(unit *
				(found ? centres[point][k] : (double)rig->positions[v * 3 + k]));
		}
		const int shares = surface->share_starts[point + 1] - surface->share_starts[point];
		data->fallback_vertices += !found && shares > 1;
	}
}

static void spread(const struct rig *rig, const struct mesh_surface *surface,
	const double (*centres)[4], struct skin_data *data) {
	for (int i = 0; i < rig->primitive_count; i++) {
		spread_to(&rig->primitives[i], rig, surface, centres, data);
	}
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct watch watch = {job->stop, &job->progress->share};
	const size_t length = (size_t)job->rig->vertex_count * 4;
	struct skin_data *data = NULL;
	double(*centres)[4] = NULL;
	struct mesh_surface *surface = surface_create(job->rig, &watch, err);
	if (surface) {
		centres = try_calloc(
			(size_t)surface->point_count, sizeof *centres, "centres of rotation", err);
	}
	if (centres && centres_find(surface, &watch, centres, err)) {
		data = skin_data_create(&length, SECTION_COUNT, err);
	}
	if (data) {
		spread(job->rig, surface, (const double(*)[4])centres, data);
	}
	free(centres);
	surface_destroy(surface);
	return data;
}

static const struct skin_recipe recipe = {
	.name = "cor",
	.version = 3,
	.keep = true,
	.derive = derive,
};

const struct skinning_method cor_method = {
	.id = "cor",
	.title = "optimised centres of rotation: rotations blended about where the weights are "
		 "alike",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "cor.comp",
			.entry_floats = ENTRY_FLOATS,
			.stretch_at = TURNED_FLOATS,
			.write_entry = write_entry,
			.skin = cor_skin,
			.skin_avx2 = cor_skin_avx2,
		},
};
#endif
