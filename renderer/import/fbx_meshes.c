// The meshes of FBX -> pieces of the scene: corners that are the same in all that they have become
// one vertex, and each material's polygons a piece.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "import/fbx_import.h"
#include "import/limits.h"

/* All that a corner says of its vertex. */
struct vertex {
	uint32_t point;
	float normal[3], uvs[FBX_UV_SETS][2], color[4];
};

/* A piece while it is gathered. */
struct piece {
	const struct fbx_mesh *mesh;
	int64_t material; // number in the mesh
	double normal_rows[9];
	size_t vertex_count, index_count;
	struct vertex *vertices;
	uint32_t *indices;
	uint32_t *table; // of vertices + 1, by their hash; [table_size], a power of two
	size_t table_size;
};

/* --- Vertices --- */

static float to_float(double x) {
	return isfinite(x) && fabs(x) < 1e30 ? (float)x : 0;
}

static struct vertex corner_vertex(const struct piece *piece, size_t polygon, size_t corner) {
	const struct fbx_geometry *g = &piece->mesh->geometry;
	struct vertex v = {.point = g->corner_points[corner], .color = {1, 1, 1, 1}};
	const double *normal = fbx_attribute_at(g, &g->normals, polygon, corner);
	const double *color = fbx_attribute_at(g, &g->colors, polygon, corner);
	for (int i = 0; normal && i < 3; i++) {
		v.normal[i] = to_float(vec3_dot(&piece->normal_rows[i * 3], normal));
	}
	for (int set = 0; set < FBX_UV_SETS; set++) {
		const double *uv = fbx_attribute_at(g, &g->uvs[set], polygon, corner);
		v.uvs[set][0] = uv ? to_float(uv[0]) : 0;
		v.uvs[set][1] = uv ? to_float(1 - uv[1]) : 0; // counted from below in the file
	}
	for (int i = 0; color && i < 4; i++) {
		v.color[i] = fminf(fmaxf(to_float(color[i]), 0), 1);
	}
	return v;
}

#define HASH_FACTOR 0x9e3779b97f4a7c15u

/* By words: a byte at a time takes longer than all else that is done for a corner. */
static uint64_t hash(const struct vertex *vertex) {
	uint64_t words[sizeof *vertex / sizeof(uint64_t)], sum = 0;
	_Static_assert(sizeof words == sizeof *vertex, "a vertex is whole words");
	memcpy(words, vertex, sizeof words);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		sum = (sum ^ words[i]) * HASH_FACTOR;
		sum ^= sum >> 29;
	}
	return sum;
}

/* The vertex's number in the piece, added where it is new. */
static uint32_t find_vertex(struct piece *piece, const struct vertex *vertex) {
	size_t at = hash(vertex) & (piece->table_size - 1);
	while (piece->table[at] != 0) {
		const uint32_t known = piece->table[at] - 1;
		if (memcmp(&piece->vertices[known], vertex, sizeof *vertex) == 0) {
			return known;
		}
		at = (at + 1) & (piece->table_size - 1);
	}
	piece->vertices[piece->vertex_count] = *vertex;
	piece->table[at] = (uint32_t)++piece->vertex_count;
	return piece->table[at] - 1;
}

static int64_t material_of(const struct fbx_geometry *g, size_t polygon) {
	const double *number =
		fbx_attribute_at(g, &g->materials, polygon, g->first_corners[polygon]);
	return number && *number >= 0 && *number < INT32_MAX ? (int64_t)*number : 0;
}

/* Corners are in two triangles or more: numbers is room for the vertices of those seen, plus 1. */
static void gather_polygon(struct piece *piece, size_t polygon, struct arena *arena,
	uint32_t (*triangles)[3], uint32_t *numbers) {
	const struct fbx_geometry *g = &piece->mesh->geometry;
	const uint32_t first = g->first_corners[polygon];
	const size_t count = fbx_triangulate(g, polygon, arena, triangles);
	memset(numbers, 0, (g->first_corners[polygon + 1] - first) * sizeof *numbers);
	for (size_t i = 0; i < 3 * count; i++) {
		const uint32_t corner = triangles[i / 3][i % 3];
		if (numbers[corner] == 0) {
			const struct vertex vertex = corner_vertex(piece, polygon, first + corner);
			numbers[corner] = find_vertex(piece, &vertex) + 1;
		}
		piece->indices[piece->index_count++] = numbers[corner] - 1;
	}
}

