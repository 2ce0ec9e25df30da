// Light from all around: the textures made of its descriptions.
#include "gl/environment.h"

#include <epoxy/gl.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "draw/sky.h"
#include "gl/egl.h"
#include "gl/program.h"

/* As in shaders/include/environment.glsl. */
#define SIZE 48
#define LAYERS 8
#define TABLE_SIZE 32

/* Work items of a group, a side. */
#define GROUP 8

struct environments {
	GLuint program;    // 0 = was not needed so far
	GLuint reflection; // texture
	struct {
		GLuint light;      // texture; 0 = was not needed so far
		GLuint irradiance; // buffer
	} made[ENVIRONMENT_NONE];
};

struct environments *environments_create(void) {
	return xcalloc(1, sizeof(struct environments));
}

void environments_destroy(struct environments *environments) {
	if (!environments) {
		return;
	}
	for (int i = 0; i < ENVIRONMENT_NONE; i++) {
		glDeleteTextures(1, &environments->made[i].light);
		glDeleteBuffers(1, &environments->made[i].irradiance);
	}
	glDeleteTextures(1, &environments->reflection);
	glDeleteProgram(environments->program);
	free(environments);
}

static void describe(const struct sky *sky) {
	float boxes[ENVIRONMENT_BOXES][16];
	for (int i = 0; i < sky->box_count; i++) {
		soft_box_rows(&sky->boxes[i], boxes[i]);
	}
	glUniform3fv(UNIFORM_GRADIENT, 1, sky->zenith);
	glUniform3fv(UNIFORM_GRADIENT + 1, 1, sky->horizon);
	glUniform3fv(UNIFORM_GRADIENT + 2, 1, sky->nadir);
	glUniform1i(UNIFORM_BOX_COUNT, sky->box_count);
	if (sky->box_count > 0) {
		glUniform4fv(UNIFORM_BOXES, sky->box_count * 4, boxes[0]);
	}
}

/* Empty, smooth and without smaller levels. */
static GLuint create_texture(GLenum kind, int size, int layers) {
	GLuint texture;
	glGenTextures(1, &texture);
	glBindTexture(kind, texture);
	if (kind == GL_TEXTURE_3D) {
		glTexStorage3D(kind, 1, GL_RGBA16F, size, size, layers);
	} else {
		glTexStorage2D(kind, 1, GL_RGBA16F, size, size);
	}
	glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glTexParameteri(kind, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
	glBindTexture(kind, 0);
	return texture;
}

static void run(int pass, int layer, int samples, int size) {
	const GLuint groups = (GLuint)(size + GROUP - 1) / GROUP;
	glUniform3i(UNIFORM_ENVIRONMENT_PASS, pass, layer, samples);
	glDispatchCompute(groups, groups, 1);
}

static void make_reflection(struct environments *environments) {
	environments->reflection = create_texture(GL_TEXTURE_2D, TABLE_SIZE, 1);
	glUseProgram(environments->program);
	glBindImageTexture(IMAGE_REFLECTION, environments->reflection, 0, GL_FALSE, 0,
		GL_WRITE_ONLY, GL_RGBA16F);
	run(ENVIRONMENT_PASS_REFLECTION, 0, 0, TABLE_SIZE);
	glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
	glBindImageTexture(IMAGE_REFLECTION, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
	glUseProgram(0);
}

static void make_light(struct environments *environments, enum environment environment) {
	/* Wider lobes need more samples. */
	static const int samples[LAYERS] = {1, 16, 32, 48, 64, 64, 96, 128};
	const GLuint light = create_texture(GL_TEXTURE_3D, SIZE, LAYERS);
	GLuint irradiance;
	glGenBuffers(1, &irradiance);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, irradiance);
	glBufferData(GL_SHADER_STORAGE_BUFFER, 9 * 4 * sizeof(float), NULL, GL_STATIC_DRAW);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_IRRADIANCE, irradiance);
	glUseProgram(environments->program);
	describe(&skies[environment]);
	glBindImageTexture(IMAGE_LIGHT, light, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
	for (int layer = 0; layer < LAYERS; layer++) {
		run(ENVIRONMENT_PASS_LIGHT, layer, samples[layer], SIZE);
	}
	run(ENVIRONMENT_PASS_IRRADIANCE, 0, 0, 1);
	glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT);
	glBindImageTexture(IMAGE_LIGHT, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_IRRADIANCE, 0);
	glUseProgram(0);
	environments->made[environment].light = light;
	environments->made[environment].irradiance = irradiance;
}

static bool make_sure(
	struct environments *environments, enum environment environment, struct error *err) {
	static const char *const shader[] = {"environment.comp"};
	const bool lit = environment != ENVIRONMENT_NONE;
	if (environments->reflection && (!lit || environments->made[environment].light)) {
		return true;
	}
	if (!environments->program) {
		environments->program = program_create(shader, 1, NULL, err);
	}
	if (!environments->program) {
		return false;
	}
	if (!environments->reflection) {
		make_reflection(environments);
	}
	if (lit) {
		make_light(environments, environment);
	}
	return gl_check("making the light", err);
}

bool environments_use(
	struct environments *environments, enum environment environment, struct error *err) {
	if (!make_sure(environments, environment, err)) {
		return false;
	}
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_REFLECTION);
	glBindTexture(GL_TEXTURE_2D, environments->reflection);
	if (environment == ENVIRONMENT_NONE) {
		return true;
	}
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_LIGHT);
	glBindTexture(GL_TEXTURE_3D, environments->made[environment].light);
	glBindBufferBase(
		GL_UNIFORM_BUFFER, BLOCK_IRRADIANCE, environments->made[environment].irradiance);
	return true;
}
