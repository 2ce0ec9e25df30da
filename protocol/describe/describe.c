// The renderer's structs -> the plain structs that protocol/ writes.
#include "describe/describe.h"

#include <math.h>
#include <string.h>

#include "model/prune.h"

static const struct joint_description *describe_joints(const struct rig *rig, struct arena *arena) {
	struct joint_description *out = arena_alloc(arena, (size_t)rig->joint_count, sizeof *out);
	const bool *needless = prune_find_needless(rig, NULL, arena);
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		out[i].name = joint->name;
		out[i].index = joint->index;
		out[i].parent = joint->parent < 0 ? -1 : rig->joints[joint->parent].index;
		memcpy(out[i].translation, joint->rest.translation, sizeof out[i].translation);
		memcpy(out[i].rotation, joint->rest.rotation, sizeof out[i].rotation);
		memcpy(out[i].scale, joint->rest.scale, sizeof out[i].scale);
		out[i].needless = needless[i];
		out[i].weight_count = joint->weight_count;
		out[i].weights =
			joint->weight_count > 0 ? rig->rest_weights + joint->first_weight : NULL;
	}
	return out;
}

static const struct primitive_description *describe_primitives(
	const struct rig *rig, struct arena *arena) {
	struct primitive_description *out =
		arena_alloc(arena, (size_t)rig->primitive_count, sizeof *out);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		out[i] = (struct primitive_description){
			.node = rig->joints[primitive->joint].index,
			.mesh = primitive->mesh,
			.primitive = primitive->primitive,
			.first_vertex = primitive->first_vertex,
			.vertex_count = primitive->vertex_count,
			.index_count = primitive->index_count,
			.skinned = primitive->skinned,
			.material = primitive->material,
		};
	}
	return out;
}

static struct box describe_bounds(const struct bounds *bounds) {
	struct box box = {.exists = true};
	for (int k = 0; k < 3; k++) {
		box.exists = box.exists && isfinite(bounds->min[k]) && isfinite(bounds->max[k]);
		box.min[k] = bounds->min[k];
		box.max[k] = bounds->max[k];
	}
	return box;
}

bool describe_clip_bounds(struct renderer *renderer, const struct rig *rig, const struct stop *stop,
	struct arena *arena, struct rig_description *out, struct error *err) {
	struct clip_description *clips = arena_alloc(arena, (size_t)rig->clip_count, sizeof *clips);
	struct box *boxes = arena_alloc(arena, (size_t)rig->clip_count, sizeof *boxes);
	for (int i = 0; i < rig->clip_count; i++) {
		struct bounds bounds;
		if (!renderer_clip_bounds(renderer, rig, i, stop, &bounds, err)) {
			return false;
		}
		boxes[i] = describe_bounds(&bounds);
		clips[i] = out->clips[i];
		clips[i].bounds = &boxes[i];
	}
	out->clips = clips;
	return true;
}

static const struct clip_compression *describe_compression(
	const struct clip *clip, struct arena *arena) {
	struct packed_clip packed;
	if (!renderer_describe_packed(clip, &packed)) {
		return NULL;
	}
	struct clip_compression *out = arena_alloc(arena, 1, sizeof *out);
	*out = (struct clip_compression){
		packed.bytes, packed.tolerance_m, packed.error_m, packed.shell_m};
	return out;
}

const struct clip_description *describe_clips(
	const struct rig *rig, size_t stored, struct arena *arena) {
	struct clip_description *out = arena_alloc(arena, (size_t)rig->clip_count, sizeof *out);
	for (int i = 0; i < rig->clip_count; i++) {
		const struct clip *clip = &rig->clips[i];
		out[i] = (struct clip_description){
			.name = clip->name,
			.index = clip->index,
			.stored = (size_t)(rig->clip_count - i) <= stored,
			.duration_s = clip->duration_s,
			.channels = clip->channel_count,
			.bytes = clip->bytes,
			.compression = describe_compression(clip, arena),
		};
	}
	return out;
}

static const char *option_type(enum skin_option_kind kind) {
	switch (kind) {
	case SKIN_OPTION_NUMBER:
		return "number";
	case SKIN_OPTION_INTEGER:
		return "integer";
	case SKIN_OPTION_BOOLEAN:
		return "boolean";
	case SKIN_OPTION_CHOICE:
	case SKIN_OPTION_BASE:
		return "choice";
	}
	return NULL;
}

