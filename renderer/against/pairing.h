/* Two versions of an asset, and what of one is what of the other. */
#pragma once

#include "check/run.h"
#include "interface/against.h"

struct against {
	const struct check_against_job *job;
	const struct check_asset *before, *after;
	const int *partners;       // [after's joints] joint in before; -1 = it is new
	const int *clips;          // [after's clips] step in job->before; -1 = it is new
	bool same_mesh;            // vertices and indices have the same numbers
	struct check_sink *figure; // for rules of the whole rig
	struct arena *arena;
};

/* Pairs joints and clips. Everything is in the arena. */
struct against against_pair(const struct check_against_job *job, struct arena *arena);

/* A name, and what has it. */
struct named {
	const char *name;
	int index;
};

/* Sorts names for against_find_name(), which returns the lowest index that has one; -1 = none. */
void against_sort_names(struct named *names, int count);
int against_find_name(const struct named *names, int count, const char *name);

/* The union of the native samples of both versions of a clip, ascending. */
double *against_times(const struct check_clip *before, const struct check_clip *after,
	struct arena *arena, int *count);

/* diff/joints, rest, clips_removed, clips_added. */
void against_skeleton(const struct against *against);

/* diff/duration, rate, motion of a clip. */
bool against_motion(const struct against *against, const struct check_step *before,
	const struct check_step *after, struct error *err);

/* diff/shape, and diff/surface of a clip. */
bool against_shape(const struct against *against, struct error *err);
bool against_surface(const struct against *against, const struct check_step *before,
	const struct check_step *after, struct error *err);

/* diff/topology, uv, materials. */
void against_mesh(const struct against *against);
void against_materials(const struct against *against);
