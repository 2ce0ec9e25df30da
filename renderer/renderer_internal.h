/* What the files of the renderer share: its state, and one frame on the way from an expression to
 * skinned vertices. */
#pragma once

#include <stdatomic.h>

#include "body_part.h"
#include "gl/draw.h"
#include "gl/egl.h"
#include "gl/gpu_skin.h"
#include "gl/ground.h"
#include "gl/lines.h"
#include "gl/target.h"
#include "image/encode.h"
#include "pose/operations.h"
#include "renderer.h"
#include "shading/shading.h"
#include "skin/plan.h"
#include "view/camera.h"

#define GPU_RIGS_MAX 256

/* Boxes around clips that are kept; the oldest makes room. */
#define CLIP_BOUNDS_MAX 512

/* Floats that are kept from request to request; grows, never shrinks. */
struct scratch {
	float *data; // 64-byte aligned
	size_t count;
};

/* A box around a clip, once it was found. */
struct clip_bounds {
	uint64_t rig;  // rig->clips_id; 0 = this place is free
	int clip;      // position in rig->clips
	uint64_t plan; // skin_plan_signature()
	enum body_part part;
	struct bounds bounds;
};

/* Counted by the render thread, read by any; relaxed, for none says anything about another. */
struct counters {
	atomic_ullong context_resets, frames_drawn;
	atomic_ullong gpu_rig_count, gpu_rig_bytes, gpu_rig_evictions;
	atomic_ullong vertices_skinned[RENDERER_METHODS_MAX];
};

struct known_driver;

struct renderer {
	enum renderer_choice choice;                // narrowed to the kind of the first context
	int display, only;                          // as in struct egl_wish
	_Atomic(const struct renderer_info *) info; // one of known
	struct known_driver *known;                 // all there ever were, for those who still read
	struct arena *known_memory;
	struct counters counters;

	atomic_bool lost; // the context was, and is not made anew so far
	struct egl *egl;  // NULL: no context, the CPU only; then all below is NULL
	struct gpu_skin *skin;
	struct draw *draw;
	struct lines *lines;   // NULL = were not needed so far
	struct ground *ground; // likewise
	struct resolver *resolver;
	struct target *target;                         // of the last picture's size
	struct shaded_light lights[SHADED_LIGHTS_MAX]; // of the picture that is drawn
	int max_size;                                  // pixels, of a target's side

	struct {
		struct gpu_rig *gpu;
		size_t bytes; // of it that are counted in gpu_bytes
		uint64_t last_use;
	} rigs[GPU_RIGS_MAX]; // copies on the GPU, in no order
	size_t rig_count;
	size_t gpu_bytes, gpu_budget_bytes;
	uint64_t uses;

	struct srgb_tables srgb;

	struct skin_library *library; // of methods' data
	bool owns_library;

	struct scratch vertices;  // skinned on the CPU, or read back
	struct scratch morphed;   // rest vertices after morphing
	struct scratch displaced; // and after displacement
	struct scratch joined[3]; // palettes of poses that are skinned at once

	struct clip_bounds clip_bounds[CLIP_BOUNDS_MAX]; // in no order
	size_t next_clip_bounds;                         // the oldest
};

/* At least count floats; aborts when memory is out (counts come from rigs, which have limits). */
float *scratch_get(struct scratch *scratch, size_t count);
void scratch_finish(struct scratch *scratch);

/* A renderer that context_start() has yet to be called for. */
struct renderer *renderer_begin(const struct renderer_options *options);

/* Makes the context with all its parts, as renderer->choice wants it. False with ERROR_NO_RENDERER,
 * and no context. */
bool context_start(struct renderer *renderer, struct error *err);

/* Throws all of it away, lost or not; harmless where there is none. */
void context_stop(struct renderer *renderer);

/* False with ERROR_CONTEXT_LOST when the context was lost and is not made anew so far. */
bool context_check(const struct renderer *renderer, struct error *err);