/* The polygons of one material. */
static void gather(struct piece *piece, struct arena *arena) {
	const struct fbx_geometry *g = &piece->mesh->geometry;
	size_t corners = 0, most = 0;
	for (size_t i = 0; i < g->polygon_count; i++) {
		const size_t count = g->first_corners[i + 1] - g->first_corners[i];
		if (material_of(g, i) == piece->material) {
			corners += count;
			most = count > most ? count : most;
		}
	}
	piece->table_size = 16;
	while (piece->table_size < 2 * corners) {
		piece->table_size *= 2;
	}
	piece->table = arena_alloc(arena, piece->table_size, sizeof *piece->table);
	piece->vertices = arena_alloc(arena, corners, sizeof *piece->vertices);
	piece->indices = arena_alloc(arena, 3 * corners, sizeof *piece->indices);
	uint32_t(*triangles)[3] = arena_alloc(arena, most, sizeof *triangles);
	uint32_t *numbers = arena_alloc(arena, most, sizeof *numbers);
	for (size_t i = 0; i < g->polygon_count; i++) {
		if (material_of(g, i) == piece->material) {
			gather_polygon(piece, i, arena, triangles, numbers);
		}
	}
}

/* --- Influences --- */

static void spread_influences(const struct piece *piece, const struct fbx_bound_points *bound,
	struct scene_mesh *out, struct arena *arena) {
	size_t *first = arena_alloc(arena, piece->vertex_count + 1, sizeof *first);
	for (size_t v = 0; v < piece->vertex_count; v++) {
		const uint32_t point = piece->vertices[v].point;
		first[v + 1] = first[v] + bound->first[point + 1] - bound->first[point];
	}
	struct influence *list = arena_alloc(arena, first[piece->vertex_count], sizeof *list);
	for (size_t v = 0; v < piece->vertex_count; v++) {
		memcpy(&list[first[v]], &bound->influences[bound->first[piece->vertices[v].point]],
			(first[v + 1] - first[v]) * sizeof *list);
	}
	out->slot_count = bound->slot_count;
	out->slots = bound->slots;
	out->first_influence = first;
	out->influences = list;
}

/* --- Morph targets --- */

/* Puts displacements of points, turned by rows of a matrix, to the vertices; NULL where no vertex
 * of the piece has one. point_places is scratch, [points] of 0. */
static const float *spread_offsets(const struct piece *piece, const struct fbx_shape *shape,
	const double *offsets, const double rows[static 9], double unit, uint32_t *point_places,
	struct arena *arena) {
	float *out = NULL;
	for (size_t i = 0; i < shape->count; i++) {
		point_places[shape->points[i]] = (uint32_t)i + 1;
	}
	for (size_t v = 0; v < piece->vertex_count; v++) {
		const uint32_t place = point_places[piece->vertices[v].point];
		if (place == 0) {
			continue;
		}
		out = out ? out : arena_alloc(arena, piece->vertex_count, 3 * sizeof *out);
		for (int k = 0; k < 3; k++) {
			out[v * 3 + (size_t)k] = to_float(
				unit * vec3_dot(&rows[k * 3], &offsets[(place - 1) * 3ul]));
		}
	}
	for (size_t i = 0; i < shape->count; i++) {
		point_places[shape->points[i]] = 0;
	}
	return out;
}

