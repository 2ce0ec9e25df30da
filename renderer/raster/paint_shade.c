// Surfaces in other colours than their materials': shaders/paint_*.frag.
#include <string.h>

#include "base/lanes.h"
#include "raster/base_color.h"
#include "raster/painting.h"

/* A painted fragment on its way. */
struct painted {
	const struct raster_painting *painting;
	const struct raster_fragments *fragments;
	const struct based_batch *batch;
	float outward;
	int i;
};

KERNEL struct lanes3 paint_normal(const struct painted *p) {
	return normal_of(&p->batch->attributes, p->outward, p->i);
}

KERNEL struct lanes3 paint_to_eye(const struct painted *p) {
	return eye_at(&p->painting->surface.scene->world, &p->batch->attributes, p->i);
}

/* Light at the eye: what is turned less than 29 degrees away from it keeps its colour, so that
 * colours can be read, and what is turned farther gets darker, so that the shape can be seen. */
KERNEL lanes paint_shade_of(const struct painted *p) {
	const lanes facing = lanes_abs(lanes3_dot(paint_normal(p), paint_to_eye(p)));
	return lanes_less(0.3F + 0.8F * facing, 1 + (lanes){0});
}

KERNEL const float *vector_of(const struct painted *p, int k) {
	return p->painting->paint->vectors[k];
}

KERNEL struct lanes4 opaque(struct lanes3 color) {
	return (struct lanes4){color.x, color.y, color.z, 1 + (lanes){0}};
}

KERNEL const struct raster_triangle *triangle_of(const struct painted *p, int lane) {
	return &p->fragments->mesh->triangles[p->fragments->triangle[p->i + lane]];
}

/* --- Values of vertices --- */

/* The colour of the range that a triangle is in. */
KERNEL const float *range_color(const struct raster_painting *painting, uint32_t triangle) {
	static const float none[3];
	const struct paint *paint = painting->paint;
	const struct primitive *primitive = painting->primitive;
	const int start =
		primitive->index_count > 0 ? primitive->first_index : primitive->first_vertex;
	const int64_t corner = start + (int64_t)triangle * 3;
	for (size_t i = 0; i < paint->range_count; i++) {
		const struct paint_range *range = &paint->ranges[i];
		if (corner >= range->first && corner < (int64_t)range->first + range->count) {
			return range->color;
		}
	}
	return none;
}

KERNEL struct lanes3 range_colors(const struct painted *p) {
	float rows[3][LANE_COUNT];
	for (int j = 0; j < LANE_COUNT; j++) {
		const float *color = range_color(p->painting, triangle_of(p, j)->id);
		for (int k = 0; k < 3; k++) {
			rows[k][j] = color[k];
		}
	}
	return (struct lanes3){lanes_load(rows[0]), lanes_load(rows[1]), lanes_load(rows[2])};
}

KERNEL struct lanes3 painted_of(const struct painted *p) {
	if (p->painting->paint->ranges) {
		return range_colors(p);
	}
	return p->painting->paint->values ? load3(p->batch->attributes.color, p->i)
					  : lanes3_all((lanes){0});
}

/* --- Kinds of paint --- */

/* Places and widths beyond it are as far as this. */
#define STRIPES_FAR 1e8F

/* The share of a line of squares that are 1, over a stretch as wide as a pixel, about 0: -1 to 1.
 */
KERNEL lanes stripes(lanes at, lanes right, lanes down) {
	// The integral of a square wave of period 2 is a triangle wave.
	const lanes w = lanes_clamp(lanes_abs(right) + lanes_abs(down), 1e-4F, STRIPES_FAR);
	at = lanes_clamp(at, -STRIPES_FAR, STRIPES_FAR);
	const lanes start = (at - 0.5F * w) * 0.5F, end = (at + 0.5F * w) * 0.5F;
	const lanes a = lanes_abs((start - lanes_floor(start)) - 0.5F);
	const lanes b = lanes_abs((end - lanes_floor(end)) - 0.5F);
	return (2 * (a - b)) / w;
}

KERNEL struct lanes4 checker(const struct painted *p) {
	static const float dark[3] = {0.09F, 0.11F, 0.14F}, bright[3] = {0.82F, 0.80F, 0.76F};
	const struct raster_attributes *a = &p->batch->attributes;
	lanes board = 1 + (lanes){0};
	for (int k = 0; k < (p->painting->of_primitive > 0.5F ? 2 : 3); k++) {
		board *= stripes(lanes_load(a->color[k] + p->i),
			lanes_load(a->color_right[k] + p->i), lanes_load(a->color_down[k] + p->i));
	}
	const struct lanes3 tone =
		lanes3_mix(broadcast3(dark), broadcast3(bright), 0.5F + 0.5F * board);
	return opaque(lanes3_scale(tone, paint_shade_of(p)));
}