/* Ends a piece of work on the GPU that went fine or left *err: false with ERROR_CONTEXT_LOST, in
 * place of any other error, if the context was lost meanwhile; else as it was. */
bool context_settle(struct renderer *renderer, bool fine, struct error *err);

void counters_add(atomic_ullong *counter, unsigned long long more);

/* Counts a frame of vertices that a method (its id) has skinned. */
void counters_add_skinned(struct renderer *renderer, const char *method, int vertex_count);

/* The rig's copy on the GPU, uploaded if need be; others make room for it. Borrowed until the next
 * call. NULL with *err: ERROR_TOO_LARGE when it is larger than the budget and the driver has no
 * room, ERROR_OVERLOADED when there is no room though it is not. */
struct gpu_rig *gpu_rigs_get(struct renderer *renderer, const struct rig *rig, struct error *err);
void gpu_rigs_finish(struct renderer *renderer);

/* One pose made ready for skinning; all but the plan is in the arena. */
struct prepared {
	struct skin_plan plan;
	const struct rig *rig; // plan.rig
	bool on_gpu;
	const double (*matrices)[12]; // [rig->slot_count]
	struct skin_palette palette;
	const float *weights; // [rig->weight_count] morph weights
	struct pose pose;     // that it was made of, whose arrays are its maker's
	const struct value
		*expression; // that prepare() evaluated; NULL = rest, or a pose was given
};

/* What is to be skinned, and how. */
struct prepare_wish {
	const struct rig *rig;
	const struct value *pose;           // NULL = rest
	double clock_s;                     // since the moment that the pose names
	struct pose_run *run;               // of the frames before; NULL = this is alone
	const struct pose_sources *sources; // other rigs that it may name; NULL = none
	const struct skinning_settings *settings;
	const struct examples *examples; // NULL = none
	const struct stop *stop;
	struct skin_memory *memory; // of the frames before; NULL = there are none
};

/* Makes the plan, evaluates the pose and fills the palette. Fails like renderer_vertices; then
 * there is nothing to finish. */
bool prepare(const struct renderer *renderer, const struct prepare_wish *wish, struct arena *arena,
	struct prepared *out, struct error *err);
void prepared_finish(struct prepared *prepared);

/* The same from a plan, which is copied and stays the caller's, and a pose of its rig. False with
 * ERROR_INVALID_VALUE where the plan's options refuse the pose. */
bool prepare_from_pose(const struct skin_plan *plan, const struct pose *pose, struct arena *arena,
	struct prepared *out, struct error *err);

/* What will be used for it; the times are still 0. */
struct skinning_report prepared_report(const struct prepared *prepared);

/* For each primitive whether the pose turns it inside out, judged by its first vertex's pivot. In
 * the arena. */
const bool *prepared_mirrored(const struct prepared *prepared, struct arena *arena);

/* The pixels of a picture that drawing can touch: those around the projected vertices.
 *
 * view_projection  world to clip space, column-major, as the vertices are drawn with
 * positions        [count][3] skinned; whatever their numbers, all that is drawn is inside */
struct area drawn_area(const float view_projection[static 16], const float *positions, size_t count,
	int width, int height);

/* Refuses pictures that this renderer's driver cannot draw: ERROR_NO_RENDERER, ERROR_INVALID_VALUE
 * with the place. */
bool picture_check(
	const struct renderer *renderer, const struct picture_settings *picture, struct error *err);

/* Whether a picture's normal maps go by the rig's tangents, which are to be skinned then. */
bool picture_takes_tangents(const struct picture_settings *picture, const struct rig *rig);

/* What is drawn of a rig, as a camera sees it in the picture's light; without the file's lights,
 * and mirrored is the caller's to set. */
struct draw_job picture_draw_job(const struct picture_settings *picture, const struct rig *rig,
	const struct gpu_rig *gpu, const struct camera *camera);

