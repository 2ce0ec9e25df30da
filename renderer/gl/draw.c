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
	GLuint white;   // texture for surfaces without one
};

/* glTF's material of a primitive that names none. */
static const struct material default_material = {
	.base_color = {1, 1, 1, 1},
	.texture = -1,
};

struct draw *draw_create(bool software, struct error *err) {
	static const char *const shaders[] = {"surface.vert", "surface.frag"};
	static const char *const encoded[] = {"surface.vert", "surface_encoded.frag"};
	struct draw *draw = xcalloc(1, sizeof *draw);
	draw->program = program_create(shaders, 2, NULL, err);
	const bool encodes = software && target_can_stop_encoding();
	draw->encoded = encodes ? program_create(encoded, 2, NULL, err) : 0;
	if (!draw->program || (encodes && !draw->encoded)) {
		goto fail;
	}
	draw->white = upload_white();
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
	glDeleteTextures(1, &draw->white);
	glDeleteProgram(draw->encoded);
	glDeleteProgram(draw->program);
	free(draw);
}

bool draw_encodes(const struct draw *draw) {
	return draw->encoded != 0;
}

static const struct material *material_of(
	const struct rig *rig, const struct primitive *primitive) {
	return primitive->material >= 0 ? &rig->materials[primitive->material] : &default_material;
}

static void set_material(
	const struct draw *draw, const struct draw_job *job, const struct material *material) {
	glUniform4fv(UNIFORM_BASE_COLOR, 1, material->base_color);
	glUniform3fv(UNIFORM_EMISSIVE, 1, material->emissive);
	glUniform1f(UNIFORM_LIT, material->unlit ? 0 : 1);
	glUniform2f(UNIFORM_ALPHA, material->alpha_mode == ALPHA_MASK ? material->alpha_cutoff : 0,
		material->alpha_mode == ALPHA_BLEND ? 0 : 1);
	glBindTexture(GL_TEXTURE_2D,
		material->texture >= 0 ? job->gpu->textures[material->texture] : draw->white);
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

void draw_call(const struct rig *rig, const struct primitive *primitive) {
	if (primitive->index_count > 0) {
		const size_t offset = (size_t)primitive->first_index * sizeof *rig->indices;
		glDrawElements(gl_mode(primitive->topology), primitive->index_count,
			GL_UNSIGNED_INT, (const void *)offset);
	} else {
		glDrawArrays(gl_mode(primitive->topology), primitive->first_vertex,
			primitive->vertex_count);
	}
}

static void draw_primitive(const struct draw *draw, const struct draw_job *job, int i) {
	const struct primitive *primitive = &job->rig->primitives[i];
	const struct material *material = material_of(job->rig, primitive);
	set_material(draw, job, material);
	const bool clockwise = job->mirrored[i] != job->flipped;
	glFrontFace(clockwise ? GL_CW : GL_CCW);
	glUniform1f(UNIFORM_OUTWARD, job->mirrored[i] ? -1 : 1);
	if (material->double_sided || primitive->topology != TOPOLOGY_TRIANGLES) {
		glDisable(GL_CULL_FACE);
	} else {
		glEnable(GL_CULL_FACE);
	}
	draw_call(job->rig, primitive);
}

static void draw_pass(const struct draw *draw, const struct draw_job *job, bool blended) {
	for (int i = 0; i < job->rig->primitive_count; i++) {
		const struct primitive *primitive = &job->rig->primitives[i];
		const struct material *material = material_of(job->rig, primitive);
		if ((material->alpha_mode == ALPHA_BLEND) == blended) {
			draw_primitive(draw, job, i);
		}
	}
}

static void use_program(GLuint program, const struct draw_job *job) {
	glUseProgram(program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, job->view_projection);
	glUniform3fv(UNIFORM_EYE, 1, job->eye);
	glUniform3fv(UNIFORM_KEY_DIRECTION, 1, job->key_direction);
}

static bool has_blended(const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		if (material_of(rig, &rig->primitives[i])->alpha_mode == ALPHA_BLEND) {
			return true;
		}
	}
	return false;
}

static void draw_opaque(const struct draw *draw, const struct draw_job *job) {
	use_program(draw->encoded ? draw->encoded : draw->program, job);
	glDisable(GL_BLEND);
	if (draw->encoded) {
		target_stop_encoding();
	}
	draw_pass(draw, job, false);
	if (draw->encoded) {
		target_start_encoding();
	}
}

static void draw_blended(const struct draw *draw, const struct draw_job *job) {
	use_program(draw->program, job);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	glDepthMask(GL_FALSE);
	draw_pass(draw, job, true);
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
}

bool draw_rig(struct draw *draw, const struct draw_job *job, struct error *err) {
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_BASE_COLOR);
	glBindVertexArray(job->gpu->vertex_array);
	glVertexAttrib4f(ATTRIBUTE_LOCATION_COLOR, 1, 1, 1, 1); // where the rig has no colours
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	glCullFace(GL_BACK);
	draw_opaque(draw, job);
	if (has_blended(job->rig)) {
		draw_blended(draw, job);
	}
	glDisable(GL_CULL_FACE);
	glDisable(GL_DEPTH_TEST);
	glFrontFace(GL_CCW);
	glBindVertexArray(0);
	glBindTexture(GL_TEXTURE_2D, 0);
	glUseProgram(0);
	return gl_check("drawing", err);
}