/* Distance along the view, the bits of a float as the bytes of a pixel, the lowest in red. */
KERNEL struct lanes4 depth(const struct painted *p) {
	const float *plane = vector_of(p, 0);
	const struct lanes3 position = load3(p->batch->attributes.position, p->i);
	const lane_mask bits = (lane_mask)(lanes3_dot(broadcast3(plane), position) + plane[3]);
	lanes bytes[4];
	for (int k = 0; k < 4; k++) {
		bytes[k] = __builtin_convertvector(bits >> (8 * k) & 255, lanes) / 255;
	}
	return (struct lanes4){bytes[0], bytes[1], bytes[2], bytes[3]};
}

/* A translucent figure of one colour, darker where it turns away from the eye. */
KERNEL struct lanes4 ghost(const struct painted *p) {
	const float *color = vector_of(p, 0);
	const struct lanes3 n = lanes3_unit(load3(p->batch->attributes.normal, p->i));
	const lanes facing = lanes_abs(lanes3_dot(n, paint_to_eye(p)));
	const struct lanes3 light = lanes3_scale(broadcast3(color), 0.35F + 0.65F * facing);
	return (struct lanes4){light.x, light.y, light.z, color[3] + (lanes){0}};
}

/* Numbers up to 2^24: red has the highest bits, blue the lowest. */
KERNEL struct lanes4 ids(const struct painted *p) {
	const struct paint *paint = p->painting->paint;
	float numbers[LANE_COUNT];
	for (int j = 0; j < LANE_COUNT; j++) {
		const size_t vertex = triangle_of(p, j)->provoking;
		numbers[j] = paint->values ? paint->values[vertex * (size_t)paint->width] : 0;
	}
	const lanes sum = lanes_load(numbers) + p->painting->of_primitive;
	const lane_mask id = __builtin_convertvector(lanes_clamp(sum, 0, 16777215), lane_mask);
	return opaque((struct lanes3){
		__builtin_convertvector(id >> 16 & 255, lanes) / 255,
		__builtin_convertvector(id >> 8 & 255, lanes) / 255,
		__builtin_convertvector(id & 255, lanes) / 255,
	});
}

/* Light from a direction (unit) that goes round the edge of what it falls on. */
KERNEL lanes wrapped(struct lanes3 n, const float *from, float around) {
	const lanes cosine = (lanes3_dot(n, broadcast3(from)) + around) / (1 + around);
	return lanes_greater(cosine, (lanes){0});
}

/* Clay in a studio: what it looks like follows from how the surface is turned towards the eye
 * alone. */
KERNEL struct lanes4 matcap(const struct painted *p) {
	static const float clay[3] = {0.62F, 0.40F, 0.29F};
	static const float window[3] = {1.50F, 1.42F, 1.32F}; // over the left shoulder, broad
	static const float wall[3] = {0.16F, 0.20F, 0.27F};   // from the right, below
	static const float room[3] = {0.20F, 0.19F, 0.19F};
	static const float to_window[3] = {-0.48471791F, 0.66097897F, 0.57284844F};
	static const float to_wall[3] = {0.92827912F, -0.30942637F, 0.20628425F};
	// Half way between the window and the eye.
	static const float between[3] = {-0.29910403F, 0.41874564F, 0.85743155F};
	const lanes none = {0};
	const struct lanes3 z = paint_to_eye(p);
	const struct lanes3 x = lanes3_unit(lanes3_cross(broadcast3(vector_of(p, 0)), z));
	const struct lanes3 y = lanes3_cross(z, x), world = paint_normal(p);
	const struct lanes3 n = {lanes3_dot(world, x), lanes3_dot(world, y), lanes3_dot(world, z)};
	const lanes key = wrapped(n, to_window, 0.25F);
	const struct lanes3 even = lanes3_scale(broadcast3(room), 0.7F + 0.3F * n.y);
	const struct lanes3 direct = lanes3_scale(broadcast3(window), key * key);
	const struct lanes3 back = lanes3_scale(broadcast3(wall), wrapped(n, to_wall, 0.5F));
	const lanes g = lanes_greater(lanes3_dot(n, broadcast3(between)), none);
	const lanes g2 = g * g, g4 = g2 * g2, g8 = g4 * g4;
	const lanes gloss = 0.10F * ((g8 * g8) * g8), edge = 1 - lanes_clamp(n.z, 0, 1);
	const lanes edge2 = edge * edge;
	// Edges are darker, but for a rim against the window's side.
	const struct lanes3 lit = lanes3_scale(
		lanes3_multiply(broadcast3(clay), lanes3_add(lanes3_add(even, direct), back)),
		1 - 0.35F * edge2);
	const struct lanes3 rim = lanes3_scale(broadcast3(wall), 0.25F * (edge2 * edge2));
	const struct lanes3 sum = lanes3_add(lanes3_add(lit, lanes3_all(gloss)), rim);
	return opaque((struct lanes3){lanes_less(sum.x, 1 + none), lanes_less(sum.y, 1 + none),
		lanes_less(sum.z, 1 + none)});
}

