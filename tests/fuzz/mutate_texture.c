// libFuzzer's mutations of a PNG, with the chunks' checksums put right again in most cases.
#include <string.h>

#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max, unsigned seed);

#define SIGNATURE 8
#define FRAME 12 // length, type and checksum of a chunk

/* Bit by bit; PNG specification, annex D. */
static uint32_t crc32_of(const uint8_t *data, size_t size) {
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < size; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++) {
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
		}
	}
	return ~crc;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max, unsigned seed) {
	size = LLVMFuzzerMutate(data, size, size_max);
	if (size < SIGNATURE || memcmp(data, "\x89PNG", 4) != 0 || seed % 8 == 0) {
		return size;
	}
	for (size_t at = SIGNATURE; at + FRAME <= size;) {
		const size_t length = (size_t)data[at] << 24 | (size_t)data[at + 1] << 16 |
			(size_t)data[at + 2] << 8 | data[at + 3];
		if (length > size - at - FRAME) {
			break;
		}
		const uint32_t crc = crc32_of(data + at + 4, length + 4);
		for (size_t i = 0; i < 4; i++) {
			data[at + 8 + length + i] = (uint8_t)(crc >> (24 - 8 * i));
		}
		at += FRAME + length;
	}
	return size;
}
