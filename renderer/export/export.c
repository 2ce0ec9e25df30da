// A rig's vertices and indices -> the nodes, meshes and accessors of a glTF document.
#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/glb.h"
#include "export/morphs.h"
#include "export/rigging.h"
#include "export/surface.h"

/* One attribute of all vertices: a part of the buffer. */
enum stream {
	STREAM_POSITION,
	STREAM_NORMAL,
	STREAM_TANGENT,
	STREAM_TEXCOORD,
	STREAM_TEXCOORD_SECOND,
	STREAM_COLOR,
	STREAM_VERTEX,
	STREAM_DQS_MIX,
	STREAM_COUNT,
};

static const struct {
	const char *name, *type;
	size_t width; // float32 per vertex
} stream_rows[STREAM_COUNT] = {
	[STREAM_POSITION] = {"POSITION", "VEC3", 3},
	[STREAM_NORMAL] = {"NORMAL", "VEC3", 3},
	[STREAM_TANGENT] = {"TANGENT", "VEC4", 4},
	[STREAM_TEXCOORD] = {"TEXCOORD_0", "VEC2", 2},
	[STREAM_TEXCOORD_SECOND] = {"TEXCOORD_1", "VEC2", 2},
	[STREAM_COLOR] = {"COLOR_0", "VEC4", 4},
	[STREAM_VERTEX] = {"_VERTEX", "SCALAR", 1},
	[STREAM_DQS_MIX] = {"_DQS_MIX", "SCALAR", 1},
};

static const struct {
	size_t corners; // of one triangle, line or point
	int mode;       // glTF's number
} topology_rows[] = {
	[TOPOLOGY_TRIANGLES] = {3, 4},
	[TOPOLOGY_LINES] = {2, 1},
	[TOPOLOGY_POINTS] = {1, 0},
};

/* Indices of one width, of all primitives that take it: a part of the buffer. */
struct index_block {
	enum glb_component component;
	size_t bytes; // per index
	size_t count, used;
	void *data; // [count]; owned
	int view;
};

struct exporter {
	const struct export_job *job;
	struct glb glb;
	const float *streams[STREAM_COUNT]; // NULL = none
	int views[STREAM_COUNT];
	struct index_block small, large;
	float *no_texcoords; // zeros where the rig has none and textures want some; owned
	float *numbers;      // [vertex_count] where each vertex has its own; owned
	struct morphs morphs;
	struct rigging rigging;  // where the job has some
	struct buffer *pictures; // [image_count] encoded here; owned
};

/* --- Indices --- */

static size_t corners_of(const struct primitive *primitive) {
	return topology_rows[primitive->topology].corners;
}

/* The number of a primitive's indices: at least one, since none would mean all vertices in
 * order. */
static size_t index_count(const struct primitive *primitive) {
	const size_t corners = corners_of(primitive);
	const size_t given = (size_t)(primitive->index_count > 0 ? primitive->index_count
								 : primitive->vertex_count);
	return given < corners ? corners : given / corners * corners;
}

/* The i-th index; a primitive of too few vertices gets one piece without a size. */
static uint32_t index_at(const struct rig *rig, const struct primitive *primitive, size_t i) {
	if (primitive->index_count > 0) {
		return rig->indices[(size_t)primitive->first_index + i];
	}
	return i < (size_t)primitive->vertex_count ? (uint32_t)i : 0;
}

/* The highest value of 16 bits is not an index in glTF: it would restart strips. */
static struct index_block *block_of(struct exporter *exporter, const struct primitive *primitive) {
	return primitive->vertex_count <= UINT16_MAX ? &exporter->small : &exporter->large;
}

static void put_index(struct index_block *block, uint32_t index) {
	if (block->component == GLB_U16) {
		((uint16_t *)block->data)[block->used++] = (uint16_t)index;
	} else {
		((uint32_t *)block->data)[block->used++] = index;
	}
}

