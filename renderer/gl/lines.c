// Lines and dots of any width over a picture.
#include "gl/lines.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/egl.h"
#include "gl/program.h"

/* Corners of a stroke's outline: round ends, and straight ones where there are many and thin. */
#define CORNERS_ROUND 18
#define CORNERS_STRAIGHT 4

/* Pixels of the thinnest line that is seen everywhere on its way, with several samples and with
 * one. */
#define MIN_RADIUS 0.35F
#define MIN_RADIUS_OF_ONE 0.5F

/* The standard's least GL_MAX_COMPUTE_WORK_GROUP_COUNT. */
#define GROUPS_MAX 65535

struct lines {
	GLuint program, edges, normals; // 0 = was not needed so far
	GLuint vertex_array;
};

struct lines *lines_create(struct error *err) {
	static const char *const shaders[] = {"stroke.vert", "stroke.frag"};
	struct lines *lines = xcalloc(1, sizeof *lines);
	lines->program = program_create(shaders, 2, NULL, err);
	glGenVertexArrays(1, &lines->vertex_array);
	if (!lines->program || !gl_check("preparing to draw lines", err)) {
		lines_destroy(lines);
		return NULL;
	}
	return lines;
}

void lines_destroy(struct lines *lines) {
	if (!lines) {
		return;
	}
	glDeleteVertexArrays(1, &lines->vertex_array);
	glDeleteProgram(lines->normals);
	glDeleteProgram(lines->edges);
	glDeleteProgram(lines->program);
	free(lines);
}

void lines_start_on_top(void) {
	glDepthMask(GL_TRUE);
	glClearDepthf(1);
	glClear(GL_DEPTH_BUFFER_BIT);
}

static float min_radius(const struct strokes_job *job) {
	return job->samples > 1 ? MIN_RADIUS : MIN_RADIUS_OF_ONE;
}

static void use_program(const struct lines *lines, const struct strokes_job *job, GLint corners) {
	glUseProgram(lines->program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, job->view_projection);
	glUniform4f(UNIFORM_STROKE_SCALE, (float)job->width / 2, (float)job->height / 2,
		(float)job->unit, (float)job->opacity);
	glUniform1f(UNIFORM_STROKE_LEAST, min_radius(job));
	glUniform1i(UNIFORM_STROKE_CORNERS, corners);
}

/* Draws what the vertex array that is bound says. */
static void draw(
	const struct lines *lines, const struct strokes_job *job, GLint corners, size_t count) {
	use_program(lines, job, corners);
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(job->where == STROKES_BEFORE ? GL_LEQUAL : GL_GREATER);
	glDepthMask(job->where == STROKES_BEFORE);
	glDisable(GL_CULL_FACE);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, corners, (GLsizei)count);
	glDisable(GL_BLEND);
	glDepthMask(GL_TRUE);
	glDepthFunc(GL_LEQUAL);
	glDisable(GL_DEPTH_TEST);
	glUseProgram(0);
}

/* An attribute that each stroke has one of. */
static void point_at(GLuint location, GLint size, size_t stride, size_t offset) {
	glEnableVertexAttribArray(location);
	glVertexAttribPointer(
		location, size, GL_FLOAT, GL_FALSE, (GLsizei)stride, (const void *)offset);
	glVertexAttribDivisor(location, 1);
}

/* Binds the vertex array and a buffer for it to take attributes from; leaves them bound. */
static GLuint begin_buffer(const struct lines *lines, size_t bytes, const void *data) {
	GLuint buffer;
	glGenBuffers(1, &buffer);
	glBindVertexArray(lines->vertex_array);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, data, GL_STREAM_DRAW);
	return buffer;
}

static bool end_buffer(GLuint buffer, struct error *err) {
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glBindVertexArray(0);
	glDeleteBuffers(1, &buffer);
	return gl_check("drawing lines", err);
}

