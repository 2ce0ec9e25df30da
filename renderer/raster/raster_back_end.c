// The rasteriser behind the seam.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "draw/back_end.h"
#include "raster/copy.h"
#include "raster/cpu_rig.h"
#include "raster/ground.h"
#include "raster/key_maps.h"
#include "raster/strokes.h"
#include "raster/surfaces.h"

/* The version of what pictures look like: it is raised whenever one differs. */
#define RASTER_VERSION "4"

#define MAX_SIZE 8192
#define MAX_SAMPLES 8

struct raster_back_end {
	struct back_end base;
	struct raster *raster;
	struct raster_shadow *shadow;     // NULL = was not needed so far
	struct raster_key_maps *key_maps; // likewise
	struct raster_skies *skies;
	struct arena *arena; // of the picture that is drawn
	struct surface_cache *cache;
	struct raster_target target;
	struct raster_copy *copy; // of what lies behind; NULL = was not needed so far
	bool transmits;           // the picture has one
};

struct drawn_copies {
	float *streams; // of each, one behind the other
};

static struct raster_back_end *cpu_of(struct back_end *back_end) {
	return (struct raster_back_end *)back_end;
}

/* --- The instance --- */

static struct back_end *create(const struct back_end_params *params, struct error *err) {
	(void)params;
	(void)err;
	struct raster_back_end *cpu = xcalloc(1, sizeof *cpu);
	cpu->base.kind = &raster_back_end;
	cpu->raster = raster_create();
	cpu->skies = raster_skies_create();
	cpu->arena = arena_create();
	return &cpu->base;
}

static void destroy(struct back_end *back_end) {
	struct raster_back_end *cpu = cpu_of(back_end);
	arena_destroy(cpu->arena);
	raster_shadow_destroy(cpu->shadow);
	raster_key_maps_destroy(cpu->key_maps);
	raster_skies_destroy(cpu->skies);
	raster_destroy(cpu->raster);
	raster_copy_destroy(cpu->copy);
	free(cpu);
}

static void describe(const struct back_end *back_end, struct back_end_info *out) {
	(void)back_end;
	*out = (struct back_end_info){
		.vendor = "posed",
		.renderer = "posed rasteriser",
		.version = RASTER_VERSION,
		.software = true,
		.max_size = MAX_SIZE,
		.max_samples = MAX_SAMPLES,
		.max_texture = TEXTURE_SIDE_MAX,
	};
}

static bool is_lost(struct back_end *back_end) {
	(void)back_end;
	return false;
}

static bool is_current(const struct back_end *back_end) {
	(void)back_end;
	return true;
}

static void release_buffers(struct back_end *back_end) {
	struct raster_back_end *cpu = cpu_of(back_end);
	raster_destroy(cpu->raster);
	raster_shadow_destroy(cpu->shadow);
	raster_copy_destroy(cpu->copy);
	raster_key_maps_destroy(cpu->key_maps);
	cpu->raster = raster_create();
	cpu->shadow = NULL;
	cpu->copy = NULL;
	cpu->key_maps = NULL;
}

static size_t list_displays(struct back_end_display *out, struct error *err) {
	(void)err;
	*out = (struct back_end_display){.name = "this processor"};
	return 1;
}

static struct raster_shadow *use_shadow(struct back_end *back_end) {
	struct raster_back_end *cpu = cpu_of(back_end);
	if (!cpu->shadow) {
		cpu->shadow = raster_shadow_create();
	}
	return cpu->shadow;
}

static struct raster_key_maps *use_key_maps(struct back_end *back_end) {
	struct raster_back_end *cpu = cpu_of(back_end);
	if (!cpu->key_maps) {
		cpu->key_maps = raster_key_maps_create();
	}
	return cpu->key_maps;
}

void raster_back_end_choose(struct back_end *back_end, const struct raster_choice *choice) {
	struct raster_back_end *cpu = cpu_of(back_end);
	raster_choose(cpu->raster, choice);
	raster_shadow_choose(use_shadow(back_end), choice);
	raster_key_maps_choose(use_key_maps(back_end), choice);
}

/* --- Rigs --- */

static struct drawn_rig *create_rig(
	struct back_end *back_end, const struct rig *rig, size_t *bytes, struct error *err) {
	(void)back_end;
	struct cpu_rig *cpu = cpu_rig_create(rig, bytes, err);
	return cpu ? &cpu->drawn : NULL;
}

static void destroy_rig(struct drawn_rig *drawn) {
	cpu_rig_destroy(cpu_rig_of(drawn));
}

