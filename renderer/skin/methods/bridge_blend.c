/* Component-based animation with bridges: rigid parts, and where they were cut apart a strip of
 * surface from the one border to the other, of Hermite curves that leave the first part and come
 * into the second along their bones. As long as the parts have not moved against each other the
 * strips have no width.
 *
 * A strip's vertices carry the part nearer to the root and the one beyond as influences. What a
 * ring's point a of the first part is as b in the second is the same vertex of the mesh, so that
 * a' = M_A v and b' = M_B v. Their normals are those of the surface that the curves span, with the
 * border's direction t: p_t x p_u; at both borders, and where a strip has no width, the parts'.
 * Source: Parent, Computer Animation, there "vertex blending"; METHODS A3. */
#include "skin/block.h"
#include "skin/method.h"
#include "skin/normal.h"
#include "skin/palette.h"

#define ENTRY_FLOATS PALETTE_MATRIX_FLOATS

enum { SUBRINGS, VARIANT };

enum variant { VARIANT_HERMITE, VARIANT_LINEAR };

/* A row of ROW_FLOATS for each vertex, all zero for those of parts: the first part's direction of
 * travel and u; the second's, and the width below which a strip counts as closed; the border's
 * direction. All are unit, of the bind pose. */
enum section { ROWS };

#define ROW_FLOATS 12

skin_kernel bridge_blend_skin, bridge_blend_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};

/* Maps a vertex, normal and tangent by the pivot's matrix alone; the position is the caller's. */
KERNEL struct lanes_matrix put_rigid(const struct block *block, lane_mask open, struct lanes3 own) {
	const struct lanes_matrix m = block_matrix_of(block, 0, matrix_field);
	const struct lanes3 n = block_normal(block);
	const struct lanes3 mapped = normal_map(block->job->normals_by, block, &m,
		normal_palette_size_square(block), n, matrix_field);
	const struct lanes3 normal = lanes3_select(open, own, mapped);
	normal_put(block, &m, normal, block_has_tangents(block));
	return m;
}

KERNEL void part_block(const struct block *block) {
	const lane_mask none = {0};
	const struct lanes3 zero = {{0}, {0}, {0}};
	const struct lanes_matrix m = put_rigid(block, none, zero);
	block_put_position(block, lanes_map_point(&m, block_position(block)));
}

KERNEL struct lanes3 mix3(struct lanes3 a, struct lanes3 b, lanes share) {
	return lanes3_add(a, lanes3_scale(lanes3_subtract(b, a), share));
}

/* A direction under a matrix, unit; zero where it vanishes. */
KERNEL struct lanes3 unit_or_zero(
	const struct block *block, const struct lanes_matrix *m, struct lanes3 direction) {
	lane_mask ok;
	const lanes zero = {0};
	const struct lanes3 none = {zero, zero, zero};
	const struct lanes3 unit = normal_unit(
		m, normal_palette_size_square(block), lanes_map_direction(m, direction), &ok);
	return lanes3_select(ok, unit, none);
}

/* Of a strip, in every lane: both ends and their directions, posed. */
struct strip {
	struct lanes3 start, across; // a' and b' - a'
	struct lanes3 start_along, end_along, start_border, end_border;
	lanes u, width; // width = |across|
};