KERNEL struct lanes4 normals(const struct painted *p) {
	const struct lanes3 n = paint_normal(p);
	return opaque((struct lanes3){n.x * 0.5F + 0.5F, n.y * 0.5F + 0.5F, n.z * 0.5F + 0.5F});
}

/* A number at each vertex as a colour of a scale. */
KERNEL struct lanes4 scale(const struct painted *p) {
	const lanes at = lanes_clamp(painted_of(p).x, 0, 1) * (PAINT_COLORS - 1);
	const lanes first = lanes_less(lanes_floor(at), PAINT_COLORS - 2 + (lanes){0});
	const lane_mask entry = __builtin_convertvector(first, lane_mask);
	float near[LANE_COUNT][4], next[LANE_COUNT][4];
	for (int j = 0; j < LANE_COUNT; j++) {
		memcpy(near[j], p->painting->scale[entry[j]], sizeof near[j]);
		memcpy(next[j], p->painting->scale[entry[j] + 1], sizeof next[j]);
	}
	const struct lanes3 color = lanes3_mix(
		lanes3_of(lanes_load4(near[0], 4)), lanes3_of(lanes_load4(next[0], 4)), at - first);
	return opaque(lanes3_scale(color, paint_shade_of(p)));
}

/* --- The light of vertices: shaders/include/lit_vertex.glsl --- */

/* Zero where v is. */
KERNEL struct lanes3 unit(struct lanes3 v) {
	const lanes greatest = lanes3_greatest(v), none = {0};
	const struct lanes3 even = lanes3_unit(lanes3_divide(v, greatest));
	return lanes3_select(greatest > 0, even, lanes3_all(none));
}

/* c = ke + ka la + kd ll max(n.l, 0) + ks ll [n.l > 0] max(n.h, 0)^s, with ka = kd. */
KERNEL struct lanes3 light_on(const struct painted *p, struct lanes3 n, struct lanes3 l,
	struct lanes3 h, struct lanes3 base) {
	const float *specular = vector_of(p, 3);
	const lanes none = {0}, cosine = lanes3_dot(n, l), half = lanes3_dot(n, h);
	lanes gloss = 1 + none;
	if (specular[3] > 0) {
		gloss = lanes_select(half > 0, lanes_power(half, specular[3] + none), none);
	}
	gloss = lanes_select(cosine > 0, gloss, none);
	const struct lanes3 reflected = lanes3_add(lanes3_scale(base, lanes_greater(cosine, none)),
		lanes3_scale(broadcast3(specular), gloss));
	return lanes3_add(lanes3_multiply(base, broadcast3(vector_of(p, 1))),
		lanes3_multiply(broadcast3(vector_of(p, 2)), reflected));
}

/* Rows of three numbers of the vertices that are corner k. */
KERNEL struct lanes3 corner_rows(const struct painted *p, const float *values, int width, int k) {
	float rows[3][LANE_COUNT];
	for (int j = 0; j < LANE_COUNT; j++) {
		const float *row = values + (size_t)triangle_of(p, j)->corners[k] * (size_t)width;
		rows[0][j] = row[0];
		rows[1][j] = row[1];
		rows[2][j] = row[2];
	}
	return (struct lanes3){lanes_load(rows[0]), lanes_load(rows[1]), lanes_load(rows[2])};
}

KERNEL struct lanes3 eye_of_corner(const struct painted *p, struct lanes3 position) {
	const struct raster_scene *scene = p->painting->surface.scene;
	return unit(lanes3_subtract(
		broadcast3(scene->eye), lanes3_scale(position, scene->eye[3] + (lanes){0})));
}

