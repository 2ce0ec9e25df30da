/* Textures onto the GPU. For the thread whose context is current. */
#pragma once

#include <epoxy/gl.h>

#include "model/rig.h"

/* Uploads a rig's texture with mipmaps (straight alpha) and adds its size to *bytes. encoded: RGB
 * are sRGB, else numbers as they are. An image larger than the driver takes is halved until it
 * fits. Free with glDeleteTextures. */
GLuint upload_texture(
	const struct rig *rig, const struct texture *texture, bool encoded, size_t *bytes);

/* A texture of one white pixel, for surfaces without one. */
GLuint upload_white(void);
