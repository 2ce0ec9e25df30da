/* A glTF document while it is imported: its JSON, its bytes, and what the steps have made of it.
 * Each step reads one list of the document; gltf.c calls them in order. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "import/gltf.h"
#include "import/gltf_accessor.h"
#include "import/gltf_json.h"
#include "import/gltf_rules.h"
#include "model/rig.h"

/* Bytes of a buffer or of a buffer view; borrowed from the file or the arena. */
struct gltf_bytes {
	const unsigned char *data; // of a buffer: NULL = it only stands for others' bytes
	size_t size;
	size_t stride; // of a buffer view: bytes between elements; 0 = tightly packed
	size_t offset; // of a buffer view: in its buffer
	bool decoded;  // data was compressed
};

struct gltf_node {
	struct gltf_item item;
	int parent; // -1 = a root
	int child_count;
	const int *children;
	int mesh, skin; // -1 = none
	int joint;      // position in rig->joints
	bool in_scene;
	struct transform rest;
	int instance_count; // of the mesh; 0 = it is drawn once, at the node
	/* [instance_count] the transforms within the node, as of struct palette_slot. */
	const double (*instances)[12];
};

struct gltf_skin {
	int joint_count;
	const int *nodes;                 // [joint_count]
	const double (*inverse_bind)[12]; // [joint_count]
	int first_slot;                   // in rig->slots; -1 = no primitive uses it yet
};

/* Accessors of one morph target; -1 = none. */
struct gltf_target {
	int position, normal, tangent;
};

/* The sets of texture coordinates that a material uses, by their place in a rig. */
struct gltf_texcoords {
	int count; // from 1 on
	int used;  // of these, by textures: all, or none
	size_t sets[TEXCOORD_SETS];
};

enum gltf_mode {
	GLTF_POINTS,
	GLTF_LINES,
	GLTF_LINE_LOOP,
	GLTF_LINE_STRIP,
	GLTF_TRIANGLES,
	GLTF_TRIANGLE_STRIP,
	GLTF_TRIANGLE_FAN,
	GLTF_MODE_COUNT,
};

/* One primitive of a mesh, checked. Accessor indices; -1 = none. */
struct gltf_primitive {
	int position; // -1: nothing to draw
	int normal, tangent, color, dqs_mix, indices;
	int texcoords[TEXCOORD_SETS];
	int set_count;                // JOINTS_0 and WEIGHTS_0, JOINTS_1 ...
	const int *joints, *weights;  // [set_count]
	int material;                 // -1 = the default one
	const int *variant_materials; // as of struct primitive
	enum gltf_mode mode;
	bool is_list; // came compressed: whatever its mode says, its indices are single triangles
	size_t vertex_count;
	size_t source_count; // indices, or vertices drawn in their order
	int target_count;
	const struct gltf_target *targets;
};

struct gltf_mesh {
	int primitive_count;
	const struct gltf_primitive *primitives;
	int target_count;
	const float *weights; // [target_count]
};

struct gltf {
	const struct gltf_source *source;
	struct rig *rig;     // being filled
	struct arena *arena; // dies with the import
	struct gltf_item root;
	size_t bytes_left; // that the rig may still grow by
	bool quantized;    // KHR_mesh_quantization: vertices may be integers
	struct gltf_breaches breaches;
	struct gltf_facts *facts; // NULL = a strict import

	int buffer_count;
	struct gltf_bytes *buffers;
	int view_count;
	struct gltf_bytes *views;
	int accessor_count;
	struct gltf_accessor *accessors;
	struct gltf_item node_list; // outer of the nodes' items
	int node_count;
	struct gltf_node *nodes;
	int skin_count;
	struct gltf_skin *skins;
	int mesh_count;
	struct gltf_mesh *meshes;
	int texture_count;
	int *textures; // [texture_count] position in rig->textures; negative = none
	int material_count;
	struct gltf_texcoords *texcoords; // [material_count]
	const struct gltf_queues *queues; // of VRM 0.x; NULL = were not needed so far
	int drawn_count;
	int *drawn;            // [drawn_count] nodes with a mesh, in the order of drawing
	struct avatar *avatar; // rig->avatar while it is filled; NULL = none
	int thumbnail;         // the image in the file that shows the avatar; -1 = none
};

