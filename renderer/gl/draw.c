// Drawing a rig's skinned vertices.
#include "gl/draw.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/check.h"
#include "gl/program.h"
#include "gl/target.h"
#include "gl/upload.h"

struct draw {
	GLuint program; // for a target that encodes
	GLuint encoded; // for opaque surfaces; encodes itself, into a target that does not; 0 =
			// none
	bool fetches;
	GLuint many, many_encoded; // the same that fetch vertices; 0 = were not needed so far
	GLuint white;              // texture for surfaces without one
	struct painter *painter;
};

/* Alpha below which nothing of a blended surface would be seen. */
#define LEAST_ALPHA (0.5F / 255)

struct draw *draw_create(bool software, bool fetches, struct error *err) {
	static const char *const shaders[] = {"surface.vert", "surface.frag"};
	static const char *const encoded[] = {"surface.vert", "surface_encoded.frag"};
	struct draw *draw = xcalloc(1, sizeof *draw);
	draw->fetches = fetches;
	draw->program = program_create(shaders, 2, NULL, err);
	const bool encodes = software && target_can_stop_encoding();
	draw->encoded = encodes ? program_create(encoded, 2, NULL, err) : 0;
	if (!draw->program || (encodes && !draw->encoded)) {
		goto fail;
	}
	draw->white = upload_white();
	draw->painter = painter_create();
	if (!gl_check("preparing to draw", err)) {
		goto fail;
	}
	return draw;
fail:
	draw_destroy(draw);
	return NULL;
}

void draw_destroy(struct draw *draw) {
	if (!draw) {
		return;
	}
	painter_destroy(draw->painter);
	glDeleteTextures(1, &draw->white);
	glDeleteProgram(draw->many_encoded);
	glDeleteProgram(draw->many);
	glDeleteProgram(draw->encoded);
	glDeleteProgram(draw->program);
	free(draw);
}

bool draw_encodes(const struct draw *draw, const struct paint *paint) {
	return paint ? paint->bytes && target_can_stop_encoding() : draw->encoded != 0;
}

static const struct material *material_of(
	const struct rig *rig, const struct primitive *primitive) {
	return primitive->material >= 0 ? &rig->materials[primitive->material] : &material_default;
}

