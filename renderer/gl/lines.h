/* Strokes as triangles, since drivers need not draw lines wider than a pixel. For the thread whose
 * context is current. */
#pragma once

#include "draw/strokes.h"
#include "gl/gpu_rig.h"

struct lines;

/* NULL with ERROR_INTERNAL. */
struct lines *lines_create(struct error *err);
void lines_destroy(struct lines *lines); // takes NULL

/* Draws strokes into the current framebuffer, in depth. */
bool lines_draw(struct lines *lines, const struct strokes_job *job, const struct stroke *strokes,
	size_t count, struct error *err);

/* Draws the edges of gpu->edges, each once. */
bool lines_draw_edges(struct lines *lines, const struct strokes_job *job, const struct gpu_rig *gpu,
	const struct stroke_style *style, struct error *err);

/* Draws a line of this length along each vertex's normal. */
bool lines_draw_normals(struct lines *lines, const struct strokes_job *job, const struct rig *rig,
	const struct gpu_rig *gpu, double length, const struct stroke_style *style,
	struct error *err);

/* Forgets all depth that was drawn: what comes now is seen through everything before it. */
void lines_start_on_top(void);
