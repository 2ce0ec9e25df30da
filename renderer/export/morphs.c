// Morph targets: those of frames with the animation that goes through them, and the rig's own.
#include "export/morphs.h"

#include <stdlib.h>

#include "base/memory.h"

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

void morphs_write(const struct morphs *morphs, const struct primitive *primitive, int own,
	struct glb *glb, struct json_writer *json) {
	static const struct morph_target still = {0};
	const struct export_job *job = morphs->job;
	const size_t count = own > 0 ? (size_t)own : morphs->weights ? job->frames->count - 1 : 0;
	if (count == 0) {
		return;
	}
	const struct present present = find_present(job, primitive);
	json_write_key(json, "targets");
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		if (own > 0) {
			const bool has = i < (size_t)primitive->target_count;
			write_own(has ? &primitive->targets[i] : &still, &present, primitive, glb,
				json);
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