KERNEL struct strip strip_of(const struct block *block, const float *rows) {
	const struct lanes4 first = block_row4(block, rows, ROW_FLOATS);
	const struct lanes4 second = block_row4(block, rows + 4, ROW_FLOATS);
	const struct lanes3 border = lanes3_of(block_row4(block, rows + 8, ROW_FLOATS));
	const struct lanes_matrix m = block_matrix_of(block, 0, matrix_field);
	const struct lanes_matrix n = block_matrix_of(block, 1, matrix_field);
	// The first part is the pivot up to the middle.
	const lane_mask early = first.w <= 0.5f;
	const struct lanes_matrix a = {lanes3_select(early, m.a0, n.a0),
		lanes3_select(early, m.a1, n.a1), lanes3_select(early, m.a2, n.a2),
		lanes3_select(early, m.b, n.b)};
	const struct lanes_matrix b = {lanes3_select(early, n.a0, m.a0),
		lanes3_select(early, n.a1, m.a1), lanes3_select(early, n.a2, m.a2),
		lanes3_select(early, n.b, m.b)};
	const struct lanes3 v = block_position(block);
	struct strip s = {.start = lanes_map_point(&a, v), .u = first.w};
	s.across = lanes3_subtract(lanes_map_point(&b, v), s.start);
	s.width = lanes_sqrt(lanes3_dot(s.across, s.across));
	s.start_along = unit_or_zero(block, &a, lanes3_of(first));
	s.end_along = unit_or_zero(block, &b, lanes3_of(second));
	s.start_border = lanes_map_direction(&a, border);
	s.end_border = lanes_map_direction(&b, border);
	return s;
}

/* The gradient of the width along the border. */
KERNEL lanes widening(const struct strip *s) {
	const struct lanes3 change = lanes3_subtract(s->end_border, s->start_border);
	const lanes zero = {0};
	return lanes_select(s->width > 0, lanes3_dot(s->across, change) / s->width, zero);
}

/* p(u), and its derivatives by u and along the border. */
struct spot {
	struct lanes3 position, along, border;
};

KERNEL struct spot linear_spot(const struct strip *s) {
	return (struct spot){
		lanes3_add(s->start, lanes3_scale(s->across, s->u)),
		s->across,
		mix3(s->start_border, s->end_border, s->u),
	};
}

KERNEL struct spot hermite_spot(const struct strip *s) {
	const lanes u = s->u, rest = 1.0f - u;
	const lanes h01 = u * u * (3.0f - 2.0f * u), h10 = u * rest * rest, h11 = -(u * u * rest);
	const lanes slope01 = 6.0f * u * rest, slope10 = rest * (1.0f - 3.0f * u);
	const lanes slope11 = u * (3.0f * u - 2.0f);
	const struct lanes3 bow =
		lanes3_add(lanes3_scale(s->start_along, h10), lanes3_scale(s->end_along, h11));
	const struct lanes3 slope = lanes3_add(
		lanes3_scale(s->start_along, slope10), lanes3_scale(s->end_along, slope11));
	return (struct spot){
		lanes3_add(lanes3_add(s->start, lanes3_scale(s->across, h01)),
			lanes3_scale(bow, s->width)),
		lanes3_add(lanes3_scale(s->across, slope01), lanes3_scale(slope, s->width)),
		lanes3_add(
			mix3(s->start_border, s->end_border, h01), lanes3_scale(bow, widening(s))),
	};
}

/* a x b, unit; *fine tells where it has not vanished against the lengths of both. Lanes that are
 * not wanted may have anything. */
KERNEL struct lanes3 unit_across(
	struct lanes3 a, struct lanes3 b, lane_mask wanted, lane_mask *ok) {
	const struct lanes3 cross = lanes3_cross(a, b);
	const lanes square = lanes3_dot(cross, cross);
	const struct lanes3 unit = lanes3_scale(cross, 1.0f / lanes_sqrt(square));
	*ok = square >
		NORMAL_LEAST_SQUARE * (lanes3_dot(a, a) * lanes3_dot(b, b)) + NORMAL_SAFE_SQUARE;
	if (__builtin_expect(lanes_all(*ok | ~wanted), true)) {
		return unit;
	}
	const struct lanes3 p = lanes3_divide(a, normal_divisor(lanes3_greatest(a)));
	const struct lanes3 q = lanes3_divide(b, normal_divisor(lanes3_greatest(b)));
	const struct lanes3 small = lanes3_cross(p, q);
	const lanes far = lanes3_dot(small, small);
	const lane_mask near = *ok;
	*ok |= far > NORMAL_LEAST_SQUARE * (lanes3_dot(p, p) * lanes3_dot(q, q));
	return lanes3_select(near, unit, lanes3_scale(small, 1.0f / lanes_sqrt(far)));
}