static void put(struct drawn_rig *drawn, const struct rig *rig, const float *positions,
	const float *normals, const float *tangents) {
	cpu_streams_put(cpu_rig_of(drawn)->streams, rig, positions, normals, tangents);
}

static void set_edges(struct drawn_rig *drawn, const uint32_t (*edges)[2], size_t count) {
	struct cpu_rig *cpu = cpu_rig_of(drawn);
	cpu->edges = xcalloc(count + 1, sizeof *edges);
	memcpy(cpu->edges, edges, count * sizeof *edges);
	cpu->edge_count = count;
	drawn->bytes += count * sizeof *edges;
	drawn->has_edges = true;
}

/* --- Copies --- */

static struct drawn_copies *create_copies(
	struct back_end *back_end, size_t bytes, struct error *err) {
	(void)back_end;
	struct drawn_copies *copies = xcalloc(1, sizeof *copies);
	copies->streams = try_calloc(bytes + 1, 1, "a crowd's vertices", err);
	if (!copies->streams) {
		free(copies);
		return NULL;
	}
	return copies;
}

static void destroy_copies(struct drawn_copies *copies) {
	if (copies) {
		free(copies->streams);
		free(copies);
	}
}

static void put_copy(struct drawn_copies *copies, const struct rig *rig, size_t i,
	const float *positions, const float *normals, const float *tangents) {
	cpu_streams_put(copies->streams + i * gpu_rig_stream_floats(rig), rig, positions, normals,
		tangents);
}

/* --- Shadows --- */

static bool begin_shadow(struct back_end *back_end, const struct ground_square *square, double size,
	struct error *err) {
	return raster_shadow_begin(use_shadow(back_end), square, size, err);
}

static bool cast(struct back_end *back_end, const struct rig *rig, const struct drawn_rig *drawn,
	const struct ground_square *square, double size, struct error *err) {
	struct raster_shadow *shadow = use_shadow(back_end);
	return raster_shadow_begin(shadow, square, size, err) &&
		raster_shadow_cast(shadow, rig, ((const struct cpu_rig *)drawn)->streams, err) &&
		raster_shadow_end(shadow, err);
}

static bool cast_many(struct back_end *back_end, const struct draw_many_job *many,
	const struct ground_square *square, double size, struct error *err) {
	(void)square;
	(void)size;
	struct raster_shadow *shadow = use_shadow(back_end);
	const struct rig *rig = many->job.rig;
	bool ok = true;
	for (int i = 0; ok && i < many->count; i++) {
		struct arena *arena = arena_create();
		const struct surface_streams streams = surface_streams_placed(
			rig, many->copies->streams, &many->figures[i], arena);
		ok = raster_shadow_cast(shadow, rig, streams.positions, err);
		arena_destroy(arena);
	}
	return ok;
}

static bool end_shadow(struct back_end *back_end, const struct ground_square *square, double size,
	struct error *err) {
	(void)square;
	(void)size;
	return raster_shadow_end(use_shadow(back_end), err);
}

static bool begin_key(struct back_end *back_end, const struct key_light *key, struct error *err) {
	return raster_key_maps_begin(use_key_maps(back_end), key, err);
}

static bool cast_key(struct back_end *back_end, const struct draw_job *job,
	const struct key_light *key, struct error *err) {
	struct cpu_rig *cpu = (struct cpu_rig *)job->drawn;
	const float *positions = cpu->streams;
	return raster_key_maps_cast(use_key_maps(back_end), key, job->rig, cpu, &positions, 1, err);
}

static bool cast_key_many(struct back_end *back_end, const struct draw_many_job *many,
	const struct key_light *key, struct error *err) {
	const struct rig *rig = many->job.rig;
	const size_t count = (size_t)many->count;
	struct arena *arena = arena_create();
	const float **positions = arena_alloc(arena, count + 1, sizeof *positions);
	for (size_t i = 0; i < count; i++) {
		positions[i] =
			surface_streams_placed(rig, many->copies->streams, &many->figures[i], arena)
				.positions;
	}
	const bool ok = raster_key_maps_cast(use_key_maps(back_end), key, rig,
		(struct cpu_rig *)many->job.drawn, positions, count, err);
	arena_destroy(arena);
	return ok;
}

/* --- Pictures --- */

