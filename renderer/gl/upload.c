// Textures onto the GPU.
#include "gl/upload.h"

#include <stdlib.h>

#include "model/mipmap.h"

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

/* An image on its way to smaller ones: the file's pixels first, then pixels of our own. */
struct level {
	int width, height;
	const unsigned char *rgba;
	unsigned char *owned;
};

static void halve(struct level *level, bool encoded) {
	unsigned char *half = mipmap_halve(level->rgba, encoded, &level->width, &level->height);
	free(level->owned);
	level->rgba = level->owned = half;
}

static void upload_levels(const struct image *image, bool all, bool encoded, size_t *bytes) {
	const GLint format = encoded ? GL_SRGB8_ALPHA8 : GL_RGBA8;
	GLint greatest = 0;
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &greatest);
	struct level level = {.width = image->width, .height = image->height, .rgba = image->rgba};
	while (level.width > greatest || level.height > greatest) {
		halve(&level, encoded);
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
	for (GLint i = 0;; i++) {
		glTexImage2D(GL_TEXTURE_2D, i, format, level.width, level.height, 0, GL_RGBA,
			GL_UNSIGNED_BYTE, level.rgba);
		*bytes += (size_t)level.width * (size_t)level.height * 4;
		if (!all || (level.width == 1 && level.height == 1)) {
			break;
		}
		halve(&level, encoded);
	}
	free(level.owned);
}

GLuint upload_texture(
	const struct rig *rig, const struct texture *texture, bool encoded, size_t *bytes) {
	GLuint name;
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	upload_levels(&rig->images[texture->image], !texture->no_mipmaps, encoded, bytes);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, gl_wrap(texture->wrap_u));
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, gl_wrap(texture->wrap_v));
	glTexParameteri(
		GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, texture->nearest ? GL_NEAREST : GL_LINEAR);
	// Numbers come from the nearest level alone: software drivers then take half the time for a
	// texture, and where levels meet is only seen in colours.
	const GLint smooth = encoded ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_NEAREST;
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
		texture->no_mipmaps        ? (texture->nearest ? GL_NEAREST : GL_LINEAR)
			: texture->nearest ? GL_NEAREST_MIPMAP_LINEAR
					   : smooth);
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
