// Light from all around: its descriptions, and the textures made of them.
#include "gl/environment.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/egl.h"
#include "gl/program.h"

/* As in shaders/include/environment.glsl. */
#define SIZE 48
#define LAYERS 8
#define TABLE_SIZE 32

/* Work items of a group, a side. */
#define GROUP 8

/* A bright rectangle far away, that faces us. */
struct soft_box {
	float yaw_deg, pitch_deg; // where its middle is: 0, 0 is behind the viewer, 90, 0 right
	float half_width, half_height; // at distance 1
	float softness;                // of its edge, at distance 1
	float radiance[3];
};

/* Radiance is such that a white surface with 1 all around is as bright as white paper. */
struct description {
	float zenith[3], horizon[3], nadir[3];
	struct soft_box boxes[ENVIRONMENT_BOXES];
	int box_count;
};

static const struct description descriptions[ENVIRONMENT_NONE] = {
	/* Key from the left above, a wide fill from the right, light from overhead, and two strips
	 * from behind that part the edges from the background. */
	[ENVIRONMENT_STUDIO] =
		{
			.zenith = {0.62F, 0.64F, 0.68F},
			.horizon = {0.40F, 0.41F, 0.43F},
			.nadir = {0.26F, 0.25F, 0.24F},
			.boxes =
				{
					{-42, 38, 0.55F, 0.55F, 0.12F, {6.3F, 6.0F, 5.6F}},
					{62, 12, 0.45F, 0.75F, 0.15F, {1.15F, 1.2F, 1.3F}},
					{0, 86, 0.7F, 0.5F, 0.15F, {1.9F, 1.9F, 1.9F}},
					{148, 24, 0.22F, 0.9F, 0.08F, {5.0F, 5.2F, 5.6F}},
					{-140, 20, 0.16F, 0.9F, 0.08F, {3.6F, 3.6F, 3.8F}},
				},
			.box_count = 5,
		},
	[ENVIRONMENT_SOFT] =
		{
			.zenith = {1.35F, 1.38F, 1.45F},
			.horizon = {0.92F, 0.93F, 0.95F},
			.nadir = {0.42F, 0.40F, 0.38F},
		},
	[ENVIRONMENT_NEUTRAL] =
		{
			.zenith = {1, 1, 1},
			.horizon = {1, 1, 1},
			.nadir = {1, 1, 1},
		},
};

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

static void set_box(const struct soft_box *box, float numbers[static 16]) {
	const double yaw = box->yaw_deg * M_PI / 180, pitch = box->pitch_deg * M_PI / 180;
	const float rows[16] = {
		(float)(sin(yaw) * cos(pitch)),
		(float)sin(pitch),
		(float)(cos(yaw) * cos(pitch)),
		box->softness,
		(float)cos(yaw),
		0,
		(float)-sin(yaw),
		box->half_width,
		(float)(-sin(yaw) * sin(pitch)),
		(float)cos(pitch),
		(float)(-cos(yaw) * sin(pitch)),
		box->half_height,
		box->radiance[0],
		box->radiance[1],
		box->radiance[2],
		0,
	};
	for (int i = 0; i < 16; i++) {
		numbers[i] = rows[i];
	}
}

static void describe(const struct description *description) {
	float boxes[ENVIRONMENT_BOXES][16];
	for (int i = 0; i < description->box_count; i++) {
		set_box(&description->boxes[i], boxes[i]);
	}
	glUniform3fv(UNIFORM_GRADIENT, 1, description->zenith);
	glUniform3fv(UNIFORM_GRADIENT + 1, 1, description->horizon);
	glUniform3fv(UNIFORM_GRADIENT + 2, 1, description->nadir);
	glUniform1i(UNIFORM_BOX_COUNT, description->box_count);
	if (description->box_count > 0) {
		glUniform4fv(UNIFORM_BOXES, description->box_count * 4, boxes[0]);
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

/* All images and buffers of the shader are bound in each pass, used or not. */
static void make(struct environments *environments, enum environment environment) {
	/* Wider lobes need more samples. */
	static const int samples[LAYERS] = {1, 16, 32, 48, 64, 64, 96, 128};
	const GLuint light = create_texture(GL_TEXTURE_3D, SIZE, LAYERS);
	GLuint irradiance;
	glGenBuffers(1, &irradiance);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, irradiance);
	glBufferData(GL_SHADER_STORAGE_BUFFER, 9 * 4 * sizeof(float), NULL, GL_STATIC_DRAW);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_IRRADIANCE, irradiance);
	const bool first = environments->reflection == 0;
	if (first) {
		environments->reflection = create_texture(GL_TEXTURE_2D, TABLE_SIZE, 1);
	}
	glUseProgram(environments->program);
	describe(&descriptions[environment]);
	glBindImageTexture(IMAGE_REFLECTION, environments->reflection, 0, GL_FALSE, 0,
		GL_WRITE_ONLY, GL_RGBA16F);
	glBindImageTexture(IMAGE_LIGHT, light, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
	for (int layer = 0; layer < LAYERS; layer++) {
		run(ENVIRONMENT_PASS_LIGHT, layer, samples[layer], SIZE);
	}
	run(ENVIRONMENT_PASS_IRRADIANCE, 0, 0, 1);
	if (first) {
		run(ENVIRONMENT_PASS_REFLECTION, 0, 0, TABLE_SIZE);
	}
	glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT);
	glBindImageTexture(IMAGE_LIGHT, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
	glBindImageTexture(IMAGE_REFLECTION, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_IRRADIANCE, 0);
	glUseProgram(0);
	environments->made[environment].light = light;
	environments->made[environment].irradiance = irradiance;
}

static bool make_sure(
	struct environments *environments, enum environment environment, struct error *err) {
	static const char *const shader[] = {"environment.comp"};
	if (environments->made[environment].light) {
		return true;
	}
	if (!environments->program) {
		environments->program = program_create(shader, 1, NULL, err);
	}
	if (!environments->program) {
		return false;
	}
	make(environments, environment);
	return gl_check("making the light", err);
}

bool environments_use(
	struct environments *environments, enum environment environment, struct error *err) {
	if (!make_sure(environments, environment, err)) {
		return false;
	}
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_LIGHT);
	glBindTexture(GL_TEXTURE_3D, environments->made[environment].light);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_REFLECTION);
	glBindTexture(GL_TEXTURE_2D, environments->reflection);
	glBindBufferBase(
		GL_UNIFORM_BUFFER, BLOCK_IRRADIANCE, environments->made[environment].irradiance);
	return true;
}
