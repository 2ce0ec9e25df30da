// Drawing a rig's skinned vertices.
#include "gl/draw.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "draw/back_to_front.h"
#include "draw/material.h"
#include "gl/behind.h"
#include "gl/egl.h"
#include "gl/painter.h"
#include "gl/passes.h"
#include "gl/plain.h"
#include "gl/shaded.h"
#include "gl/target.h"

struct draw {
	struct plain *plain;
	struct shaded *shaded;
	struct painter *painter;
	struct behind *behind; // borrowed; NULL = the picture has none
	bool encodes;          // opaque surfaces' programs encode, into a target that does not
	bool fetches;
	GLuint sorted; // element buffer of triangles in their order; 0 = was not needed so far
};

/* Alpha below which nothing of a blended surface would be seen. */
#define MIN_ALPHA (0.5F / 255)

struct draw *draw_create(bool software, bool fetches) {
	struct draw *draw = xcalloc(1, sizeof *draw);
	draw->fetches = fetches;
	draw->encodes = software && target_can_stop_encoding();
	draw->plain = plain_create();
	draw->shaded = shaded_create();
	draw->painter = painter_create();
	return draw;
}

void draw_destroy(struct draw *draw) {
	if (!draw) {
		return;
	}
	glDeleteBuffers(1, &draw->sorted);
	painter_destroy(draw->painter);
	shaded_destroy(draw->shaded);
	plain_destroy(draw->plain);
	free(draw);
}

void draw_set_behind(struct draw *draw, struct behind *behind) {
	draw->behind = behind;
}

bool draw_encodes(const struct draw *draw, const struct paint *paint) {
	return paint ? paint->bytes && target_can_stop_encoding() : draw->encodes;
}

static const struct gpu_rig *gpu_of(const struct draw_job *job) {
	return gpu_rig_of_const(job->drawn);
}

static GLenum gl_mode(enum topology topology) {
	switch (topology) {
	case TOPOLOGY_LINES:
		return GL_LINES;
	case TOPOLOGY_POINTS:
		return GL_POINTS;
	case TOPOLOGY_TRIANGLES:
		break;
	}
	return GL_TRIANGLES;
}

/* Draws some of a primitive's corners, or of its vertices where it has no indices. */
static void call_span(const struct primitive *primitive, int first, int count, int instances) {
	const GLenum mode = gl_mode(primitive->topology);
	if (primitive->index_count > 0) {
		const size_t offset = (size_t)first * sizeof(uint32_t);
		glDrawElementsInstanced(
			mode, count, GL_UNSIGNED_INT, (const void *)offset, instances);
	} else {
		glDrawArraysInstanced(mode, first, count, instances);
	}
}

static void call_whole(const struct primitive *primitive, int instances) {
	const bool indexed = primitive->index_count > 0;
	call_span(primitive, indexed ? primitive->first_index : primitive->first_vertex,
		indexed ? primitive->index_count : primitive->vertex_count, instances);
}

/* Draws a primitive as the job's paint has it. */
static void call(const struct draw_job *job, const struct primitive *primitive, int instances) {
	const struct paint *paint = job->paint;
	if (!paint || !paint->ranges) {
		call_whole(primitive, instances);
		return;
	}
	for (size_t i = 0; i < paint->range_count; i++) {
		const struct paint_range *range = &paint->ranges[i];
		if (&job->rig->primitives[range->primitive] == primitive) {
			painter_range(range);
			call_span(primitive, range->first, range->count, instances);
		}
	}
}

void draw_call(const struct primitive *primitive) {
	call_whole(primitive, 1);
}

static void set_sides(const struct draw_job *job, const struct primitive *primitive, bool mirrored,
	bool outline) {
	const struct material *material = drawn_material(job->rig, primitive);
	const bool clockwise = mirrored != job->flipped;
	glFrontFace(clockwise ? GL_CW : GL_CCW);
	glCullFace(outline ? GL_FRONT : GL_BACK);
	if (outline) {
		glEnable(GL_CULL_FACE);
	} else if (material->double_sided || (job->paint && job->paint->both_sides) ||
		primitive->topology != TOPOLOGY_TRIANGLES) {
		glDisable(GL_CULL_FACE);
	} else {
		glEnable(GL_CULL_FACE);
	}
}

