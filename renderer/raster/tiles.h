/* From lists of triangles to pixels. For each tile: cover.c finds the nearest triangle of every
 * sample, split.c makes fragments of samples, queue.c has them shaded and puts their colours into
 * the tile, resolve.c makes bytes of it. Inside of raster/ only. */
#pragma once

#include "raster/geometry.h"

#define RASTER_SAMPLES 8 // the most of a pixel

/* A block is 4 x 2 pixels, lane = x + 4 y. Tiles are whole blocks. */
#define BLOCK_WIDTH 4
#define BLOCK_HEIGHT 2
#define BLOCK_PIXELS 8

enum raster_command_kind {
	COMMAND_SURFACES,
	COMMAND_TRANSLUCENT,
	COMMAND_BLENDED,
	COMMAND_FLAT,
	COMMAND_CLEAR_DEPTH,
};

/* A command, projected. */
struct raster_command {
	enum raster_command_kind kind;
	struct raster_mesh mesh;
	const struct raster_surface *surfaces; // [mesh.rig->primitive_count]
	const uint32_t *starts; // [mesh.rig->primitive_count + 1] in triangles; NULL = not by these
	const struct raster_outline *outlines; // [mesh.triangle_count], or of flats
	struct raster_bins bins;
	uint32_t first_number; // of its triangles; no other command of the picture has these
	bool masked;           // some of its surfaces have holes
	bool behind;           // of flat triangles
	const struct raster_flat_triangle *flats;
};

enum block_flag {
	BLOCK_DEEP = 1,     // it has depths
	BLOCK_NUMBERED = 2, // it has triangles' numbers
	BLOCK_COLORED = 4,  // it has pixels that are not the background
};

enum pixel_state {
	PIXEL_BACKGROUND,
	PIXEL_WHOLE,   // one colour
	PIXEL_SAMPLES, // one for each sample
	PIXEL_ENCODED, // one, as bytes, over which nothing comes any more
};

/* The samples of a tile, block by block; pixel = block * 8 + lane. */
struct raster_tile {
	int x, y;          // its first pixel
	int width, height; // pixels of it in the picture
	int column_shift;  // its rows have 1 << this blocks
	int samples;
	uint8_t *blocks;    // [blocks] of enum block_flag; the rest counts only where these say
	float *depths;      // [blocks][samples][8]
	float *farthest;    // [blocks] for raster_cover() alone
	uint32_t *numbers;  // [blocks][samples][8]; 0 = none
	uint8_t *states;    // [pixels] of enum pixel_state
	float (*whole)[4];  // [pixels]
	uint32_t *encoded;  // [pixels]
	float (*colors)[4]; // [pixels][samples]
	float background[4];
};

/* What a triangle covers of a block, besides hidden parts. */
struct raster_covered {
	int block;
	uint8_t pixels[BLOCK_PIXELS]; // a bit for each sample
	float depths[RASTER_SAMPLES][BLOCK_PIXELS];
};

typedef void raster_visit(void *context, uint32_t triangle, const struct raster_covered *covered);

/* How triangles are covered. */
struct raster_cover_job {
	struct raster_tile *tile;
	const struct raster_outline *outlines;
	const uint32_t *list; // [count] of outlines
	size_t count;
	uint32_t first_number;
	bool behind;         // passes where depth is greater than what is there; else at most that
	raster_visit *visit; // called for each block; NULL = depths and numbers are written
	void *context;
};

typedef void raster_cover_function(const struct raster_cover_job *job);
raster_cover_function raster_cover, raster_cover_avx2, raster_cover_avx512;

/* A fragment of a block: its pixel and its samples. */
struct raster_piece {
	uint32_t number;
	uint16_t pixel;
	uint8_t mask;
};
_Static_assert(sizeof(struct raster_piece) == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	"kernels take pieces as pairs of words");

/* Makes pieces of a tile's numbers and forgets these: one for each triangle that a pixel has. */
typedef void raster_piece_function(void *context, const struct raster_piece *pieces, int count);
typedef void raster_split_function(
	struct raster_tile *tile, raster_piece_function *take, void *context);
raster_split_function raster_split, raster_split_avx2;

/* Blends a colour over samples of a pixel. */
void raster_blend(struct raster_tile *tile, int pixel, unsigned mask, const float color[static 4]);

/* Writes pixels of a tile: those of an area, whose first is at rgba. */
typedef void raster_resolve_function(const struct raster_tile *tile, enum raster_encoding encoding,
	const struct raster_area *area, unsigned char *rgba);
raster_resolve_function raster_resolve, raster_resolve_avx2, raster_resolve_avx512;

/* The samples' places in a pixel: [samples] of x and y in 1/256 pixel. */
static inline const uint8_t (*raster_sample_places(int samples))[2] {
	// As of Direct3D 11's standard patterns. In a header: kernels have them as constants.
	static const uint8_t one[1][2] = {{128, 128}};
	static const uint8_t four[4][2] = {{96, 32}, {224, 96}, {32, 160}, {160, 224}};
	static const uint8_t eight[8][2] = {{144, 80}, {112, 176}, {208, 144}, {80, 48}, {48, 208},
		{16, 112}, {176, 240}, {240, 16}};
	return samples == 1 ? one : samples == 4 ? four : eight;
}

