// Surfaces in their base colours.
#include "gl/plain.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/gpu_copies.h"
#include "gl/program.h"

struct plain {
	GLuint programs[2][2][2]; // [many][encoded][cut]; 0 = was not needed so far
	GLuint white;             // texture for surfaces without one; 0 = was not needed so far
};

struct plain *plain_create(void) {
	return xcalloc(1, sizeof(struct plain));
}

void plain_destroy(struct plain *plain) {
	if (!plain) {
		return;
	}
	for (int i = 0; i < 8; i++) {
		glDeleteProgram(plain->programs[i / 4][i / 2 % 2][i % 2]);
	}
	glDeleteTextures(1, &plain->white);
	free(plain);
}

const char *surface_constants(bool cut) {
	return cut ? "const bool CUT = true;\n" : "const bool CUT = false;\n";
}

static GLuint find_program(
	struct plain *plain, bool many, bool encoded, bool cut, struct error *err) {
	const char *const shaders[] = {many ? "surface_many.vert" : "surface.vert",
		encoded ? "surface_encoded.frag" : "surface.frag"};
	GLuint *program = &plain->programs[many][encoded][cut];
	if (!*program) {
		*program = program_create(shaders, 2, surface_constants(cut), err);
	}
	return *program;
}

void plain_set_material(
	struct plain *plain, const struct gpu_rig *gpu, const struct material *material) {
	if (!plain->white) {
		plain->white = upload_white();
	}
	glUniform4fv(UNIFORM_BASE_COLOR, 1, material->base_color);
	const float *light = material->emissive;
	const float strength = material->unlit ? 0 : material->emissive_strength;
	glUniform3f(
		UNIFORM_EMISSIVE, light[0] * strength, light[1] * strength, light[2] * strength);
	glUniform1f(UNIFORM_LIT, material->unlit ? 0 : 1);
	glUniform2f(UNIFORM_ALPHA, material->alpha_mode == ALPHA_MASK ? material->alpha_cutoff : 0,
		material->alpha_mode == ALPHA_BLEND ? 0 : 1);
	float map[6];
	texture_slot_rows(&material->textures[TEXTURE_BASE_COLOR], map);
	glUniformMatrix2x3fv(UNIFORM_BASE_COLOR_MAP, 1, GL_FALSE, map);
	const GLuint texture = gpu_rig_texture(gpu, material, TEXTURE_BASE_COLOR);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_BASE_COLOR);
	glBindTexture(GL_TEXTURE_2D, texture ? texture : plain->white);
}

bool plain_use(struct plain *plain, const struct plain_view *view, const struct gpu_rig *gpu,
	const struct material *material, unsigned flags, struct error *err) {
	const GLuint program = find_program(plain, flags & SHADED_MANY, flags & SHADED_ENCODED,
		material->alpha_mode == ALPHA_MASK, err);
	if (!program) {
		return false;
	}
	glUseProgram(program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, view->view_projection);
	glUniform4fv(UNIFORM_EYE, 1, view->eye);
	glUniform3fv(UNIFORM_KEY_DIRECTION, 1, view->key_direction);
	plain_set_material(plain, gpu, material);
	if (flags & SHADED_UNLIT) {
		glUniform1f(UNIFORM_LIT, 0);
	}
	return true;
}
