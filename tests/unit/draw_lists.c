// Draw lists out of decisions: any numbers where clients or files choose them, and what the seam
// promises elsewhere.
#include "draw_lists.h"

#include <float.h>
#include <string.h>

#include "draw/material.h"

#define PRIMITIVES 6
#define TEXTURES 3
#define MATERIALS 4
#define LIGHTS 3

/* --- Numbers --- */

static const float odd[] = {0, -0.0F, 1, -1, 0.5F, 1e38F, -1e38F, FLT_MAX, FLT_MIN, -FLT_MIN,
	1e-45F, 1e-20F, 1e20F, 16384, -16384, 8388607, 2147483648.0F, 255.99F, 1e9F, -1e9F, NAN,
	-NAN, INFINITY, -INFINITY};
#define ODD (sizeof odd / sizeof *odd)
#define ODD_FINITE (ODD - 4)

bool decide_perhaps(struct decisions *d) {
	return decide(d, 2) == 0;
}

float decide_between(struct decisions *d, float from, float to) {
	return from + (to - from) * (float)decide(d, 256) / 255;
}

/* Most numbers are such as rigs have. */
float decide_finite(struct decisions *d) {
	const unsigned kind = decide(d, 16);
	return kind == 0   ? odd[decide(d, ODD_FINITE)]
		: kind < 4 ? (float)decide(d, 5) - 2
			   : decide_between(d, -2, 2);
}

float decide_number(struct decisions *d) {
	return decide(d, 24) == 0 ? odd[decide(d, ODD)] : decide_finite(d);
}

static float *any_numbers(const struct draw_list *list, size_t count) {
	float *numbers = arena_alloc(list->arena, count + 1, sizeof *numbers);
	for (size_t i = 0; i < count; i++) {
		numbers[i] = decide_number(list->decisions);
	}
	return numbers;
}

static void fill_numbers(const struct draw_list *list, float *out, size_t count) {
	for (size_t i = 0; i < count; i++) {
		out[i] = decide_number(list->decisions);
	}
}

static void any_direction(const struct draw_list *list, float out[static 3]) {
	static const float units[][3] = {
		{0, 0, 1}, {0, 0, -1}, {0.6F, 0.8F, 0}, {-1, 0, 0}, {0, -0.28F, 0.96F}};
	memcpy(out, units[decide(list->decisions, 5)], sizeof *units);
}

/* --- The rig --- */

static void make_images(struct draw_list *list) {
	static const int sides[] = {1, 2, 3, 4, 5, 7, 16, 31, 64, 129};
	struct decisions *d = list->decisions;
	struct rig *rig = &list->rig;
	rig->image_count = rig->texture_count = (int)decide(d, TEXTURES + 1);
	rig->images = arena_alloc(list->arena, TEXTURES, sizeof *rig->images);
	rig->textures = arena_alloc(list->arena, TEXTURES, sizeof *rig->textures);
	for (int i = 0; i < rig->image_count; i++) {
		struct image *image = &rig->images[i];
		*image = (struct image){
			.width = sides[decide(d, 10)], .height = sides[decide(d, 10)]};
		const size_t bytes = (size_t)image->width * (size_t)image->height * 4;
		image->rgba = arena_alloc(list->arena, bytes, 1);
		const unsigned step = decide(d, 256);
		for (size_t k = 0; k < bytes; k++) {
			image->rgba[k] = (unsigned char)(k * (step + k % 3) >> 1);
		}
		rig->textures[i] = (struct texture){
			.image = (int)decide(d, (unsigned)rig->image_count),
			.wrap_u = (enum wrap)decide(d, 3),
			.wrap_v = (enum wrap)decide(d, 3),
			.nearest = decide_perhaps(d),
			.no_mipmaps = decide_perhaps(d),
		};
	}
}

static struct texture_slot make_slot(const struct draw_list *list) {
	struct decisions *d = list->decisions;
	const unsigned count = (unsigned)list->rig.texture_count;
	struct texture_slot slot = {.texture = -1, .scale = {1, 1}};
	if (count > 0 && decide_perhaps(d)) {
		slot.texture = (int)decide(d, count);
		slot.texcoords = (int)decide(d, TEXCOORD_SETS);
	}
	if (decide(d, 4) == 0) {
		slot.offset[0] = decide_finite(d);
		slot.offset[1] = decide_finite(d);
		slot.rotation_rad = decide_finite(d);
		slot.scale[0] = decide_finite(d);
		slot.scale[1] = decide_finite(d);
	}
	return slot;
}