static bool begin(struct back_end *back_end, const struct picture_start *start, struct error *err) {
	struct raster_back_end *cpu = cpu_of(back_end);
	const struct target_kind *kind = &start->target;
	cpu->target = (struct raster_target){
		.width = kind->width,
		.height = kind->height,
		.samples = kind->samples <= 1 ? 1
			: kind->samples <= 4  ? 4
					      : MAX_SAMPLES,
		.encoding = kind->plain ? RASTER_PLAIN : RASTER_STRAIGHT,
	};
	memcpy(cpu->target.background, start->color, sizeof start->color);
	arena_reset(cpu->arena);
	cpu->cache = NULL;
	cpu->transmits = start->transmits;
	if (cpu->transmits && !cpu->copy) {
		cpu->copy = raster_copy_create();
	}
	return raster_begin(cpu->raster, &cpu->target, err) &&
		(!cpu->transmits ||
			raster_copy_begin(cpu->copy, &cpu->target, raster_lanes(cpu->raster), err));
}

static bool draw_shadow(struct back_end *back_end, const float *view_projection,
	const struct ground_square *square, struct error *err) {
	struct raster_back_end *cpu = cpu_of(back_end);
	return raster_draw_shadow(cpu->raster, use_shadow(back_end), view_projection, square,
		       cpu->arena, err) &&
		(!cpu->transmits ||
			raster_draw_shadow(raster_copy_raster(cpu->copy), use_shadow(back_end),
				view_projection, square, cpu->arena, err));
}

static bool draw_key_shadow(
	struct back_end *back_end, const struct draw_job *job, struct error *err) {
	struct raster_back_end *cpu = cpu_of(back_end);
	struct raster_key_maps *maps = use_key_maps(back_end);
	return raster_draw_key_shadow(cpu->raster, maps, job, cpu->arena, err) &&
		(!cpu->transmits ||
			raster_draw_key_shadow(
				raster_copy_raster(cpu->copy), maps, job, cpu->arena, err));
}

static bool draw_grid(struct back_end *back_end, const float *view_projection,
	const struct ground_grid *grid, struct error *err) {
	struct raster_back_end *cpu = cpu_of(back_end);
	return raster_draw_grid(cpu->raster, view_projection, grid, cpu->arena, err) &&
		(!cpu->transmits ||
			raster_draw_grid(raster_copy_raster(cpu->copy), view_projection, grid,
				cpu->arena, err));
}

static struct surface_job surface_job_of(struct raster_back_end *cpu, const struct draw_job *job) {
	return (struct surface_job){
		.draw = job,
		.cpu = (struct cpu_rig *)job->drawn,
		.skies = cpu->skies,
		.key_maps = cpu->key_maps,
		.width = cpu->target.width,
		.height = cpu->target.height,
		.plain = cpu->target.encoding == RASTER_PLAIN,
		.lanes = raster_lanes(cpu->raster),
		.cache = &cpu->cache,
		.arena = cpu->arena,
		.behind = cpu->transmits ? raster_copy_behind(cpu->copy) : NULL,
	};
}

/* Draws the opaque surfaces of a figure into the copy of what lies behind others. */
static bool draw_behind(struct raster_back_end *cpu, const struct draw_job *job,
	const struct surface_streams *streams, const bool *mirrored, struct error *err) {
	if (!cpu->transmits || job->paint || job->plain) {
		return true;
	}
	struct surface_job surfaces = surface_job_of(cpu, job);
	surfaces.width = raster_copy_behind(cpu->copy)->width;
	surfaces.height = raster_copy_behind(cpu->copy)->height;
	surfaces.unmapped = true;
	struct surface_set set;
	if (!surface_set_make(&surfaces, &set, err)) {
		return false;
	}
	struct raster *raster = raster_copy_raster(cpu->copy);
	const struct raster_figure figure = surface_set_figure(&set, streams, mirrored);
	struct raster_figure outlines;
	return raster_surfaces(raster, &figure, err) &&
		(!surface_set_outlines(&set, &figure, cpu->arena, &outlines) ||
			raster_surfaces(raster, &outlines, err));
}

/* Draws those surfaces of a figure that show what lies behind. */
static bool draw_transmissive(struct raster_back_end *cpu, const struct surface_set *set,
	const struct raster_figure *figure, struct error *err) {
	struct raster_figure transmissive;
	return !surface_set_transmissive(set, figure, &transmissive) ||
		raster_surfaces(cpu->raster, &transmissive, err);
}

static bool draw(struct back_end *back_end, const struct draw_job *job, struct error *err) {
	struct raster_back_end *cpu = cpu_of(back_end);
	const struct surface_job surfaces = surface_job_of(cpu, job);
	struct surface_set set;
	if (!surface_set_make(&surfaces, &set, err)) {
		return false;
	}
	const struct surface_streams streams = surface_streams_of(job->rig, surfaces.cpu->streams);
	const struct raster_figure figure = surface_set_figure(&set, &streams, job->mirrored);
	struct raster_figure outlines;
	const bool outlined = surface_set_outlines(&set, &figure, cpu->arena, &outlines);
	if (!draw_behind(cpu, job, &streams, job->mirrored, err) ||
		!raster_surfaces(cpu->raster, &figure, err) ||
		(outlined && !raster_surfaces(cpu->raster, &outlines, err))) {
		return false;
	}
	if (cpu->transmits) {
		raster_copy_end(cpu->copy);
	}
	return draw_transmissive(cpu, &set, &figure, err) &&
		raster_blended(cpu->raster, &figure, err) &&
		(!outlined || raster_blended(cpu->raster, &outlines, err));
}

