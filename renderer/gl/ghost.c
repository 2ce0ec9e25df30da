// Translucent figures of one colour.
#include "gl/ghost.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/check.h"
#include "gl/program.h"

struct ghost {
	GLuint program;
};

struct ghost *ghost_create(struct error *err) {
	static const char *const shaders[] = {"surface.vert", "ghost.frag"};
	struct ghost *ghost = xcalloc(1, sizeof *ghost);
	ghost->program = program_create(shaders, 2, NULL, err);
	if (!ghost->program) {
		ghost_destroy(ghost);
		return NULL;
	}
	return ghost;
}

void ghost_destroy(struct ghost *ghost) {
	if (!ghost) {
		return;
	}
	glDeleteProgram(ghost->program);
	free(ghost);
}

static void draw_all(const struct draw_job *job) {
	for (int i = 0; i < job->rig->primitive_count; i++) {
		draw_set_sides(job, i);
		draw_call(job->rig, &job->rig->primitives[i]);
	}
}

bool ghost_draw(struct ghost *ghost, const struct draw_job *job, const float color[static 4],
	struct error *err) {
	glBindVertexArray(job->gpu->vertex_array);
	draw_in_place();
	glUseProgram(ghost->program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, job->view_projection);
	glUniform4fv(UNIFORM_EYE, 1, job->eye);
	glUniform4fv(UNIFORM_GHOST_COLOR, 1, color);
	glEnable(GL_DEPTH_TEST);
	// Depth comes first, so that only the nearest surface is seen.
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	glDepthFunc(GL_LESS);
	draw_all(job);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthFunc(GL_EQUAL);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	draw_all(job);
	glDisable(GL_BLEND);
	glDepthFunc(GL_LEQUAL);
	glDisable(GL_CULL_FACE);
	glDisable(GL_DEPTH_TEST);
	glFrontFace(GL_CCW);
	glBindVertexArray(0);
	glUseProgram(0);
	return gl_check("drawing a figure of another time", err);
}
