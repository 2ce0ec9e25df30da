/* The renderer as the rest of posed sees it: assets in, poses, skinned vertices and pictures out.
 * The only renderer header outside of renderer/ (with those that it includes: plain data, and the
 * library of what skinning methods have made). */
#pragma once

#include "base/arena.h"
#include "base/baked.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/settings.h"
#include "base/stop.h"
#include "base/value.h"
#include "export/packer.h"
#include "image/encode.h"
#include "image/sequence.h"
#include "model/examples.h"
#include "model/pose_sources.h"
#include "model/rig.h"
#include "model/skin_data.h"
#include "skin/library.h"
#include "skin/memory.h"
#include "skin/option.h"

/* --- Assets. Any thread. --- */

/* Reads an asset (see import/import.h for formats and errors) and fills its rest-pose bounds; one
 * whose rest pose leaves float32 is ERROR_BROKEN_ASSET. The caller owns one reference
 * (rig_release). */
struct rig *renderer_import(const void *bytes, size_t size, struct error *err);

/* What reading the first asset does once in a process: random seeds, symbols that are bound late.
 * For processes that shut themselves in, or fork, before they read. */
void renderer_import_warm_up(void);

/* Triangles drawn. */
int renderer_triangle_count(const struct rig *rig);

/* --- Poses. Any thread. --- */

/* A pose of a rig, made in an arena. */
struct posed_joints {
	int count;                     // rig->joint_count
	const struct transform *local; // [count] relative to the parent
	const double (*world)[12];     // [count] rows of 3x4 matrices
	/* The way over the ground that was taken out of the pose: moved by it, a turn about +Y and
	 * then a translation, the whole is where it has gone. */
	bool has_root_motion;
	double root_translation[3], root_rotation[4];
};

/* What is to be posed, and how. */
struct pose_job {
	const struct rig *rig;
	const struct value *pose;           // NULL = rest
	const struct pose_sources *sources; // other rigs that the pose may name; NULL = none
	const struct stop *stop;            // asked now and then; NULL = never
};

/* Evaluates a pose expression into joints in the arena. Fails with the place in the expression:
 * ERROR_UNKNOWN_OPERATION, ERROR_UNKNOWN_CLIP, ERROR_UNKNOWN_JOINT, ERROR_UNKNOWN_RIG,
 * ERROR_UNKNOWN_MEMBER, ERROR_INVALID_VALUE, ERROR_TOO_LARGE; or with the stop's error. */
bool renderer_pose(const struct pose_job *job, struct arena *arena, struct posed_joints *out,
	struct error *err);

/* A world matrix (rows) as the API's sixteen column-major float32. */
void renderer_world_columns(const double world[static 12], float columns[static 16]);

/* What renderer_influences() tells of a joint. */
enum influence_kind {
	INFLUENCE_WEIGHT,  // the sum of the vertex' weights on it
	INFLUENCE_SUPPORT, // 1 where examples that turn it may move the vertex (METHODS A8), else 0
};

/* Writes a number for each vertex: out is [rig->vertex_count], the caller's. joint is a name, or an
 * index in decimal. Fails with ERROR_UNKNOWN_JOINT. */
bool renderer_influences(const struct rig *rig, const char *joint, enum influence_kind kind,
	float *out, struct error *err);

/* --- Clips. Any thread. --- */

struct bake_job {
	struct pose_job posing;
	double duration_s;  // >= 0; or less: as long as the longest clip that the pose samples
	double rate;        // frames per second; > 0
	size_t most_frames; // that the clip may have
	const struct value *place; // what says how long it is, for errors; NULL = nothing does
};

/* Bakes an expression into a clip of the rig, without name and index, in the arena
 * (pose/bake_clip.h says how). Fails like renderer_pose, with ERROR_INVALID_VALUE where there is
 * nothing to bake, and at the place with ERROR_INVALID_VALUE or ERROR_TOO_LARGE. */
bool renderer_bake_clip(
	const struct bake_job *job, struct arena *arena, struct clip *out, struct error *err);

/* A clip of one rig on another. */
struct moved_clip {
	struct clip clip; // of the other rig; in the arena, but for keys, which are the first rig's
	const char **dropped; // [dropped_count] joints that the other rig does not have; in the
			      // arena, names borrowed from the first rig
	size_t dropped_count;
};

/* Moves a clip to the joints of the same names; morph weights only to as many. Keys stay as they
 * are. False with ERROR_INVALID_VALUE where no channel is left. */
