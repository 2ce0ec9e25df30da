/* The renderer's structs -> the plain structs that protocol/ writes. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "compare.h"
#include "renderer.h"
#include "reply.h"

/* The data of a rig beside its file. */
struct beside_rig {
	const char *const *examples; // [example_count] names
	size_t example_count;
	size_t clips; // of the rig's, the last ones
};

/* Strings are borrowed from the rig, the summary and the lists, arrays are made in the arena. */
void describe_rig(const struct rig *rig, const struct rig_summary *summary,
	const struct beside_rig *beside, struct arena *arena, struct rig_description *out);

/* All clips of a rig, [clip_count], of which the last ones are stored beside the file. */
const struct clip_description *describe_clips(
	const struct rig *rig, size_t stored, struct arena *arena);

/* Adds the box around each clip to a description. False when it was stopped. */
bool describe_clip_bounds(struct renderer *renderer, const struct rig *rig, const struct stop *stop,
	struct arena *arena, struct rig_description *out, struct error *err);

/* An evaluated pose for an answer, in the arena. */
const struct pose_frame *describe_pose(
	const struct rig *rig, const struct posed_joints *pose, struct arena *arena);

/* The result of renderer_compare(); labels are [comparison->count], one for each method. */
void describe_comparison(const struct rig *rig, const struct comparison *comparison,
	const char *const *labels, struct arena *arena, struct comparison_description *out);

struct renderer_description describe_renderer(const struct renderer_info *info);

/* All skinning methods with the devices that a renderer has for them, in the arena. */
const struct method_description *describe_methods(
	const struct renderer_info *info, struct arena *arena, size_t *count);

/* All operations of the pose language, in the arena. */
const struct operation_description *describe_operations(struct arena *arena, size_t *count);

/* All formats of assets, in the arena. */
const struct format_description *describe_formats(struct arena *arena, size_t *count);

/* Names of the flags that are set, ended by NULL, in the arena. */
const char *const *describe_flags(unsigned bits, struct arena *arena);

/* Appends bake.json of any form. */
void describe_baked(const struct baked_facts *facts, struct buffer *out);

struct batches_description describe_batches(const struct skin_batch_counts *batches);

struct skinning_description describe_skinning(
	const struct skinning_report *report, struct arena *arena);

/* The compatibility of two rigs, but for their names. */
void describe_compatibility(const struct rig *rig, const struct rig *other,
	const struct compatibility *found, struct arena *arena,
	struct compatibility_description *out);

/* Fills in materials, lights and cameras. */
void describe_looks(const struct rig *rig, struct arena *arena, struct rig_description *out);

/* Adds the avatar of a rig that has one. */
void describe_avatar(const struct rig *rig, struct arena *arena, struct rig_description *out);

/* GET /v1/shaders. */
void describe_shaders(struct buffer *out);

/* POST /v1/shaders, with these buffers (bits of enum shader_buffer_bits). Numbers are finite. */
void describe_shader_inputs(
	const struct shader_inputs *inputs, unsigned buffers, struct buffer *out);

/* Bytes that it takes at most. */
uint64_t describe_shader_inputs_bytes(const struct shader_inputs *inputs, unsigned buffers);