/* Writes a primitive's indices and returns their accessor. */
static int add_indices(struct exporter *exporter, int i) {
	const struct rig *rig = exporter->job->rig;
	const struct primitive *primitive = &rig->primitives[i];
	struct index_block *block = block_of(exporter, primitive);
	const struct glb_accessor accessor = {
		.view = block->view,
		.offset = block->used * block->bytes,
		.component = block->component,
		.type = "SCALAR",
		.count = index_count(primitive),
	};
	const bool turned = exporter->job->mirrored[i] && primitive->topology == TOPOLOGY_TRIANGLES;
	for (size_t k = 0; k < accessor.count; k++) {
		const size_t corner = turned ? k % 3 : 0;
		// Second and third corner change places.
		const size_t from = corner == 0 ? k : k + (corner == 1) - (corner == 2);
		put_index(block, index_at(rig, primitive, from));
	}
	return glb_add_accessor(&exporter->glb, &accessor);
}

static bool open_block(struct exporter *exporter, struct index_block *block, struct error *err) {
	if (block->count == 0) {
		return true;
	}
	block->data = try_calloc(block->count, block->bytes, "indices", err);
	block->view = glb_add_view(
		&exporter->glb, block->data, block->count * block->bytes, 0, GLB_INDICES);
	return block->data;
}

static bool open_blocks(struct exporter *exporter, struct error *err) {
	const struct rig *rig = exporter->job->rig;
	exporter->small = (struct index_block){.component = GLB_U16, .bytes = 2};
	exporter->large = (struct index_block){.component = GLB_U32, .bytes = 4};
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		if (primitive->vertex_count > 0) {
			block_of(exporter, primitive)->count += index_count(primitive);
		}
	}
	return open_block(exporter, &exporter->small, err) &&
		open_block(exporter, &exporter->large, err);
}

/* --- Vertices --- */

/* Positions are finite, normals and tangents unit, unless the pose leaves float32. */
static bool is_sound(const float *vector, enum stream stream) {
	float square = 0;
	for (int i = 0; i < 3; i++) {
		if (!isfinite(vector[i])) {
			return false;
		}
		square += vector[i] * vector[i];
	}
	return stream == STREAM_POSITION || fabsf(square - 1) < 0.01f;
}

static bool check_vertices(const struct exporter *exporter, struct error *err) {
	const size_t count = (size_t)exporter->job->rig->vertex_count;
	for (enum stream s = STREAM_POSITION; s <= STREAM_TANGENT; s++) {
		for (size_t i = 0; exporter->streams[s] && i < count; i++) {
			if (!is_sound(exporter->streams[s] + i * stream_rows[s].width, s)) {
				return error_set(err, ERROR_INVALID_VALUE,
					"the pose takes vertices farther than float32 reaches");
			}
		}
	}
	return true;
}

/* Sets of texture coordinates that the rig has, or that textures want, with those before them. */
static int count_texcoords(const struct rig *rig) {
	int count = 0;
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		count = rig->texcoords[set] ? set + 1 : count;
	}
	for (int i = 0; i < rig->material_count; i++) {
		for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
			const struct texture_slot *slot = &rig->materials[i].textures[use];
			if (slot->texture >= 0 && slot->texcoords >= count) {
				count = slot->texcoords + 1;
			}
		}
	}
	return count;
}

/* glTF has no textured surface without texture coordinates; where the rig has none it is drawn with
 * those at 0. */
static bool find_texcoords(struct exporter *exporter, struct error *err) {
	const struct rig *rig = exporter->job->rig;
	const int count = count_texcoords(rig);
	for (int set = 0; set < count; set++) {
		const float *texcoords = rig->texcoords[set];
		if (!texcoords && !exporter->no_texcoords) {
			exporter->no_texcoords = try_calloc((size_t)rig->vertex_count,
				2 * sizeof(float), "texture coordinates", err);
			if (!exporter->no_texcoords) {
				return false;
			}
		}
		exporter->streams[STREAM_TEXCOORD + set] =
			texcoords ? texcoords : exporter->no_texcoords;
	}
	return true;
}

