// Influences, skins and nodes.
#include "export/rigging.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "export/clip.h"
#include "export/surface.h"

#define SET 4 // influences

static size_t sets_of(const struct primitive *primitive) {
	return ((size_t)primitive->influence_count + SET - 1) / SET;
}

/* True when influences count the rig's slots, and not those of a skin. */
static bool is_flat(const struct rigging *rigging) {
	return !rigging->job->rigging->clip;
}

/* glTF wants joint 0 where there is no weight. */
static void fill_influences(struct rigging *rigging, const struct primitive *primitive) {
	const struct rig *rig = rigging->job->rig;
	const size_t width = (size_t)primitive->influence_count;
	const size_t stride = (size_t)rig->vertex_count * SET;
	const int base = is_flat(rigging) ? primitive->first_slot : 0;
	for (size_t v = 0; v < (size_t)primitive->vertex_count; v++) {
		const size_t from = primitive->first_influence + v * width;
		const size_t to = ((size_t)primitive->first_vertex + v) * SET;
		for (size_t i = 0; i < width; i++) {
			const size_t at = i / SET * stride + to + i % SET;
			const float weight = rig->influence_weights[from + i];
			rigging->weights[at] = weight;
			rigging->joints[at] =
				weight > 0 ? (uint16_t)(base + rig->influence_slots[from + i]) : 0;
		}
	}
}

static bool make_influences(struct rigging *rigging, struct glb *glb, struct error *err) {
	const struct rig *rig = rigging->job->rig;
	for (int i = 0; i < rig->primitive_count; i++) {
		const size_t sets = sets_of(&rig->primitives[i]);
		rigging->sets = sets > rigging->sets ? sets : rigging->sets;
	}
	const size_t count = rigging->sets * (size_t)rig->vertex_count * SET;
	rigging->joints = try_calloc(count, sizeof *rigging->joints, "influences", err);
	rigging->weights = rigging->joints
		? try_calloc(count, sizeof *rigging->weights, "influences", err)
		: NULL;
	if (!rigging->weights) {
		return false;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		fill_influences(rigging, &rig->primitives[i]);
	}
	rigging->joint_view = glb_add_view(glb, rigging->joints, count * sizeof *rigging->joints,
		SET * sizeof *rigging->joints, GLB_VERTICES);
	rigging->weight_view = glb_add_view(glb, rigging->weights, count * sizeof *rigging->weights,
		SET * sizeof *rigging->weights, GLB_VERTICES);
	return true;
}

/* Without joints the skin's are where they are, and their bind matrices take the mesh to its first
 * moment. */
static bool make_bind(struct rigging *rigging, struct glb *glb, struct error *err) {
	const struct rig *rig = rigging->job->rig;
	const size_t count = (size_t)rig->slot_count;
	rigging->bind = try_calloc(count, 16 * sizeof *rigging->bind, "bind matrices", err);
	for (size_t i = 0; rigging->bind && i < count; i++) {
		const double *rows = is_flat(rigging) ? rigging->job->rigging->matrices[i]
						      : rig->slots[i].inverse_bind;
		for (size_t k = 0; k < 12; k++) {
			rigging->bind[i * 16 + k % 4 * 4 + k / 4] = (float)rows[k];
		}
		rigging->bind[i * 16 + 15] = 1;
	}
	rigging->bind_view = glb_add_view(
		glb, rigging->bind, count * 16 * sizeof *rigging->bind, 0, GLB_NO_TARGET);
	return rigging->bind;
}

static int *make_list(int count) {
	int *list = xcalloc((size_t)count + 1, sizeof *list);
	for (int i = 0; i < count; i++) {
		list[i] = -1;
	}
	return list;
}

bool rigging_open(
	struct rigging *rigging, const struct export_job *job, struct glb *glb, struct error *err) {
	*rigging = (struct rigging){.job = job};
	if (!job->rigging) {
		return true;
	}
	rigging->meshes = make_list(job->rig->joint_count);
	rigging->skins = make_list(job->rig->joint_count);
	rigging->skin_of_slot = make_list(job->rig->slot_count);
	return job->rig->vertex_count == 0 ||
		(make_influences(rigging, glb, err) && make_bind(rigging, glb, err));
}

