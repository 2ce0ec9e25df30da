/* Answers as JSON: plain structs in, text out. All strings are UTF-8 and borrowed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/json_write.h"
#include "base/settings.h"
#include "reply_avatar.h"
#include "reply_looks.h"
#include "request.h"

/* --- Rigs --- */

/* A rig as the list and the answer to PUT show it. */
struct rig_summary {
	const char *name;
	const char *content; // "sha256:..."; NULL = nobody knows: the rig is damaged
	size_t bytes;        // of the asset
	int vertices, joints, clips;
	const char *empty_warning; // PUT's warning of a rig that draws nothing; NULL = it draws
	const char *warnings[2];   // and of what was stored beside it; NULL = nothing
	bool damaged;              // on the disk; answers about it say more
};

struct joint_description {
	const char *name;
	int index, parent; // nodes in the file; parent -1 = a root
	float translation[3], rotation[4], scale[3];
	bool needless;
	const float *weights; // [weight_count] morph weights at rest; borrowed from the rig
	int weight_count;     // 0 = none
};

struct primitive_description {
	int node, mesh, primitive; // in the file
	int first_vertex, vertex_count, index_count;
	bool skinned;
	int material; // -1 = the default material
};

/* A box in the world. */
struct box {
	bool exists; // false: there is nothing to see
	double min[3], max[3];
};

/* A clip that is stored compressed; distances in metres. */
struct clip_compression {
	size_t bytes; // that it takes in the store
	double tolerance_m, error_m, shell_m;
};

struct clip_description {
	const char *name;
	int index;   // in the file, or behind those that are
	bool stored; // beside the file
	double duration_s;
	int channels;
	size_t bytes;
	const struct box *bounds;                   // over the whole clip; NULL = not asked for
	const struct clip_compression *compression; // NULL = none
};

struct rig_description {
	struct rig_summary summary;
	struct box bounds;                              // of the rest pose
	const struct joint_description *joints;         // [summary.joints]
	const struct clip_description *clips;           // [summary.clips]
	const struct primitive_description *primitives; // [primitive_count]
	size_t primitive_count;
	int triangles;
	const struct material_description *materials; // [material_count]
	size_t material_count;
	const struct light_description *lights; // [light_count]
	size_t light_count;
	const struct camera_description *cameras; // [camera_count]
	size_t camera_count;
	const char *const *warnings; // [warning_count]
	size_t warning_count;
	const char *const *variants; // [variant_count] names
	size_t variant_count;
	const char *const *examples; // [example_count] names
	size_t example_count;
	const char *const *methods;              // ids, ended by NULL
	const char *default_method;              // where a request names none
	const struct avatar_description *avatar; // NULL = it is none
};

/* Writes the member "compressed"; nothing for NULL. */
void reply_write_compression(struct json_writer *json, const struct clip_compression *compression);

void reply_write_summary(const struct rig_summary *rig, struct buffer *out);
void reply_write_clips(const struct clip_description *clips, size_t count, struct buffer *out);
void reply_write_list(const struct rig_summary *rigs, size_t count, struct buffer *out);
void reply_write_description(const struct rig_description *rig, struct buffer *out);

/* --- Results --- */

struct joint_pose {
	const char *name;
	int index;                                   // in the file
	const float *translation, *rotation, *scale; // local
	float world[16];                             // column-major
};

/* A turn and then a translation of the whole pose. */
struct root_pose {
	float translation[3], rotation[4];
};

/* One pose. */
struct pose_frame {
	const struct joint_pose *joints; // [count]
	int count;
	const struct root_pose *root; // NULL = no motion was taken out
};

/* Frame after frame: begin with many = whether the request had a list, then each frame, then end.
 * Without a list there is exactly one frame. */
void reply_begin_poses(struct json_writer *json, bool many);
void reply_pose(struct json_writer *json, const struct pose_frame *frame, enum space space);
void reply_end_poses(struct json_writer *json, bool many);

/* One frame of vertices: for each attribute, all vertices' numbers. */
struct vertices_frame {
	const float *numbers; // finite
	size_t vertices;
	const enum attribute_bits *attributes; // [attribute_count]
	size_t attribute_count;
};