static void add_targets(
	const struct fbx_import *import, const struct piece *piece, struct scene_mesh *out) {
	struct arena *arena = import->tree.arena;
	const struct fbx_mesh *mesh = piece->mesh;
	const double *g = import->nodes.nodes[mesh->node].geometry;
	const double rows[9] = {g[0], g[1], g[2], g[4], g[5], g[6], g[8], g[9], g[10]};
	struct morph_target *targets =
		arena_alloc(arena, (size_t)mesh->blend.shape_count, sizeof *targets);
	uint32_t *places = arena_alloc(arena, mesh->geometry.point_count, sizeof *places);
	int count = 0;
	for (int c = 0; c < mesh->blend.channel_count; c++) {
		for (int s = 0; s < mesh->blend.channels[c].shape_count; s++) {
			const struct fbx_shape *shape = &mesh->blend.channels[c].shapes[s];
			struct morph_target *target = &targets[count++];
			target->positions = spread_offsets(piece, shape, shape->offsets, rows,
				import->nodes.unit, places, arena);
			if (shape->normals) {
				target->normals = spread_offsets(piece, shape, shape->normals,
					piece->normal_rows, 1, places, arena);
			}
		}
	}
	out->targets = targets;
	out->target_count = count;
}

/* --- Pieces --- */

/* Rows that turn normals of a mesh along with its points: the cofactors, but for their length. */
static void find_normal_rows(const double m[static 12], double rows[static 9]) {
	for (int i = 0; i < 3; i++) {
		const double *a = &m[(i + 1) % 3 * 4], *b = &m[(i + 2) % 3 * 4];
		vec3_cross(a, b, &rows[i * 3]);
	}
	if (mat_determinant(m) < 0) {
		vec3_scale(rows, -1, rows);
		vec3_scale(&rows[3], -1, &rows[3]);
		vec3_scale(&rows[6], -1, &rows[6]);
	}
}

static void fill_vertices(
	const struct fbx_import *import, const struct piece *piece, struct scene_mesh *out) {
	const struct fbx_geometry *g = &piece->mesh->geometry;
	const double *geometry = import->nodes.nodes[piece->mesh->node].geometry;
	const size_t count = piece->vertex_count;
	struct arena *arena = import->tree.arena;
	float *positions = arena_alloc(arena, count, 3 * sizeof(float));
	float *normals = arena_alloc(arena, count, 3 * sizeof(float));
	float *colors = arena_alloc(arena, count, 4 * sizeof(float));
	float *uvs[FBX_UV_SETS];
	for (int set = 0; set < FBX_UV_SETS; set++) {
		uvs[set] = arena_alloc(arena, count, 2 * sizeof(float));
		out->texcoords[set] = g->uvs[set].mapping != FBX_MAP_NONE ? uvs[set] : NULL;
	}
	for (size_t v = 0; v < count; v++) {
		const struct vertex *vertex = &piece->vertices[v];
		double p[3];
		mat_map_point(geometry, &g->points[vertex->point * 3ul], p);
		for (size_t k = 0; k < 3; k++) {
			positions[v * 3 + k] = (float)(p[k] * import->nodes.unit);
			normals[v * 3 + k] = vertex->normal[k];
		}
		memcpy(&colors[v * 4], vertex->color, sizeof vertex->color);
		for (int set = 0; set < FBX_UV_SETS; set++) {
			memcpy(&uvs[set][v * 2], vertex->uvs[set], 2 * sizeof(float));
		}
	}
	out->vertex_count = count;
	out->positions = positions;
	out->normals = g->normals.mapping != FBX_MAP_NONE ? normals : NULL;
	out->colors = g->colors.mapping != FBX_MAP_NONE ? colors : NULL;
}

/* The node's material of a number in the mesh. */
static int find_material(const struct fbx_import *import, int node, int64_t number) {
	const struct fbx_object *object = import->nodes.nodes[node].object;
	const struct fbx_object *material;
	for (int at = 0; (material = fbx_next_child(
				  &import->objects, object, &at, "Material", NULL, NULL));) {
		if (number-- == 0) {
			return import->material_of[material - import->objects.objects];
		}
	}
	return -1;
}

/* The share of dual quaternions in each vertex, where the skin blends. */
static void spread_blend(const struct piece *piece, struct scene_mesh *out, struct arena *arena) {
	const struct fbx_skin *skin = &piece->mesh->skin;
	if (skin->skinning != FBX_SKINNING_BLEND) {
		return;
	}
	float *mixes = arena_alloc(arena, piece->vertex_count, sizeof *mixes);
	for (size_t v = 0; v < piece->vertex_count; v++) {
		const uint32_t point = piece->vertices[v].point;
		const float mix = point < skin->blend_count ? to_float(skin->blend[point]) : 0;
		mixes[v] = fminf(fmaxf(mix, 0), 1);
	}
	out->dqs_mix = mixes;
}