/* A light of a file where a pose has it. */
struct world_light {
	const struct light *light;
	double place[3], direction[3]; // in the world; unit: that it shines in
};

/* The lights of a prepared pose that shine in a picture, in the arena. */
const struct world_light *look_lights(const struct picture_settings *picture,
	const struct prepared *prepared, struct arena *arena, int *count);

/* Has them shine on what is drawn; they are kept in the renderer until the next call. False with
 * ERROR_TOO_LARGE. */
bool look_add_lights(struct renderer *renderer, const struct world_light *lights, int count,
	struct draw_job *job, struct error *err);

/* Fills in the light of what is drawn: what the picture asks for, as the camera stands to it. */
void look_begin(
	const struct picture_settings *picture, const struct camera *camera, struct draw_job *job);

struct overlays;

/* What stands on the ground, which is where its lowest point is: in the same place for all that is
 * to be seen together. */
struct footing {
	struct bounds box; // of all that was added
	double size;       // the greatest diagonal of any one
};

#define FOOTING_NONE ((struct footing){.box = bounds_of_points(NULL, 0)})

/* Adds posed vertices, [count][3]. */
void footing_add(struct footing *footing, const float *positions, size_t count);

/* Whether the picture shows anything on the ground, for which posed vertices are wanted. */
bool picture_has_ground(const struct picture_settings *picture);

struct drawing {
	const struct picture_settings *picture; // size, samples, background, shading
	struct draw_job job;                    // with paint that is there already, or none
	const struct rig *known;                // job.rig as clients know it
	const struct camera *camera;            // that job was made with
	const float *positions;    // [vertex_count][3] skinned; NULL = they are on the GPU only
	struct overlays *overlays; // NULL = none
	struct footing footing;    // of what is seen together, where the picture has a ground
};

/* Refuses a ground where pixels are no colours, with the place. */
bool picture_check_ground(const struct picture_settings *picture, struct error *err);

/* Prepares what is to be drawn on the ground, before the picture is started; positions are known
 * where it has a ground. */
bool picture_begin_ground(
	struct renderer *renderer, const struct drawing *drawing, struct error *err);

/* Draws it, and adds to the pixels that may differ from the background. */
bool picture_draw_ground(struct renderer *renderer, const struct drawing *drawing,
	struct area *drawn, struct error *err);

/* Fills *out with the paint that a picture's shading is of a rig, or leaves *paint NULL where that
 * shows materials. What it borrows lies in the arena. */
bool picture_paint(const struct shading_job *job, struct paint *out, const struct paint **paint,
	struct error *err);

/* Makes the target the picture's, cleared to its background. paint: of what is drawn first; NULL =
 * materials. */
bool picture_start(struct renderer *renderer, const struct picture_settings *picture,
	const struct paint *paint, struct error *err);

/* Draws into the renderer's target, and says which pixels may differ from the background. */
bool picture_draw(struct renderer *renderer, const struct drawing *drawing, struct area *drawn,
	struct error *err);

/* Reads what was drawn: width * height * 4 bytes, top row first, sRGB premultiplied in linear
 * light. */
bool picture_read(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, unsigned char *rgba, struct error *err);

/* The same with straight alpha, as files have it; of shadings whose pixels are no colours
 * (shading/shading.h) as they were drawn. */
bool picture_pixels(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, unsigned char *rgba, struct error *err);

/* A pose that is skinned and can be drawn, from any side and as often as one likes. */
struct figure {
	const struct rig *rig;  // prepared.rig
	struct gpu_rig *gpu;    // with the skinned vertices; until the next gpu_rigs_get()
	const bool *mirrored;   // [rig->primitive_count]
	const float *positions; // [vertex_count][3] skinned, until the next figure; NULL = they are
				// on the GPU, and neither camera nor drawing wants them
	struct overlays *overlays;        // in frame_skin()'s arena; NULL = none
	const struct world_light *lights; // [light_count]
	int light_count;
	struct footing footing; // as in struct drawing; of none, until someone fills it in
};