KERNEL void strip_block(const struct block *block, const float *rows, enum variant variant) {
	const struct strip s = strip_of(block, rows);
	const struct spot spot = variant == VARIANT_LINEAR ? linear_spot(&s) : hermite_spot(&s);
	lane_mask ok;
	const lane_mask open = s.width > block_row1(block, rows + 7, ROW_FLOATS);
	const struct lanes3 normal = unit_across(spot.border, spot.along, open, &ok);
	block_put_position(block, spot.position);
	put_rigid(block, open & ok, normal);
}

LANES_TARGET void LANES_NAME(bridge_blend_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const enum variant variant = (enum variant)job->options->values[VARIANT];
	const float *rows = skin_data_read_floats(job->data, ROWS);
	const bool strips = primitive->influence_count > 1;
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		if (strips) {
			strip_block(block, rows, variant);
		} else {
			part_block(block);
		}
	}
}

#ifndef LANES_AVX2
#include <stdlib.h>

#include "base/vec.h"
#include "skin/methods/components.h"
#include "skin/rigid.h"

/* Of the edges around a vertex: a strip narrower than this share of their length is closed. */
#define CLOSED_SHARE 1e-3

#define MOST_SUBRINGS 32

static const char *const variants[] = {
	[VARIANT_HERMITE] = "hermite", [VARIANT_LINEAR] = "linear", NULL};

static const struct skin_option subrings_option = {
	.name = "subrings",
	.title = "into how many pieces each bridge is divided from one part to the other",
	.kind = SKIN_OPTION_INTEGER,
	.least = 1,
	.most = MOST_SUBRINGS,
	.standard = 4,
	.derives = true,
};

static const struct skin_option variant_option = {
	.name = "variant",
	.title = "bridges of curves that follow the bones, or of straight lines",
	.kind = SKIN_OPTION_CHOICE,
	.choices = variants,
	.standard = VARIANT_HERMITE,
};

static const struct skin_option *const options[] = {
	[SUBRINGS] = &subrings_option,
	[VARIANT] = &variant_option,
	NULL,
};

/* One curve of a strip: a vertex of a border and the parts on its sides. */
struct curve {
	int primitive;
	uint32_t vertex;
	int above, below;
	bool related;
	double border[3]; // sum of the edges' directions
	double length;    // greatest of their lengths
};

static int by_vertex(const void *a, const void *b) {
	const struct curve *x = a, *y = b;
	return x->vertex != y->vertex  ? (x->vertex > y->vertex) - (x->vertex < y->vertex)
		: x->above != y->above ? x->above - y->above
				       : x->below - y->below;
}

struct curves {
	struct curve *list; // [count] by vertex: primitive after primitive
	size_t count;
};

static struct curve curve_of(const struct components *cut, const struct cut_edge *edge, bool end) {
	struct curve curve = {edge->primitive, end ? edge->to : edge->from, edge->above,
		edge->below, edge->related, {0}, 0};
	for (size_t k = 0; k < 3; k++) {
		// A strip's edge at the border runs against that of the face.
		curve.border[k] = (double)cut->rig->positions[(size_t)edge->from * 3 + k] -
			(double)cut->rig->positions[(size_t)edge->to * 3 + k];
	}
	curve.length = vec3_length(curve.border);
	return curve;
}

