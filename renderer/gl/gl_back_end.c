// OpenGL ES behind the seam.
#include "gl/gl_back_end.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "gl/behind.h"
#include "gl/draw.h"
#include "gl/egl.h"
#include "gl/gpu_skin.h"
#include "gl/ground.h"
#include "gl/key_maps.h"
#include "gl/lines.h"
#include "gl/target.h"

static struct gl_back_end *gl_of(struct back_end *back_end) {
	return (struct gl_back_end *)back_end;
}

static const struct gl_back_end *gl_of_const(const struct back_end *back_end) {
	return (const struct gl_back_end *)back_end;
}

static struct gpu_copies *copies_of(struct drawn_copies *copies) {
	return (struct gpu_copies *)copies;
}

/* --- The instance --- */

static void destroy(struct back_end *back_end) {
	struct gl_back_end *gl = gl_of(back_end);
	target_destroy(gl->target);
	resolver_destroy(gl->resolver);
	behind_destroy(gl->behind);
	ground_destroy(gl->ground);
	key_maps_destroy(gl->key);
	lines_destroy(gl->lines);
	draw_destroy(gl->draw);
	gpu_skin_destroy(gl->skin);
	egl_destroy(gl->egl);
	free(gl);
}

static bool make_parts(struct gl_back_end *gl, struct error *err) {
	gl->skin = gpu_skin_create(err);
	struct gl_limits limits;
	gl_limits_get(&limits);
	gl->draw =
		gl->skin ? draw_create(egl_is_software(gl->egl), limits.vertex_blocks > 0) : NULL;
	gl->resolver = gl->draw ? resolver_create(err) : NULL;
	return gl->resolver != NULL;
}

/* True when the kernel shows a device that may be a GPU. */
static bool sees_device(void) {
	static const char *const patterns[] = {"/dev/dri/renderD*", "/dev/nvidia[0-9]*", "/dev/dxg",
		"/dev/mali*", "/dev/kgsl*", "/dev/pvr*"};
	bool seen = false;
	for (size_t i = 0; !seen && i < sizeof patterns / sizeof *patterns; i++) {
		glob_t found;
		seen = glob(patterns[i], 0, NULL, &found) == 0;
		globfree(&found);
	}
	return seen;
}

static struct back_end *create(const struct back_end_params *params, struct error *err) {
	if (params->if_seen && !sees_device()) {
		error_set(err, ERROR_NO_RENDERER, "the kernel shows no GPU");
		return NULL;
	}
	struct gl_back_end *gl = xcalloc(1, sizeof *gl);
	gl->base.kind = &gl_back_end;
	gl->egl = egl_create(params, err);
	if (!gl->egl || !make_parts(gl, err)) {
		destroy(&gl->base);
		return NULL;
	}
	return &gl->base;
}

static void describe(const struct back_end *back_end, struct back_end_info *out) {
	const struct gl_back_end *gl = gl_of_const(back_end);
	struct gl_limits limits;
	gl_limits_get(&limits);
	*out = (struct back_end_info){
		.vendor = (const char *)glGetString(GL_VENDOR),
		.renderer = (const char *)glGetString(GL_RENDERER),
		.version = (const char *)glGetString(GL_VERSION),
		.software = egl_is_software(gl->egl),
		.robust = egl_is_robust(gl->egl),
		.max_size = target_max_size(),
		.max_samples = target_max_samples(),
		.max_texture = limits.texture_size,
		.storage_mib = limits.storage_mib,
		.compute_invocations = limits.compute_invocations,
	};
}

static bool is_lost(struct back_end *back_end) {
	return egl_is_lost(gl_of(back_end)->egl);
}

static bool is_current(const struct back_end *back_end) {
	return egl_is_current(gl_of_const(back_end)->egl);
}

/* Pixels of the side of a target that is as good as none. */
#define SMALL_TARGET 8

/* Drivers go on holding what they drew to last, and sampled from, until something else is drawn:
 * hence a few pixels are, into a target in its place. */