/* The JSON of a document, without a byte order mark or what fills up a chunk; in the arena. NULL
 * with json_parse()'s errors; replaced as there. */
const struct json_value *gltf_document_parse(
	const struct gltf_source *source, struct arena *arena, size_t *replaced, struct error *err);

/* Parses the JSON, and finds the buffers and buffer views. */
bool gltf_document_load(struct gltf *gltf, const struct gltf_source *source, struct error *err);

/* The count of a top-level list as int, and the list itself. */
bool gltf_document_list(
	struct gltf *gltf, const char *name, struct gltf_item *list, int *count, struct error *err);

/* The sets of texture coordinates of a material; of -1 as well. */
const struct gltf_texcoords *gltf_texcoords_of(const struct gltf *gltf, int material);

/* rig_storage that counts against what a file of this size may claim. */
void *gltf_storage(
	struct gltf *gltf, size_t count, size_t size, const char *what, struct error *err);

/* Takes bytes from what the file may claim, for memory that is got elsewhere. */
bool gltf_claim(struct gltf *gltf, size_t bytes, const char *what, struct error *err);

/* The steps. Each is false with *err when the document is broken. */
bool gltf_read_accessors(struct gltf *gltf, struct error *err);
bool gltf_read_textures(struct gltf *gltf, struct error *err);
bool gltf_read_materials(struct gltf *gltf, struct error *err);
bool gltf_read_variants(struct gltf *gltf, struct error *err);
bool gltf_read_nodes(struct gltf *gltf, struct error *err);
bool gltf_read_meshes(struct gltf *gltf, struct error *err);
bool gltf_read_skins(struct gltf *gltf, struct error *err);
bool gltf_read_scene(struct gltf *gltf, struct error *err);
bool gltf_read_rest_weights(struct gltf *gltf, struct error *err);
bool gltf_build_primitives(struct gltf *gltf, struct error *err);
bool gltf_read_lights(struct gltf *gltf, struct error *err);
bool gltf_read_cameras(struct gltf *gltf, struct error *err);
bool gltf_read_animations(struct gltf *gltf, struct error *err);

/* Reads the instances of a node in the scene that has a mesh. *left is how many more the file may
 * have. */
bool gltf_read_instances(
	struct gltf *gltf, struct gltf_node *node, size_t *left, struct error *err);

/* Reads the materials that a primitive has in the variants, which have been read. */
bool gltf_read_mappings(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_primitive *primitive, struct error *err);

/* Reads a member such as "normalTexture" of an object: *texture is its object, and where there is
 * one, slot->texture its index in the file, *set the texture coordinates that it asks for, and the
 * transform is filled in. An absent one leaves slot and set as they are. */
bool gltf_texture_slot_read(const struct gltf *gltf, const struct gltf_item *object,
	const char *name, struct gltf_item *texture, struct texture_slot *slot, size_t *set,
	struct error *err);

/* Leaves out a texture that cannot be shown. A factor that it was to dim in places, mostly 1, would
 * do harm all over the surface: that goes with it. */
void gltf_texture_slot_drop(struct material *material, enum texture_use use);

/* The topology of a mode, and the number of indices that it makes of source_count. Corners that do
 * not make up a whole triangle or line are left out. */
enum topology gltf_topology(enum gltf_mode mode);
size_t gltf_topology_count(enum gltf_mode mode, size_t source_count);

/* Writes gltf_topology_count() indices. source has source_count; NULL = 0, 1, 2 ... */
void gltf_topology_fill(
	enum gltf_mode mode, const uint32_t *source, size_t source_count, uint32_t *out);