bool renderer_move_clip(const struct rig *from, const struct clip *clip, const struct rig *to,
	struct arena *arena, struct moved_clip *out, struct error *err);

/* What is to be brought to a rig of other names or proportions. */
struct retarget_job {
	const struct rig *from;
	const struct clip *clip; // of it
	const struct rig *to;
	double rate;             // frames per second; > 0
	size_t most_frames;      // that the clip may have
	const struct stop *stop; // asked now and then; NULL = never
};

/* Bakes a clip for another rig whose joints are paired with its own automatically, as the pose
 * language's retarget does it. What is dropped are joints that drive none of the other's by
 * themselves. Fails without a place: with ERROR_INVALID_VALUE where no joints can be paired, and
 * with ERROR_TOO_LARGE. */
bool renderer_retarget_clip(const struct retarget_job *job, struct arena *arena,
	struct moved_clip *out, struct error *err);

/* Appends a clip of the rig as a GLB with nothing but it and the nodes (export/clip.h says how).
 * Fails with ERROR_TOO_LARGE. */
bool renderer_clip_glb(const struct rig *rig, const struct clip *clip, const char *generator,
	size_t most_bytes, struct buffer *glb, struct error *err);

/* --- The pose language. Any thread. --- */

/* One operation of it. */
struct renderer_operation {
	const char *name;  // the member that tells it: "blend"
	const char *title; // one line
};

/* Fills *out with the i-th operation; false past the end. */
bool renderer_operation(size_t i, struct renderer_operation *out);

/* Whether the text of an expression (NULL = the rest pose) tells how long it takes: it has no
 * operation that looks at many moments or goes on in steps. */
bool renderer_pose_is_quick(const struct value *expression);

/* --- Transitions from clip to clip. Any thread. --- */

/* Most that are found at once. */
#define RENDERER_TRANSITIONS_MAX 64

struct transitions_job {
	struct pose_job posing; // the pose is the core that the clips should pass through, or NULL
	const struct value *from, *to; // clips: names or indices
	double rate;                   // moments a second; 0 = 60, less for long clips
	const struct value *rate_place;
	int most; // to find
};

/* Distances, times and velocities as pose/transition.h has them. */
struct found_transition {
	double from_s, to_s, distance, velocity;
};

/* How far the end of a clip is from the core, and how fast it is there. */
struct core_end {
	double distance, speed;
};

struct found_transitions {
	const struct clip *from, *to;         // of the rig
	const struct found_transition *items; // [count] the best first; in the arena
	int count;
	bool has_core;
	struct core_end from_end, to_start;
	bool core_passes; // both are within 1 mm of it, and slower than 0.05 m/s
};

/* Finds where one clip can go on as another. Fails like renderer_pose, with ERROR_UNKNOWN_CLIP, and
 * with ERROR_INVALID_VALUE where the rate is too high for a clip or the core is too far away. */
bool renderer_transitions(const struct transitions_job *job, struct arena *arena,
	struct found_transitions *out, struct error *err);

/* --- Clips of other rigs. Any thread. --- */

struct compatible_pair {
	int ours, theirs; // positions in the rigs' joints
	const char *how;  // "name", "words", "role", "place"
	const char *role; // of a humanoid; NULL = none
	double turn_deg;  // that our rest pose is turned by there, to point as theirs does
};

/* A part of a humanoid that one of the rigs has at least. */
struct compatible_role {
	const char *name;
	int ours, theirs; // -1 = not found
};

/* How many of a clip's channels drive our joints, those that they lie above, and nothing. */
struct compatible_clip {
	int bound, folded, dropped;
};

/* Lists are in the arena. */
struct compatibility {
	const struct compatible_pair *pairs; // [pair_count] in the order of our joints
	int pair_count;
	const struct compatible_role *roles; // [role_count]
	int role_count;
	const struct compatible_clip *clips; // [clip_count] of theirs
	double share;                    // [0, 1] of our joints that move vertices have a partner
	double our_height, their_height; // of the hips above the feet at rest; 0 = not known
	double scale;                    // of translations
};

/* Finds what the operation "retarget" makes of two rigs, by itself or by names only. */
void renderer_compatibility(const struct rig *ours, const struct rig *theirs, bool by_name,
	struct arena *arena, struct compatibility *out);

/* --- Skinning methods. Any thread. --- */

