/* What a skinning method is: one row of the table in methods.c, one file of C in this folder (and
 * three lines that compile it once more for AVX2, see lanes.h), and one compute shader, its twin.
 */
#pragma once

#include "model/rig.h"

/* One frame to skin on the CPU, primitive by primitive. All arrays cover the whole rig. */
struct skin_job {
	const struct rig *rig;
	const float *positions; // [vertex_count][3] after morphing
	const float *normals;   // [vertex_count][3] unit, after morphing
	const float *tangents;  // [vertex_count][4]; NULL = no tangents wanted
	const float *palette;   // [slot_count][entry_floats] as the method's prepare made it
	bool plain;             // keep to plain C even where faster instructions are there
	float *out_positions;   // [vertex_count][3]
	float *out_normals;     // [vertex_count][3] unit
	float *out_tangents; // [vertex_count][4] unit, at right angles to the normal; NULL = none
};

struct skinning_method {
	const char *id;     // METHODS' name
	const char *title;  // one line for people
	const char *shader; // the compute shader in shaders/
	int entry_floats;   // floats per palette slot, a multiple of 4

	/* Fills the method's palette from the slots' matrices M (rows of 3x4, double).
	 * matrices and palette are [rig->slot_count]; palette is 32-byte aligned. */
	void (*prepare)(const struct rig *rig, const double (*matrices)[12], float *palette);

	/* Skins the vertices of one primitive. The same bits on every x86-64 machine. */
	void (*skin)(const struct skin_job *job, const struct primitive *primitive);
};