/* Ids of the methods that others can build on, ended by NULL. */
static const char *const *base_ids(struct arena *arena) {
	struct renderer_method method;
	size_t count = 0, used = 0;
	while (renderer_method(count, &method)) {
		count++;
	}
	const char **ids = arena_alloc(arena, count + 1, sizeof *ids);
	for (size_t i = 0; renderer_method(i, &method); i++) {
		if (method.is_base) {
			ids[used++] = method.id;
		}
	}
	return ids;
}

static struct option_description describe_option(
	const struct skin_option *option, struct arena *arena) {
	return (struct option_description){
		.name = option->name,
		.title = option->title,
		.type = option_type(option->kind),
		.least = option->least,
		.most = option->most,
		.choices = option->kind == SKIN_OPTION_BASE ? base_ids(arena) : option->choices,
		.standard = option->standard,
	};
}

static struct method_description describe_method(
	const struct renderer_method *method, struct arena *arena) {
	struct method_description out = {
		.id = method->id,
		.title = method->title,
		.on_gpu = method->on_gpu,
		.on_cpu = method->on_cpu,
		.cuts_mesh = method->cuts_mesh,
	};
	const char **needs = arena_alloc(arena, 3, sizeof *needs);
	size_t count = 0;
	if (method->needs_examples) {
		needs[count++] = "examples";
	}
	if (method->needs_clip) {
		needs[count++] = "clip";
	}
	out.needs = needs;
	const char **normals = arena_alloc(arena, NORMALS_COUNT + 1, sizeof *normals);
	memcpy(normals, method->normals, sizeof method->normals);
	out.normals = normals;
	struct option_description *options = arena_alloc(arena, SKIN_OPTIONS_MAX, sizeof *options);
	for (; method->options && method->options[out.option_count]; out.option_count++) {
		options[out.option_count] =
			describe_option(method->options[out.option_count], arena);
	}
	out.options = options;
	return out;
}

const struct method_description *describe_methods(
	const struct renderer_info *info, struct arena *arena, size_t *count) {
	struct renderer_method method;
	*count = 0;
	while (renderer_method(*count, &method)) {
		++*count;
	}
	struct method_description *out = arena_alloc(arena, *count, sizeof *out);
	for (size_t i = 0; renderer_method(i, &method); i++) {
		out[i] = describe_method(&method, arena);
		out[i].on_gpu = out[i].on_gpu && renderer_has_shaders(info);
	}
	return out;
}

const struct operation_description *describe_operations(struct arena *arena, size_t *count) {
	struct renderer_operation operation;
	*count = 0;
	while (renderer_operation(*count, &operation)) {
		++*count;
	}
	struct operation_description *out = arena_alloc(arena, *count, sizeof *out);
	for (size_t i = 0; renderer_operation(i, &operation); i++) {
		out[i] = (struct operation_description){operation.name, operation.title};
	}
	return out;
}

static const char *const *part_names(unsigned parts, struct arena *arena) {
	static const char *const names[ASSET_PARTS] = {
		"meshes", "skins", "morphs", "clips", "materials"};
	const char **out = arena_alloc(arena, ASSET_PARTS + 1, sizeof *out);
	size_t used = 0;
	for (int i = 0; i < ASSET_PARTS; i++) {
		if (parts & 1U << i) {
			out[used++] = names[i];
		}
	}
	return out;
}

const struct format_description *describe_formats(struct arena *arena, size_t *count) {
	*count = 0;
	while (renderer_asset_format(*count)) {
		++*count;
	}
	struct format_description *out = arena_alloc(arena, *count, sizeof *out);
	for (size_t i = 0; i < *count; i++) {
		const struct asset_format *format = renderer_asset_format(i);
		out[i] = (struct format_description){format->name, format->title,
			format->media_type, format->endings, part_names(format->carries, arena)};
	}
	return out;
}

