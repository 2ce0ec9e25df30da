/* The seam between pictures and what draws them: a draw list goes in, pixels come out.
 *
 * A back end is one folder and one row of back_ends[]. An instance belongs to one thread, which
 * creates and destroys it and makes all calls. Pictures are drawn one after another: begin(), what
 * is to be seen in its order, read(). Shadows are cast before begin(). */
#pragma once

#include "draw/ground.h"
#include "draw/job.h"
#include "draw/key_light.h"
#include "draw/skin_steps.h"
#include "draw/strokes.h"

struct back_end_kind;

/* An instance; what a kind has besides follows it. */
struct back_end {
	const struct back_end_kind *kind;
};

struct back_end_params {
	bool allow_gpu, allow_software;
	int display;  // instances with different numbers take different displays where there are
		      // some
	int only;     // the n-th display alone, counted from 1; 0 = the best
	bool if_seen; // do not look for a driver where the system shows no device: loading drivers
		      // to find that they draw on the CPU takes longer than drawing a picture does
};

/* The properties of an instance. */
struct back_end_info {
	const char *vendor, *renderer, *version; // of the driver
	bool software;                           // it draws on the CPU
	bool robust;                             // it tells when the driver was reset
	int max_size, max_samples, max_texture;  // of pictures and textures; pixels a side
	int storage_mib, compute_invocations;    // largest vertex buffer and work group
};

/* A way to an instance, for those who look for what is missing. */
struct back_end_display {
	char name[32]; // for people: "device 0"
	char file[64]; // the device's file; "" = none, or unknown
	bool device;   // else a platform that chooses one itself
};

#define BACK_END_DISPLAYS_MAX 34

/* A rig as a back end has it; what a kind has besides follows. Skinned vertices are streams:
 * positions, normals and, where the rig has them, tangents, each of all vertices. */
struct drawn_rig {
	uint64_t id;    // rig->id
	size_t bytes;   // of memory, for the budget
	int copies;     // poses that are skinned at once
	bool morphed;   // vertices before skinning are not the rig's own
	float reach;    // rig_reach() of these
	bool has_edges; // set_edges() was called
};

/* The format of a picture. */
struct target_kind {
	int width, height; // pixels
	int samples;       // 1, or at most max_samples
	bool plain;        // pixels are numbers: not encoded, whatever is written
};

/* Idle threads for what several can draw at once. */
struct draw_help {
	void *context;
	/* Has idle threads call work(task). Cheap; may be called repeatedly. */
	void (*ask)(void *context, void (*work)(void *task), void *task);
	/* True if others want those threads. Any thread. */
	bool (*is_wanted)(void *context);
	/* Waits until all have returned; no thread starts after that. */
	void (*end)(void *context);
};

/* The greatest width and height of a copy of what lies behind surfaces: as floats 86 MiB. Larger
 * pictures have copies of half their size, or of a quarter. */
#define DRAW_COPY_SIDE 2048

/* A picture that is begun. color is what there is before anything is drawn: linear and
 * premultiplied by its alpha, for a plain target the numbers themselves. */
struct picture_start {
	struct target_kind target;
	float color[4];
	const struct paint *paint; // of what is drawn first; NULL = materials
	bool has_ground;           // a shadow or a grid is drawn before that; else neither may be
	bool transmits; // surfaces show a copy of what lies behind them, of this and what is opaque
	const struct draw_help *help; // for read() alone; NULL = none
};

/* A rectangle of pixels; y counts from the row of clip-space y = -1. */
struct area {
	int x, y, width, height;
};

/* What a back end does. Functions that take an error fail with it: ERROR_INTERNAL,
 * ERROR_TOO_LARGE where there is no room, ERROR_CONTEXT_LOST. */
struct back_end_kind {
	const char *id;
	bool leaves_straight_alpha; // in the colours that read() writes; else they are
				    // premultiplied
	bool reads_all;             // read() does not look at the area that was drawn

	/* --- The instance --- */

	/* NULL with ERROR_NO_RENDERER. */
	struct back_end *(*create)(const struct back_end_params *params, struct error *err);
	void (*destroy)(struct back_end *back_end);
	/* Strings live as long as the instance. */
	void (*describe)(const struct back_end *back_end, struct back_end_info *out);
	/* True when the driver was reset: nothing that was read since is to be trusted. */
	bool (*is_lost)(struct back_end *back_end);
	/* True when this thread may use it; for assertions. */
	bool (*is_current)(const struct back_end *back_end);
	/* Frees what only the next picture of a like size would use again. */
	void (*release_buffers)(struct back_end *back_end);
	/* Lists the displays, [BACK_END_DISPLAYS_MAX]; returns how many. 0 with ERROR_NO_RENDERER
	 * where the driver's library is missing. */
	size_t (*list_displays)(struct back_end_display *out, struct error *err);

	/* --- Rigs --- */

	/* *bytes is what it takes, also when it does not fit. */
	struct drawn_rig *(*create_rig)(
		struct back_end *back_end, const struct rig *rig, size_t *bytes, struct error *err);
	void (*destroy_rig)(struct drawn_rig *drawn);
	/* Takes vertices that were skinned on the CPU: [vertex_count][3] positions and normals, [4]
	 * tangents; NULL = they stay what they are. */
	void (*put)(struct drawn_rig *drawn, const struct rig *rig, const float *positions,
		const float *normals, const float *tangents);
	/* Takes the edges of the rig's triangles, [count] pairs of vertices. */
	void (*set_edges)(struct drawn_rig *drawn, const uint32_t (*edges)[2], size_t count);

	/* --- Skinning on the GPU; all NULL where the CPU skins, and those of copies below --- */