/* Adds the figure, and those that overlays show, where the picture has a ground. Fails like
 * overlays_see(). */
bool figure_add_footing(const struct figure *figure, const struct picture_settings *picture,
	struct footing *footing, struct error *err);

/* What is wanted of skinned vertices besides what is always drawn. */
struct picture_streams {
	bool positions; // on the CPU
	bool tangents;  // on the GPU; only where the rig has them
};

/* Skins into gpu->skinned. *positions are the posed positions, valid until the next request; NULL
 * where they are on the GPU and not wanted. */
bool picture_skin(struct renderer *renderer, const struct prepared *prepared,
	const struct picture_streams *wanted, struct gpu_rig *gpu, const float **positions,
	struct error *err);

/* Skins a prepared pose of the job for drawing. What it takes besides is in the arena. */
bool frame_skin(struct renderer *renderer, const struct frame_job *job,
	const struct prepared *prepared, struct arena *arena, struct figure *figure,
	struct error *err);

/* Draws it into rgba, [height][width][4], as picture_pixels() leaves it. mark is the clock of the
 * step before; what it took is added to the report. */
bool frame_draw(struct renderer *renderer, const struct frame_job *job, const struct figure *figure,
	const struct camera *camera, double *mark, unsigned char *rgba,
	struct skinning_report *report, struct error *err);

/* Makes colours of what picture_pixels() left, where it is depth. What grey stands for goes into
 * the report. */
void picture_to_colors(const struct picture_settings *picture, unsigned char *rgba,
	struct skinning_report *report);

/* Makes 16 bits of grey of depth that picture_pixels() left: [height][width] where rgba begins.
 * What grey stands for goes into the report. */
void picture_to_grey16(const struct picture_settings *picture, unsigned char *rgba,
	struct skinning_report *report);

/* Whether picture_pixels() leaves depth. */
bool picture_is_depth(const struct picture_settings *picture);

/* Appends what picture_pixels() left as the file that the settings ask for: depth in 16 bits where
 * that takes grey. rgba is changed. */
bool picture_write_pixels(const struct picture_settings *settings, unsigned char *rgba,
	struct buffer *out, struct skinning_report *report, struct error *err);

/* Refuses overlays where pixels are no colours, with the place. */
bool picture_check_overlays(const struct picture_settings *picture, struct error *err);

/* Refuses a legend, for pictures that have none. */
bool picture_check_legend(const struct picture_settings *picture, struct error *err);

/* Refuses a file that loses something, of this media type, for pixels that are numbers. */
bool picture_check_loss(
	const struct picture_settings *picture, const char *media_type, struct error *err);

/* Refuses a background that would be a number like those of surfaces, with the place. */
bool picture_check_background(const struct picture_settings *picture, struct error *err);

/* Refuses a background behind 16 bits of grey, with the place. */
bool picture_check_grey(const struct picture_settings *picture, struct error *err);

/* Refuses what the file cannot hold, with the place: checks background and loss, too. */
bool picture_check_file(const struct picture_settings *picture, struct error *err);

/* Zeroed memory for a picture's pixels; free() it. */
unsigned char *picture_memory(const struct picture_settings *picture);

/* Appends a picture as the file that the settings ask for. */
bool picture_write(const struct picture_settings *settings, const struct picture *picture,
	struct buffer *out, struct error *err);

/* Reads what was drawn and appends it as the settings' file. mark is the clock of the step before;
 * what it took goes into the report. */
bool picture_encode(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, const struct stop *stop, struct buffer *out, double *mark,
	struct skinning_report *report, struct error *err);

/* Where skinned streams go; tangents may be NULL. */
struct streams {
	float *positions, *normals, *tangents;
};

/* Floats of a vertex in positions and normals, and with tangents. */
size_t streams_width(bool tangents);

