/* A rig as one block of bytes: how a rig gets from one process of this program to another.
 *
 *   head      struct rig_pack_head: the rig's own struct
 *   storage   the rig's storage as it lies in memory, and the pixels of its images
 *   records   structs that hold pointers, and texts
 *
 * Every pointer is an offset from the block's start, 0 for NULL. The block is no file format: its
 * structs are those of the program that made it, and only the same program may read it. */
#pragma once

#include "model/rig.h"

/* Takes the block's next bytes; false ends the packing. */
typedef bool (*rig_pack_write)(void *context, const void *bytes, size_t size);

/* Packs a rig that keeps rig_check(). What was passed to write is not looked at again, but for the
 * head and the records. False when write has returned false. */
bool rig_pack(const struct rig *rig, rig_pack_write write, void *context);

/* The rig of a block, which it becomes part of: arrays and pixels stay where they are, and release
 * is called when the rig dies; when there is no rig, at once. The block is never written to.
 *
 * take_block  [size], at a multiple of 16 bytes, and nobody may change it any more. Its maker need
 *             not be trusted: whatever it holds, the result keeps rig_check(), and reading it takes
 *             time and memory in proportion to its size
 * NULL with ERROR_BROKEN_ASSET and the place in the block. */
struct rig *rig_unpack(void *take_block, size_t size, void (*release)(void *block, size_t size),
	struct error *err);
