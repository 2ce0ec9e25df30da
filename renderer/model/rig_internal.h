/* Private to rig.c, rig_pack.c and rig_unpack.c: the memory behind a rig's arrays. */
#pragma once

#include "model/rig.h"

/* Warnings of a rig: more would only repeat themselves in the description. */
#define RIG_WARNINGS_MAX 200

/* Variants of materials: shops that offer shoes in all colours have dozens. */
#define RIG_VARIANTS_MAX 4096

/* One block of memory with its list of elders; arrays are taken from its front. */
struct storage {
	struct storage *next;
	unsigned char *data;                      // 64-byte aligned; owned
	size_t size, used;                        // bytes
	void (*release)(void *data, size_t size); // NULL = free()
};

/* Makes memory that arrays lie in already part of the rig's storage: it is given to release when
 * the rig dies. The rig never writes to it. */
void rig_adopt(
	struct rig *rig, void *take_data, size_t size, void (*release)(void *data, size_t size));

/* True when something lies in the rig's storage. */
bool rig_stores(const struct rig *rig, const void *pointer);