static bool draw_translucent(
	struct back_end *back_end, const struct draw_job *job, struct error *err) {
	struct raster_back_end *cpu = cpu_of(back_end);
	const struct surface_job surfaces = surface_job_of(cpu, job);
	struct surface_set set;
	if (!surface_set_make(&surfaces, &set, err)) {
		return false;
	}
	const struct surface_streams streams = surface_streams_of(job->rig, surfaces.cpu->streams);
	const struct raster_figure figure = surface_set_figure(&set, &streams, job->mirrored);
	return raster_translucent(cpu->raster, &figure, err);
}

static bool draw_many(
	struct back_end *back_end, const struct draw_many_job *many, struct error *err) {
	struct raster_back_end *cpu = cpu_of(back_end);
	const struct surface_job surfaces = surface_job_of(cpu, &many->job);
	bool (*add)(struct raster *, const struct raster_figure *, struct error *) =
		many->pass == DRAW_BLENDED ? raster_blended : raster_surfaces;
	struct surface_set set;
	bool ok = surface_set_make(&surfaces, &set, err);
	if (cpu->transmits && many->pass != DRAW_OPAQUE) {
		raster_copy_end(cpu->copy);
	}
	for (int i = 0; ok && i < many->count; i++) {
		struct arena *arena = arena_create();
		const struct surface_streams streams = surface_streams_placed(
			many->job.rig, many->copies->streams, &many->figures[i], arena);
		const struct raster_figure figure =
			surface_set_figure(&set, &streams, many->mirrored[i]);
		struct raster_figure outlines;
		ok = many->pass == DRAW_TRANSMISSIVE
			? draw_transmissive(cpu, &set, &figure, err)
			: (many->pass == DRAW_BLENDED ||
				  draw_behind(cpu, &many->job, &streams, many->mirrored[i], err)) &&
				add(cpu->raster, &figure, err) &&
				(!surface_set_outlines(&set, &figure, arena, &outlines) ||
					add(cpu->raster, &outlines, err));
		arena_destroy(arena);
	}
	return ok;
}

static bool draw_strokes(struct back_end *back_end, const struct strokes_job *job,
	const struct stroke *strokes, size_t count, struct error *err) {
	return raster_strokes(cpu_of(back_end)->raster, job, strokes, count, true, err);
}

static bool draw_edges(struct back_end *back_end, const struct strokes_job *job,
	const struct drawn_rig *drawn, const struct stroke_style *style, struct error *err) {
	const struct cpu_rig *cpu = (const struct cpu_rig *)drawn;
	return raster_edges(cpu_of(back_end)->raster, job, cpu->streams,
		(const uint32_t(*)[2])cpu->edges, cpu->edge_count, style, err);
}

static bool draw_normals(struct back_end *back_end, const struct strokes_job *job,
	const struct rig *rig, const struct drawn_rig *drawn, double length,
	const struct stroke_style *style, struct error *err) {
	const float *positions = ((const struct cpu_rig *)drawn)->streams;
	const size_t count = (size_t)rig->vertex_count;
	return raster_normals(cpu_of(back_end)->raster, job, positions, positions + count * 3,
		count, length, style, err);
}

static void start_on_top(struct back_end *back_end) {
	raster_clear_depth(cpu_of(back_end)->raster);
}

static bool read_picture(struct back_end *back_end, const struct picture_start *start,
	const struct area *drawn, unsigned char *rgba, struct error *err) {
	(void)drawn;
	(void)err;
	const struct raster_area all = {0, 0, start->target.width, start->target.height};
	raster_read_with(cpu_of(back_end)->raster, &all, start->help, rgba);
	return true;
}

const struct back_end_kind raster_back_end = {
	.id = "cpu",
	.leaves_straight_alpha = true,
	.reads_all = true,
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
	.create_copies = create_copies,
	.destroy_copies = destroy_copies,
	.put_copy = put_copy,
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
	.draw_many = draw_many,
	.draw_translucent = draw_translucent,
	.draw_strokes = draw_strokes,
	.draw_edges = draw_edges,
	.draw_normals = draw_normals,
	.start_on_top = start_on_top,
	.read = read_picture,
};