/* What a client may know about a skinning method. */
struct renderer_method {
	const char *id;    // "lbs"
	const char *title; // one line
	bool on_gpu, on_cpu;
	bool needs_examples, needs_clip;
	bool is_dear;                             // what it makes of a rig first takes long
	bool is_base;                             // others can build on it
	bool cuts_mesh;                           // skins other vertices than the rig's
	const struct skin_option *const *options; // ended by NULL; NULL = none
	const char *normals[NORMALS_COUNT + 1];   // ways that it may be asked for; ended by NULL
};

/* Fills *out with the i-th method of the table; false past the end. */
bool renderer_method(size_t i, struct renderer_method *out);

/* Whether there is the method that a request names. Fails with ERROR_UNKNOWN_METHOD and the ids
 * there are, or ERROR_INVALID_VALUE. */
bool renderer_check_skinning(const struct skinning_settings *settings, struct error *err);

/* --- The data that methods make once for a rig, and what is fitted to its examples. Any thread.
 * ---
 */

/* What a request's skinning settings take, whatever the rig. */
struct renderer_needs {
	bool data;     // some is made once for a rig; else the rest is false
	bool examples; // it is fitted to them
	bool clip;     // it is that of one clip, which the pose names
};

/* Fails like renderer_check_skinning. */
bool renderer_read_needs(
	const struct skinning_settings *settings, struct renderer_needs *out, struct error *err);

struct data_job {
	struct skin_library *library;
	const struct rig *rig;
	const struct examples *examples; // NULL = none
	struct skinning_settings skinning;
	const struct stop *stop; // asked between steps
};

struct data_report {
	bool ready;
	float share;                       // [0, 1] of it that is made
	unsigned flags;                    // bits: what skin_flag_name() has words for
	int fallback_vertices;             // that another method has to skin
	bool fitted;                       // to examples: then
	double residual_max, residual_rms; // distances from them, in the rig's unit
};

/* How far the data has come, without making any; from_shelf: what lies on the library's shelf is
 * taken from there, which may wait for a disk. Fails with ERROR_MISSING_DATA for what the rig
 * lacks, ERROR_INVALID_VALUE for data of one clip, and like renderer_check_skinning. */
bool renderer_look_at_data(
	const struct data_job *job, bool from_shelf, struct data_report *out, struct error *err);

/* Makes what is not there, which may take minutes. Fails in the same ways, and with
 * ERROR_TOO_LARGE, ERROR_DEADLINE and ERROR_CLIENT_LEFT. */
bool renderer_make_data(const struct data_job *job, struct data_report *out, struct error *err);

/* One option of a method as a request's settings have it. */
struct renderer_option {
	const struct skin_option *option;
	double value;
};

/* What settings come to: the method, and the value of every option, [SKIN_OPTIONS_MAX], NULL behind
 * the last. Fails like renderer_check_skinning. */
bool renderer_read_options(const struct skinning_settings *settings, struct renderer_method *method,
	struct renderer_option options[static SKIN_OPTIONS_MAX + 1], struct error *err);

/* --- A renderer: one context. Everything below is for the one thread that created it. --- */

enum renderer_choice {
	RENDERER_AUTO,     // a GPU if there is one, else a software driver, else the CPU alone
	RENDERER_GPU,      // a GPU or fail
	RENDERER_SOFTWARE, // a software driver or fail
	RENDERER_NONE,     // no context: poses and skinning on the CPU only
};

struct renderer_options {
	enum renderer_choice choice;
	int display; // renderers with different numbers take different EGL displays where they can
	size_t gpu_budget_bytes;      // for rigs kept on the GPU; 0 = 512 MiB
	struct skin_library *library; // of methods' data, to be shared; NULL = one of its own
};

struct renderer_info {
	const char *vendor, *renderer, *version; // of the driver; "" without a context
	const char *device;                      // "gpu", "software" or "none"
	const char *why_none; // why there is no context; "" with one, and where none is wanted
	int max_samples;      // greatest multisampling
};

struct renderer;

/* A renderer with a current context on this thread. With RENDERER_AUTO a missing driver is no
 * failure: it is logged, and frames fail later with ERROR_NO_RENDERER. NULL with
 * ERROR_NO_RENDERER otherwise. Destroy on the same thread. */
struct renderer *renderer_create(const struct renderer_options *options, struct error *err);
void renderer_destroy(struct renderer *renderer); // takes NULL