/* Whole numbers up to 2^24 are float32; glTF has no wider integers for attributes of one's own. */
static bool number_vertices(struct exporter *exporter, struct error *err) {
	const size_t count = (size_t)exporter->job->rig->vertex_count;
	if (!exporter->job->numbered) {
		return true;
	}
	if (count > 1 << 24) {
		return error_set(err, ERROR_TOO_LARGE,
			"%zu vertices cannot be numbered in float32, which does it up to %d", count,
			1 << 24);
	}
	exporter->numbers = try_calloc(count + 1, sizeof *exporter->numbers, "numbers", err);
	for (size_t i = 0; exporter->numbers && i < count; i++) {
		exporter->numbers[i] = (float)i;
	}
	exporter->streams[STREAM_VERTEX] = exporter->numbers;
	return exporter->numbers;
}

static bool has_joints(const struct exporter *exporter) {
	return exporter->job->rigging && !exporter->job->rigging->matrices;
}

static bool open_streams(struct exporter *exporter, struct error *err) {
	const struct export_job *job = exporter->job;
	exporter->streams[STREAM_POSITION] = job->positions;
	exporter->streams[STREAM_NORMAL] = job->normals;
	exporter->streams[STREAM_TANGENT] = job->tangents;
	exporter->streams[STREAM_COLOR] = job->rig->colors;
	exporter->streams[STREAM_DQS_MIX] = has_joints(exporter) ? job->rig->dqs_mix : NULL;
	if (job->rig->vertex_count == 0) {
		return true;
	}
	if (!check_vertices(exporter, err) || !find_texcoords(exporter, err) ||
		!number_vertices(exporter, err)) {
		return false;
	}
	for (int s = 0; s < STREAM_COUNT; s++) {
		const size_t stride = stream_rows[s].width * sizeof(float);
		if (exporter->streams[s]) {
			exporter->views[s] = glb_add_view(&exporter->glb, exporter->streams[s],
				(size_t)job->rig->vertex_count * stride, stride, GLB_VERTICES);
		}
	}
	return true;
}

/* Adds a primitive's part of a stream and returns the accessor. */
static int add_attribute(
	struct exporter *exporter, const struct primitive *primitive, enum stream stream) {
	const size_t width = stream_rows[stream].width;
	const size_t first = (size_t)primitive->first_vertex * width;
	float min[3], max[3];
	struct glb_accessor accessor = {
		.view = exporter->views[stream],
		.offset = first * sizeof(float),
		.component = GLB_F32,
		.type = stream_rows[stream].type,
		.count = (size_t)primitive->vertex_count,
	};
	if (stream == STREAM_POSITION) {
		glb_find_extent(exporter->streams[stream] + first, accessor.count, min, max);
		accessor.min = min;
		accessor.max = max;
	}
	return glb_add_accessor(&exporter->glb, &accessor);
}

bool export_has_tangents(const struct export_job *job, const struct primitive *primitive) {
	return job->tangents && primitive->topology != TOPOLOGY_POINTS &&
		rig_has_tangents(job->rig, primitive);
}

static void write_attributes(
	struct exporter *exporter, const struct primitive *primitive, struct json_writer *json) {
	json_write_key(json, "attributes");
	json_write_begin_object(json);
	for (enum stream s = STREAM_POSITION; s < STREAM_COUNT; s++) {
		if (exporter->streams[s] &&
			(s != STREAM_TANGENT || export_has_tangents(exporter->job, primitive))) {
			json_write_member_integer(
				json, stream_rows[s].name, add_attribute(exporter, primitive, s));
		}
	}
	if (exporter->job->rigging) {
		rigging_write_influences(&exporter->rigging, primitive, &exporter->glb, json);
	}
	json_write_end_object(json);
}

/* --- Meshes and nodes --- */

static void write_primitive(
	struct exporter *exporter, int i, int targets, struct json_writer *json) {
	const struct primitive *primitive = &exporter->job->rig->primitives[i];
	json_write_begin_object(json);
	write_attributes(exporter, primitive, json);
	json_write_member_integer(json, "indices", add_indices(exporter, i));
	json_write_member_integer(json, "mode", topology_rows[primitive->topology].mode);
	morphs_write(&exporter->morphs, primitive, targets, &exporter->glb, json);
	if (primitive->material >= 0) {
		json_write_member_integer(json, "material", primitive->material);
	}
	json_write_end_object(json);
}

