/* One overlay, and what all of them share: not for others. */
#pragma once

#include <stdbool.h>

#include "draw/strokes.h"
#include "image/canvas.h"
#include "overlay/moments.h"
#include "overlay/overlays.h"

/* Strokes that are collected before they are drawn. */
struct strokes {
	struct arena *arena;
	struct stroke *items; // [count]
	size_t count, room;
};

struct overlays {
	struct renderer *renderer;
	const struct frame_job *job;
	const struct prepared *prepared;
	const struct overlay_settings *settings;
	struct arena *arena;
	struct moments moments;

	struct drawn_rig *drawn;
	const struct drawing *drawing; // while it is drawn
	struct strokes_job lines;
	double unit; // pixels for a five hundredth of the picture's shorter side

	double (*world)[12];       // [joint_count] of the pose; NULL = nobody has asked
	struct skeleton *skeleton; // each of its own overlay; NULL = is not drawn
	struct trails *trails;
	struct onion *onion;
};

/* Gets ready: reads options that name joints, and poses. */
typedef bool overlay_begin(struct overlays *overlays, struct error *err);

/* Draws with the picture's target as the framebuffer. */
typedef bool overlay_draw(struct overlays *overlays, struct error *err);

/* Writes text into the picture. */
typedef void overlay_write(const struct overlays *overlays, struct canvas *canvas);

/* When an overlay is drawn. */
enum layer {
	LAYER_BEHIND, // before the figure, which hides it
	LAYER_AROUND, // where the figure is not nearer
	LAYER_ON_TOP, // seen through the figure
};

struct overlay_kind {
	overlay_begin *begin; // NULL = nothing is to be got ready
	overlay_draw *draw;
	overlay_write *write; // NULL = has no text
	enum layer layer;
};

/* One for each row of OVERLAYS, each in the file of its name. */
#define OVERLAY_KIND(id, name, title) extern const struct overlay_kind overlay_##name;
OVERLAYS(OVERLAY_KIND)
#undef OVERLAY_KIND

/* Drawn after these: what struct marks_settings says. */
#define OVERLAY_MARKS OVERLAY_COUNT
extern const struct overlay_kind overlay_marks;

overlay_write skeleton_write;

/* Shows the vertices of all figures. */
bool onion_see(struct overlays *overlays, overlays_look *look, void *context, struct error *err);

/* The position of an overlay in the request, for errors. */
const struct value *overlay_source(const struct overlays *overlays, const char *name);

/* Fills a colour for strokes from sRGB. */
void overlay_color(const unsigned char rgb[static 3], double alpha, float color[static 4]);

/* The same from numbers. */
void overlay_linear(const double srgb[static 4], double color[static 4]);

/* Adds one. */
void strokes_add(struct strokes *strokes, const struct stroke *stroke);

/* Draws what was collected. */
bool strokes_draw(const struct overlays *overlays, const struct strokes_job *job,
	const struct strokes *strokes, struct error *err);

/* The position of a point of the world in the picture: pixels from the left top corner, and how
 * many pixels a unit of length is there. False where it is not before the eye. */
bool overlay_project(const struct overlays *overlays, const double point[static 3],
	double pixel[static 2], double *per_unit);

/* Fills overlays->world. False with ERROR_INVALID_VALUE where a joint is beyond float32. */
bool overlay_find_world(struct overlays *overlays, struct error *err);

/* The joints that a list names, as flags [joint_count] in the arena; without one those that
 * vertices follow and those between them, or all where there are no vertices. NULL with
 * ERROR_UNKNOWN_JOINT. */
bool *overlay_joints(struct overlays *overlays, const struct value *list, struct error *err);

/* Positions of the posed vertices, [vertex_count][3]: read back where they are on the GPU. */
const float *overlay_positions(struct overlays *overlays, struct error *err);

/* Arrays are [joint_count], in the arena. */
struct skeleton {
	bool *shown;
	const bool *named; // NULL = none is
	int *parents;      // the nearest above that is shown; -1 = none
	double *lengths;   // of the bones at each joint, in the world
	double *radii;     // pixels of the markers
};
