// Pictures of textures: whatever decoder their first bytes choose.
#include <assert.h>
#include <stdlib.h>

#include "fuzz.h"
#include "import/image.h"

#define SIZE_MAX_BYTES ((size_t)1 << 18)
#define PIXELS_MAX_BYTES ((size_t)4 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct image image;
	struct error err = {0};
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	if (image_decode(data, size, PIXELS_MAX_BYTES, &image, &err)) {
		assert(image.width > 0 && image.height > 0);
		const size_t bytes = (size_t)image.width * (size_t)image.height * 4;
		assert(bytes <= PIXELS_MAX_BYTES);
		unsigned sum = 0;
		for (size_t i = 0; i < bytes; i++) {
			sum += image.rgba[i]; // every pixel is there to be read
		}
		assert(sum <= bytes * 255);
		free(image.rgba);
	} else {
		assert(err.code != ERROR_NONE && !image.rgba);
	}
	return 0;
}