void rigging_finish(struct rigging *rigging) {
	free(rigging->joints);
	free(rigging->weights);
	free(rigging->bind);
	free(rigging->meshes);
	free(rigging->skins);
	free(rigging->skin_of_slot);
	free(rigging->keys);
}

void rigging_write_influences(const struct rigging *rigging, const struct primitive *primitive,
	struct glb *glb, struct json_writer *json) {
	const size_t vertices = (size_t)rigging->job->rig->vertex_count;
	const size_t sets = primitive->skinned || is_flat(rigging) ? sets_of(primitive) : 0;
	for (size_t i = 0; i < sets; i++) {
		const size_t first = (i * vertices + (size_t)primitive->first_vertex) * SET;
		char name[32];
		struct glb_accessor accessor = {
			.view = rigging->joint_view,
			.offset = first * sizeof *rigging->joints,
			.component = GLB_U16,
			.type = "VEC4",
			.count = (size_t)primitive->vertex_count,
		};
		snprintf(name, sizeof name, "JOINTS_%zu", i);
		json_write_member_integer(json, name, glb_add_accessor(glb, &accessor));
		accessor.view = rigging->weight_view;
		accessor.offset = first * sizeof *rigging->weights;
		accessor.component = GLB_F32;
		snprintf(name, sizeof name, "WEIGHTS_%zu", i);
		json_write_member_integer(json, name, glb_add_accessor(glb, &accessor));
	}
}

/* --- Skins --- */

/* Adds the skin of slots whose joints are these nodes. */
static int add_skin(const struct rigging *rigging, int first_slot, int count,
	const struct palette_slot *slots, int first_node, struct glb *glb) {
	const struct glb_accessor accessor = {
		.view = rigging->bind_view,
		.offset = (size_t)first_slot * 16 * sizeof *rigging->bind,
		.component = GLB_F32,
		.type = "MAT4",
		.count = (size_t)count,
	};
	struct json_writer *json = glb_begin(glb, GLB_SKINS);
	json_write_member_integer(json, "inverseBindMatrices", glb_add_accessor(glb, &accessor));
	json_write_key(json, "joints");
	json_write_begin_list(json);
	for (int i = 0; i < count; i++) {
		json_write_integer(json, slots ? slots[first_slot + i].joint : first_node + i);
	}
	json_write_end_list(json);
	json_write_end_object(json);
	return glb->lists[GLB_SKINS].count - 1;
}

/* Primitives of one skin of the file share their slots. */
void rigging_set_mesh(struct rigging *rigging, const struct primitive *primitive, struct glb *glb) {
	const struct rig *rig = rigging->job->rig;
	rigging->meshes[primitive->joint] = glb->lists[GLB_MESHES].count - 1;
	if (!primitive->skinned) {
		return;
	}
	int *skin = &rigging->skin_of_slot[primitive->first_slot];
	if (*skin < 0) {
		*skin = add_skin(
			rigging, primitive->first_slot, primitive->slot_count, rig->slots, 0, glb);
	}
	rigging->skins[primitive->joint] = *skin;
}

/* --- Nodes --- */

static void add_slot_node(const struct rig *rig, int slot, struct glb *glb) {
	struct json_writer *json = glb_begin(glb, GLB_NODES);
	json_write_member_string(json, "name", rig->joints[rig->slots[slot].joint].name);
	json_write_end_object(json);
}

/* A node for each slot, below one that makes them a skeleton. */
static void add_slots(const struct rigging *rigging, struct glb *glb) {
	const struct rig *rig = rigging->job->rig;
	const int first = glb->lists[GLB_NODES].count;
	for (int i = 0; i < rig->slot_count; i++) {
		add_slot_node(rig, i, glb);
	}
	struct json_writer *json = glb_begin(glb, GLB_NODES);
	json_write_member_string(json, "name", "slots");
	json_write_key(json, "children");
	json_write_begin_list(json);
	for (int i = 0; i < rig->slot_count; i++) {
		json_write_integer(json, first + i);
	}
	json_write_end_list(json);
	json_write_end_object(json);
	glb_add_root(glb, first + rig->slot_count);
	add_skin(rigging, 0, rig->slot_count, NULL, first, glb);
}

