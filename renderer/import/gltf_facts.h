/* Notes that a lenient import takes of a file beside the rig, while its steps go through it: see
 * model/asset_facts.h. gltf->facts is NULL in a strict import, and then none of these is called. */
#pragma once

#include "import/gltf_document.h"
#include "model/asset_facts.h"

struct gltf_piece;
struct gltf_raw_influences;
struct weight_channel;

/* --- gltf_facts.c: the document --- */

/* Nothing noted yet; in the import's arena. */
struct gltf_facts *gltf_facts_create(struct arena *arena, size_t file_size);

/* Takes bytes from what notes may claim, of memory or of a second look at the file's data; false
 * with ERROR_TOO_LARGE. */
bool gltf_facts_claim(struct gltf *gltf, size_t bytes, struct error *err);

/* Adds what the steps have left, and makes the facts of it all; NULL with *err. */
struct asset_facts *gltf_facts_finish(struct gltf *gltf, struct error *err);

/* An extension that posed does not cover. */
void gltf_facts_add_extension(struct gltf *gltf, const char *name);

/* --- gltf_facts_images.c --- */

/* The pictures of a texture that stay compressed on the GPU; before gltf_facts_add_image(). */
void gltf_facts_add_compressed(struct gltf *gltf, const struct gltf_item *texture, int image_count);

/* An image that the rig has just got, by its index in the file, unless it has been added. */
void gltf_facts_add_image(struct gltf *gltf, int index, const struct image *image);

/* --- gltf_facts_vertices.c, gltf_facts_weights.c, gltf_facts_equal.c --- */

/* Room for all primitives and vertices of the rig. */
bool gltf_facts_begin_primitives(
	struct gltf *gltf, size_t primitives, size_t vertices, struct error *err);

/* The primitive that has just been filled; after the others below. */
bool gltf_facts_add_primitive(struct gltf *gltf, const struct gltf_piece *piece, struct error *err);

/* Notes positions that are not finite, and makes them 0 0 0. */
bool gltf_facts_mend_positions(
	struct gltf *gltf, const struct gltf_piece *piece, float *positions, struct error *err);

/* Normals as the file has them. */
bool gltf_facts_look_at_normals(
	struct gltf *gltf, const struct gltf_piece *piece, const float *normals, struct error *err);

/* Joints and weights as the file has them. */
bool gltf_facts_look_at_weights(struct gltf *gltf, const struct gltf_piece *piece,
	const struct gltf_raw_influences *raw, struct error *err);

/* Vertices that are bytewise equal to an earlier one: true in equal, [vertex_count]. */
bool gltf_facts_find_equal(
	struct gltf *gltf, const struct gltf_piece *piece, bool *equal, struct error *err);

/* --- gltf_facts_clips.c --- */

void gltf_facts_begin_clip(struct gltf *gltf);

/* A channel that became the at-th of the clip: the next one, or in the place of another. */
void gltf_facts_take_channel(struct gltf *gltf, int at, const struct channel_facts *channel);

/* A channel that became none of the clip's. */
void gltf_facts_leave_channel(
	struct gltf *gltf, const struct channel_facts *channel, enum channel_fate fate);

/* A channel that drives a single weight, the order-th of the clip. */
void gltf_facts_add_part(struct gltf *gltf, int order, const struct channel_facts *channel);

/* The facts of those that become one, sorted by weight: [count]. */
struct channel_facts gltf_facts_join_parts(
	struct gltf *gltf, const struct weight_channel *parts, int count);

bool gltf_facts_end_clip(struct gltf *gltf, struct error *err);

/* --- gltf_facts_keys.c --- */

/* Notes the flaws of a channel's keys, with the accessors of its sampler. *sound is true where a
 * strict import takes them; otherwise the channel gets those of its keys that are sound, if any,
 * whose rotations are as in the file. */
bool gltf_facts_look_at_keys(struct gltf *gltf, int input, int output, struct channel *channel,
	struct key_flaws flaws[static KEY_FLAW_COUNT], bool *sound, struct error *err);