/* All members, in the ranges that importers hold them to. */
static void make_material(const struct draw_list *list, struct material *material) {
	struct decisions *d = list->decisions;
	*material = material_default;
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		float *numbers = (float *)(void *)((char *)material + factor->at);
		for (int k = 0; decide_perhaps(d) && k < factor->count; k++) {
			const float number = decide_finite(d);
			numbers[k] = number < factor->least ? factor->least
				: number > factor->most     ? factor->most
							    : number;
		}
	}
	material->mtoon = decide(d, 3) == 0;
	material->transparent_with_z_write = decide_perhaps(d);
	material->outline_mode = (enum outline_mode)decide(d, OUTLINE_MODE_COUNT);
	material->render_queue_offset = (int)decide(d, 19) - RENDER_QUEUE_OFFSET_MAX;
	material->unlit = !material->mtoon && decide(d, 6) == 0;
	material->double_sided = decide_perhaps(d);
	material->alpha_mode = (enum alpha_mode)decide(d, 3);
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		material->textures[use] = make_slot(list);
	}
}

static void make_materials(struct draw_list *list) {
	struct rig *rig = &list->rig;
	rig->material_count = (int)decide(list->decisions, MATERIALS + 1);
	rig->materials = arena_alloc(list->arena, MATERIALS, sizeof *rig->materials);
	for (int i = 0; i < rig->material_count; i++) {
		make_material(list, &rig->materials[i]);
	}
}

static void make_primitive(struct draw_list *list, struct primitive *primitive) {
	struct decisions *d = list->decisions;
	struct rig *rig = &list->rig;
	*primitive = (struct primitive){
		.material = (int)decide(d, (unsigned)rig->material_count + 1) - 1,
		.topology = (enum topology)(decide(d, 3) ? 0 : decide(d, 3)),
		.unlit = decide(d, 8) == 0,
		.first_vertex = rig->vertex_count,
		.vertex_count = 1 + (int)decide(d, DRAW_LIST_VERTICES),
		.first_index = rig->index_count,
	};
	const int corners = primitive->topology == TOPOLOGY_TRIANGLES ? 3
		: primitive->topology == TOPOLOGY_LINES               ? 2
								      : 1;
	if (decide_perhaps(d)) {
		primitive->index_count = corners * (int)decide(d, DRAW_LIST_VERTICES + 1);
		for (int i = 0; i < primitive->index_count; i++) {
			rig->indices[rig->index_count++] =
				decide(d, (unsigned)primitive->vertex_count);
		}
	} else {
		primitive->vertex_count = corners * (1 + primitive->vertex_count / corners);
	}
	rig->vertex_count += primitive->vertex_count;
}

static void make_rig(struct draw_list *list) {
	struct decisions *d = list->decisions;
	struct rig *rig = &list->rig;
	make_images(list);
	make_materials(list);
	rig->primitive_count = (int)decide(d, PRIMITIVES + 1);
	rig->primitives = arena_alloc(list->arena, PRIMITIVES, sizeof *rig->primitives);
	rig->indices = arena_alloc(
		list->arena, (size_t)PRIMITIVES * DRAW_LIST_VERTICES * 3, sizeof *rig->indices);
	for (int i = 0; i < rig->primitive_count; i++) {
		make_primitive(list, &rig->primitives[i]);
	}
	const size_t count = (size_t)rig->vertex_count;
	list->streams = any_numbers(list, count * 10);
	rig->positions = list->streams;
	rig->normals = list->streams + count * 3;
	rig->tangents = decide_perhaps(d) ? list->streams + count * 6 : NULL;
	rig->texcoords[0] = decide_perhaps(d) ? any_numbers(list, count * 2) : NULL;
	rig->texcoords[1] =
		rig->texcoords[0] && decide_perhaps(d) ? any_numbers(list, count * 2) : NULL;
	rig->colors = decide_perhaps(d) ? any_numbers(list, count * 4) : NULL;
	list->mirrored = arena_alloc(list->arena, PRIMITIVES, sizeof *list->mirrored);
	for (int i = 0; i < rig->primitive_count; i++) {
		list->mirrored[i] = decide(d, 4) == 0;
	}
}

/* --- The view and the light --- */

static void make_matrix(const struct draw_list *list, float m[static 16]) {
	struct decisions *d = list->decisions;
	const float near = 0.2F, far = 12, away = decide_between(d, -1, 4);
	const float perspective[16] = {1.5F, 0, 0, 0, 0, -1.5F, 0, 0, 0, 0,
		(far + near) / (near - far), -1, 0, 0,
		2 * far * near / (near - far) - away * (far + near) / (near - far), away};
	const float parallel[16] = {
		0.5F, 0, 0, 0, 0, -0.5F, 0, 0, 0, 0, -0.1F, 0, decide_between(d, -1, 1), 0, 0, 1};
	memcpy(m, decide_perhaps(d) ? perspective : parallel, 16 * sizeof *m);
	for (int i = 0; i < 16; i++) {
		if (decide(d, 40) == 0) {
			m[i] = decide_number(d);
		}
	}
}

