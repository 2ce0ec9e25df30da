// The ground: a figure's shadow on it, seen from below and blurred, and a grid of lines.
#include "gl/ground.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/egl.h"
#include "gl/program.h"

struct ground {
	GLuint cast, blur, shadow, grid; // programs
	GLuint textures[2];              // nearness, before and behind the blur of one direction
	int side;                        // of them, in texels
	GLuint framebuffers[2];
	GLuint vertex_array; // of nothing: corners come from gl_VertexID
};

static bool create_programs(struct ground *ground, struct error *err) {
	const struct {
		GLuint *program;
		const char *names[2];
	} table[] = {
		{&ground->cast, {"surface.vert", "ground_cast.frag"}},
		{&ground->blur, {"resolve.vert", "ground_blur.frag"}},
		{&ground->shadow, {"ground.vert", "ground_shadow.frag"}},
		{&ground->grid, {"ground.vert", "ground_grid.frag"}},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		*table[i].program = program_create(table[i].names, 2, NULL, err);
		if (!*table[i].program) {
			return false;
		}
	}
	return true;
}

static void delete_textures(struct ground *ground) {
	glDeleteFramebuffers(2, ground->framebuffers);
	glDeleteTextures(2, ground->textures);
}

static void create_textures(struct ground *ground, int side) {
	ground->side = side;
	glGenTextures(2, ground->textures);
	glGenFramebuffers(2, ground->framebuffers);
	for (int i = 0; i < 2; i++) {
		glBindTexture(GL_TEXTURE_2D, ground->textures[i]);
		glTexStorage2D(GL_TEXTURE_2D, 1, GL_RG8, side, side);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
		glBindFramebuffer(GL_FRAMEBUFFER, ground->framebuffers[i]);
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
			ground->textures[i], 0);
	}
	glBindTexture(GL_TEXTURE_2D, 0);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

struct ground *ground_create(struct error *err) {
	struct ground *ground = xcalloc(1, sizeof *ground);
	bool ok = create_programs(ground, err);
	if (ok) {
		create_textures(ground, GROUND_SIDE_MIN);
		glGenVertexArrays(1, &ground->vertex_array);
		ok = gl_check("preparing the ground", err);
	}
	if (!ok) {
		ground_destroy(ground);
		return NULL;
	}
	return ground;
}

void ground_destroy(struct ground *ground) {
	if (!ground) {
		return;
	}
	glDeleteVertexArrays(1, &ground->vertex_array);
	delete_textures(ground);
	glDeleteProgram(ground->grid);
	glDeleteProgram(ground->shadow);
	glDeleteProgram(ground->blur);
	glDeleteProgram(ground->cast);
	free(ground);
}

/* --- The shadow --- */

static void use_side(struct ground *ground, int side) {
	if (ground->side != side) {
		delete_textures(ground);
		create_textures(ground, side);
	}
}

static void begin_on_map(const struct ground *ground) {
	glBindFramebuffer(GL_FRAMEBUFFER, ground->framebuffers[0]);
	glViewport(0, 0, ground->side, ground->side);
	glDisable(GL_SCISSOR_TEST);
	glDisable(GL_CULL_FACE);
	glDisable(GL_DEPTH_TEST);
	glDisable(GL_DITHER);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

/* Has surfaces be drawn as the ground sees them, the nearest of each place. */
static void start_casting(
	const struct ground *ground, const struct ground_square *square, double size) {
	const float scale = (float)(1 / square->half);
	const float from_below[16] = {
		[0] = scale,
		[9] = scale,
		[12] = (float)(-square->middle[0] / square->half),
		[13] = (float)(-square->middle[2] / square->half),
		[15] = 1,
	};
	begin_on_map(ground);
	glUseProgram(ground->cast);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, from_below);
	glUniform3f(UNIFORM_GROUND_FALLOFF, (float)square->middle[1],
		(float)(1 / (GROUND_TOUCH_HEIGHT * size)),
		(float)(1 / (GROUND_NEAR_HEIGHT * size)));
	glEnable(GL_BLEND);
	glBlendEquation(GL_MAX);
}

static bool stop_casting(struct error *err) {
	glBlendEquation(GL_FUNC_ADD);
	glDisable(GL_BLEND);
	glBindVertexArray(0);
	glUseProgram(0);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	return gl_check("casting a shadow", err);
}