/* Streams of so many vertices that lie one behind the other in a block, as on the GPU. */
struct streams streams_in(float *block, size_t count, bool tangents);

/* Where something stands: a map from its rig's world to another. */
struct placement {
	double map[12];       // rows
	double normal_map[9]; // rows, up to a factor: the cofactor matrix of its linear part
	bool mirrored;        // it turns things inside out
	bool is_identity;
};

/* rows as in base/mat.h. */
struct placement placement_make(const double rows[static 12]);

/* Maps skinned streams of so many vertices in place; NULL ones are left out. Normals and tangents
 * stay unit. The identity leaves every bit as it is. */
void placement_apply(
	const struct placement *placement, const struct streams *streams, size_t count);

/* The same for positions alone, [count][3]. */
void placement_apply_points(const struct placement *placement, float *points, size_t count);

/* The same for the GPU, which draws a copy of this number. */
struct gpu_figure placement_figure(const struct placement *placement, size_t copy);

/* Normals follow the winding: where the pose mirrors a surface they point inwards. Turned outwards
 * they take the tangents' handedness along, since bitangents stay where they are. mirrored is
 * [rig->primitive_count]. */
void streams_turn_outwards(
	const struct streams *streams, const struct rig *rig, const bool *mirrored);

/* Appends an image of only pixels as PNG, for exporters. */
bool mesh_encode_image(const struct image *image, struct buffer *png, struct error *err);

/* Refuses tangents of a rig that has none, with ERROR_MISSING_DATA. */
bool streams_check(const struct streams *streams, const struct rig *rig, struct error *err);

/* Skins on the device that was prepared for. Streams that are NULL are not wanted. */
bool skin_streams(struct renderer *renderer, const struct prepared *prepared,
	const struct streams *streams, struct error *err);

/* Whether skinned numbers are finite: a pose within float32 may still take vertices beyond it.
 * False with ERROR_INVALID_VALUE. */
bool vertices_check(const float *numbers, size_t count, struct error *err);

/* Adds to out, [rig->vertex_count], how much each vertex follows a joint. */
void influences_of_joint(const struct rig *rig, int joint, float *out);

/* Adds to out, [rig->joint_count], the weights that all vertices give each joint. Those that end
 * above 0 are the joints that move vertices. */
void influences_sum(const struct rig *rig, double *out);

/* Room for rest vertices on their way. */
struct skin_room {
	struct scratch *morphed, *displaced;
};

/* Skins on the CPU. */
void skin_on_cpu(
	const struct prepared *prepared, const struct skin_room *room, const struct streams *out);

/* Skins into the rig's copy on the GPU: as many poses as gpu->copies, all of one plan and with the
 * rest vertices of the first. */
bool skin_on_gpu(struct renderer *renderer, const struct prepared *prepared, bool tangents,
	struct gpu_rig *gpu, struct error *err);

/* The box around the rig's vertices in one pose, by the default method. */
struct bounds rest_bounds(const struct rig *rig, const struct pose *pose);

/* The box around vertices of the plan's rig in one pose; here and below around its joints where it
 * has no vertices. False where the plan's options refuse the
 * pose. */
bool pose_bounds(const struct skin_plan *plan, const struct body_vertices *body,
	const struct pose *pose, struct bounds *out, struct error *err);

/* The box around vertices of the plan's rig over the whole of a clip: at 60 moments a second, at
 * every key, and wherever between them it may still grow by more than 1e-5 of its diagonal, as far
 * as the curvature tells; more seldom where that would take minutes. Kept in the renderer, since it
 * takes as long as hundreds of poses. False when it was stopped. */
bool clip_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, int clip, const struct stop *stop, struct bounds *out,
	struct error *err);

/* The box over the whole of every clip that an expression samples, and around the pose itself where
 * it is more than one clip. Fails like pose_evaluate. */
bool expression_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, const struct pose_job *posing, struct bounds *out,
	struct error *err);
