// Drawing a rig's skinned vertices in colours of a scale.
#include "gl/paint.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/check.h"
#include "gl/program.h"

struct paint {
	GLuint program;
	GLuint scale;        // texture, one row
	GLuint shares;       // vertex buffer
	GLuint vertex_array; // of the rig that is drawn
};

static GLuint upload_scale(const unsigned char colors[static PAINT_COLORS][4]) {
	const GLenum kind = GL_TEXTURE_2D;
	GLuint name;
	glGenTextures(1, &name);
	glBindTexture(kind, name);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
	glTexImage2D(
		kind, 0, GL_SRGB8_ALPHA8, PAINT_COLORS, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, colors);
	glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glBindTexture(kind, 0);
	return name;
}

struct paint *paint_create(const unsigned char colors[static PAINT_COLORS][4], struct error *err) {
	static const char *const shaders[] = {"surface.vert", "paint.frag"};
	struct paint *paint = xcalloc(1, sizeof *paint);
	paint->program = program_create(shaders, 2, NULL, err);
	if (!paint->program) {
		goto fail;
	}
	paint->scale = upload_scale(colors);
	glGenBuffers(1, &paint->shares);
	glGenVertexArrays(1, &paint->vertex_array);
	if (!gl_check("preparing to paint", err)) {
		goto fail;
	}
	return paint;
fail:
	paint_destroy(paint);
	return NULL;
}

void paint_destroy(struct paint *paint) {
	if (!paint) {
		return;
	}
	glDeleteVertexArrays(1, &paint->vertex_array);
	glDeleteBuffers(1, &paint->shares);
	glDeleteTextures(1, &paint->scale);
	glDeleteProgram(paint->program);
	free(paint);
}

/* Leaves the vertex array bound. */
static void use_vertices(struct paint *paint, const struct draw_job *job, const float *shares) {
	const size_t count = (size_t)job->rig->vertex_count;
	glBindVertexArray(paint->vertex_array);
	gpu_rig_point_at(job->rig, job->gpu->skinned, 0);
	glBindBuffer(GL_ARRAY_BUFFER, paint->shares);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *shares), shares, GL_STREAM_DRAW);
	glEnableVertexAttribArray(ATTRIBUTE_LOCATION_TEXCOORD);
	glVertexAttribPointer(ATTRIBUTE_LOCATION_TEXCOORD, 1, GL_FLOAT, GL_FALSE, 0, NULL);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, job->gpu->indices);
}

bool paint_rig(
	struct paint *paint, const struct draw_job *job, const float *shares, struct error *err) {
	use_vertices(paint, job, shares);
	draw_in_place();
	glUseProgram(paint->program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, job->view_projection);
	glUniform4fv(UNIFORM_EYE, 1, job->eye);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_BASE_COLOR);
	glBindTexture(GL_TEXTURE_2D, paint->scale);
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	glDisable(GL_CULL_FACE);
	glDisable(GL_BLEND);
	for (int i = 0; i < job->rig->primitive_count; i++) {
		draw_call(job->rig, &job->rig->primitives[i]);
	}
	glDisable(GL_DEPTH_TEST);
	glBindVertexArray(0);
	glBindTexture(GL_TEXTURE_2D, 0);
	glUseProgram(0);
	return gl_check("painting", err);
}