/* There and back, so that the first texture has it in the end. */
static void blur(const struct ground *ground, const struct ground_square *square, double size) {
	const double texel = 2 * square->half / ground->side;
	glUseProgram(ground->blur);
	glUniform2f(UNIFORM_GROUND_SIGMAS, (float)(GROUND_TOUCH_BLUR * size / texel),
		(float)(GROUND_NEAR_BLUR * size / texel));
	glBindVertexArray(ground->vertex_array);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_GROUND);
	for (int i = 0; i < 2; i++) {
		glBindFramebuffer(GL_FRAMEBUFFER, ground->framebuffers[1 - i]);
		glBindTexture(GL_TEXTURE_2D, ground->textures[i]);
		glUniform2i(UNIFORM_GROUND_STEP, 1 - i, i);
		glDrawArrays(GL_TRIANGLES, 0, 3);
	}
	glBindTexture(GL_TEXTURE_2D, 0);
}

bool ground_begin_cast(
	struct ground *ground, const struct ground_square *square, double size, struct error *err) {
	use_side(ground, ground_shadow_side(square, size));
	begin_on_map(ground);
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	return gl_check("clearing the ground", err);
}

bool ground_cast_many(struct ground *ground, const struct draw_many_job *many,
	const struct ground_square *square, double size, struct error *err) {
	start_casting(ground, square, size);
	draw_many_call(many);
	return stop_casting(err);
}

bool ground_end_cast(
	struct ground *ground, const struct ground_square *square, double size, struct error *err) {
	begin_on_map(ground);
	blur(ground, square, size);
	glBindVertexArray(0);
	glUseProgram(0);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	return gl_check("blurring a shadow", err);
}

bool ground_cast(struct ground *ground, const struct rig *rig, const struct gpu_rig *gpu,
	const struct ground_square *square, double size, struct error *err) {
	if (!ground_begin_cast(ground, square, size, err)) {
		return false;
	}
	start_casting(ground, square, size);
	glBindVertexArray(gpu->vertex_array);
	draw_in_place();
	for (int i = 0; i < rig->primitive_count; i++) {
		draw_call(&rig->primitives[i]);
	}
	return stop_casting(err) && ground_end_cast(ground, square, size, err);
}

/* --- What is seen --- */

/* The transform from positions on a square to its map. */
struct map {
	double scale, x, z; // of lengths; where its middle is
};

/* Draws a square with the program that is used. */
static bool draw_square(const struct ground *ground, const float *view_projection,
	const struct ground_square *square, const struct map *map, struct error *err) {
	const double *middle = square->middle;
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, view_projection);
	glUniform4f(UNIFORM_GROUND_SQUARE, (float)middle[0], (float)middle[1], (float)middle[2],
		(float)square->half);
	glUniform3f(UNIFORM_GROUND_MAP, (float)map->scale, (float)map->x, (float)map->z);
	glBindVertexArray(ground->vertex_array);
	glDisable(GL_CULL_FACE);
	glDisable(GL_DEPTH_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glDisable(GL_BLEND);
	glBindVertexArray(0);
	glUseProgram(0);
	return gl_check("drawing the ground", err);
}

bool ground_draw_shadow(struct ground *ground, const float *view_projection,
	const struct ground_square *square, struct error *err) {
	const struct map map = {0.5 / square->half, 0.5, 0.5};
	glUseProgram(ground->shadow);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_GROUND);
	glBindTexture(GL_TEXTURE_2D, ground->textures[0]);
	const bool ok = draw_square(ground, view_projection, square, &map, err);
	glBindTexture(GL_TEXTURE_2D, 0);
	return ok;
}

/* A multiple of ten units nearby, from which the map's numbers are counted: they are small however
 * far the square is away. */
static double origin_near(double place, double unit) {
	return round(place / (10 * unit)) * 10 * unit;
}

bool ground_draw_grid(struct ground *ground, const float *view_projection,
	const struct ground_grid *grid, struct error *err) {
	const double unit = grid->unit;
	const double x = origin_near(grid->square.middle[0], unit);
	const double z = origin_near(grid->square.middle[2], unit);
	const struct map map = {
		1 / unit, (grid->square.middle[0] - x) / unit, (grid->square.middle[2] - z) / unit};
	glUseProgram(ground->grid);
	glUniform2f(UNIFORM_GROUND_LINES, (float)grid->lightness, (float)grid->strength);
	glUniform2f(UNIFORM_GROUND_AXES, (float)(-x / unit), (float)(-z / unit));
	return draw_square(ground, view_projection, &grid->square, &map, err);
}