static void add_piece(struct fbx_import *import, struct piece *piece, int number,
	const struct fbx_bound_points *bound) {
	struct scene *scene = &import->scene;
	struct scene_mesh *out = &((struct scene_mesh *)scene->meshes)[scene->mesh_count++];
	gather(piece, import->tree.arena);
	*out = (struct scene_mesh){
		.joint = import->joints[piece->mesh->node],
		.material = find_material(import, piece->mesh->node, piece->material),
		.mesh = piece->mesh->index,
		.primitive = number,
		.index_count = piece->index_count,
		.indices = piece->indices,
	};
	fill_vertices(import, piece, out);
	if (bound->slot_count > 0) {
		spread_influences(piece, bound, out, import->tree.arena);
		spread_blend(piece, out, import->tree.arena);
	}
	add_targets(import, piece, out);
}

/* The numbers of materials that polygons have, ascending; returns how many. */
static int list_materials(
	const struct fbx_geometry *g, int64_t *numbers, struct arena *arena, int most) {
	bool *seen = arena_alloc(arena, (size_t)most + 1, sizeof *seen);
	int count = 0;
	for (size_t i = 0; i < g->polygon_count; i++) {
		const int64_t number = material_of(g, i);
		seen[number < most ? number : most] = true;
	}
	for (int i = 0; i <= most; i++) {
		if (seen[i]) {
			numbers[count++] = i;
		}
	}
	return count;
}

/* Polygons whose material the node does not have go with the one behind its last. */
static void hold_materials(struct fbx_geometry *g, int most, struct arena *arena) {
	double *held = arena_alloc(arena, g->materials.value_count, sizeof *held);
	for (size_t i = 0; i < g->materials.value_count; i++) {
		const double number = g->materials.values[i];
		held[i] = number >= 0 && number < most ? number : most;
	}
	g->materials.values = held;
}

/* Room for more pieces in the scene. */
static void make_room(struct fbx_import *import, int more) {
	struct scene *scene = &import->scene;
	if (scene->mesh_count + more <= import->piece_room) {
		return;
	}
	import->piece_room = 2 * import->piece_room + more;
	struct scene_mesh *meshes =
		arena_alloc(import->tree.arena, (size_t)import->piece_room, sizeof *meshes);
	if (scene->mesh_count > 0) {
		memcpy(meshes, scene->meshes, (size_t)scene->mesh_count * sizeof *meshes);
	}
	scene->meshes = meshes;
}

static bool add_mesh(struct fbx_import *import, struct fbx_mesh *mesh, struct error *err) {
	struct arena *arena = import->tree.arena;
	struct fbx_bound_points bound = {0};
	if (mesh->skin.cluster_count > 0 && !fbx_bind_points(import, mesh, &bound, err)) {
		return false;
	}
	const int most = import->nodes.nodes[mesh->node].object->child_count;
	int64_t *numbers = arena_alloc(arena, (size_t)most + 1, sizeof *numbers);
	hold_materials(&mesh->geometry, most, arena);
	const int count = list_materials(&mesh->geometry, numbers, arena, most);
	if (import->scene.mesh_count + count > (int)IMPORT_PRIMITIVES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "the scene has more than %zu primitives",
			IMPORT_PRIMITIVES_MAX);
	}
	make_room(import, count);
	for (int i = 0; i < count; i++) {
		struct piece piece = {.mesh = mesh, .material = numbers[i]};
		find_normal_rows(import->nodes.nodes[mesh->node].geometry, piece.normal_rows);
		add_piece(import, &piece, i, &bound);
	}
	return true;
}

/* The world of a node at rest in the file's own axes and units. */
static void file_world(const struct fbx_import *import, int node, double out[static 12]) {
	double back[4];
	quat_conjugate(import->nodes.turn, back);
	for (int column = 0; column < 4; column++) {
		double axis[3];
		for (int row = 0; row < 3; row++) {
			axis[row] = import->world[node][row * 4 + column];
		}
		if (import->root < 0) {
			quat_rotate(back, axis, axis);
		}
		for (int row = 0; row < 3; row++) {
			out[row * 4 + column] =
				column < 3 ? axis[row] : axis[row] / import->nodes.unit;
		}
	}
}