/* A node for the last mesh. */
static void add_node(struct exporter *exporter, const char *name) {
	struct json_writer *json = glb_begin(&exporter->glb, GLB_NODES);
	json_write_member_string(json, "name", name);
	json_write_member_integer(json, "mesh", exporter->glb.lists[GLB_MESHES].count - 1);
	if (exporter->job->rigging) {
		json_write_member_integer(json, "skin", 0);
	}
	json_write_end_object(json);
	glb_add_root(&exporter->glb, exporter->glb.lists[GLB_NODES].count - 1);
}

/* True if what no skin moves stands at the same place within a joint. */
static bool is_one_place(
	const struct rig *rig, const struct primitive *a, const struct primitive *b) {
	const double *p = rig_place_within_joint(rig, a), *q = rig_place_within_joint(rig, b);
	return p && q ? memcmp(p, q, 12 * sizeof *p) == 0 : p == q;
}

/* True if two primitives can be of one mesh: they hang on the same node, and by the same skin. */
static bool is_one_mesh(
	const struct exporter *exporter, const struct primitive *a, const struct primitive *b) {
	return a->joint == b->joint &&
		(!has_joints(exporter) ||
			(a->skinned == b->skinned &&
				(a->skinned ? a->first_slot == b->first_slot
					    : is_one_place(exporter->job->rig, a, b))));
}

/* Adds a node with the mesh of a primitive, which has vertices, and of those behind it of the same
 * mesh; where the rig's nodes are there, that is the one. Returns the one behind them. */
static int add_mesh(struct exporter *exporter, int first) {
	const struct rig *rig = exporter->job->rig;
	const struct primitive *start = &rig->primitives[first];
	int end = first, targets = 0;
	while (end < rig->primitive_count && is_one_mesh(exporter, start, &rig->primitives[end])) {
		const struct primitive *primitive = &rig->primitives[end++];
		if (has_joints(exporter) && primitive->vertex_count > 0 &&
			primitive->target_count > targets) {
			targets = primitive->target_count;
		}
	}
	struct json_writer *json = glb_begin(&exporter->glb, GLB_MESHES);
	json_write_key(json, "primitives");
	json_write_begin_list(json);
	for (int i = first; i < end; i++) {
		if (rig->primitives[i].vertex_count > 0) {
			write_primitive(exporter, i, targets, json);
		}
	}
	json_write_end_list(json);
	json_write_end_object(json);
	if (has_joints(exporter)) {
		rigging_set_mesh(&exporter->rigging, start, targets > 0, &exporter->glb);
	} else {
		add_node(exporter, rig->joints[start->joint].name);
	}
	return end;
}

static void add_meshes(struct exporter *exporter) {
	const struct rig *rig = exporter->job->rig;
	for (int i = 0; i < rig->primitive_count;) {
		i = rig->primitives[i].vertex_count > 0 ? add_mesh(exporter, i) : i + 1;
	}
}

static void finish(struct exporter *exporter) {
	for (int i = 0; i < exporter->job->rig->image_count; i++) {
		buffer_finish(&exporter->pictures[i]);
	}
	free(exporter->pictures);
	free(exporter->no_texcoords);
	free(exporter->numbers);
	morphs_finish(&exporter->morphs);
	rigging_finish(&exporter->rigging);
	free(exporter->small.data);
	free(exporter->large.data);
	glb_finish(&exporter->glb);
}

bool export_glb(const struct export_job *job, struct buffer *out, struct error *err) {
	struct exporter exporter = {
		.job = job,
		.pictures = xcalloc((size_t)job->rig->image_count, sizeof *exporter.pictures),
	};
	bool ok = open_streams(&exporter, err) && open_blocks(&exporter, err) &&
		surface_add_all(&exporter.glb, job, exporter.pictures, err) &&
		morphs_open(&exporter.morphs, job, &exporter.glb, err) &&
		rigging_open(&exporter.rigging, job, &exporter.glb, err);
	if (ok) {
		add_meshes(&exporter);
		morphs_add_animation(&exporter.morphs, &exporter.glb);
		ok = rigging_add_nodes(&exporter.rigging, &exporter.glb, err) &&
			glb_write(&exporter.glb, job->generator, job->max_bytes, out, err);
	}
	finish(&exporter);
	return ok;
}