/* Makes a program the one that is drawn with, and sets what it takes. */
static bool use_material(const struct draw *draw, const struct draw_job *job,
	const struct material *material, float scale, unsigned flags, struct error *err) {
	if (job->paint) {
		plain_set_material(draw->plain, gpu_of(job), material);
		return true;
	}
	if (job->plain) {
		const struct plain_view view = {job->view_projection, job->eye, job->key_direction};
		return plain_use(draw->plain, &view, gpu_of(job), material, flags, err);
	}
	const struct shaded_view view = {
		job->rig, &job->look, job->view_projection, job->eye, flags, scale};
	return shaded_use(draw->shaded, &view, gpu_of(job), material, err);
}

static void set_paint(const struct draw_job *job, const struct primitive *primitive,
	const struct material *material) {
	painter_primitive(job->paint, (int)(primitive - job->rig->primitives));
	if (material->alpha_mode == ALPHA_BLEND) {
		glUniform2f(UNIFORM_ALPHA, MIN_ALPHA, 1);
	}
	if (primitive->unlit) {
		glUniform1f(UNIFORM_LIT, 0);
	}
}

/* Sets what a primitive's calls have in common. */
static bool begin_primitive(const struct draw *draw, const struct draw_job *job,
	const struct primitive *primitive, bool mirrored, unsigned flags, struct error *err) {
	const struct material *material = drawn_material(job->rig, primitive);
	if (!rig_has_tangents(job->rig, primitive)) {
		flags &= ~(unsigned)SHADED_TANGENTS;
	}
	flags |= primitive->unlit ? SHADED_UNLIT : 0U;
	const float scale = job->scales ? job->scales[primitive - job->rig->primitives] : 1;
	if (!use_material(draw, job, material, scale, flags, err)) {
		return false;
	}
	if (job->paint) {
		set_paint(job, primitive, material);
	}
	set_sides(job, primitive, mirrored, flags & SHADED_OUTLINE);
	glUniform1f(UNIFORM_OUTWARD, mirrored ? -1 : 1);
	return true;
}

/* The program flags for opaque or for blended surfaces. */
static unsigned flags_of(
	const struct draw *draw, const struct draw_job *job, enum draw_pass which, bool fetch) {
	return (draw->encodes && which == DRAW_OPAQUE ? SHADED_ENCODED : 0U) |
		(fetch ? SHADED_MANY : 0U) | (job->tangents ? SHADED_TANGENTS : 0U);
}

/* Draws what hides what lies behind. pass: 0, or SHADED_OUTLINE for outlines alone; SHADED_UNMAPPED
 * for the copy. */
static bool draw_hiding(const struct draw *draw, const struct draw_job *job, enum draw_pass which,
	unsigned pass, struct error *err) {
	const unsigned flags = (flags_of(draw, job, which, false) | pass) &
		~(pass & SHADED_UNMAPPED ? SHADED_ENCODED : 0U);
	for (int i = 0; i < job->rig->primitive_count; i++) {
		const struct primitive *primitive = &job->rig->primitives[i];
		if (pass_of(job, i) != which || !pass_draws(job, i, pass & SHADED_OUTLINE)) {
			continue;
		}
		if (!begin_primitive(draw, job, primitive, job->mirrored[i], flags, err)) {
			return false;
		}
		call(job, primitive, 1);
	}
	return true;
}

static bool draw_opaque(
	const struct draw *draw, const struct draw_job *job, unsigned pass, struct error *err) {
	return draw_hiding(draw, job, DRAW_OPAQUE, pass, err);
}

/* True when what is drawn is drawn into the copy, too. */
static bool has_copy(const struct draw *draw, const struct draw_job *job) {
	return draw->behind && !job->paint && !job->plain;
}

/* Writes a primitive's triangles in their order into the element buffer that is bound. Returns the
 * number of indices, from the buffer's start on. */
