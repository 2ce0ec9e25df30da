// Textures onto the GPU.
#include "gl/upload.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static GLint gl_wrap(enum wrap wrap) {
	switch (wrap) {
	case WRAP_CLAMP:
		return GL_CLAMP_TO_EDGE;
	case WRAP_MIRROR:
		return GL_MIRRORED_REPEAT;
	case WRAP_REPEAT:
		break;
	}
	return GL_REPEAT;
}

/* Half the image by dropping every second pixel and row: only for images that no driver takes. */
static unsigned char *halve(const unsigned char *rgba, int *width, int *height) {
	const int w = *width > 1 ? *width / 2 : 1, h = *height > 1 ? *height / 2 : 1;
	unsigned char *half = xcalloc((size_t)w * (size_t)h, 4);
	for (int y = 0; y < h; y++) {
		for (int x = 0; x < w; x++) {
			const size_t from = (size_t)(y * 2) * (size_t)*width + (size_t)(x * 2);
			memcpy(half + ((size_t)y * (size_t)w + (size_t)x) * 4, rgba + from * 4, 4);
		}
	}
	*width = w;
	*height = h;
	return half;
}

static void upload_pixels(const struct image *image, size_t *bytes) {
	GLint greatest = 0;
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &greatest);
	int width = image->width, height = image->height;
	unsigned char *smaller = NULL;
	while (width > greatest || height > greatest) {
		unsigned char *half = halve(smaller ? smaller : image->rgba, &width, &height);
		free(smaller);
		smaller = half;
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
		smaller ? smaller : image->rgba);
	free(smaller);
	*bytes += (size_t)width * (size_t)height * 4 * 4 / 3; // a third more for the mipmaps
}

GLuint upload_texture(const struct rig *rig, const struct texture *texture, size_t *bytes) {
	GLuint name;
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	upload_pixels(&rig->images[texture->image], bytes);
	if (!texture->no_mipmaps) {
		glGenerateMipmap(GL_TEXTURE_2D);
	}
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, gl_wrap(texture->wrap_u));
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, gl_wrap(texture->wrap_v));
	glTexParameteri(
		GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, texture->nearest ? GL_NEAREST : GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
		texture->no_mipmaps        ? (texture->nearest ? GL_NEAREST : GL_LINEAR)
			: texture->nearest ? GL_NEAREST_MIPMAP_LINEAR
					   : GL_LINEAR_MIPMAP_LINEAR);
	glBindTexture(GL_TEXTURE_2D, 0);
	return name;
}

GLuint upload_white(void) {
	static const unsigned char white[4] = {255, 255, 255, 255};
	GLuint name;
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glBindTexture(GL_TEXTURE_2D, 0);
	return name;
}
