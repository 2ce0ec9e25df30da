// libFuzzer's mutations of a GLB, with the container put right again in most cases: otherwise
// nearly all of them would end at its lengths.
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max, unsigned seed);

#define HEADER 12
#define CHUNK 8

static size_t read32(const uint8_t *at) {
	return at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static void write32(uint8_t *at, size_t x) {
	for (int i = 0; i < 4; i++) {
		at[i] = (uint8_t)(x >> 8 * i);
	}
}

/* The end of the JSON chunk: at its last brace followed by a BIN chunk, or at the file's end. */
static size_t json_end(const uint8_t *data, size_t size) {
	for (size_t i = HEADER + CHUNK; i + CHUNK <= size; i++) {
		if (memcmp(data + i + 4, "BIN\0", 4) == 0) {
			return i;
		}
	}
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max, unsigned seed) {
	const bool container = size >= HEADER + CHUNK && memcmp(data, "glTF", 4) == 0;
	const size_t length = container ? read32(data + HEADER) : 0;
	size = LLVMFuzzerMutate(data, size, size_max);
	if (!container || size < HEADER + CHUNK || seed % 8 == 0) {
		return size;
	}
	memcpy(data, "glTF\2\0\0", 8);
	memcpy(data + HEADER + 4, "JSON", 4);
	const size_t end = json_end(data, size) & ~(size_t)3;
	write32(data + 8, size);
	write32(data + HEADER, end > HEADER + CHUNK ? end - HEADER - CHUNK : length);
	if (end + CHUNK <= size) {
		memcpy(data + end + 4, "BIN\0", 4);
		write32(data + end, size - end - CHUNK);
	}
	return size;
}