static GLsizei upload_sorted(
	const struct back_to_front_view *view, const struct primitive *primitive) {
	const size_t count = (size_t)(primitive->index_count > 0 ? primitive->index_count
								 : primitive->vertex_count) /
		3;
	struct back_to_front_piece *triangles = xcalloc(count + 1, sizeof *triangles);
	uint32_t *indices = xcalloc(count * 3 + 1, sizeof *indices);
	for (size_t i = 0; i < count; i++) {
		triangles[i] = back_to_front_piece_of(view, primitive, i);
	}
	qsort(triangles, count, sizeof *triangles, back_to_front_compare);
	for (size_t i = 0; i < count * 3; i++) {
		indices[i] = triangles[i / 3].corners[i % 3];
	}
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(count * 3 * sizeof *indices), indices,
		GL_STREAM_DRAW);
	free(triangles);
	free(indices);
	return (GLsizei)(count * 3);
}

static void draw_sorted(struct draw *draw, const struct draw_job *job,
	const struct back_to_front_view *view, const struct primitive *primitive) {
	if (!draw->sorted) {
		glGenBuffers(1, &draw->sorted);
	}
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, draw->sorted);
	glDrawElements(GL_TRIANGLES, upload_sorted(view, primitive), GL_UNSIGNED_INT, NULL);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gpu_of(job)->indices);
}

static bool draw_blended(
	struct draw *draw, const struct draw_job *job, unsigned pass, struct error *err) {
	const struct back_to_front_view view = {job->rig, job->positions, job->back};
	const bool sorts = job->positions && !job->plain;
	const unsigned flags = flags_of(draw, job, DRAW_BLENDED, false) | pass;
	struct pass_layer *layers = xcalloc((size_t)job->rig->primitive_count + 1, sizeof *layers);
	const int count = pass_list_layers(job, sorts ? &view : NULL, pass, layers);
	bool ok = true;
	for (int i = 0; ok && i < count; i++) {
		const int at = layers[i].primitive;
		const struct primitive *primitive = &job->rig->primitives[at];
		const bool writes = pass_writes_depth(job, primitive);
		glDepthMask(writes ? GL_TRUE : GL_FALSE);
		ok = begin_primitive(draw, job, primitive, job->mirrored[at], flags, err);
		if (ok && sorts && !writes && primitive->topology == TOPOLOGY_TRIANGLES) {
			draw_sorted(draw, job, &view, primitive);
		} else if (ok) {
			draw_call(primitive);
		}
	}
	free(layers);
	return ok;
}

static void begin_opaque(const struct draw *draw, const struct draw_job *job) {
	glDisable(GL_BLEND);
	if (draw_encodes(draw, job->paint)) {
		target_stop_encoding();
	}
}

static void end_opaque(const struct draw *draw, const struct draw_job *job) {
	if (draw_encodes(draw, job->paint)) {
		target_start_encoding();
	}
}

static void begin_blended(void) {
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	glDepthMask(GL_FALSE);
}

static void end_blended(void) {
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
}

/* True when painted surfaces may have holes: where there is nothing to be seen of a material. */
static bool paint_cuts(const struct rig *rig) {
	bool cuts = false;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct material *material = drawn_material(rig, &rig->primitives[i]);
		cuts |= material->alpha_mode != ALPHA_OPAQUE;
	}
	return cuts;
}

/* Makes the paint's program the one that is drawn with. */
static bool begin_paint(
	const struct draw *draw, const struct draw_job *job, bool fetch, struct error *err) {
	const GLuint program =
		painter_program(draw->painter, job->paint, fetch, paint_cuts(job->rig), err);
	if (!program) {
		return false;
	}
	glUseProgram(program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, job->view_projection);
	glUniform4fv(UNIFORM_EYE, 1, job->eye);
	glUniform3fv(UNIFORM_KEY_DIRECTION, 1, job->key_direction);
	painter_begin(draw->painter, job->paint, job->rig);
	return true;
}

/* The vertex array is bound. */
static bool begin(
	const struct draw *draw, const struct draw_job *job, bool fetch, struct error *err) {
	glVertexAttrib4f(ATTRIBUTE_LOCATION_COLOR, 1, 1, 1, 1); // where the rig has no colours
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	glCullFace(GL_BACK);
	return job->paint ? begin_paint(draw, job, fetch, err)
			  : job->plain || shaded_begin(draw->shaded, &job->look, err);
}

static bool end(const struct draw *draw, const struct draw_job *job, struct error *err) {
	if (job->paint) {
		painter_end(draw->painter, job->paint, gpu_of(job));
	}
	glDisable(GL_CULL_FACE);
	glDisable(GL_DEPTH_TEST);
	glFrontFace(GL_CCW);
	glBindVertexArray(0);
	shaded_end();
	glUseProgram(0);
	return gl_check("drawing", err);
}