	/* Overwrites the vertices before skinning, for morph targets; NULL puts the rig's own back.
	 * streams is [gpu_rig_stream_floats]. */
	void (*set_vertices)(struct drawn_rig *drawn, const struct rig *rig, const float *streams);
	bool (*skin)(struct back_end *back_end, const struct gpu_skin_job *job, struct error *err);
	/* Reads skinned streams back: count floats from the start-th on. */
	bool (*read_skinned)(const struct drawn_rig *drawn, size_t start, size_t count, float *out,
		struct error *err);
	/* The same of what the last run left in the scratch. */
	bool (*read_scratch)(const struct back_end *back_end, size_t start, size_t count,
		float *out, struct error *err);

	/* --- Copies: skinned vertices of several poses, one behind the other --- */

	/* Room for so many bytes of streams. */
	struct drawn_copies *(*create_copies)(
		struct back_end *back_end, size_t bytes, struct error *err);
	void (*destroy_copies)(struct drawn_copies *copies); // takes NULL
	/* Takes the i-th copy: from the CPU as put() does, or what was skinned last. */
	void (*put_copy)(struct drawn_copies *copies, const struct rig *rig, size_t i,
		const float *positions, const float *normals, const float *tangents);
	void (*keep_copy)(struct drawn_copies *copies, const struct drawn_rig *drawn,
		const struct rig *rig, size_t i);
	/* Has skin() and read_skinned() work on so many copies at once, until it is taken back.
	 * NULL where the CPU skins. */
	void (*lend_copies)(struct drawn_copies *copies, struct drawn_rig *drawn, size_t count);
	void (*take_back_copies)(
		struct drawn_copies *copies, struct drawn_rig *drawn, const struct rig *rig);

	/* --- Shadows --- */

	/* Casts that of one figure. The square holds it; size is the figure's. */
	bool (*cast)(struct back_end *back_end, const struct rig *rig,
		const struct drawn_rig *drawn, const struct ground_square *square, double size,
		struct error *err);
	/* That of many: begun, some cast at a time, ended. The square holds them all; size is that
	 * of the largest. What is done in between may change any state. */
	bool (*begin_shadow)(struct back_end *back_end, const struct ground_square *square,
		double size, struct error *err);
	/* Of the job only rig, drawn, copies, figures and count are looked at. */
	bool (*cast_many)(struct back_end *back_end, const struct draw_many_job *many,
		const struct ground_square *square, double size, struct error *err);
	bool (*end_shadow)(struct back_end *back_end, const struct ground_square *square,
		double size, struct error *err);

	/* --- The key light --- */

	/* Begins the maps of a key light; then casters are drawn into them, of one figure or of
	 * many, of which rig, drawn, copies, figures and count are looked at. All of it comes
	 * before begin(), and what is done in between may change any state. */
	bool (*begin_key)(
		struct back_end *back_end, const struct key_light *key, struct error *err);
	bool (*cast_key)(struct back_end *back_end, const struct draw_job *job,
		const struct key_light *key, struct error *err);
	bool (*cast_key_many)(struct back_end *back_end, const struct draw_many_job *many,
		const struct key_light *key, struct error *err);

	/* --- Pictures --- */

	bool (*begin)(
		struct back_end *back_end, const struct picture_start *start, struct error *err);
	/* Draws the shadow that was cast last, or a grid: lines where x or z are a multiple of the
	 * unit. Over all that is there, without depth. view_projection is world to clip space,
	 * column-major, [16]. */
	bool (*draw_shadow)(struct back_end *back_end, const float *view_projection,
		const struct ground_square *square, struct error *err);
	bool (*draw_grid)(struct back_end *back_end, const float *view_projection,
		const struct ground_grid *grid, struct error *err);
	/* Draws the shadow of the job's key light on the ground, in the same way. */
	bool (*draw_key_shadow)(
		struct back_end *back_end, const struct draw_job *job, struct error *err);
	/* Draws all primitives: opaque ones first, then those with transmission, then those that
	 * one can see through, the farthest first, and each one's triangles likewise. */
	bool (*draw)(struct back_end *back_end, const struct draw_job *job, struct error *err);
	/* Draws copies: the primitives of a pass. */
	bool (*draw_many)(
		struct back_end *back_end, const struct draw_many_job *many, struct error *err);
	/* Draws all primitives in the job's paint, whose light is premultiplied by alpha, over what
	 * is there: each pixel once, however many of its surfaces lie there. */
	bool (*draw_translucent)(
		struct back_end *back_end, const struct draw_job *job, struct error *err);
	/* Draws strokes in depth. */
	bool (*draw_strokes)(struct back_end *back_end, const struct strokes_job *job,
		const struct stroke *strokes, size_t count, struct error *err);
	/* Draws the edges that set_edges() took, each once. */
	bool (*draw_edges)(struct back_end *back_end, const struct strokes_job *job,
		const struct drawn_rig *drawn, const struct stroke_style *style, struct error *err);
	/* Draws a stroke of this length along each vertex's normal. */
	bool (*draw_normals)(struct back_end *back_end, const struct strokes_job *job,
		const struct rig *rig, const struct drawn_rig *drawn, double length,
		const struct stroke_style *style, struct error *err);
	/* Forgets all depth that was drawn: what comes now is seen through everything before it. */
	void (*start_on_top)(struct back_end *back_end);
	/* Ends the picture that was begun with this: width * height * 4 bytes, sRGB with straight
	 * alpha or premultiplied in linear light, the row of clip-space y = -1 first. Only in drawn
	 * there may be anything else than the colour before drawing. */
	bool (*read)(struct back_end *back_end, const struct picture_start *start,
		const struct area *drawn, unsigned char *rgba, struct error *err);
};

/* The rows. */
extern const struct back_end_kind gl_back_end, raster_back_end;
