/* FNV-1a: a number of 64 bits for any bytes, to tell things apart that nobody chose to be alike. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FNV_START 0xcbf29ce484222325u

static inline uint64_t fnv_mix(uint64_t hash, const void *bytes, size_t size) {
	for (size_t i = 0; i < size; i++) {
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
	}
	return hash;
}