static void place_at(const struct drawn_figure *figure) {
	for (GLuint row = 0; row < 3; row++) {
		glVertexAttrib4fv(
			ATTRIBUTE_LOCATION_PLACEMENT + row, figure->placement + (size_t)row * 4);
		glVertexAttrib4fv(
			ATTRIBUTE_LOCATION_NORMAL_MAP + row, figure->normal_map + (size_t)row * 4);
	}
}

void draw_in_place(void) {
	static const struct drawn_figure identity = {
		.placement = {[0] = 1, [5] = 1, [10] = 1},
		.normal_map = {[0] = 1, [5] = 1, [10] = 1},
	};
	place_at(&identity);
}

bool draw_rig(struct draw *draw, const struct draw_job *job, struct error *err) {
	glBindVertexArray(gpu_of(job)->vertex_array);
	bool ok = begin(draw, job, false, err);
	draw_in_place();
	begin_opaque(draw, job);
	ok = ok && draw_opaque(draw, job, 0, err) && draw_opaque(draw, job, SHADED_OUTLINE, err);
	end_opaque(draw, job);
	if (ok && has_copy(draw, job)) {
		behind_draw_into(draw->behind);
		ok = draw_opaque(draw, job, SHADED_UNMAPPED, err) &&
			draw_opaque(draw, job, SHADED_UNMAPPED | SHADED_OUTLINE, err);
		behind_draw_back(draw->behind);
		behind_use(draw->behind);
	}
	ok = ok && draw_hiding(draw, job, DRAW_TRANSMISSIVE, 0, err);
	if (ok && pass_count(job, DRAW_BLENDED) > 0) {
		begin_blended();
		ok = draw_blended(draw, job, 0, err) &&
			draw_blended(draw, job, SHADED_OUTLINE, err);
		end_blended();
	}
	return end(draw, job, err) && ok;
}

bool draw_translucent(struct draw *draw, const struct draw_job *job, struct error *err) {
	glBindVertexArray(gpu_of(job)->vertex_array);
	bool ok = begin(draw, job, false, err);
	draw_in_place();
	glDisable(GL_BLEND);
	// Depth comes first, so that only the nearest surface is seen.
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	glDepthFunc(GL_LESS);
	ok = ok && draw_opaque(draw, job, 0, err);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthFunc(GL_EQUAL);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	ok = ok && draw_opaque(draw, job, 0, err);
	glDisable(GL_BLEND);
	glDepthFunc(GL_LEQUAL);
	return end(draw, job, err) && ok;
}

static const struct gpu_copies *copies_of(const struct draw_many_job *many) {
	return (const struct gpu_copies *)many->copies;
}

/* Draws figures that are alike but for where they stand. */
static void draw_run(
	const struct draw_many_job *many, bool fetch, int primitive, int first, int count) {
	const struct rig *rig = many->job.rig;
	if (fetch) {
		gpu_copies_point_at(copies_of(many), (size_t)first);
		call(&many->job, &rig->primitives[primitive], count);
		return;
	}
	for (int i = first; i < first + count; i++) {
		const struct drawn_figure *figure = &many->figures[i];
		gpu_rig_point_at(rig, copies_of(many)->skinned, (size_t)figure->normal_map[3]);
		place_at(figure);
		call(&many->job, &rig->primitives[primitive], 1);
	}
}

/* Draws a primitive of so many figures, run by run of those that are mirrored or are not. */
static bool draw_primitive_of(const struct draw *draw, const struct draw_many_job *many,
	unsigned pass, bool fetch, int primitive, int first, int count, struct error *err) {
	const struct rig *rig = many->job.rig;
	const unsigned flags = (flags_of(draw, &many->job, many->pass, fetch) | pass) &
		~(pass & SHADED_UNMAPPED ? SHADED_ENCODED : 0U);
	const int end = first + count;
	for (int last; first < end; first = last) {
		const bool mirrored = many->mirrored[first][primitive];
		last = first + 1;
		while (last < end && many->mirrored[last][primitive] == mirrored) {
			last++;
		}
		if (!begin_primitive(
			    draw, &many->job, &rig->primitives[primitive], mirrored, flags, err)) {
			return false;
		}
		if (fetch) {
			glUniform2ui(UNIFORM_FIGURE, (GLuint)rig->vertex_count,
				(GLuint)gpu_rig_stream_floats(rig));
		}
		draw_run(many, fetch, primitive, first, last - first);
	}
	return true;
}