static void set_material(
	const struct draw *draw, const struct draw_job *job, const struct material *material) {
	glUniform4fv(UNIFORM_BASE_COLOR, 1, material->base_color);
	const float *light = material->emissive;
	const float strength = material->emissive_strength;
	glUniform3f(
		UNIFORM_EMISSIVE, light[0] * strength, light[1] * strength, light[2] * strength);
	glUniform1f(UNIFORM_LIT, material->unlit ? 0 : 1);
	glUniform2f(UNIFORM_ALPHA, material->alpha_mode == ALPHA_MASK ? material->alpha_cutoff : 0,
		material->alpha_mode == ALPHA_BLEND ? 0 : 1);
	float map[6];
	texture_slot_rows(&material->textures[TEXTURE_BASE_COLOR], map);
	glUniformMatrix2x3fv(UNIFORM_BASE_COLOR_MAP, 1, GL_FALSE, map);
	const GLuint texture = gpu_rig_texture(job->gpu, material, TEXTURE_BASE_COLOR);
	glBindTexture(GL_TEXTURE_2D, texture ? texture : draw->white);
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

static void call(const struct rig *rig, const struct primitive *primitive, int instances) {
	const GLenum mode = gl_mode(primitive->topology);
	if (primitive->index_count > 0) {
		const size_t offset = (size_t)primitive->first_index * sizeof *rig->indices;
		glDrawElementsInstanced(mode, primitive->index_count, GL_UNSIGNED_INT,
			(const void *)offset, instances);
	} else {
		glDrawArraysInstanced(
			mode, primitive->first_vertex, primitive->vertex_count, instances);
	}
}

void draw_call(const struct rig *rig, const struct primitive *primitive) {
	call(rig, primitive, 1);
}

static void set_sides(
	const struct draw_job *job, const struct primitive *primitive, bool mirrored) {
	const struct material *material = material_of(job->rig, primitive);
	const bool clockwise = mirrored != job->flipped;
	glFrontFace(clockwise ? GL_CW : GL_CCW);
	if (material->double_sided || (job->paint && job->paint->both_sides) ||
		primitive->topology != TOPOLOGY_TRIANGLES) {
		glDisable(GL_CULL_FACE);
	} else {
		glEnable(GL_CULL_FACE);
	}
}

void draw_set_sides(const struct draw_job *job, int primitive) {
	glCullFace(GL_BACK);
	set_sides(job, &job->rig->primitives[primitive], job->mirrored[primitive]);
}

static void set_paint(const struct draw_job *job, const struct primitive *primitive,
	const struct material *material) {
	painter_primitive(job->paint, (int)(primitive - job->rig->primitives));
	if (material->alpha_mode == ALPHA_BLEND) {
		glUniform2f(UNIFORM_ALPHA, LEAST_ALPHA, 1);
	}
}

/* Sets what a primitive's calls have in common. */
static void begin_primitive(const struct draw *draw, const struct draw_job *job,
	const struct primitive *primitive, bool mirrored) {
	const struct material *material = material_of(job->rig, primitive);
	set_material(draw, job, material);
	if (job->paint) {
		set_paint(job, primitive, material);
	}
	set_sides(job, primitive, mirrored);
	glUniform1f(UNIFORM_OUTWARD, mirrored ? -1 : 1);
}

static bool is_blended(const struct draw_job *job, int i) {
	const struct material *material = material_of(job->rig, &job->rig->primitives[i]);
	return !job->paint && material->alpha_mode == ALPHA_BLEND;
}

static void use_program(GLuint program, const struct draw_job *job) {
	glUseProgram(program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, job->view_projection);
	glUniform4fv(UNIFORM_EYE, 1, job->eye);
	glUniform3fv(UNIFORM_KEY_DIRECTION, 1, job->key_direction);
}

static int count_blended(const struct draw_job *job) {
	int count = 0;
	for (int i = 0; i < job->rig->primitive_count; i++) {
		count += is_blended(job, i);
	}
	return count;
}

bool draw_has_blended(const struct rig *rig) {
	const struct draw_job job = {.rig = rig};
	return count_blended(&job) > 0;
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

static void begin(void) {
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_BASE_COLOR);
	glVertexAttrib4f(ATTRIBUTE_LOCATION_COLOR, 1, 1, 1, 1); // where the rig has no colours
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	glCullFace(GL_BACK);
}

static bool end(struct error *err) {
	glDisable(GL_CULL_FACE);
	glDisable(GL_DEPTH_TEST);
	glFrontFace(GL_CCW);
	glBindVertexArray(0);
	glBindTexture(GL_TEXTURE_2D, 0);
	glUseProgram(0);
	return gl_check("drawing", err);
}

static void place_at(const struct gpu_figure *figure) {
	for (GLuint row = 0; row < 3; row++) {
		glVertexAttrib4fv(
			ATTRIBUTE_LOCATION_PLACEMENT + row, figure->placement + (size_t)row * 4);
		glVertexAttrib4fv(
			ATTRIBUTE_LOCATION_NORMAL_MAP + row, figure->normal_map + (size_t)row * 4);
	}
}

void draw_in_place(void) {
	static const struct gpu_figure identity = {
		.placement = {[0] = 1, [5] = 1, [10] = 1},
		.normal_map = {[0] = 1, [5] = 1, [10] = 1},
	};
	place_at(&identity);
}

/* Makes the programs that fetch, if need be. */
static bool prepare_many(struct draw *draw, struct error *err) {
	static const char *const shaders[] = {"surface_many.vert", "surface.frag"};
	static const char *const encoded[] = {"surface_many.vert", "surface_encoded.frag"};
	if (!draw->many) {
		draw->many = program_create(shaders, 2, NULL, err);
	}
	if (draw->many && draw->encoded && !draw->many_encoded) {
		draw->many_encoded = program_create(encoded, 2, NULL, err);
	}
	return draw->many && (draw->many_encoded || !draw->encoded);
}

/* The program of one pass; 0 with *err. */
static GLuint find_program(struct draw *draw, const struct draw_job *job, bool fetch, bool blended,
	struct error *err) {
	const bool encode = draw->encoded && !blended;
	if (job->paint) {
		return painter_program(draw->painter, job->paint, fetch, err);
	}
	if (fetch && !prepare_many(draw, err)) {
		return 0;
	}
	return fetch && encode ? draw->many_encoded
		: fetch        ? draw->many
		: encode       ? draw->encoded
			       : draw->program;
}

/* Sets what all primitives of one pass have in common. */
static void begin_pass(
	struct draw *draw, const struct draw_job *job, GLuint program, bool blended) {
	use_program(program, job);
	if (blended) {
		begin_blended();
	} else {
		begin_opaque(draw, job);
	}
	if (job->paint) {
		painter_begin(draw->painter, job->paint, job->rig);
	}
}

static void end_pass(const struct draw *draw, const struct draw_job *job, bool blended) {
	if (job->paint) {
		painter_end(draw->painter, job->paint, job->gpu);
	}
	if (blended) {
		end_blended();
	} else {
		end_opaque(draw, job);
	}
}

static bool draw_pass(
	struct draw *draw, const struct draw_job *job, bool blended, struct error *err) {
	const GLuint program = find_program(draw, job, false, blended, err);
	if (!program) {
		return false;
	}
	begin_pass(draw, job, program, blended);
	for (int i = 0; i < job->rig->primitive_count; i++) {
		const struct primitive *primitive = &job->rig->primitives[i];
		if (is_blended(job, i) == blended) {
			begin_primitive(draw, job, primitive, job->mirrored[i]);
			draw_call(job->rig, primitive);
		}
	}
	end_pass(draw, job, blended);
	return true;
}

bool draw_rig(struct draw *draw, const struct draw_job *job, struct error *err) {
	begin();
	glBindVertexArray(job->gpu->vertex_array);
	draw_in_place();
	const bool drawn = draw_pass(draw, job, false, err) &&
		(count_blended(job) == 0 || draw_pass(draw, job, true, err));
	return end(err) && drawn;
}

/* Draws figures that are alike but for where they stand. */
static void draw_run(
	const struct draw_many_job *many, bool fetch, int primitive, int first, int count) {
	const struct rig *rig = many->job.rig;
	if (fetch) {
		gpu_copies_point_at(many->copies, (size_t)first);
		call(rig, &rig->primitives[primitive], count);
		return;
	}
	for (int i = first; i < first + count; i++) {
		const struct gpu_figure *figure = &many->figures[i];
		gpu_rig_point_at(rig, many->copies->skinned, (size_t)figure->normal_map[3]);
		place_at(figure);
		draw_call(rig, &rig->primitives[primitive]);
	}
}

/* Draws a primitive of so many figures, run by run of those that are mirrored or are not. */
static void draw_primitive_of(const struct draw *draw, const struct draw_many_job *many, bool fetch,
	int primitive, int first, int count) {
	const int end = first + count;
	for (int last; first < end; first = last) {
		const bool mirrored = many->mirrored[first][primitive];
		last = first + 1;
		while (last < end && many->mirrored[last][primitive] == mirrored) {
			last++;
		}
		begin_primitive(draw, &many->job, &many->job.rig->primitives[primitive], mirrored);
		draw_run(many, fetch, primitive, first, last - first);
	}
}

static void draw_primitives(const struct draw *draw, const struct draw_many_job *many, bool fetch) {
	const struct rig *rig = many->job.rig;
	const int step = many->blended && count_blended(&many->job) > 1 ? 1 : many->count;
	for (int first = 0; first < many->count; first += step) {
		for (int i = 0; i < rig->primitive_count; i++) {
			if (is_blended(&many->job, i) == many->blended) {
				draw_primitive_of(draw, many, fetch, i, first, step);
			}
		}
	}
}

bool draw_many(struct draw *draw, const struct draw_many_job *many, struct error *err) {
	// One figure is drawn as draw_rig() draws it, so that it looks the same to the bit.
	const bool fetch = draw->fetches && many->count > 1;
	const struct draw_job *job = &many->job;
	if (many->count == 0) {
		return true;
	}
	const GLuint program = find_program(draw, job, fetch, many->blended, err);
	if (!program) {
		return false;
	}
	begin();
	gpu_copies_use(many->copies, job->gpu, many->figures, (size_t)many->count);
	begin_pass(draw, job, program, many->blended);
	if (fetch) {
		glUniform2ui(UNIFORM_FIGURE, (GLuint)job->rig->vertex_count,
			(GLuint)gpu_rig_stream_floats(job->rig));
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_COPIES, many->copies->skinned);
	}
	draw_primitives(draw, many, fetch);
	end_pass(draw, job, many->blended);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_COPIES, 0);
	return end(err);
}