/* Borrowed from the renderer, as it is now: after renderer_rebuild() it may be another, and this
 * one stays readable. Any thread. */
const struct renderer_info *renderer_info(const struct renderer *renderer);

/* Whether the context was lost in a reset of the driver: what needs it fails with
 * ERROR_CONTEXT_LOST, also what was under way, until renderer_rebuild(). Any thread. */
bool renderer_is_lost(const struct renderer *renderer);

/* Throws the context away with all that it holds and makes another of the same kind (a GPU's is not
 * replaced by a software driver's), warmed up. Copies of rigs on the GPU are made again when they
 * are used. False with ERROR_NO_RENDERER: the renderer then has no context, the reason stands in
 * renderer_info(), what the CPU does works on, and another call may succeed. */
bool renderer_rebuild(struct renderer *renderer, struct error *err);

/* More skinning methods than renderer_method() will ever tell of. */
#define RENDERER_METHODS_MAX 64

/* What a renderer has done since it was created, its warm-ups included, and what it holds. */
struct renderer_stats {
	unsigned long long context_resets; // contexts lost
	unsigned long long frames_drawn;
	unsigned long long gpu_rig_count, gpu_rig_bytes;           // rigs that are on the GPU now
	unsigned long long gpu_rig_evictions;                      // rigs that made room for others
	unsigned long long vertices_skinned[RENDERER_METHODS_MAX]; // by renderer_method()'s i
};

/* Any thread. */
void renderer_stats(const struct renderer *renderer, struct renderer_stats *out);

/* Draws the shaders and states that frames use once, so that the first request does not pay for
 * the driver's compiler, and reads a pixel back. False with ERROR_NO_RENDERER if that fails. */
bool renderer_warm_up(struct renderer *renderer, struct error *err);

/* The box around the rig's vertices over the whole of a clip (its position in rig->clips), skinned
 * with the default method; min > max where there are none. Takes as long as some hundred poses the
 * first time. False when it was stopped. */
bool renderer_clip_bounds(struct renderer *renderer, const struct rig *rig, int clip,
	const struct stop *stop, struct bounds *out, struct error *err);

/* What was really used for one result, and how long each part took. The GPU works behind the
 * program's back: what it still has to do when drawing is said falls into reading. */
struct skinning_report {
	const char *method;                // id
	const char *device;                // "gpu" or "cpu"
	int vertices;                      // that were skinned
	unsigned flags;                    // bits: what skin_flag_name() has words for
	int fallback_vertices;             // that another method had to skin
	bool fitted;                       // to examples; then
	double residual_max, residual_rms; // distances from them, in the rig's unit
	double dropped_weight;             // the greatest that a vertex lost to kmax; else 0
	bool has_depth;                    // the picture is of depth; then
	double depth_near, depth_far;      // distances along the view, of the least grey and the
					   // greatest that something has
	struct {
		double pose_s, skin_s, draw_s, read_s, encode_s; // seconds; 0 = not part of it
	} times;
};

/* Whether skinning as asked would run on the GPU of a renderer with this info. */
bool renderer_uses_gpu(const struct renderer_info *info, const struct skinning_settings *settings);

/* Vertices that a rig has when it is skinned so: its own, but with methods that cut it into parts,
 * which is done here the first time. Fails with what is wrong with the settings, and from the
 * stop. */
bool renderer_vertex_count(struct renderer *renderer, const struct rig *rig,
	const struct skinning_settings *settings, const struct stop *stop, int *out,
	struct error *err);

/* Bytes of one frame of so many vertices: for each set bit of attributes all vertices' numbers. */
size_t renderer_vertices_bytes(int vertex_count, unsigned attributes);

struct vertices_job {
	const struct rig *rig;
	const struct value *pose;           // NULL = rest
	const struct pose_sources *sources; // other rigs that the pose may name; NULL = none
	struct skinning_settings skinning;
	const struct examples *examples; // of the rig; NULL = none
	const double *placement; // [12] rows of a map for the skinned vertices; NULL = the identity
	const enum attribute_bits *order; // [count] the attributes as asked, each at most once
	size_t count;
	double clock_s; // seconds since the moment that the pose names: it runs on by the clock
	int vertices; // that out has room for: what renderer_vertex_count() says; 0 = the rig's own
	const struct stop *stop;    // asked between the steps; NULL = never
	struct skin_memory *memory; // of the frames before in the same answer; NULL = this is alone
};