static void warn_of_skin(const struct fbx_import *import, const struct fbx_mesh *mesh) {
	const long long id = (long long)mesh->geometry.object->id;
	if (mesh->skin.more > 0) {
		rig_warn(import->rig, "Geometry %lld: has %d skins; only the first one is used", id,
			mesh->skin.more + 1);
	}
	if (mesh->skin.skinning == FBX_SKINNING_BLEND) {
		rig_warn(import->rig, "Geometry %lld: its skin is made for method \"lbs_dqs_mix\"",
			id);
	}
}

/* One skin for dual quaternions decides for the rig. */
static void choose_method(struct fbx_import *import) {
	int skins = 0, dual = 0;
	for (int i = 0; i < import->mesh_count; i++) {
		const struct fbx_skin *skin = &import->meshes[i].skin;
		skins += skin->cluster_count > 0;
		dual += skin->cluster_count > 0 && skin->skinning == FBX_SKINNING_DUAL_QUATERNION;
	}
	import->scene.dual_quaternions = dual > 0;
	if (dual > 0 && dual < skins) {
		rig_warn(import->rig,
			"%d of %d skins are made for dual quaternions: method \"dqs\" is the "
			"default for all",
			dual, skins);
	}
}

static bool read_mesh(struct fbx_import *import, struct fbx_mesh *mesh, int node,
	const struct fbx_object *geometry, const double (*worlds)[12], struct error *err) {
	mesh->node = node;
	mesh->index = import->mesh_count;
	if (!fbx_geometry_read(&mesh->geometry, &import->tree, geometry, err) ||
		!fbx_skin_read(&mesh->skin, &import->tree, &import->objects, &import->nodes,
			&mesh->geometry, node, worlds, err) ||
		!fbx_blend_read(
			&mesh->blend, &import->tree, &import->objects, &mesh->geometry, err)) {
		return false;
	}
	warn_of_skin(import, mesh);
	return true;
}

static void set_rest_weights(struct fbx_import *import, const struct fbx_mesh *mesh) {
	const size_t count = (size_t)mesh->blend.shape_count;
	double *weights = arena_alloc(import->tree.arena, count, sizeof *weights);
	float *rest = arena_alloc(import->tree.arena, count, sizeof *rest);
	int at = 0;
	for (int c = 0; c < mesh->blend.channel_count; c++) {
		const struct fbx_channel *channel = &mesh->blend.channels[c];
		fbx_channel_weights(channel, channel->rest_percent, &weights[at]);
		at += channel->shape_count;
	}
	for (size_t i = 0; i < count; i++) {
		rest[i] = to_float(weights[i]);
	}
	((const float **)import->scene.rest_weights)[import->joints[mesh->node]] = rest;
}

bool fbx_make_meshes(struct fbx_import *import, struct error *err) {
	struct arena *arena = import->tree.arena;
	import->meshes = arena_alloc(arena, (size_t)import->nodes.count, sizeof *import->meshes);
	double(*worlds)[12] = arena_alloc(arena, (size_t)import->nodes.count, sizeof *worlds);
	for (int i = 0; i < import->nodes.count; i++) {
		file_world(import, i, worlds[i]);
	}
	import->scene.rest_weights = arena_alloc(
		arena, (size_t)import->scene.joint_count, sizeof *import->scene.rest_weights);
	for (int i = 0; i < import->nodes.count; i++) {
		const struct fbx_object *geometry = fbx_first_child(
			&import->objects, import->nodes.nodes[i].object, "Geometry", "Mesh", NULL);
		struct fbx_mesh *mesh = &import->meshes[import->mesh_count];
		if (!geometry) {
			continue;
		}
		if (!read_mesh(import, mesh, i, geometry, (const double(*)[12])worlds, err) ||
			!add_mesh(import, mesh, err)) {
			return false;
		}
		set_rest_weights(import, mesh);
		import->mesh_count++;
	}
	choose_method(import);
	return true;
}
