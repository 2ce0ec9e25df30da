/* Skinned vertices of several copies of a rig, one behind the other in one buffer, and where each
 * stands. For the thread whose context is current. */
#pragma once

#include <epoxy/gl.h>

#include "gl/gpu_rig.h"
#include "model/rig.h"

/* Behind the seam this is struct drawn_copies. */
struct gpu_copies {
	GLuint skinned;                      // streams as in gpu_rig.h
	size_t bytes;                        // of it
	GLuint figures;                      // struct drawn_figure of all that are drawn
	GLuint vertex_array;                 // what the rig that is drawn has
	GLuint lent_skinned, lent_displaced; // that the rig has otherwise, while they are lent
};

/* Room for so many bytes of streams. False with ERROR_TOO_LARGE where the driver has none, or
 * ERROR_CONTEXT_LOST. */
bool gpu_copies_create(struct gpu_copies *copies, size_t bytes, struct error *err);
void gpu_copies_finish(struct gpu_copies *copies); // an empty one is fine

/* Copies what is in gpu->skinned. */
void gpu_copies_keep(const struct gpu_copies *copies, const struct gpu_rig *gpu,
	const struct rig *rig, size_t i);

/* Makes this the place that gpu_skin_run() and gpu_skin_read() have for so many poses of a rig at
 * once, until it is taken back. */
void gpu_copies_lend(struct gpu_copies *copies, struct gpu_rig *gpu, size_t count);
void gpu_copies_take_back(struct gpu_copies *copies, struct gpu_rig *gpu, const struct rig *rig);

/* Binds the vertex array with what all copies of a rig share, and with figures, [count]. Leaves it
 * bound. */
void gpu_copies_use(const struct gpu_copies *copies, const struct gpu_rig *gpu,
	const struct drawn_figure *figures, size_t count);

/* Has the vertex array that is bound take instances from the first-th figure on. */
void gpu_copies_point_at(const struct gpu_copies *copies, size_t first);

/* Uploads a rig's texture with mipmaps (straight alpha) and adds its size to *bytes. encoded: RGB
 * are sRGB, else numbers as they are. An image larger than the driver takes is halved until it
 * fits. Free with glDeleteTextures. */
GLuint upload_texture(
	const struct rig *rig, const struct texture *texture, bool encoded, size_t *bytes);

/* A texture of one white pixel, for surfaces without one. */
GLuint upload_white(void);
