// Programs and buffers of surfaces that are drawn in other colours than their materials'.
#include "gl/painter.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/gpu_rig.h"
#include "gl/plain.h"
#include "gl/program.h"
#include "gl/target.h"

/* More fragment shaders than there are. */
#define PROGRAMS_MAX 16

struct painter {
	struct {
		const char *shader;
		GLuint made[2][2]; // [many][cut]; 0 = was not needed so far
	} programs[PROGRAMS_MAX];
	size_t program_count;
	GLuint scale;           // texture, one row
	GLuint values, corners; // buffers of the rig that is drawn
};

static GLuint create_scale(void) {
	const GLenum kind = GL_TEXTURE_2D;
	GLuint name;
	glGenTextures(1, &name);
	glBindTexture(kind, name);
	glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glBindTexture(kind, 0);
	return name;
}

struct painter *painter_create(void) {
	struct painter *painter = xcalloc(1, sizeof *painter);
	painter->scale = create_scale();
	glGenBuffers(1, &painter->values);
	glGenBuffers(1, &painter->corners);
	return painter;
}

void painter_destroy(struct painter *painter) {
	if (!painter) {
		return;
	}
	for (size_t i = 0; i < painter->program_count; i++) {
		for (int k = 0; k < 4; k++) {
			glDeleteProgram(painter->programs[i].made[k / 2][k % 2]);
		}
	}
	glDeleteBuffers(1, &painter->corners);
	glDeleteBuffers(1, &painter->values);
	glDeleteTextures(1, &painter->scale);
	free(painter);
}

unsigned painter_program(struct painter *painter, const struct paint *paint, bool many, bool cut,
	struct error *err) {
	size_t i = 0;
	while (i < painter->program_count &&
		strcmp(painter->programs[i].shader, paint->shader) != 0) {
		i++;
	}
	if (i == PROGRAMS_MAX) {
		error_set(err, ERROR_INTERNAL, "more than %d kinds of paint", PROGRAMS_MAX);
		return 0;
	}
	if (i == painter->program_count) {
		painter->programs[painter->program_count++].shader = paint->shader;
	}
	GLuint *program = &painter->programs[i].made[many][cut];
	if (!*program) {
		static const char *const plain[] = {"paint.vert", "paint_many.vert"};
		const char *const *vertex = paint->vertex_shaders ? paint->vertex_shaders : plain;
		const char *const shaders[] = {vertex[many], paint->shader};
		*program = program_create(shaders, 2, surface_constants(cut), err);
	}
	return *program;
}

static void take_scale(const struct painter *painter, const unsigned char (*scale)[4]) {
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_SCALE);
	glBindTexture(GL_TEXTURE_2D, painter->scale);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, PAINT_COLORS, 1, 0, GL_RGBA,
		GL_UNSIGNED_BYTE, scale);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_BASE_COLOR);
}

static void take_values(
	const struct painter *painter, const struct paint *paint, const struct rig *rig) {
	const size_t floats = (size_t)rig->vertex_count * (size_t)paint->width;
	glBindBuffer(GL_ARRAY_BUFFER, painter->values);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(floats * sizeof *paint->values), paint->values,
		GL_STREAM_DRAW);
	glEnableVertexAttribArray(ATTRIBUTE_LOCATION_PAINT);
	glVertexAttribPointer(ATTRIBUTE_LOCATION_PAINT, paint->width, GL_FLOAT, GL_FALSE, 0, NULL);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void painter_begin(struct painter *painter, const struct paint *paint, const struct rig *rig) {
	glUniform4fv(UNIFORM_PAINT, PAINT_VECTORS, paint->vectors[0]);
	glUniform1f(UNIFORM_PAINT_ENCODES, paint->bytes && !target_can_stop_encoding() ? 1 : 0);
	glVertexAttrib4f(ATTRIBUTE_LOCATION_PAINT, 0, 0, 0, 1);
	if (paint->scale) {
		take_scale(painter, paint->scale);
	}
	if (paint->values) {
		take_values(painter, paint, rig);
	}
	if (paint->corners) {
		glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, painter->corners);
		glBufferData(GL_ELEMENT_ARRAY_BUFFER,
			(GLsizeiptr)((size_t)rig->index_count * sizeof *paint->corners),
			paint->corners, GL_STREAM_DRAW);
	}
}

void painter_end(struct painter *painter, const struct paint *paint, const struct gpu_rig *gpu) {
	(void)painter;
	glDisableVertexAttribArray(ATTRIBUTE_LOCATION_PAINT);
	if (paint->corners) {
		glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gpu->indices);
	}
	if (paint->scale) {
		glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_SCALE);
		glBindTexture(GL_TEXTURE_2D, 0);
		glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_BASE_COLOR);
	}
}

void painter_range(const struct paint_range *range) {
	const float *color = range->color;
	glVertexAttrib4f(ATTRIBUTE_LOCATION_PAINT, color[0], color[1], color[2], 1);
}

void painter_primitive(const struct paint *paint, int primitive) {
	glUniform1f(UNIFORM_PAINT_PRIMITIVE,
		paint->of_primitives ? paint->of_primitives[primitive] : 0);
}
