// Feeds files to a harness without libFuzzer: the seeds, and every input that once crashed it.
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

/* The bytes of a file in memory of exactly their size, so that a sanitizer sees the end. */
static uint8_t *read_file(const char *path, size_t *size) {
	FILE *file = fopen(path, "rb");
	long length = -1;
	uint8_t *bytes = NULL;
	if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0) {
		rewind(file);
		bytes = malloc(length > 0 ? (size_t)length : 1);
	}
	*size = bytes ? fread(bytes, 1, (size_t)length, file) : 0;
	if (file) {
		fclose(file);
	}
	if (bytes && *size == (size_t)length) {
		return bytes;
	}
	free(bytes);
	return NULL;
}

int main(int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		size_t size;
		uint8_t *bytes = read_file(argv[i], &size);
		if (!bytes) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
		fprintf(stderr, "%s\n", argv[i]); // the last one is to blame when this dies
		LLVMFuzzerTestOneInput(bytes, size);
		free(bytes);
	}
	return 0;
}