KERNEL struct lanes3 light_of_corner(const struct painted *p, int k) {
	const struct raster_mesh *mesh = p->fragments->mesh;
	const struct raster_plain *surface = &p->painting->surface;
	struct lanes3 base = broadcast3(surface->base_color);
	if (mesh->colors) {
		base = lanes3_multiply(base, corner_rows(p, mesh->colors, 4, k));
	}
	const struct lanes3 emitted =
		lanes3_scale(broadcast3(surface->emissive), p->painting->of_primitive + (lanes){0});
	if (!surface->lit) {
		return lanes3_add(base, emitted);
	}
	const float *place = vector_of(p, 0);
	const struct lanes3 position = corner_rows(p, mesh->positions, 3, k);
	const int corner_floats = sizeof(struct raster_corner) / sizeof(float);
	const lanes side = lanes_load(p->batch->attributes.front + p->i) * p->outward;
	const struct lanes3 n = lanes3_scale(
		lanes3_unit(corner_rows(p, mesh->corners->normal, corner_floats, k)), side);
	const struct lanes3 l = place[3] > 0 ? unit(lanes3_subtract(broadcast3(place), position))
					     : broadcast3(surface->scene->key_direction);
	const struct lanes3 h = unit(lanes3_add(l, eye_of_corner(p, position)));
	return lanes3_add(light_on(p, n, l, h, base), emitted);
}

KERNEL struct lanes4 cg4m(const struct painted *p) {
	struct lanes3 light = lanes3_all((lanes){0});
	for (int k = 0; k < 3; k++) {
		const lanes weight = lanes_load(p->batch->attributes.weights[k] + p->i);
		light = lanes3_add(light, lanes3_scale(light_of_corner(p, k), weight));
	}
	const struct lanes4 texture = texture_of(&p->painting->surface, p->batch, p->i);
	return opaque(lanes3_multiply(light, lanes3_of(texture)));
}

/* --- All of them --- */

KERNEL struct lanes4 painted_color(const struct painted *p) {
	switch (p->painting->kind) {
	case RASTER_PAINT_CG4M:
		return cg4m(p);
	case RASTER_PAINT_CHECKER:
		return checker(p);
	case RASTER_PAINT_COLORS:
		return opaque(lanes3_scale(painted_of(p), paint_shade_of(p)));
	case RASTER_PAINT_DEPTH:
		return depth(p);
	case RASTER_PAINT_GHOST:
		return ghost(p);
	case RASTER_PAINT_IDS:
		return ids(p);
	case RASTER_PAINT_MATCAP:
		return matcap(p);
	case RASTER_PAINT_NORMALS:
		return normals(p);
	case RASTER_PAINT_SCALE:
		return scale(p);
	case RASTER_PAINT_SILHOUETTE:
	case RASTER_PAINT_COUNT:
		break;
	}
	return opaque(broadcast3(vector_of(p, 0)));
}

KERNEL unsigned wants_of(const struct raster_painting *painting) {
	return painting->kind == RASTER_PAINT_CHECKER
		? RASTER_WANTS_COLOR | RASTER_WANTS_COLOR_CHANGES
		: painting->kind == RASTER_PAINT_DEPTH ? RASTER_WANTS_POSITION
						       : 0U;
}

LANES_TARGET void LANES_NAME(paint_shade)(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const struct raster_painting *painting = context;
	struct based_batch batch;
	begin_based(&painting->surface, fragments, wants_of(painting), &batch);
	struct painted p = {painting, fragments, &batch, outward_of(fragments), 0};
	for (p.i = 0; p.i < batch.attributes.count; p.i += LANE_COUNT) {
		struct lanes4 color = painted_color(&p);
		if (painting->encoded) {
			color.x = lanes_decode(color.x);
			color.y = lanes_decode(color.y);
			color.z = lanes_decode(color.z);
		}
		lanes_store(color.x, out->red + p.i);
		lanes_store(color.y, out->green + p.i);
		lanes_store(color.z, out->blue + p.i);
		lanes_store(color.w, out->alpha + p.i);
	}
}

LANES_TARGET void LANES_NAME(paint_mask)(
	const void *context, const struct raster_fragments *fragments, bool solid[RASTER_QUEUE]) {
	const struct raster_painting *painting = context;
	mask_based(&painting->surface, fragments, solid);
}