/* Skins one frame and writes, for each attribute in the order asked, all vertices' float32:
 * position x3, normal x3, tangent x4.
 *
 * out   renderer_vertices_bytes() bytes of renderer_vertex_count() vertices, caller's
 * Fails like renderer_pose, with ERROR_UNKNOWN_METHOD, ERROR_MISSING_DATA (tangents of a rig that
 * has none), ERROR_NO_RENDERER (device gpu without a context), ERROR_CONTEXT_LOST, ERROR_TOO_LARGE
 * or ERROR_OVERLOADED (no room on the GPU) and ERROR_INVALID_VALUE (the pose takes a vertex beyond
 * float32). */
bool renderer_vertices(struct renderer *renderer, const struct vertices_job *job, float *out,
	struct skinning_report *report, struct error *err);

/* A packer for the frames of a rig that is skinned so, of *vertices each. NULL like
 * renderer_vertex_count, and with ERROR_TOO_LARGE. */
struct packer *renderer_packer(struct renderer *renderer, const struct rig *rig,
	const struct skinning_settings *skinning, const struct packing_settings *packing,
	const struct stop *stop, int *vertices, struct error *err);

struct mesh_job {
	const struct rig *rig;
	const struct value *pose;           // NULL = rest
	const struct pose_sources *sources; // other rigs that the pose may name; NULL = none
	struct skinning_settings skinning;
	const struct examples *examples; // of the rig; NULL = none
	unsigned attributes;   // ATTRIBUTE_ bits besides the position; tangents bring normals along
	const char *generator; // for the file to name: "posed 0.1.0"
	size_t most_bytes;     // that the file may have
	const struct stop *stop; // as above
};

/* Skins one frame and appends it as a GLB that needs no other file: the vertices of
 * renderer_vertices in their order, with indices, texture coordinates, colours, materials and
 * textures (export/export.h says how). Primitives that the pose mirrors get their triangles turned
 * round and their normals outwards. Fails like renderer_vertices, with ERROR_BROKEN_ASSET where a
 * vertex left float32, and with ERROR_TOO_LARGE. */
bool renderer_mesh_glb(struct renderer *renderer, const struct mesh_job *job, struct buffer *glb,
	struct skinning_report *report, struct error *err);

struct portable_job {
	const struct rig *rig;
	const struct value *pose;           // NULL = rest
	const struct pose_sources *sources; // other rigs that the pose may name; NULL = none
	struct skinning_settings skinning;
	const struct examples *examples; // of the rig; NULL = none
	struct baked_settings baked;
	size_t most_frames;
	const char *generator;   // for the files to name: "posed 0.1.0"
	size_t most_bytes;       // that the answer may have, and each set of numbers on the way
	const struct stop *stop; // as above
	/* Appends the description of textures, for the tar that they are in. */
	void (*describe)(const struct baked_facts *facts, struct buffer *out);
};

/* "model/gltf-binary" or "application/x-tar". */
const char *renderer_portable_type(enum baked_form form);

/* Looks at a pose while it runs by the clock, strictly forward and in one run, and appends it as a
 * file that needs no posed: frames are evenly apart, at least as many a second as asked, the first
 * at 0 and the last at the end.
 *
 * facts  what it came to; strings are the job's and the rig's, slots are not told
 * Fails like renderer_vertices and renderer_bake_clip, with ERROR_INVALID_VALUE at the form where
 * that can only show "lbs" and another method is asked for, and with ERROR_TOO_LARGE. */
bool renderer_portable(struct renderer *renderer, const struct portable_job *job,
	struct buffer *out, struct baked_facts *facts, struct skinning_report *report,
	struct error *err);

struct frame_job {
	const struct rig *rig;
	const struct value *pose;           // NULL = rest
	double clock_s;                     // since the moment that the pose names
	const struct pose_sources *sources; // other rigs that the pose may name; NULL = none
	struct skinning_settings skinning;
	const struct examples *examples; // of the rig; NULL = none
	struct picture_settings picture;
	const struct stop *stop; // as above
};

/* Draws one picture and appends it as the file that picture.format asks for. Fails like
 * renderer_vertices, and as the format does. */
bool renderer_frame(struct renderer *renderer, const struct frame_job *job, struct buffer *out,
	struct skinning_report *report, struct error *err);

