/* The notes of a lenient import, shared by the files that take them. */
#pragma once

#include "import/gltf_facts.h"

/* A list in the arena that grows. */
struct gltf_facts_list {
	void *items;
	size_t count, room, size; // of items; size is an item's
};

/* The keys of an output accessor, when a channel has looked at them. */
struct gltf_facts_keys {
	bool known;
	int input;
	enum interpolation interpolation;
	struct key_flaws flaws[KEY_FLAW_COUNT];
};

struct gltf_facts {
	struct arena *arena;
	size_t bytes_left; // that notes may claim
	struct gltf_facts_list skins, lods, clips, channels, images, not_covered, vertices, joints,
		texts;
	int primitive_count;
	struct primitive_facts *primitives;           // [primitive_count] so far
	struct vertex_flaws flaws[VERTEX_FLAW_COUNT]; // of the primitive that is being filled
	size_t vertex_count;                          // the rig's
	uint32_t *nonfinite;                          // NULL = all are finite so far
	struct vertex_flaws **equal; // of each mesh's primitives; NULL = not looked at yet
	struct gltf_facts_list taken, others, parts; // channels of the clip
	struct gltf_facts_keys *keys;                // [accessor_count]; NULL = not yet
	bool *seen;                                  // by image of the file; NULL = none
};

/* Room for one more item at the end, which is counted. */
void *gltf_facts_add(struct gltf_facts *facts, struct gltf_facts_list *list);

/* A text's place among the texts; 0 for NULL and for an empty one. */
int gltf_facts_add_text(struct gltf_facts *facts, const char *text);

/* Vertices with a flaw, while a primitive is gone through. */
struct gltf_facts_flaw {
	struct vertex_flaws flaws;
	int vertices[ASSET_FACTS_VERTICES_MAX];
};

/* One more vertex, in ascending order, with the value of its flaw. */
void gltf_facts_note(struct gltf_facts_flaw *flaw, size_t vertex, double value);

/* Keeps them with the primitive that is being filled. */
bool gltf_facts_keep(struct gltf *gltf, enum vertex_flaw kind, const struct gltf_facts_flaw *flaw,
	struct error *err);

/* The step of numbers that are stored as integers; 0 for floats. */
double gltf_facts_step(enum gltf_component component);