/* The pixel of the picture that a pixel of a tile is. */
static inline int raster_pixel_x(const struct raster_tile *tile, int pixel) {
	const int column = pixel / BLOCK_PIXELS & ((1 << tile->column_shift) - 1);
	return tile->x + column * BLOCK_WIDTH + pixel % BLOCK_WIDTH;
}

static inline int raster_pixel_y(const struct raster_tile *tile, int pixel) {
	const int row = pixel / BLOCK_PIXELS >> tile->column_shift;
	return tile->y + row * BLOCK_HEIGHT + pixel / BLOCK_WIDTH % BLOCK_HEIGHT;
}

/* --- Fragments --- */

/* The mean place of the samples of each mask, and the middle for all, in 1/256 pixel. */
struct raster_middles {
	int samples;
	int32_t of[256]; // x, and y << 16
};

/* Tells where pieces of triangles are shaded; first is the number of the first triangle. Of the
 * fragments the count is set, and all after it up to a multiple of the lanes are like the last. */
typedef void raster_place_function(const struct raster_tile *tile,
	const struct raster_middles *middles, const struct raster_piece *pieces, int count,
	uint32_t first, struct raster_fragments *out);
raster_place_function raster_place, raster_place_avx2, raster_place_avx512;

/* Puts colours of pieces in the place of what their samples have. */
struct raster_paint;
typedef void raster_put_function(const struct raster_paint *paint,
	const struct raster_piece *pieces, const struct raster_colors *colors, int count);
raster_put_function raster_put, raster_put_avx2, raster_put_avx512;

/* The kernels, of four lanes or of eight. */
struct raster_kernels {
	raster_project_function *project;
	raster_run_function *gather_run;
	raster_cover_function *cover;
	raster_split_function *split;
	raster_place_function *place;
	raster_put_function *put;
	raster_resolve_function *resolve;
};

struct raster_queues;

struct raster_queues *raster_queues_create(void);
void raster_queues_destroy(struct raster_queues *queues); // takes NULL

/* What becomes of fragments of a tile. */
struct raster_paint {
	struct raster_tile *tile;
	const struct raster_kernels *kernels;
	int queue_length;
	bool blended; // over what is there, in the order in which they are queued
	bool last;    // nothing comes over them: whole pixels become bytes at once
	enum raster_encoding encoding;
};

/* Queues fragments of a command's triangles up to the first that is not one of them, and returns
 * how many these are; what fills a queue has it shaded. */
int raster_queue(struct raster_queues *queues, const struct raster_paint *paint,
	const struct raster_command *command, const struct raster_piece *pieces, int count);

/* Shades what is left in queues. */
void raster_queues_finish(struct raster_queues *queues, const struct raster_paint *paint);

/* --- Tiles that wait --- */

struct raster_saved;

/* A copy of what a tile has, in memory from malloc; NULL with ERROR_TOO_LARGE. */
struct raster_saved *raster_save(struct raster_tile *tile, struct error *err);

/* Puts it back into a tile in the same place, that is empty. */
void raster_restore(struct raster_tile *tile, const struct raster_saved *saved);

/* --- Commands --- */

/* A picture's commands, and what they are drawn with. */
struct raster_picture {
	struct raster_target target;
	const struct raster_command *commands;
	size_t command_count;
	const struct raster_kernels *kernels;
	struct raster_choice choice;
};

/* Executes all commands so far and forgets them: pictures of more triangles than memory should hold
 * are drawn in parts. Where two figures share a pixel, fragments are shaded in other places then.
 */
bool raster_execute(struct raster *raster, struct error *err);

/* Executes the commands for a tile, whose place is set, on top of what was saved of it; NULL =
 * nothing. last: it is read next. */
void raster_draw_tile(const struct raster_picture *picture, struct raster_tile *tile,
	struct raster_queues *queues, const struct raster_saved *saved, bool last);

/* --- Hands --- */

/* The state of a thread that draws tiles; filled with zeroes at first. Threads share pictures,
 * which they only read, and no hand. */
struct raster_hand {
	struct raster_tile tile;
	struct raster_queues *queues;
	struct pool pool; // of the tile
	int tile_shift;   // that the tile was made for
};

/* Makes room for a picture's tiles. False with ERROR_TOO_LARGE. */
bool raster_hand_begin(
	struct raster_hand *hand, const struct raster_picture *picture, struct error *err);
void raster_hand_finish(struct raster_hand *hand);

/* Draws the tile in a column and a row; saved and last as of raster_draw_tile(). */
void raster_hand_draw(struct raster_hand *hand, const struct raster_picture *picture,
	const struct raster_saved *saved, int column, int row, bool last);

int raster_tile_columns(const struct raster_picture *picture);
int raster_tile_rows(const struct raster_picture *picture);
size_t raster_tile_number(const struct raster_picture *picture, int column, int row);
