/* Shared by rig_pack.c and rig_unpack.c: what a packed rig looks like. */
#pragma once

#include "model/rig.h"

#define RIG_PACK_MAGIC "posedrig"

/* Bytes that everything in a block is aligned to: storage lies on cache lines, records need less.
 */
#define RIG_PACK_ALIGNMENT ((size_t)64)

struct rig_pack_head {
	char magic[8];  // RIG_PACK_MAGIC without its NUL
	uint64_t bytes; // of the whole block
	struct rig rig; // pointers are offsets; id, storage and references mean nothing
};

/* An array of struct rig that holds no pointers: it stays where it is. */
struct rig_pack_array {
	const char *name;
	size_t pointer_at;  // in struct rig
	size_t count_at;    // in struct rig
	bool wide;          // the count is a size_t, not an int
	bool optional;      // may be NULL whatever the count is
	size_t item, align; // bytes
};

extern const struct rig_pack_array rig_pack_arrays[];
extern const size_t rig_pack_array_count;

/* A struct that gets a member gets another size: it must then be packed, unpacked and checked here,
 * if it is a pointer, a bool or a count. */
_Static_assert(sizeof(struct rig) == 512, "struct rig: see rig_pack.c and rig_unpack.c");
_Static_assert(sizeof(struct joint) == 72, "struct joint: see rig_pack.c and rig_unpack.c");
_Static_assert(sizeof(struct primitive) == 80, "struct primitive: see rig_pack.c, rig_unpack.c");
_Static_assert(sizeof(struct material) == 488, "struct material: see rig_pack.c, rig_unpack.c");
_Static_assert(sizeof(struct light) == 48, "struct light: see rig_pack.c, rig_unpack.c");
_Static_assert(
	sizeof(struct file_camera) == 48, "struct file_camera: see rig_pack.c, rig_unpack.c");
_Static_assert(sizeof(struct texture) == 16, "struct texture: see rig_unpack.c");
_Static_assert(sizeof(struct image) == 40, "struct image: see rig_pack.c and rig_unpack.c");
_Static_assert(sizeof(struct clip) == 56, "struct clip: see rig_pack.c and rig_unpack.c");
_Static_assert(sizeof(struct channel) == 40, "struct channel: see rig_pack.c and rig_unpack.c");