static struct curves find_curves(const struct components *cut) {
	struct curves curves = {
		arena_alloc(cut->arena, (size_t)cut->edge_count * 2, sizeof *curves.list), 0};
	struct curve *list = curves.list;
	for (int i = 0; i < cut->edge_count * 2; i++) {
		list[i] = curve_of(cut, &cut->edges[i / 2], i % 2);
	}
	qsort(list, (size_t)cut->edge_count * 2, sizeof *list, by_vertex);
	for (int i = 0; i < cut->edge_count * 2; i++) {
		struct curve *last = curves.count > 0 ? &list[curves.count - 1] : NULL;
		if (!last || by_vertex(last, &list[i]) != 0) {
			list[curves.count++] = list[i];
			continue;
		}
		last->length = last->length > list[i].length ? last->length : list[i].length;
		for (int k = 0; k < 3; k++) {
			last->border[k] += list[i].border[k];
		}
	}
	return curves;
}

static size_t find_curve(
	const struct curves *curves, const struct cut_edge *edge, uint32_t vertex) {
	const struct curve key = {.vertex = vertex, .above = edge->above, .below = edge->below};
	const struct curve *found =
		bsearch(&key, curves->list, curves->count, sizeof *curves->list, by_vertex);
	return (size_t)(found - curves->list);
}

/* The strip vertex of a curve at u, with the part that it is nearer to first. */
static void set_influences(const struct rig *rig, const struct curve *curve, float u,
	uint16_t slots[static 4], float weights[static 4]) {
	const int start = rig->primitives[curve->primitive].first_slot;
	const uint16_t above = (uint16_t)(curve->above - start);
	const uint16_t below = (uint16_t)(curve->below - start);
	const bool early = u <= 0.5f;
	for (int k = 0; k < 4; k++) {
		slots[k] = early ? above : below;
		weights[k] = 0;
	}
	weights[0] = early ? 1 - u : u;
	weights[1] = early ? u : 1 - u;
	if (weights[1] > 0) {
		slots[1] = early ? below : above;
	}
}

/* Triangles between the curves of an edge's two ends, counting from a primitive's first curve. */
static uint32_t *write_strip(uint32_t from, uint32_t to, uint32_t subrings, uint32_t *out) {
	const uint32_t v = from * (subrings + 1), w = to * (subrings + 1);
	for (uint32_t s = 0; s < subrings; s++) {
		*out++ = w + s, *out++ = v + s, *out++ = v + s + 1;
		*out++ = w + s, *out++ = v + s + 1, *out++ = w + s + 1;
	}
	return out;
}

/* The strips of a primitive, whose curves are first to end. */
static struct piece make_strips(const struct components *cut, const struct curves *curves,
	size_t first, size_t end, uint32_t subrings) {
	struct arena *arena = cut->arena;
	const int primitive = curves->list[first].primitive;
	const size_t count = (end - first) * (subrings + 1);
	uint32_t *sources = arena_alloc(arena, count, sizeof *sources);
	uint16_t *slots = arena_alloc(arena, count * 4, sizeof *slots);
	float *weights = arena_alloc(arena, count * 4, sizeof *weights);
	for (size_t i = 0; i < count; i++) {
		const struct curve *curve = &curves->list[first + i / (subrings + 1)];
		const float u = (float)(i % (subrings + 1)) / (float)subrings;
		sources[i] = curve->vertex;
		set_influences(cut->rig, curve, u, slots + i * 4, weights + i * 4);
	}
	uint32_t *indices =
		arena_alloc(arena, (size_t)cut->edge_count * subrings, 6 * sizeof *indices);
	uint32_t *next = indices;
	for (int i = 0; i < cut->edge_count; i++) {
		const struct cut_edge *edge = &cut->edges[i];
		if (edge->primitive == primitive) {
			next = write_strip((uint32_t)(find_curve(curves, edge, edge->from) - first),
				(uint32_t)(find_curve(curves, edge, edge->to) - first), subrings,
				next);
		}
	}
	return (struct piece){
		.primitive = primitive,
		.vertex_count = (int)count,
		.sources = sources,
		.influence_count = 4,
		.slots = slots,
		.weights = weights,
		.index_count = (int)(next - indices),
		.indices = indices,
	};
}

/* The directions that a curve leaves and arrives in: along the bones, from the joint nearer to the
 * root on; between two of which neither is above the other back along the one. */