/* Ids of the methods that can skin the rig now, ended by NULL. */
static const char *const *method_ids(const struct rig *rig, bool examples, struct arena *arena) {
	struct renderer_method method;
	size_t count = 0, used = 0;
	while (renderer_method(count, &method)) {
		count++;
	}
	const char **ids = arena_alloc(arena, count + 1, sizeof *ids);
	for (size_t i = 0; renderer_method(i, &method); i++) {
		if ((examples || !method.needs_examples) &&
			(rig->clip_count > 0 || !method.needs_clip)) {
			ids[used++] = method.id;
		}
	}
	return ids;
}

void describe_rig(const struct rig *rig, const struct rig_summary *summary,
	const struct beside_rig *beside, struct arena *arena, struct rig_description *out) {
	*out = (struct rig_description){
		.summary = *summary,
		.joints = describe_joints(rig, arena),
		.clips = describe_clips(rig, beside->clips, arena),
		.primitives = describe_primitives(rig, arena),
		.primitive_count = (size_t)rig->primitive_count,
		.triangles = renderer_triangle_count(rig),
		.warnings = (const char *const *)rig->warnings,
		.warning_count = (size_t)rig->warning_count,
		.variants = (const char *const *)rig->variants,
		.variant_count = (size_t)rig->variant_count,
		.examples = beside->examples,
		.example_count = beside->example_count,
		.methods = method_ids(rig, beside->example_count > 0, arena),
		.default_method = renderer_default_method(rig),
	};
	describe_looks(rig, arena, out);
	describe_avatar(rig, arena, out);
	out->bounds = describe_bounds(&rig->bounds);
	// The rig decides how long the lists are, not a record of it.
	out->summary.joints = rig->joint_count;
	out->summary.clips = rig->clip_count;
	out->summary.vertices = rig->vertex_count;
}

static const struct root_pose *describe_root(const struct posed_joints *pose, struct arena *arena) {
	if (!pose->has_root_motion) {
		return NULL;
	}
	struct root_pose *root = arena_alloc(arena, 1, sizeof *root);
	for (int i = 0; i < 4; i++) {
		root->rotation[i] = (float)pose->root_rotation[i];
	}
	for (int i = 0; i < 3; i++) {
		root->translation[i] = (float)pose->root_translation[i];
	}
	return root;
}

const struct pose_frame *describe_pose(
	const struct rig *rig, const struct posed_joints *pose, struct arena *arena) {
	struct joint_pose *joints = arena_alloc(arena, (size_t)pose->count, sizeof *joints);
	for (int i = 0; i < pose->count; i++) {
		joints[i].name = rig->joints[i].name;
		joints[i].index = rig->joints[i].index;
		joints[i].translation = pose->local[i].translation;
		joints[i].rotation = pose->local[i].rotation;
		joints[i].scale = pose->local[i].scale;
		renderer_world_columns(pose->world[i], joints[i].world);
	}
	struct pose_frame *frame = arena_alloc(arena, 1, sizeof *frame);
	*frame = (struct pose_frame){joints, pose->count, describe_root(pose, arena)};
	return frame;
}

struct renderer_description describe_renderer(const struct renderer_info *info) {
	return (struct renderer_description){
		info->vendor, info->renderer, info->version, info->device};
}

const char *const *describe_flags(unsigned bits, struct arena *arena) {
	int count = 0, used = 0;
	while (skin_flag_name(count)) {
		count++;
	}
	const char **names = arena_alloc(arena, (size_t)count + 1, sizeof *names);
	for (int bit = 0; bit < count; bit++) {
		if (bits & 1u << bit) {
			names[used++] = skin_flag_name(bit);
		}
	}
	return names;
}

struct batches_description describe_batches(const struct skin_batch_counts *batches) {
	return (struct batches_description){
		.count = batches->count,
		.vertices = batches->vertices,
		.gained = batches->gained,
		.fewest_joints = batches->fewest_joints,
		.max_joints = batches->max_joints,
	};
}

struct skinning_description describe_skinning(
	const struct skinning_report *report, struct arena *arena) {
	return (struct skinning_description){
		.method = report->method,
		.device = report->device,
		.flags = describe_flags(report->flags, arena),
		.fallback_vertices = report->fallback_vertices,
		.batches = describe_batches(&report->batches),
		.fitted = report->fitted,
		.residual_max = report->residual_max,
		.residual_rms = report->residual_rms,
		.dropped_weight = report->dropped_weight,
	};
}
