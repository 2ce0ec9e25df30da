/* Lines and dots of any width over a picture: capsules on the screen, made of triangles, since
 * drivers need not draw lines wider than a pixel. For the thread whose context is current. */
#pragma once

#include "gl/gpu_rig.h"

struct lines;

/* NULL with ERROR_INTERNAL. */
struct lines *lines_create(struct error *err);
void lines_destroy(struct lines *lines); // takes NULL

/* A capsule from start to end; a dot where both are one place. */
struct stroke {
	float start[3]; // in the world
	float start_radius;
	float end[3];
	float end_radius;
	float color[4]; // linear, premultiplied by alpha
	float lift;     // how much nearer to the eye it counts, in pixels' worth there
};

enum lines_where {
	LINES_BEFORE, // where nothing is nearer
	LINES_BEHIND, // where something is
};

struct lines_job {
	const float *view_projection; // [16] world to clip space, column-major
	int width, height, samples;   // of the target
	double unit;                  // pixels that a radius of 1 is
	enum lines_where where;
	double opacity; // that colours are multiplied by
};

/* Draws strokes into the current framebuffer, in depth. */
bool lines_draw(struct lines *lines, const struct lines_job *job, const struct stroke *strokes,
	size_t count, struct error *err);

/* The style of all lines made from a rig's skinned vertices. */
struct line_style {
	double radius;
	double color[4]; // linear, premultiplied by alpha
	double lift;
};

/* Draws the edges of gpu->edges, each once. */
bool lines_draw_edges(struct lines *lines, const struct lines_job *job, const struct gpu_rig *gpu,
	const struct line_style *style, struct error *err);

/* Draws a line of this length along each vertex's normal. */
bool lines_draw_normals(struct lines *lines, const struct lines_job *job, const struct rig *rig,
	const struct gpu_rig *gpu, double length, const struct line_style *style,
	struct error *err);

/* Forgets all depth that was drawn: what comes now is seen through everything before it. */
void lines_start_on_top(void);