static void release_buffers(struct back_end *back_end) {
	struct gl_back_end *gl = gl_of(back_end);
	const struct target_kind small = {
		.width = SMALL_TARGET,
		.height = SMALL_TARGET,
		.samples = target_max_samples() < 4 ? 1 : 4,
	};
	behind_destroy(gl->behind);
	gl->behind = NULL;
	if (!gl->target || target_matches(gl->target, &small)) {
		return;
	}
	target_destroy(gl->target);
	gl->target = target_create(&small, NULL);
	if (gl->target) {
		const struct area all = {0, 0, SMALL_TARGET, SMALL_TARGET};
		unsigned char rgba[SMALL_TARGET * SMALL_TARGET * 4];
		const float color[4] = {0};
		target_begin(gl->target, color, false);
		target_read(gl->target, gl->resolver, color, &all, rgba, NULL);
	}
}

_Static_assert(EGL_CANDIDATES_MAX <= BACK_END_DISPLAYS_MAX, "there is room for all displays");

static size_t list_displays(struct back_end_display *out, struct error *err) {
	if (!egl_load(err)) {
		return 0;
	}
	struct egl_candidate candidates[EGL_CANDIDATES_MAX];
	const size_t count = egl_list_candidates(candidates);
	for (size_t i = 0; i < count; i++) {
		out[i].device = candidates[i].rank != EGL_RANK_UNKNOWN;
		snprintf(out[i].name, sizeof out[i].name, "%s", candidates[i].name);
		snprintf(out[i].file, sizeof out[i].file, "%s", candidates[i].file);
	}
	return count;
}

/* --- Rigs --- */

static struct drawn_rig *create_rig(
	struct back_end *back_end, const struct rig *rig, size_t *bytes, struct error *err) {
	(void)back_end;
	struct gpu_rig *gpu = gpu_rig_create(rig, bytes, err);
	return gpu ? &gpu->drawn : NULL;
}

static void destroy_rig(struct drawn_rig *drawn) {
	gpu_rig_destroy(gpu_rig_of(drawn));
}

static void put(struct drawn_rig *drawn, const struct rig *rig, const float *positions,
	const float *normals, const float *tangents) {
	gpu_rig_put(rig, gpu_rig_of(drawn)->skinned, 0, positions, normals, tangents);
}

static void set_edges(struct drawn_rig *drawn, const uint32_t (*edges)[2], size_t count) {
	gpu_rig_set_edges(gpu_rig_of(drawn), edges, count);
}

/* --- Skinning --- */

static void set_vertices(struct drawn_rig *drawn, const struct rig *rig, const float *streams) {
	gpu_rig_set_vertices(gpu_rig_of(drawn), rig, streams);
}

static bool skin(struct back_end *back_end, const struct gpu_skin_job *job, struct error *err) {
	return gpu_skin_run(gl_of(back_end)->skin, job, err);
}

static bool read_skinned(
	const struct drawn_rig *drawn, size_t start, size_t count, float *out, struct error *err) {
	return gpu_skin_read(gpu_rig_of_const(drawn), start, count, out, err);
}

static bool read_scratch(const struct back_end *back_end, size_t start, size_t count, float *out,
	struct error *err) {
	return gpu_skin_read_scratch(gl_of_const(back_end)->skin, start, count, out, err);
}

/* --- Copies --- */

static struct drawn_copies *create_copies(
	struct back_end *back_end, size_t bytes, struct error *err) {
	(void)back_end;
	struct gpu_copies *copies = xcalloc(1, sizeof *copies);
	if (!gpu_copies_create(copies, bytes, err)) {
		free(copies);
		return NULL;
	}
	return (struct drawn_copies *)copies;
}

static void destroy_copies(struct drawn_copies *copies) {
	if (copies) {
		gpu_copies_finish(copies_of(copies));
		free(copies);
	}
}

static void put_copy(struct drawn_copies *copies, const struct rig *rig, size_t i,
	const float *positions, const float *normals, const float *tangents) {
	gpu_rig_put(rig, copies_of(copies)->skinned, i, positions, normals, tangents);
}

static void keep_copy(struct drawn_copies *copies, const struct drawn_rig *drawn,
	const struct rig *rig, size_t i) {
	gpu_copies_keep(copies_of(copies), gpu_rig_of_const(drawn), rig, i);
}

static void lend_copies(struct drawn_copies *copies, struct drawn_rig *drawn, size_t count) {
	gpu_copies_lend(copies_of(copies), gpu_rig_of(drawn), count);
}

