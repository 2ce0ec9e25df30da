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
_Static_assert(sizeof(struct rig) == 576, "struct rig: see rig_pack.c and rig_unpack.c");
_Static_assert(sizeof(struct joint) == 72, "struct joint: see rig_pack.c and rig_unpack.c");
_Static_assert(sizeof(struct primitive) == 88, "struct primitive: see rig_pack.c, rig_unpack.c");
_Static_assert(sizeof(struct material) == 920, "struct material: see rig_pack.c, rig_unpack.c");
_Static_assert(sizeof(struct light) == 48, "struct light: see rig_pack.c, rig_unpack.c");
_Static_assert(
	sizeof(struct file_camera) == 48, "struct file_camera: see rig_pack.c, rig_unpack.c");
_Static_assert(sizeof(struct texture) == 16, "struct texture: see rig_unpack.c");
_Static_assert(sizeof(struct image) == 40, "struct image: see rig_pack.c and rig_unpack.c");
_Static_assert(sizeof(struct clip) == 64, "struct clip: see rig_pack.c and rig_unpack.c");
_Static_assert(sizeof(struct channel) == 40, "struct channel: see rig_pack.c and rig_unpack.c");
_Static_assert(
	sizeof(struct avatar) == 432, "struct avatar: see avatar_pack.c and avatar_unpack.c");
_Static_assert(sizeof(struct avatar_expression) == 72,
	"struct avatar_expression: see avatar_pack.c and avatar_unpack.c");
_Static_assert(sizeof(struct avatar_spring) == 40,
	"struct avatar_spring: see avatar_pack.c and avatar_unpack.c");
_Static_assert(sizeof(struct avatar_collider) == 96, "struct avatar_collider: see avatar_unpack.c");
_Static_assert(sizeof(struct avatar_fact) == 32,
	"struct avatar_fact: see avatar_pack.c and avatar_unpack.c");

struct pack; // a block being written: rig_pack.c

/* The offset of something in the rig's storage, as the pointer that it stands for; NULL of NULL. */
void *rig_pack_moved(const struct pack *pack, const void *pointer);

/* A copy of an array, zeroed memory of at least count items, to put offsets into; and the offset of
 * such a copy once it has them: it is freed. */
void *rig_pack_copy(const void *items, size_t count, size_t size);
void *rig_pack_append(struct pack *pack, void *take_copy, size_t count, size_t size);

/* The offset of a packed rig->avatar, which is not NULL: avatar_pack.c. */
struct avatar *avatar_pack(struct pack *pack, const struct avatar *avatar);

struct unpack; // a block being read: rig_unpack.c

/* Fails the unpacking, with the place. */
bool rig_unpack_broken(struct unpack *unpack, const char *what, size_t index, const char *flaw);

/* Items of a block by their offset, which stay where they are; NULL for none. Clears *ok where they
 * are not in the block or not aligned. Nobody may write to them. */
void *rig_unpack_items(
	struct unpack *unpack, const void *offset, int count, size_t item, size_t align, bool *ok);

/* A text of a block, which stays where it is; NULL where it is not in the block. */
const char *rig_unpack_text(struct unpack *unpack, const char *offset);

/* Structs that are to be copied, in *out. Returns zeroed memory for the copies; NULL where they are
 * not in the block, which is then broken. */
void *rig_unpack_records(struct unpack *unpack, const void *offset, int count, size_t item,
	const char *what, const void **out);

/* A bool of another value than 0 and 1 must not even be looked at as one. */
static inline bool rig_unpack_is_bool(const bool *flag) {
	return *(const unsigned char *)flag <= 1;
}

/* The avatar of a block by its offset, which is not NULL, in the rig's storage; NULL when it is
 * broken. rig_check() has not looked at it yet: avatar_unpack.c. */
const struct avatar *avatar_unpack(
	struct unpack *unpack, const struct avatar *offset, int joint_count);