/* Pictures one after another. */
struct reel_job {
	struct frame_job frame;    // what all have in common; its pose and clock are not looked at
	const struct value *poses; // [pose_count] expressions; NULL = one, the rest pose
	size_t pose_count;         // at least 1
	bool many;                 // each pose is a frame, at the moment that it names
	struct frames_settings frames;
	const struct sequence_format *format;
	size_t passes;        // how often all are drawn; 0 = without end
	size_t most_frames;   // that there may be
	uint64_t most_pixels; // of all of them
};

/* A sequence under way. It belongs to its maker, and may go from thread to thread, and so from
 * renderer to renderer, between calls. */
struct reel;

/* Decides which frames there are and on one camera for all, for which every pose is evaluated, and
 * skinned where the camera fits poses: what is wrong with any of them is found here. What the job
 * borrows must live as long as the reel. Fails like renderer_vertices, with the place: with
 * ERROR_TOO_LARGE, and with ERROR_INVALID_VALUE where there is no length to take frames from, where
 * a camera that stands still is to go round, and for what the format cannot store. NULL then. */
struct reel *renderer_reel_create(
	struct renderer *renderer, const struct reel_job *job, struct error *err);
void renderer_reel_destroy(struct reel *reel); // takes NULL; any thread

/* What it comes to. Any thread. */
struct reel_facts {
	size_t count;         // frames of one pass
	uint64_t pixels;      // of all of these
	double rate;          // frames a second that they are shown at
	size_t columns, rows; // of a sheet of them
};

struct reel_facts renderer_reel_facts(const struct reel *reel);

/* Has a sheet carry a text (sequence_settings.map), borrowed as long as the reel lives. Before the
 * first frame is drawn. */
void renderer_reel_set_map(struct reel *reel, const char *map);

/* Threads that have nothing to do, each with a renderer of the same kind, for work that several can
 * share. */
struct reel_help {
	void *context;
	/* Has threads that are free call work(task, renderer), which returns false when that
	 * renderer's context was lost. Takes next to no time, and may be asked again and again. */
	void (*ask)(void *context, bool (*work)(void *task, struct renderer *renderer), void *task);
	/* Whether others want the threads that help. Any thread. */
	bool (*is_wanted)(void *context);
	/* Waits until all have returned; none comes after that. */
	void (*end)(void *context);
};

/* How much of a sequence is made at a time; 0 = as much as there is. It ends with the first of
 * these that is reached, and makes a frame at least. */
struct reel_piece {
	size_t bytes, frames;
	double seconds;
	const struct reel_help *help; // who else may draw frames of it; NULL = nobody
};

/* Draws the next frames and appends what they come to, as far as it may be sent already. *done when
 * the last is there. Frames are packed by a thread of their own while others are drawn; *report has
 * the times of all together, the vertices that were skinned, and frames is how many there are. They
 * are the same whoever draws them. Fails like renderer_vertices and as the format does; what was
 * drawn before the context was lost is there, and another call goes on behind it. */
bool renderer_reel_draw(struct renderer *renderer, struct reel *reel,
	const struct reel_piece *piece, struct buffer *out, size_t *frames, bool *done,
	struct skinning_report *report, struct error *err);

/* Leaves out frames, for who falls behind the clock; not beyond the last one. */
void renderer_reel_skip(struct reel *reel, size_t frames);

/* One of many figures in a picture. */
struct crowd_instance {
	const struct rig *rig;
	const struct value *pose;        // NULL = rest
	const struct examples *examples; // of the rig; NULL = none
	double placement[12];            // rows: from the rig's world to that of the picture
};

struct crowd_job {
	const struct crowd_instance *instances; // [count]
	size_t count;
	const struct pose_sources *sources; // other rigs that poses may name; NULL = none
	struct skinning_settings skinning;
	struct picture_settings picture; // FIT_POSE or FIT_REST
	size_t most_vertices;            // of all instances together
	const struct stop *stop;         // as above
};

/* Draws one picture of all of them and appends it as a file: opaque surfaces in any order, then
 * blended ones, those of the farthest instance first. Rigs, clips and meshes are in memory once; an
 * instance takes the matrices of its pose, and vertices only while it is drawn, some tens of
 * megabytes of them at a time. Fails like renderer_vertices, with *culprit the instance that the
 * error is about (count = none of them), and with ERROR_TOO_LARGE. */
bool renderer_crowd(struct renderer *renderer, const struct crowd_job *job, struct buffer *out,
	struct skinning_report *report, size_t *culprit, struct error *err);