static void take_back_copies(
	struct drawn_copies *copies, struct drawn_rig *drawn, const struct rig *rig) {
	gpu_copies_take_back(copies_of(copies), gpu_rig_of(drawn), rig);
}

/* --- The ground --- */

static struct ground *use_ground(struct back_end *back_end, struct error *err) {
	struct gl_back_end *gl = gl_of(back_end);
	if (!gl->ground) {
		gl->ground = ground_create(err);
	}
	return gl->ground;
}

static bool begin_shadow(struct back_end *back_end, const struct ground_square *square, double size,
	struct error *err) {
	struct ground *ground = use_ground(back_end, err);
	return ground && ground_begin_cast(ground, square, size, err);
}

static bool cast(struct back_end *back_end, const struct rig *rig, const struct drawn_rig *drawn,
	const struct ground_square *square, double size, struct error *err) {
	struct ground *ground = use_ground(back_end, err);
	return ground && ground_cast(ground, rig, gpu_rig_of_const(drawn), square, size, err);
}

static bool cast_many(struct back_end *back_end, const struct draw_many_job *many,
	const struct ground_square *square, double size, struct error *err) {
	struct ground *ground = use_ground(back_end, err);
	return ground && ground_cast_many(ground, many, square, size, err);
}

static bool end_shadow(struct back_end *back_end, const struct ground_square *square, double size,
	struct error *err) {
	struct ground *ground = use_ground(back_end, err);
	return ground && ground_end_cast(ground, square, size, err);
}

static bool draw_shadow(struct back_end *back_end, const float *view_projection,
	const struct ground_square *square, struct error *err) {
	struct ground *ground = use_ground(back_end, err);
	bool ok = ground && ground_draw_shadow(ground, view_projection, square, err);
	if (ok && gl_of(back_end)->transmits) {
		behind_draw_into(gl_of(back_end)->behind);
		ok = ground_draw_shadow(ground, view_projection, square, err);
		behind_draw_back(gl_of(back_end)->behind);
	}
	return ok;
}

/* --- The key light --- */

static bool begin_key(struct back_end *back_end, const struct key_light *key, struct error *err) {
	struct gl_back_end *gl = gl_of(back_end);
	if (!gl->key) {
		gl->key = key_maps_create(err);
	}
	return gl->key && key_maps_begin(gl->key, key, err);
}

static bool cast_key(struct back_end *back_end, const struct draw_job *job,
	const struct key_light *key, struct error *err) {
	return key_maps_cast(gl_of(back_end)->key, key, job, err);
}

static bool cast_key_many(struct back_end *back_end, const struct draw_many_job *many,
	const struct key_light *key, struct error *err) {
	return key_maps_cast_many(gl_of(back_end)->key, key, many, err);
}

static bool draw_key_shadow(
	struct back_end *back_end, const struct draw_job *job, struct error *err) {
	return key_maps_draw_ground(gl_of(back_end)->key, job, err);
}

/* Binds what casts for a job whose surfaces receive shadows. */
static void use_key(struct back_end *back_end, const struct draw_job *job) {
	if (job->look.key) {
		key_maps_use(gl_of(back_end)->key);
	}
}

static bool draw_grid(struct back_end *back_end, const float *view_projection,
	const struct ground_grid *grid, struct error *err) {
	struct ground *ground = use_ground(back_end, err);
	bool ok = ground && ground_draw_grid(ground, view_projection, grid, err);
	if (ok && gl_of(back_end)->transmits) {
		behind_draw_into(gl_of(back_end)->behind);
		ok = ground_draw_grid(ground, view_projection, grid, err);
		behind_draw_back(gl_of(back_end)->behind);
	}
	return ok;
}

/* --- Pictures --- */

/* Begins the copy of what lies behind, if the picture has one. */
static bool begin_copy(
	struct gl_back_end *gl, const struct picture_start *start, struct error *err) {
	gl->transmits = start->transmits;
	if (gl->transmits && !gl->behind) {
		gl->behind = behind_create();
	}
	draw_set_behind(gl->draw, gl->transmits ? gl->behind : NULL);
	return !gl->transmits || behind_begin(gl->behind, &start->target, start->color, err);
}

