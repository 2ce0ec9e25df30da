/* The programs and buffers that paint surfaces. For the thread whose context is current. */
#pragma once

#include "base/error.h"
#include "draw/paint.h"

struct gpu_rig;
struct painter;
struct rig;

/* Programs and buffers for all kinds of paint, made as they are needed. */
struct painter *painter_create(void);
void painter_destroy(struct painter *painter); // takes NULL

/* The program for this paint, by itself or for many figures, of surfaces that may have holes or
 * that have none; 0 with ERROR_INTERNAL. */
unsigned painter_program(
	struct painter *painter, const struct paint *paint, bool many, bool cut, struct error *err);

/* Has the program in use and the vertex array that is bound take the paint of a rig; and puts the
 * vertex array back. */
void painter_begin(struct painter *painter, const struct paint *paint, const struct rig *rig);
void painter_end(struct painter *painter, const struct paint *paint, const struct gpu_rig *gpu);

/* Has the vertices that are drawn next be of a range's colour. */
void painter_range(const struct paint_range *range);

/* Tells the shader of the primitive that is drawn next. */
void painter_primitive(const struct paint *paint, int primitive);
