/* Random pictures as the seam is asked for them, for the fuzzer: a rig with all that materials
 * have, its light, and its paints. */
#pragma once

#include "draw/back_end.h"
#include "expressions.h"

#define DRAW_LIST_VERTICES 12 // of a primitive, but for corners that are missing

struct draw_list {
	struct decisions *decisions;
	struct arena *arena;
	struct rig rig;
	float *streams; // skinned positions, normals and tangents, one behind the other
	bool *mirrored; // [rig.primitive_count]
	struct draw_job job;
	struct picture_start start;
};

/* Fills everything but the first two members, which decide it. */
void draw_list_make(struct draw_list *list);

/* A paint for the rig, in the arena. */
const struct paint *draw_list_paint(const struct draw_list *list);

/* Numbers: true once in two; in a range; such as rigs have, and a few that nobody would choose;
 * and these with infinities and NaN among them. */
bool decide_perhaps(struct decisions *d);
float decide_between(struct decisions *d, float from, float to);
float decide_finite(struct decisions *d);
float decide_number(struct decisions *d);