static bool draw_primitives(const struct draw *draw, const struct draw_many_job *many,
	unsigned pass, bool fetch, struct error *err) {
	const struct rig *rig = many->job.rig;
	const int step = many->pass == DRAW_BLENDED && pass_count(&many->job, DRAW_BLENDED) > 1
		? 1
		: many->count;
	for (int first = 0; first < many->count; first += step) {
		for (int i = 0; i < rig->primitive_count; i++) {
			if (pass_of(&many->job, i) != many->pass ||
				!pass_draws(&many->job, i, pass & SHADED_OUTLINE)) {
				continue;
			}
			if (many->pass == DRAW_BLENDED) {
				glDepthMask(pass_writes_depth(&many->job, &rig->primitives[i])
						? GL_TRUE
						: GL_FALSE);
			}
			if (!draw_primitive_of(draw, many, pass, fetch, i, first, step, err)) {
				return false;
			}
		}
	}
	return true;
}

/* Draws them into the copy of what lies behind others, if there is one. */
static bool draw_copy(
	const struct draw *draw, const struct draw_many_job *many, bool fetch, struct error *err) {
	if (!has_copy(draw, &many->job)) {
		return true;
	}
	behind_draw_into(draw->behind);
	const bool ok = draw_primitives(draw, many, SHADED_UNMAPPED, fetch, err) &&
		draw_primitives(draw, many, SHADED_UNMAPPED | SHADED_OUTLINE, fetch, err);
	behind_draw_back(draw->behind);
	return ok;
}

bool draw_many(struct draw *draw, const struct draw_many_job *many, struct error *err) {
	// One figure is drawn as draw_rig() draws it, so that it looks the same to the bit.
	const bool fetch = draw->fetches && many->count > 1;
	const struct draw_job *job = &many->job;
	if (many->count == 0) {
		return true;
	}
	gpu_copies_use(copies_of(many), gpu_of(job), many->figures, (size_t)many->count);
	bool ok = begin(draw, job, fetch, err);
	if (fetch) {
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_COPIES, copies_of(many)->skinned);
	}
	if (many->pass != DRAW_OPAQUE && has_copy(draw, job)) {
		behind_use(draw->behind);
	}
	if (many->pass == DRAW_TRANSMISSIVE) {
		glDisable(GL_BLEND);
		ok = ok && draw_primitives(draw, many, 0, fetch, err);
	} else if (many->pass == DRAW_BLENDED) {
		begin_blended();
		ok = ok && draw_primitives(draw, many, 0, fetch, err) &&
			draw_primitives(draw, many, SHADED_OUTLINE, fetch, err);
		end_blended();
	} else {
		begin_opaque(draw, job);
		ok = ok && draw_primitives(draw, many, 0, fetch, err) &&
			draw_primitives(draw, many, SHADED_OUTLINE, fetch, err);
		end_opaque(draw, job);
		ok = ok && draw_copy(draw, many, fetch, err);
	}
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_COPIES, 0);
	return end(draw, job, err) && ok;
}

void draw_many_begin(const struct draw_many_job *many) {
	const struct draw_job *job = &many->job;
	gpu_copies_use(copies_of(many), gpu_of(job), many->figures, (size_t)many->count);
}

void draw_many_primitive(const struct draw_many_job *many, const struct primitive *primitive) {
	draw_run(many, false, (int)(primitive - many->job.rig->primitives), 0, many->count);
}

void draw_many_call(const struct draw_many_job *many) {
	const struct draw_job *job = &many->job;
	draw_many_begin(many);
	for (int i = 0; i < many->count; i++) {
		const struct drawn_figure *figure = &many->figures[i];
		gpu_rig_point_at(job->rig, copies_of(many)->skinned, (size_t)figure->normal_map[3]);
		place_at(figure);
		for (int k = 0; k < job->rig->primitive_count; k++) {
			draw_call(&job->rig->primitives[k]);
		}
	}
	glBindVertexArray(0);
}