struct compare_job {
	const struct rig *rig;
	const struct value *pose;                // NULL = rest
	const struct pose_sources *sources;      // other rigs that the pose may name; NULL = none
	const struct skinning_settings *methods; // [count]
	size_t count;                            // at least 2
	const struct examples *examples;         // of the rig; NULL = none
	size_t worst;                            // vertices to list of each pair, at most
	size_t most_bytes;                       // that the posed vertices may take in memory
	const struct stop *stop;                 // as above
};

/* One of the joints that move a vertex. */
struct compared_joint {
	int joint; // position in rig->joints
	float weight;
};

/* A vertex in two poses that differ there. */
struct compared_vertex {
	int vertex;
	double distance; // greater than 0
	float a[3], b[3];
	const struct compared_joint *joints; // [joint_count] greatest weight first
	size_t joint_count;
};

/* Two methods, a < b by their positions in the job, and how far apart they put the vertices. */
struct compared_pair {
	size_t a, b;
	double max, mean, rms;               // over all vertices
	const struct compared_vertex *worst; // [worst_count] farthest first
	size_t worst_count;
};

struct compared_method {
	struct skinning_report report;
	double volume; // within all triangles; of an open surface it means little
};

struct comparison {
	double diagonal;                       // of the rest pose's bounds
	double rest_volume;                    // of the rest pose, skinned with the default method
	bool closed;                           // whether the triangles enclose a volume at all
	const struct compared_method *methods; // [count]
	size_t count;
	const struct compared_pair *pairs; // [pair_count] 0 and 1, 0 and 2, ..., 1 and 2, ...
	size_t pair_count;
};

/* Skins one pose with several methods and measures how they differ. What is in *out lies in the
 * arena. Fails like renderer_vertices, and with ERROR_TOO_LARGE. */
bool renderer_compare(struct renderer *renderer, const struct compare_job *job, struct arena *arena,
	struct comparison *out, struct error *err);

struct compare_frame_job {
	struct compare_job compare; // worst is not looked at; of VIEW_HEAT the first two methods
	const char *const *labels;  // [compare.count] what people read of each method
	struct picture_settings picture;
	enum comparison_view view;
	double scale; // distance at which the colours of VIEW_HEAT end; 0 = the greatest
};

/* Draws one picture and appends it as a file: a cell with its label for each method, or the first
 * one's mesh in colours of its distance to the second's, with a scale. The camera fits what all
 * methods make of the pose. reports is [compare.count]; what drawing took is in those of the meshes
 * drawn. Fails like renderer_frame and renderer_compare, and with ERROR_INVALID_VALUE where the
 * picture is too small for its text. */
bool renderer_compare_frame(struct renderer *renderer, const struct compare_frame_job *job,
	struct buffer *out, struct skinning_report *reports, struct error *err);

/* --- What there is to draw with, for those who look for what is missing. Drivers may end the
 * process or never return: each call is best made in a process of its own, from the main thread. */

/* Vertices that the CPU's kernels skin at a time: 8 with AVX2, else 4. Any thread, at any time. */
int renderer_cpu_lanes(void);

/* What EGL offers before anything is tried. */
struct renderer_survey {
	char missing[256]; // the library that cannot be loaded, in the loader's words; "" = none is
	bool dispatched;   // EGL is libglvnd's, which finds drivers by the files of egl_vendor.d
	int device_count;
	int way_count; // devices, and platforms that choose by themselves
};

void renderer_survey(struct renderer_survey *out);

/* A way to a driver, gone to its end: a context made, the usual shaders and states drawn and
 * skinned with, a pixel read back. */
struct renderer_way {
	char name[32];     // "device 0"
	char file[64];     // the device's; "" = none or not known
	char failure[256]; // "" = it works; else the fields below hold what was found till then
	char vendor[128], renderer[128], version[128];
	bool software;                          // draws on the CPU
	bool robust;                            // tells when its context was lost in a reset
	int max_size, max_samples, max_texture; // of pictures and textures; pixels a side
	int storage_mib, compute_invocations;   // greatest vertex buffer, and work group
	double context_s, picture_s; // until there was a context, and from there to a picture
};

/* Goes the i-th way, i < way_count. */
void renderer_survey_way(int i, struct renderer_way *out);

/* The same as a renderer with these options goes by itself. */
void renderer_survey_choice(enum renderer_choice choice, struct renderer_way *out);
