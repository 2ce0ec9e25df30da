// Maps of depth that the key light sees.
#include "gl/key_maps.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "draw/material.h"
#include "gl/egl.h"
#include "gl/plain.h"
#include "gl/program.h"

struct key_maps {
	GLuint programs[2]; // [cut]
	GLuint ground;      // program
	struct plain *plain;
	GLuint block;  // buffer
	GLuint depths; // texture of KEY_MAPS layers
	GLuint framebuffers[KEY_MAPS];
	GLuint vertex_array; // of nothing: corners come from gl_VertexID
	int side;            // 0 = there are no depths
};

static bool create_programs(struct key_maps *maps, struct error *err) {
	static const char *const caster[] = {"surface.vert", "key_map.frag"};
	static const char *const ground[] = {"ground_key.vert", "ground_key.frag"};
	for (int cut = 0; cut < 2; cut++) {
		maps->programs[cut] = program_create(caster, 2, surface_constants(cut), err);
		if (!maps->programs[cut]) {
			return false;
		}
	}
	maps->ground = program_create(ground, 2, NULL, err);
	return maps->ground;
}

struct key_maps *key_maps_create(struct error *err) {
	struct key_maps *maps = xcalloc(1, sizeof *maps);
	maps->plain = plain_create();
	glGenBuffers(1, &maps->block);
	glGenVertexArrays(1, &maps->vertex_array);
	glGenFramebuffers(KEY_MAPS, maps->framebuffers);
	if (!create_programs(maps, err) || !gl_check("preparing shadows", err)) {
		key_maps_destroy(maps);
		return NULL;
	}
	return maps;
}

void key_maps_destroy(struct key_maps *maps) {
	if (!maps) {
		return;
	}
	glDeleteTextures(1, &maps->depths);
	glDeleteFramebuffers(KEY_MAPS, maps->framebuffers);
	glDeleteVertexArrays(1, &maps->vertex_array);
	glDeleteBuffers(1, &maps->block);
	glDeleteProgram(maps->ground);
	for (int cut = 0; cut < 2; cut++) {
		glDeleteProgram(maps->programs[cut]);
	}
	plain_destroy(maps->plain);
	free(maps);
}

/* --- Maps --- */

static void use_side(struct key_maps *maps, int side) {
	if (maps->side == side) {
		return;
	}
	glDeleteTextures(1, &maps->depths);
	glGenTextures(1, &maps->depths);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_KEY);
	glBindTexture(GL_TEXTURE_2D_ARRAY, maps->depths);
	glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_DEPTH_COMPONENT32F, side, side, KEY_MAPS);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	for (int i = 0; i < KEY_MAPS; i++) {
		glBindFramebuffer(GL_FRAMEBUFFER, maps->framebuffers[i]);
		glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, maps->depths, 0, i);
	}
	glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
	glActiveTexture(GL_TEXTURE0);
	maps->side = side;
}

static void begin_depth(const struct key_maps *maps) {
	glViewport(0, 0, maps->side, maps->side);
	glDisable(GL_SCISSOR_TEST);
	glDisable(GL_CULL_FACE);
	glDisable(GL_BLEND);
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LESS);
	glDepthMask(GL_TRUE);
}

static bool end_depth(struct error *err) {
	glDisable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_BASE_COLOR);
	glBindTexture(GL_TEXTURE_2D, 0);
	glBindVertexArray(0);
	glUseProgram(0);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	return gl_check("casting shadows", err);
}

bool key_maps_begin(struct key_maps *maps, const struct key_light *key, struct error *err) {
	use_side(maps, key->side);
	begin_depth(maps);
	glClearDepthf(1);
	for (int i = 0; i < KEY_MAPS; i++) {
		glBindFramebuffer(GL_FRAMEBUFFER, maps->framebuffers[i]);
		glClear(GL_DEPTH_BUFFER_BIT);
	}
	glBindBuffer(GL_UNIFORM_BUFFER, maps->block);
	glBufferData(GL_UNIFORM_BUFFER, sizeof key->block, &key->block, GL_STREAM_DRAW);
	glBindBuffer(GL_UNIFORM_BUFFER, 0);
	return end_depth(err);
}