static bool begin(struct back_end *back_end, const struct picture_start *start, struct error *err) {
	struct gl_back_end *gl = gl_of(back_end);
	// Making a ground binds other framebuffers.
	if ((start->has_ground && !use_ground(back_end, err)) || !begin_copy(gl, start, err)) {
		return false;
	}
	if (!gl->target || !target_matches(gl->target, &start->target)) {
		target_destroy(gl->target);
		gl->target = target_create(&start->target, err);
	}
	if (!gl->target) {
		return false;
	}
	// A ground is blended, so that its colours are encoded after.
	target_begin(gl->target, start->color,
		draw_encodes(gl->draw, start->paint) && !start->has_ground);
	return true;
}

static bool draw(struct back_end *back_end, const struct draw_job *job, struct error *err) {
	use_key(back_end, job);
	return draw_rig(gl_of(back_end)->draw, job, err);
}

static bool draw_copies(
	struct back_end *back_end, const struct draw_many_job *many, struct error *err) {
	use_key(back_end, &many->job);
	return draw_many(gl_of(back_end)->draw, many, err);
}

static bool draw_through(struct back_end *back_end, const struct draw_job *job, struct error *err) {
	return draw_translucent(gl_of(back_end)->draw, job, err);
}

static struct lines *use_lines(struct back_end *back_end, struct error *err) {
	struct gl_back_end *gl = gl_of(back_end);
	if (!gl->lines) {
		gl->lines = lines_create(err);
	}
	return gl->lines;
}

static bool draw_strokes(struct back_end *back_end, const struct strokes_job *job,
	const struct stroke *strokes, size_t count, struct error *err) {
	struct lines *lines = use_lines(back_end, err);
	return lines && lines_draw(lines, job, strokes, count, err);
}

static bool draw_edges(struct back_end *back_end, const struct strokes_job *job,
	const struct drawn_rig *drawn, const struct stroke_style *style, struct error *err) {
	struct lines *lines = use_lines(back_end, err);
	return lines && lines_draw_edges(lines, job, gpu_rig_of_const(drawn), style, err);
}

static bool draw_normals(struct back_end *back_end, const struct strokes_job *job,
	const struct rig *rig, const struct drawn_rig *drawn, double length,
	const struct stroke_style *style, struct error *err) {
	struct lines *lines = use_lines(back_end, err);
	return lines &&
		lines_draw_normals(lines, job, rig, gpu_rig_of_const(drawn), length, style, err);
}

static void start_on_top(struct back_end *back_end) {
	(void)back_end;
	lines_start_on_top();
}

static bool read_picture(struct back_end *back_end, const struct picture_start *start,
	const struct area *drawn, unsigned char *rgba, struct error *err) {
	const struct gl_back_end *gl = gl_of(back_end);
	return target_read(gl->target, gl->resolver, start->color, drawn, rgba, err);
}

const struct back_end_kind gl_back_end = {
	.id = "gl",
	.create = create,
	.destroy = destroy,
	.describe = describe,
	.is_lost = is_lost,
	.is_current = is_current,
	.release_buffers = release_buffers,
	.list_displays = list_displays,
	.create_rig = create_rig,
	.destroy_rig = destroy_rig,
	.put = put,
	.set_edges = set_edges,
	.set_vertices = set_vertices,
	.skin = skin,
	.read_skinned = read_skinned,
	.read_scratch = read_scratch,
	.create_copies = create_copies,
	.destroy_copies = destroy_copies,
	.put_copy = put_copy,
	.keep_copy = keep_copy,
	.lend_copies = lend_copies,
	.take_back_copies = take_back_copies,
	.begin_shadow = begin_shadow,
	.cast = cast,
	.cast_many = cast_many,
	.end_shadow = end_shadow,
	.begin_key = begin_key,
	.cast_key = cast_key,
	.cast_key_many = cast_key_many,
	.begin = begin,
	.draw_shadow = draw_shadow,
	.draw_key_shadow = draw_key_shadow,
	.draw_grid = draw_grid,
	.draw = draw,
	.draw_many = draw_copies,
	.draw_translucent = draw_through,
	.draw_strokes = draw_strokes,
	.draw_edges = draw_edges,
	.draw_normals = draw_normals,
	.start_on_top = start_on_top,
	.read = read_picture,
};