static void make_look(const struct draw_list *list, struct shaded_look *look) {
	struct decisions *d = list->decisions;
	struct shaded_light *lights = arena_alloc(list->arena, LIGHTS, sizeof *lights);
	*look = (struct shaded_look){
		.environment = (enum environment)decide(d, ENVIRONMENT_COUNT),
		.tone_mapping = (enum tone_mapping)decide(d, 3),
		.exposure = decide_perhaps(d) ? 1 : decide_number(d),
		.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1},
		.lights = lights,
		.light_count = (int)decide(d, LIGHTS + 1),
	};
	for (int i = 0; i < look->light_count; i++) {
		fill_numbers(list, lights[i].place, 16);
		lights[i].place[3] = decide_perhaps(d) ? 1 : 0;
	}
	if (decide_perhaps(d)) {
		fill_numbers(list, look->turn, 9);
	}
}

/* Corners of a paint: the same as the rig's, but for some others of the same primitive. */
static uint32_t *make_corners(const struct draw_list *list) {
	const struct rig *rig = &list->rig;
	uint32_t *corners = arena_alloc(list->arena, (size_t)rig->index_count + 1, sizeof *corners);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int k = 0; k < primitive->index_count; k++) {
			corners[primitive->first_index + k] = (uint32_t)primitive->first_vertex +
				decide(list->decisions, (unsigned)primitive->vertex_count);
		}
	}
	return corners;
}

static struct paint_range *make_ranges(const struct draw_list *list, size_t *count) {
	const struct rig *rig = &list->rig;
	struct paint_range *ranges = arena_alloc(list->arena, PRIMITIVES * 2, sizeof *ranges);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const bool indexed = p->index_count > 0;
		const int all = (indexed ? p->index_count : p->vertex_count) / 3 * 3;
		const int part = (int)decide(list->decisions, (unsigned)all / 3 + 1) * 3;
		for (int k = 0; k < 2; k++) {
			struct paint_range *range = &ranges[(*count)++];
			*range = (struct paint_range){.primitive = i,
				.first = (indexed ? p->first_index : p->first_vertex) + k * part,
				.count = k == 0 ? part : all - part};
			fill_numbers(list, range->color, 3);
		}
	}
	return ranges;
}

const struct paint *draw_list_paint(const struct draw_list *list) {
	static const char *const shaders[] = {"paint_cg4m.frag", "paint_checker.frag",
		"paint_colors.frag", "paint_depth.frag", "paint_ghost.frag", "paint_ids.frag",
		"paint_matcap.frag", "paint_normals.frag", "paint_scale.frag",
		"paint_silhouette.frag"};
	static unsigned char scale[PAINT_COLORS][4];
	struct decisions *d = list->decisions;
	struct paint *paint = arena_alloc(list->arena, 1, sizeof *paint);
	*paint = (struct paint){
		.shader = shaders[decide(d, sizeof shaders / sizeof *shaders)],
		.scale = decide_perhaps(d) ? (const unsigned char(*)[4])scale : NULL,
		.width = 1 + (int)decide(d, 4),
		.bytes = decide_perhaps(d),
		.both_sides = decide_perhaps(d),
	};
	for (int i = 0; i < PAINT_COLORS * 4; i++) {
		scale[i / 4][i % 4] = (unsigned char)(i * 37);
	}
	fill_numbers(list, paint->vectors[0], PAINT_VECTORS * 4);
	const size_t vertices = (size_t)list->rig.vertex_count;
	paint->values =
		decide_perhaps(d) ? any_numbers(list, vertices * (size_t)paint->width) : NULL;
	paint->of_primitives = decide_perhaps(d) ? any_numbers(list, PRIMITIVES) : NULL;
	paint->corners = decide_perhaps(d) ? make_corners(list) : NULL;
	paint->ranges = decide_perhaps(d) ? make_ranges(list, &paint->range_count) : NULL;
	return paint;
}

static void make_job(struct draw_list *list) {
	struct decisions *d = list->decisions;
	struct draw_job *job = &list->job;
	*job = (struct draw_job){
		.rig = &list->rig,
		.mirrored = list->mirrored,
		.tangents = list->rig.tangents && decide_perhaps(d),
		.flipped = true,
		.plain = decide(d, 4) == 0,
		.positions = list->streams,
	};
	make_matrix(list, job->view_projection);
	fill_numbers(list, job->eye, 3);
	job->eye[3] = decide_perhaps(d) ? 1 : 0;
	any_direction(list, job->back);
	any_direction(list, job->key_direction);
	make_look(list, &job->look);
}

static void make_start(struct draw_list *list) {
	static const int sides[] = {1, 2, 3, 4, 5, 8, 17, 31, 63, 64, 65, 100, 129};
	struct decisions *d = list->decisions;
	const bool strip = decide(d, 16) == 0;
	list->start.target = (struct target_kind){
		.width = strip ? 4096 : sides[decide(d, 13)],
		.height = strip ? 1 : sides[decide(d, 13)],
		.samples = 1 << decide(d, 4),
		.plain = decide(d, 4) == 0,
	};
	for (int i = 0; i < 4; i++) {
		list->start.color[i] = decide_perhaps(d) ? 0 : decide_between(d, 0, 1);
	}
}

void draw_list_make(struct draw_list *list) {
	make_start(list);
	make_rig(list);
	make_job(list);
	list->start.transmits = rig_transmits(&list->rig);
}
