/* Boxes around a rig's vertices: of a pose, and over the whole of a clip or of an expression. */
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "base/value.h"
#include "interface/poses.h"
#include "model/rig.h"
#include "pose/pose.h"
#include "skin/plan.h"

struct body_vertices {
	enum body_part part;
	const int *vertices; // [count]; in the arena
	size_t count;
};

/* Finds what follows the part's joints most, which are found by their roles. place is what asks for
 * the part. PART_WHOLE has no list: it is all vertices. False with ERROR_INVALID_VALUE where the
 * rig has no such role, or nothing there to be seen. */
bool body_vertices_find(const struct rig *rig, enum body_part part, const struct value *source,
	struct arena *arena, struct body_vertices *out, struct error *err);

/* The box around the part's vertices, or around all; positions are [vertex_count][3]. */
struct bounds body_vertices_bounds(
	const struct rig *rig, const struct body_vertices *body, const float *positions);

struct bounds_key;
struct box_search;
struct renderer;

/* The box around the rig's vertices in one pose, by the default method. */
struct bounds rest_bounds(const struct rig *rig, const struct pose *pose);

/* The box around vertices of the plan's rig in one pose; here and below around its joints where it
 * has no vertices. False where the plan's options refuse the pose. */
bool pose_bounds(const struct skin_plan *plan, const struct body_vertices *body,
	const struct pose *pose, struct bounds *out, struct error *err);

/* The box around vertices of the plan's rig over the whole of a clip: at 60 moments a second, at
 * every key, and wherever between them it may still grow by more than 5e-6 of its diagonal, as far
 * as the curvature tells; more seldom where that would take minutes. Kept in the renderer, since it
 * takes as long as hundreds of poses. False when it was stopped. */
bool clip_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, int clip, const struct stop *stop, struct bounds *out,
	struct error *err);

/* Boxes that were found before: recall is false for one that was not. */
bool bounds_recall(
	const struct renderer *renderer, const struct bounds_key *key, struct bounds *out);
void bounds_keep(
	struct renderer *renderer, const struct bounds_key *key, const struct bounds *bounds);

/* Adds so many moments a second of a span to a search, at most half of those that it looks at. */
void bounds_add_even_moments(struct box_search *search, double start_s, double length_s);

/* The box over all that an expression does from the start of the longest clip that it samples to
 * its end, and around the pose itself: one clip's is clip_bounds(), else at 60 moments a second and
 * where it may grow between them, at most at 1024, and kept likewise. Fails like pose_evaluate. */
bool expression_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, const struct posed_subject *subject, struct bounds *out,
	struct error *err);
