// What the driver is able to do.
#include "gl/limits.h"

#include <epoxy/gl.h>

void gl_limits_get(struct gl_limits *out) {
	GLint64 storage_bytes = 0;
	*out = (struct gl_limits){0};
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &out->texture_size);
	glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &storage_bytes);
	glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &out->compute_invocations);
	glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &out->compute_blocks);
	glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &out->vertex_blocks);
	out->storage_mib = (int)(storage_bytes >> 20);
}