/* The batches that a method cuts a mesh into. */
struct batches_description {
	int count; // 0 = it is not cut
	int vertices, gained;
	int fewest_joints, max_joints; // of a batch
};

/* Writes them as the member "batches"; nothing where there are none. */
void reply_batches(struct json_writer *json, const struct batches_description *batches);

/* The method and device that skinned, and remarks on them. */
struct skinning_description {
	const char *method;                 // id
	const char *device;                 // "gpu" or "cpu"
	const char *const *flags;           // names, ended by NULL
	int fallback_vertices;              // that another method had to skin
	struct batches_description batches; // that it cuts the mesh into
	bool fitted;                        // to examples; then
	double residual_max, residual_rms;  // distances from them
	double dropped_weight;              // the greatest that a vertex lost to kmax
};

/* Frame after frame, as above. */
void reply_begin_vertices(struct json_writer *json, size_t vertices);
void reply_vertices(struct json_writer *json, const struct vertices_frame *frame);
void reply_end_vertices(struct json_writer *json, const struct skinning_description *skinning);

/* The members of a frame's object. */
void reply_attributes(struct json_writer *json, const struct vertices_frame *frame);

/* The block's layout, such as "position:f32x3,normal:f32x3". Cut at size. */
void reply_layout(
	const enum attribute_bits *attributes, size_t attribute_count, char *text, size_t size);

/* --- Clips of other rigs --- */

struct pair_description {
	const char *ours, *theirs, *how;
	const char *role; // NULL = none
	double turn_deg;
	double confidence; // [0, 1]
};

struct role_description {
	const char *name;
	const char *ours, *theirs; // NULL = not found
};

struct clip_use_description {
	const char *name;
	int bound, folded, dropped; // channels
};

struct compatibility_description {
	const char *rig, *with;
	double confidence, share, scale;
	double our_height, their_height;      // 0 = not known
	const struct pair_description *pairs; // [pair_count]
	size_t pair_count;
	const char *const *ours_alone, *const *theirs_alone; // [.._count] joints without a partner
	size_t ours_alone_count, theirs_alone_count;
	const struct role_description *roles; // [role_count]
	size_t role_count;
	const struct clip_use_description *clips; // [clip_count]
	size_t clip_count;
};

void reply_write_compatibility(const struct compatibility_description *found, struct buffer *out);

/* --- The service --- */

struct renderer_description {
	const char *vendor, *renderer, *version; // of the driver; "" without one
	const char *device;                      // "gpu", "cpu", "software" or "none"
};

/* A member that a request's `skinning` may have for a method. */
struct option_description {
	const char *name, *title;
	const char *type;           // "number", "integer", "boolean" or "choice"
	double least, most;         // of "number" and "integer"
	const char *const *choices; // of "choice": names, ended by NULL; else NULL
	double standard;            // a number, 0 or 1, or a position in choices
};

struct method_description {
	const char *id, *title;
	bool on_gpu, on_cpu;
	bool cuts_mesh;                           // skins other vertices than the rig's
	const char *const *needs;                 // required of a rig, ended by NULL
	const char *const *normals;               // ways that it may be asked for, ended by NULL
	const struct option_description *options; // [option_count]
	size_t option_count;
};

/* An operation of the pose language. */
struct operation_description {
	const char *name, *title;
};

/* A format of assets. */
struct format_description {
	const char *name, *title, *media_type;
	const char *const *endings; // with their dots, ended by NULL
	const char *const *carries; // names of parts, ended by NULL
};

struct service_description {
	const struct renderer_description *renderer;
	const struct method_description *methods; // [method_count]
	size_t method_count;
	const struct operation_description *operations; // [operation_count]
	size_t operation_count;
	const struct format_description *formats; // [format_count]
	size_t format_count;
};

void reply_write_service(const struct service_description *service, struct buffer *out);
void reply_write_alive(bool read_only, struct buffer *out);
void reply_write_ready(const struct renderer_description *renderer, struct buffer *out);
