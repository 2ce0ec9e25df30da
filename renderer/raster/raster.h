/* Drawing on the CPU: the same bytes on every processor, from every compiler, with every number of
 * lanes. A picture is a list of commands; they are executed tile by tile when it is read:
 *
 *      raster_begin        the background
 *      raster_blended      the ground: two triangles with a function for their colour
 *      raster_flat         strokes behind what follows
 *      raster_clear_depth
 *      raster_surfaces     figures
 *      raster_blended      their surfaces that one can see through
 *      raster_flat         strokes around them: in front (depth <=) or behind (depth >)
 *      raster_clear_depth
 *      raster_flat         strokes on top
 *      raster_read
 *
 * Vertices are projected when a command is added: skinned vertices may be overwritten then. Rigs
 * and contexts of functions are borrowed until the picture has been read. */
#pragma once

#include "base/error.h"
#include "raster/mesh.h"

/* The greatest width and height of a picture. */
#define RASTER_SIZE_MAX 8192

/* The memory that a thread draws with. One thread at a time. */
struct raster;
struct back_end;

struct raster *raster_create(void);
void raster_destroy(struct raster *raster); // takes NULL

enum raster_encoding {
	RASTER_STRAIGHT,      // sRGB, not multiplied by alpha; 0 where alpha is 0
	RASTER_PREMULTIPLIED, // sRGB of what is premultiplied in linear light
	RASTER_PLAIN,         // pixels are numbers in [0, 1], 255ths of which are written
	RASTER_DEPTH,         // there is only depth: nothing is shaded, no background looked at
};

struct raster_target {
	int width, height; // pixels, 1 to RASTER_SIZE_MAX
	int samples;       // 1, 4 or 8
	enum raster_encoding encoding;
	float background[4]; // linear and premultiplied; of a plain target the numbers themselves
};

/* Begins a picture; forgets what there was. False with ERROR_TOO_LARGE. */
bool raster_begin(struct raster *raster, const struct raster_target *target, struct error *err);

enum raster_surface_kind {
	RASTER_HIDDEN, // not drawn
	RASTER_OPAQUE,
	RASTER_BLENDED,
};

/* The way in which a primitive is drawn. */
struct raster_surface {
	enum raster_surface_kind kind;
	bool one_sided;      // its backs are not seen
	bool writes_depth;   // of blended ones: in the file's order, and what is drawn later is
			     // hidden by them
	int order;           // of blended ones: those with less come first
	raster_shade *shade; // never for hidden ones
	raster_mask *mask;   // NULL = it has no holes
	const void *context; // of both
};

/* A rig's skinned vertices and how they are drawn. A picture's ground is a rig of two triangles. */
struct raster_figure {
	const struct rig *rig; // its primitives, indices, texture coordinates and colours are read
	const struct raster_surface *surfaces; // [rig->primitive_count]
	const bool *mirrored;                  // [rig->primitive_count]; NULL = none is
	float view_projection[16];             // column-major, upside down: y = -1 is the first row
	float back[3];          // against the view; blended triangles are sorted by it
	const float *positions; // [rig->vertex_count][3] in the world
	const float *normals;   // [rig->vertex_count][3]; NULL = 0
	const float *tangents;  // [rig->vertex_count][4]; NULL = nobody wants them
	const float *colors;    // [rig->vertex_count][4] in the place of the rig's; NULL = those
	bool wants_positions;   // the shading reads the mesh's positions
};

/* Draws the opaque surfaces of a figure. Of figures added one after the other hidden fragments are
 * not shaded, whatever their order. False with ERROR_TOO_LARGE, as all below. */
bool raster_surfaces(struct raster *raster, const struct raster_figure *figure, struct error *err);

/* Blends those that are not opaque over what is there: in their order, of one order the farthest
 * primitive first, and the farthest triangle of a primitive. Depth is tested, and written by those
 * that say so. */
bool raster_blended(struct raster *raster, const struct raster_figure *figure, struct error *err);

/* Blends what is nearest of the figure's opaque surfaces over what is there: each sample once. */
bool raster_translucent(
	struct raster *raster, const struct raster_figure *figure, struct error *err);

/* A triangle of one colour. x and y as in struct raster_corner, at most RASTER_GUARD from 0. */
struct raster_flat_triangle {
	int32_t x[3], y[3];
	float depth[3];
	float color[4]; // linear, premultiplied
};

struct raster_flats {
	const struct raster_flat_triangle *triangles; // copied
	size_t count;
	bool behind; // drawn where depth is greater than what is there, which stays; else where
		     // it is at most that, which it replaces
};

/* Blends triangles over what is there, both their sides, in the order given. */
bool raster_flat(struct raster *raster, const struct raster_flats *flats, struct error *err);

/* Forgets the depth of all that was drawn. */
void raster_clear_depth(struct raster *raster);

/* A rectangle of the picture, in pixels. */
struct raster_area {
	int x, y, width, height;
};

/* Draws what lies in an area and writes its width * height * 4 bytes. May be called again, for
 * other areas, until the next picture is begun. */
void raster_read(struct raster *raster, const struct raster_area *area, unsigned char *rgba);

/* The same, with idle threads for rows of tiles: no byte depends on them. help may be NULL. */
struct draw_help;
void raster_read_with(struct raster *raster, const struct raster_area *area,
	const struct draw_help *help, unsigned char *rgba);

/* Draws the whole picture as light: [height][width] linear colours premultiplied by alpha. */
void raster_read_light(struct raster *raster, float (*out)[4]);

/* Draws all of a picture of RASTER_DEPTH with one sample, and lowers depths, [height][width], to
 * that of the nearest surface in the middle of each pixel where it is less. */
void raster_read_depths(struct raster *raster, float *depths);

/* --- For tests --- */

/* Choices that change no byte of any picture. */
struct raster_choice {
	int tile_shift; // tiles are 1 << this pixels wide and high; 3 to 7
	int queue;      // fragments that are shaded at once, at most RASTER_QUEUE
	int lanes;      // of kernels: 4, or 8 or 16 where the processor has them
};

/* Has later pictures drawn by another choice than the best one. The second is for an instance of
 * the back end, until its buffers are released. */
void raster_choose(struct raster *raster, const struct raster_choice *choice);
void raster_back_end_choose(struct back_end *back_end, const struct raster_choice *choice);

int raster_lanes(const struct raster *raster);