bool rigging_add_nodes(struct rigging *rigging, struct glb *glb, struct error *err) {
	const struct export_job *job = rigging->job;
	if (!job->rigging) {
		return true;
	}
	if (is_flat(rigging)) {
		if (job->rig->vertex_count > 0) {
			add_slots(rigging, glb);
		}
		return true;
	}
	const struct nodes_job nodes = {job->rig, rigging->meshes, rigging->skins};
	nodes_add(glb, &nodes);
	return keys_add(glb, job->rigging->clip, &rigging->keys, err);
}

/* --- Those of frames --- */

static int add_frames_view(const struct export_job *job, const float *streams, struct glb *glb) {
	const size_t stride = 3 * sizeof(float), vertices = (size_t)job->rig->vertex_count;
	return glb_add_view(glb, streams + vertices * 3,
		(job->frames->count - 1) * vertices * stride, stride, GLB_VERTICES);
}

/* Frame i is all of target i - 1: a key has a weight of 1 there, and the first has none. */
static bool make_weights(struct morphs *morphs, struct error *err) {
	const size_t count = morphs->job->frames->count, width = count - 1;
	morphs->weights = try_calloc(count * width, sizeof *morphs->weights, "the keys", err);
	for (size_t i = 1; morphs->weights && i < count; i++) {
		morphs->weights[i * width + i - 1] = 1;
	}
	return morphs->weights;
}

bool morphs_open(
	struct morphs *morphs, const struct export_job *job, struct glb *glb, struct error *err) {
	const struct export_frames *frames = job->frames;
	*morphs = (struct morphs){.job = job};
	if (!frames || frames->count < 2 || job->rig->vertex_count == 0) {
		return true;
	}
	morphs->positions = add_frames_view(job, frames->positions, glb);
	morphs->normals = frames->normals ? add_frames_view(job, frames->normals, glb) : -1;
	return make_weights(morphs, err);
}

void morphs_finish(struct morphs *morphs) {
	free(morphs->weights);
}

/* One attribute of a target. */
struct displacement {
	const char *name;
	const float *data; // [count][3]; NULL = all are 0
	int view;
	size_t offset, count;
};

static void write_displacement(
	const struct displacement *part, struct glb *glb, struct json_writer *json) {
	float min[3] = {0}, max[3] = {0};
	struct glb_accessor accessor = {
		.view = part->data ? part->view : -1,
		.offset = part->offset,
		.component = GLB_F32,
		.type = "VEC3",
		.count = part->count,
		.min = min,
		.max = max,
	};
	if (part->data) {
		glb_find_extent(part->data, part->count, min, max);
	}
	json_write_member_integer(json, part->name, glb_add_accessor(glb, &accessor));
}

static void write_frame(const struct morphs *morphs, size_t i, const struct primitive *primitive,
	struct glb *glb, struct json_writer *json) {
	const struct export_frames *frames = morphs->job->frames;
	const size_t vertices = (size_t)morphs->job->rig->vertex_count;
	const size_t at = (i * vertices + (size_t)primitive->first_vertex) * 3;
	struct displacement part = {
		.name = "POSITION",
		.data = frames->positions + vertices * 3 + at,
		.view = morphs->positions,
		.offset = at * sizeof(float),
		.count = (size_t)primitive->vertex_count,
	};
	json_write_begin_object(json);
	write_displacement(&part, glb, json);
	if (frames->normals) {
		part.name = "NORMAL";
		part.data = frames->normals + vertices * 3 + at;
		part.view = morphs->normals;
		write_displacement(&part, glb, json);
	}
	json_write_end_object(json);
}

/* --- The rig's own --- */

/* All targets get what any target of a primitive has: readers take a missing one for the vertices'
 * own. */
struct present {
	bool normals, tangents;
};