static void set_directions(const struct components *cut, const struct curve *curve,
	double start[static 3], double end[static 3]) {
	const struct bone *above = &cut->bones[curve->above], *below = &cut->bones[curve->below];
	if (curve->related) {
		vec3_sub(below->from, above->from, start);
	} else {
		vec3_sub(above->from, above->to, start);
	}
	vec3_sub(below->to, below->from, end);
	const bool has_start = vec3_normalize(start), has_end = vec3_normalize(end);
	for (int k = 0; k < 3; k++) {
		start[k] = has_start ? start[k] : end[k];
		end[k] = has_end ? end[k] : start[k];
	}
}

static void write_rows(
	const struct components *cut, const struct curve *curve, uint32_t subrings, float *rows) {
	double start[3], end[3], border[3] = {curve->border[0], curve->border[1], curve->border[2]};
	set_directions(cut, curve, start, end);
	vec3_normalize(border);
	const double unit = rigid_bind_unit(cut->rig, &cut->rig->primitives[curve->primitive]);
	for (uint32_t s = 0; s <= subrings; s++) {
		float *row = rows + (size_t)s * ROW_FLOATS;
		for (int k = 0; k < 3; k++) {
			row[k] = (float)start[k];
			row[4 + k] = (float)end[k];
			row[8 + k] = (float)border[k];
		}
		row[3] = (float)s / (float)subrings;
		row[7] = (float)(CLOSED_SHARE * unit * curve->length);
	}
}

/* The parts, each primitive's strips behind its own, and the strips' rows. */
static struct skin_data *build(const struct components *cut, uint32_t subrings, struct error *err) {
	const struct rig *rig = cut->rig;
	const struct curves curves = find_curves(cut);
	struct piece *pieces =
		arena_alloc(cut->arena, (size_t)rig->primitive_count * 2, sizeof *pieces);
	int count = 0;
	for (size_t i = 0, first = 0, end = 0; i < (size_t)rig->primitive_count; i++, first = end) {
		pieces[count++] = cut->pieces[i];
		while (end < curves.count && curves.list[end].primitive == (int)i) {
			end++;
		}
		if (end > first) {
			pieces[count++] = make_strips(cut, &curves, first, end, subrings);
		}
	}
	struct rig *joined = pieces_join(rig, pieces, count, err);
	const size_t lengths[] = {[ROWS] = joined ? (size_t)joined->vertex_count * ROW_FLOATS : 0};
	struct skin_data *data = joined ? skin_data_create(lengths, 1, err) : NULL;
	if (!data) {
		rig_release(joined);
		return NULL;
	}
	data->rig = joined;
	for (size_t i = 0, curve = 0; i < (size_t)joined->primitive_count; i++) {
		const struct primitive *p = &joined->primitives[i];
		const size_t start = (size_t)p->first_vertex;
		for (size_t v = 0; p->influence_count > 1 && v < (size_t)p->vertex_count;
			v += subrings + 1) {
			write_rows(cut, &curves.list[curve++], subrings,
				skin_data_floats(data, ROWS) + (start + v) * ROW_FLOATS);
		}
	}
	return data;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	struct arena *arena = arena_create();
	struct components cut;
	struct skin_data *data = components_cut(job->rig, arena, job->stop, &cut, err)
		? build(&cut, (uint32_t)job->options->values[SUBRINGS], err)
		: NULL;
	arena_destroy(arena);
	return data;
}

static const struct skin_recipe recipe = {
	.name = "bridge_blend", .version = 1, .makes_rig = true, .derive = derive};

const struct skinning_method bridge_blend_method = {
	.id = "bridge_blend",
	.title = "rigid parts, one to a joint, and curved bridges between their borders",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "bridge_blend.comp",
			.entry_floats = ENTRY_FLOATS,
			.prepare = palette_prepare,
			.skin = bridge_blend_skin,
			.skin_avx2 = bridge_blend_skin_avx2,
		},
};
#endif