/* Has the program for a caster draw what map i sees. */
static void use_caster(const struct key_maps *maps, const struct key_light *key, int i,
	const struct gpu_rig *gpu, const struct material *material,
	const struct key_caster *caster) {
	glUseProgram(maps->programs[caster->cutoff > 0]);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, key->view_projections[i]);
	if (caster->cutoff > 0) {
		plain_set_material(maps->plain, gpu, material);
		glUniform2f(UNIFORM_ALPHA, caster->cutoff, 1);
	}
}

/* Draws a primitive into all maps; draw() makes the calls. */
static void cast(const struct key_maps *maps, const struct key_light *key,
	const struct draw_job *job, const struct primitive *primitive,
	void (*draw)(const struct primitive *primitive, const void *context), const void *context) {
	const struct material *material = drawn_material(job->rig, primitive);
	for (int i = 0; i < KEY_MAPS; i++) {
		const struct key_caster caster = key_caster_of(primitive, material, i);
		if (caster.casts) {
			glBindFramebuffer(GL_FRAMEBUFFER, maps->framebuffers[i]);
			use_caster(maps, key, i, gpu_rig_of_const(job->drawn), material, &caster);
			draw(primitive, context);
		}
	}
}

static void draw_alone(const struct primitive *primitive, const void *context) {
	(void)context;
	draw_call(primitive);
}

static void draw_each(const struct primitive *primitive, const void *context) {
	draw_many_primitive(context, primitive);
}

bool key_maps_cast(struct key_maps *maps, const struct key_light *key, const struct draw_job *job,
	struct error *err) {
	begin_depth(maps);
	glBindVertexArray(gpu_rig_of_const(job->drawn)->vertex_array);
	glVertexAttrib4f(ATTRIBUTE_LOCATION_COLOR, 1, 1, 1, 1); // where the rig has no colours
	draw_in_place();
	for (int i = 0; i < job->rig->primitive_count; i++) {
		cast(maps, key, job, &job->rig->primitives[i], draw_alone, NULL);
	}
	return end_depth(err);
}

bool key_maps_cast_many(struct key_maps *maps, const struct key_light *key,
	const struct draw_many_job *many, struct error *err) {
	begin_depth(maps);
	draw_many_begin(many);
	glVertexAttrib4f(ATTRIBUTE_LOCATION_COLOR, 1, 1, 1, 1);
	for (int i = 0; i < many->job.rig->primitive_count; i++) {
		cast(maps, key, &many->job, &many->job.rig->primitives[i], draw_each, many);
	}
	return end_depth(err);
}

/* --- Pictures --- */

void key_maps_use(const struct key_maps *maps) {
	glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_KEY, maps->block);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_KEY);
	glBindTexture(GL_TEXTURE_2D_ARRAY, maps->depths);
	glActiveTexture(GL_TEXTURE0);
}

bool key_maps_draw_ground(
	const struct key_maps *maps, const struct draw_job *job, struct error *err) {
	const struct ground_square *square = &job->look.key->square;
	const double *middle = square->middle;
	const float *eye = job->eye;
	key_maps_use(maps);
	glUseProgram(maps->ground);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, job->view_projection);
	glUniform4f(UNIFORM_GROUND_SQUARE, (float)middle[0], (float)middle[1], (float)middle[2],
		(float)square->half);
	glUniform3f(UNIFORM_GROUND_ORIGIN, eye[3] * eye[0], eye[3] * eye[1], eye[3] * eye[2]);
	glUniformMatrix3fv(UNIFORM_TURN, 1, GL_FALSE, job->look.turn);
	glBindVertexArray(maps->vertex_array);
	glDisable(GL_CULL_FACE);
	glDisable(GL_DEPTH_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glDisable(GL_BLEND);
	glBindVertexArray(0);
	glUseProgram(0);
	return gl_check("drawing a shadow on the ground", err);
}