bool lines_draw(struct lines *lines, const struct strokes_job *job, const struct stroke *strokes,
	size_t count, struct error *err) {
	if (count == 0) {
		return true;
	}
	const size_t stride = sizeof *strokes;
	const GLuint buffer = begin_buffer(lines, count * stride, strokes);
	point_at(ATTRIBUTE_LOCATION_STROKE_START, 4, stride, offsetof(struct stroke, start));
	point_at(ATTRIBUTE_LOCATION_STROKE_END, 4, stride, offsetof(struct stroke, end));
	point_at(ATTRIBUTE_LOCATION_STROKE_COLOR, 4, stride, offsetof(struct stroke, color));
	point_at(ATTRIBUTE_LOCATION_STROKE_LIFT, 1, stride, offsetof(struct stroke, lift));
	draw(lines, job, CORNERS_ROUND, count);
	return end_buffer(buffer, err);
}

/* Makes so many segments with the program that is bound. */
static void make_segments(GLuint segments, const struct gpu_rig *gpu, size_t count) {
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_SEGMENTS, segments);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_SEGMENT_VERTICES, gpu->skinned);
	glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
	const size_t step = (size_t)GROUPS_MAX * SEGMENT_GROUP_SIZE;
	for (size_t done = 0; done < count; done += step) {
		const size_t part = count - done < step ? count - done : step;
		glUniform2ui(UNIFORM_SEGMENTS, (GLuint)done, (GLuint)count);
		glDispatchCompute(
			(GLuint)((part + SEGMENT_GROUP_SIZE - 1) / SEGMENT_GROUP_SIZE), 1, 1);
	}
	glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_SEGMENT_VERTICES, 0);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_SEGMENTS, 0);
	glUseProgram(0);
}

/* Draws segments, all alike: their radius is 1, which the unit scales. Those that would be too thin
 * to be seen are fainter in its place. */
static void draw_segments(const struct lines *lines, const struct strokes_job *job, size_t count,
	const struct stroke_style *style) {
	const size_t point = 3 * sizeof(float);
	struct strokes_job scaled = *job;
	scaled.unit *= style->radius;
	scaled.opacity *= fmin(scaled.unit / min_radius(job), 1);
	point_at(ATTRIBUTE_LOCATION_STROKE_START, 3, 2 * point, 0);
	point_at(ATTRIBUTE_LOCATION_STROKE_END, 3, 2 * point, point);
	glDisableVertexAttribArray(ATTRIBUTE_LOCATION_STROKE_COLOR);
	glDisableVertexAttribArray(ATTRIBUTE_LOCATION_STROKE_LIFT);
	glVertexAttrib4f(ATTRIBUTE_LOCATION_STROKE_COLOR, (float)style->color[0],
		(float)style->color[1], (float)style->color[2], (float)style->color[3]);
	glVertexAttrib1f(ATTRIBUTE_LOCATION_STROKE_LIFT, (float)style->lift);
	draw(lines, &scaled, CORNERS_STRAIGHT, count);
	// Surfaces without texture coordinates take those that stand here.
	glVertexAttrib4f(ATTRIBUTE_LOCATION_TEXCOORD, 0, 0, 0, 1);
}

static bool use_compute(GLuint *program, const char *shader, struct error *err) {
	if (!*program) {
		*program = program_create(&shader, 1, NULL, err);
	}
	glUseProgram(*program);
	return *program != 0;
}

bool lines_draw_edges(struct lines *lines, const struct strokes_job *job, const struct gpu_rig *gpu,
	const struct stroke_style *style, struct error *err) {
	const size_t count = gpu->edge_count;
	if (count == 0) {
		return true;
	}
	if (!use_compute(&lines->edges, "edges.comp", err)) {
		return false;
	}
	const GLuint buffer = begin_buffer(lines, count * 6 * sizeof(float), NULL);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_EDGES, gpu->edges);
	make_segments(buffer, gpu, count);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_EDGES, 0);
	draw_segments(lines, job, count, style);
	return end_buffer(buffer, err);
}

bool lines_draw_normals(struct lines *lines, const struct strokes_job *job, const struct rig *rig,
	const struct gpu_rig *gpu, double length, const struct stroke_style *style,
	struct error *err) {
	const size_t count = (size_t)rig->vertex_count;
	if (count == 0) {
		return true;
	}
	if (!use_compute(&lines->normals, "normal_lines.comp", err)) {
		return false;
	}
	const GLuint buffer = begin_buffer(lines, count * 6 * sizeof(float), NULL);
	glUniform1f(UNIFORM_SEGMENT_LENGTH, (float)length);
	make_segments(buffer, gpu, count);
	draw_segments(lines, job, count, style);
	return end_buffer(buffer, err);
}