static struct present find_present(
	const struct export_job *job, const struct primitive *primitive) {
	struct present present = {0};
	for (int i = 0; i < primitive->target_count; i++) {
		present.normals = present.normals || primitive->targets[i].normals;
		present.tangents = present.tangents || primitive->targets[i].tangents;
	}
	present.normals = present.normals && job->normals;
	present.tangents = present.tangents && export_has_tangents(job, primitive);
	return present;
}

static void write_own_part(const char *name, const float *data, const struct primitive *primitive,
	struct glb *glb, struct json_writer *json) {
	const size_t stride = 3 * sizeof(float), count = (size_t)primitive->vertex_count;
	const struct displacement part = {
		.name = name,
		.data = data,
		.view = data ? glb_add_view(glb, data, count * stride, stride, GLB_VERTICES) : -1,
		.count = count,
	};
	write_displacement(&part, glb, json);
}

static void write_own(const struct morph_target *target, const struct present *present,
	const struct primitive *primitive, struct glb *glb, struct json_writer *json) {
	json_write_begin_object(json);
	write_own_part("POSITION", target->positions, primitive, glb, json);
	if (present->normals) {
		write_own_part("NORMAL", target->normals, primitive, glb, json);
	}
	if (present->tangents) {
		write_own_part("TANGENT", target->tangents, primitive, glb, json);
	}
	json_write_end_object(json);
}

void morphs_write(struct morphs *morphs, const struct primitive *primitive, struct glb *glb,
	struct json_writer *json) {
	const struct export_job *job = morphs->job;
	const bool own = job->rigging && job->rigging->clip;
	const size_t count = own  ? (size_t)primitive->target_count
		: morphs->weights ? job->frames->count - 1
				  : 0;
	if (count == 0) {
		return;
	}
	const struct present present = find_present(job, primitive);
	json_write_key(json, "targets");
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		if (own) {
			write_own(&primitive->targets[i], &present, primitive, glb, json);
		} else {
			write_frame(morphs, i, primitive, glb, json);
		}
	}
	json_write_end_list(json);
}

/* --- The animation --- */

static void write_sampler(const struct morphs *morphs, struct glb *glb, struct json_writer *json) {
	const struct export_frames *frames = morphs->job->frames;
	const size_t width = frames->count - 1;
	const struct glb_accessor times = {
		.view = glb_add_view(
			glb, frames->times, frames->count * sizeof(float), 0, GLB_NO_TARGET),
		.component = GLB_F32,
		.type = "SCALAR",
		.count = frames->count,
		.min = &frames->times[0],
		.max = &frames->times[frames->count - 1],
	};
	const struct glb_accessor weights = {
		.view = glb_add_view(glb, morphs->weights, frames->count * width * sizeof(float), 0,
			GLB_NO_TARGET),
		.component = GLB_F32,
		.type = "SCALAR",
		.count = frames->count * width,
	};
	json_write_begin_object(json);
	json_write_member_integer(json, "input", glb_add_accessor(glb, &times));
	json_write_member_integer(json, "output", glb_add_accessor(glb, &weights));
	json_write_member_string(json, "interpolation", "LINEAR");
	json_write_end_object(json);
}

static void write_channel(int node, struct json_writer *json) {
	json_write_begin_object(json);
	json_write_member_integer(json, "sampler", 0);
	json_write_key(json, "target");
	json_write_begin_object(json);
	json_write_member_integer(json, "node", node);
	json_write_member_string(json, "path", "weights");
	json_write_end_object(json);
	json_write_end_object(json);
}

void morphs_add_animation(const struct morphs *morphs, struct glb *glb) {
	const int nodes = glb->lists[GLB_NODES].count;
	if (!morphs->weights || nodes == 0) {
		return;
	}
	struct json_writer *json = glb_begin(glb, GLB_ANIMATIONS);
	json_write_member_string(json, "name", morphs->job->frames->name);
	json_write_key(json, "samplers");
	json_write_begin_list(json);
	write_sampler(morphs, glb, json);
	json_write_end_list(json);
	json_write_key(json, "channels");
	json_write_begin_list(json);
	for (int i = 0; i < nodes; i++) {
		write_channel(i, json);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}
