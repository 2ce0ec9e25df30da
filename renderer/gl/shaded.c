// Surfaces as glTF describes them.
#include "gl/shaded.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/environment.h"
#include "gl/program.h"

/* Programs that are kept; when there are more, all are made anew. */
#define PROGRAMS_MAX 64

struct shaded {
	struct environments *environments;
	GLuint lights; // buffer; 0 = was not needed so far
	struct {
		struct material_variant variant;
		GLuint program;
	} programs[PROGRAMS_MAX];
	size_t program_count;
};

struct shaded *shaded_create(void) {
	struct shaded *shaded = xcalloc(1, sizeof *shaded);
	shaded->environments = environments_create();
	return shaded;
}

static void forget_programs(struct shaded *shaded) {
	for (size_t i = 0; i < shaded->program_count; i++) {
		glDeleteProgram(shaded->programs[i].program);
	}
	shaded->program_count = 0;
}

void shaded_destroy(struct shaded *shaded) {
	if (!shaded) {
		return;
	}
	forget_programs(shaded);
	glDeleteBuffers(1, &shaded->lights);
	environments_destroy(shaded->environments);
	free(shaded);
}

static GLuint compile(const struct material_variant *variant, struct error *err) {
	const bool many = variant->flags & SHADED_MANY, toon = variant->flags & SHADED_TOON;
	const char *const surface = many ? "shaded_many.vert" : "shaded.vert";
	const char *const outline = many ? "outline_many.vert" : "outline.vert";
	const char *const shaders[] = {variant->flags & SHADED_OUTLINE ? outline : surface,
		toon ? "toon.frag" : "shaded.frag"};
	char constants[160];
	snprintf(constants, sizeof constants,
		"const int VARIANT = %u;\nconst int MAPS = %u;\nconst int SECOND = %u;\n"
		"const int MOVED = %u;\n",
		variant->flags, variant->maps, variant->second, variant->moved);
	return program_create(shaders, 2, constants, err);
}

static GLuint find_program(
	struct shaded *shaded, const struct material_variant *variant, struct error *err) {
	for (size_t i = 0; i < shaded->program_count; i++) {
		if (material_variant_equals(&shaded->programs[i].variant, variant)) {
			return shaded->programs[i].program;
		}
	}
	if (shaded->program_count == PROGRAMS_MAX) {
		forget_programs(shaded);
	}
	const GLuint program = compile(variant, err);
	if (program) {
		shaded->programs[shaded->program_count].variant = *variant;
		shaded->programs[shaded->program_count++].program = program;
	}
	return program;
}

static void bind_lights(struct shaded *shaded, const struct shaded_look *look) {
	assert(look->light_count <= SHADED_LIGHTS_MAX);
	if (!shaded->lights) {
		glGenBuffers(1, &shaded->lights);
	}
	glBindBuffer(GL_UNIFORM_BUFFER, shaded->lights);
	glBufferData(
		GL_UNIFORM_BUFFER, SHADED_LIGHTS_MAX * sizeof *look->lights, NULL, GL_STREAM_DRAW);
	glBufferSubData(GL_UNIFORM_BUFFER, 0,
		(GLsizeiptr)((size_t)look->light_count * sizeof *look->lights), look->lights);
	glBindBuffer(GL_UNIFORM_BUFFER, 0);
	glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_LIGHTS, shaded->lights);
}

bool shaded_begin(struct shaded *shaded, const struct shaded_look *look, struct error *err) {
	if (look->light_count > 0) {
		bind_lights(shaded, look);
	}
	return environments_use(shaded->environments, look->environment, err);
}

void shaded_end(void) {
	for (GLenum unit = 0; unit < TEXTURE_UNIT_MATERIAL + MAP_COUNT; unit++) {
		glActiveTexture(GL_TEXTURE0 + unit);
		glBindTexture(GL_TEXTURE_2D, 0);
		glBindTexture(GL_TEXTURE_3D, 0);
	}
	glActiveTexture(GL_TEXTURE0);
	glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_IRRADIANCE, 0);
	glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_LIGHTS, 0);
}

static void set_textures(const struct gpu_rig *gpu, const struct material *material,
	const struct shaded_look *look, const struct material_variant *variant) {
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		if (!(variant->maps & 1U << i)) {
			continue;
		}
		const int slot = material_map_slot(variant, i);
		glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_MATERIAL + (GLenum)slot);
		glBindTexture(GL_TEXTURE_2D, gpu_rig_texture(gpu, material, (enum texture_use)i));
		if (variant->moved & 1U << i) {
			float rows[6];
			material_map_rows(material, (enum texture_use)i, look, rows);
			glUniformMatrix2x3fv(UNIFORM_MAPS + slot, 1, GL_FALSE, rows);
		}
	}
}

static void set_toon(const struct shaded_view *view, const struct material *material) {
	float numbers[TOON_VECTORS][4];
	material_toon_numbers(material, view->look, numbers);
	glUniform4fv(UNIFORM_TOON, TOON_VECTORS, numbers[0]);
	if (view->flags & SHADED_OUTLINE) {
		glUniform1f(UNIFORM_OUTLINE_SCALE, outline_scale(view->view_projection));
	}
}

bool shaded_use(struct shaded *shaded, const struct shaded_view *view, const struct gpu_rig *gpu,
	const struct material *material, struct error *err) {
	const struct material_variant variant =
		material_variant_of(view->rig, material, view->look, view->flags);
	const GLuint program = find_program(shaded, &variant, err);
	if (!program) {
		return false;
	}
	glUseProgram(program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, view->view_projection);
	glUniform4fv(UNIFORM_EYE, 1, view->eye);
	glUniformMatrix3fv(UNIFORM_TURN, 1, GL_FALSE, view->look->turn);
	glUniform1f(UNIFORM_EXPOSURE, view->look->exposure);
	glUniform1i(UNIFORM_LIGHT_COUNT, view->look->light_count);
	float numbers[MATERIAL_VECTORS][4];
	material_numbers(material, view->scale, numbers);
	glUniform4fv(UNIFORM_MATERIAL, MATERIAL_VECTORS, numbers[0]);
	if (variant.flags & SHADED_TOON) {
		set_toon(view, material);
	}
	set_textures(gpu, material, view->look, &variant);
	return true;
}
