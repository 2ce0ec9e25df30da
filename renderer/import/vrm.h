/* VRM's extensions of a glTF document -> rig->avatar. The files vrm_*.c read one part each, of both
 * versions where they say the same in other words.
 *
 * Source: VRM.md's list of sources in model/avatar.h; where the texts leave something open it is
 * read as @pixiv/three-vrm 3.5.5 does. */
#pragma once

#include "import/gltf_document.h"

/* An avatar that is being read. */
struct vrm {
	struct gltf *gltf;
	struct avatar *avatar;
	struct gltf_item extensions; // the document's
	struct gltf_item extension;  // VRMC_vrm, or VRM

	/* The joints whose nodes hold each mesh: those of mesh m are mesh_joints[first_joint[m]] to
	 * before first_joint[m + 1]. Of 0.x only. */
	int *first_joint, *mesh_joints;

	size_t steps_left;    // see vrm_springs_step()
	unsigned char *marks; // [joint_count] scratch of vrm0_read_springs()
};

/* A step of gltf.c, before the textures: reads the avatar of a document that has one. What is
 * broken in it costs the avatar, with a warning. False only when memory is out. */
bool gltf_read_avatar(struct gltf *gltf, struct error *err);

/* --- The parts, false with *err and the place when one is broken --- */

bool vrm_read_bones(struct vrm *vrm, struct error *err);
bool vrm0_read_bones(struct vrm *vrm, struct error *err);
bool vrm_read_expressions(struct vrm *vrm, struct error *err);
bool vrm0_read_expressions(struct vrm *vrm, struct error *err);
bool vrm_read_look_at(struct vrm *vrm, struct error *err);
bool vrm0_read_look_at(struct vrm *vrm, struct error *err);
bool vrm_read_views(struct vrm *vrm, struct error *err);
bool vrm0_read_views(struct vrm *vrm, struct error *err);
bool vrm_read_constraints(struct vrm *vrm, struct error *err);
bool vrm_read_springs(struct vrm *vrm, struct error *err);
bool vrm0_read_springs(struct vrm *vrm, struct error *err);

/* Also finds the image of the thumbnail: gltf->thumbnail. */
bool vrm_read_meta(struct vrm *vrm, struct error *err);

/* --- Members; absent ones leave the output as it is, and null is absent, too --- */

bool vrm_object(const struct gltf_item *object, const char *name, struct gltf_item *member,
	struct error *err);
bool vrm_list(const struct gltf_item *object, const char *name, struct gltf_item *member,
	struct error *err);
bool vrm_string(
	const struct gltf_item *object, const char *name, const char **value, struct error *err);
bool vrm_number(
	const struct gltf_item *object, const char *name, double *number, struct error *err);

/* [x, y, z]; and {"x": x, "y": y, "z": z}, of which members may be missing. */
bool vrm_vector(const struct gltf_item *object, const char *name, double vector[static 3],
	struct error *err);
bool vrm_xyz(const struct gltf_item *object, const char *name, double vector[static 3],
	struct error *err);

/* The joint of a node by its index. A negative one is absent, as 0.x has it. */
bool vrm_joint(const struct vrm *vrm, const struct gltf_item *object, const char *name, int *joint,
	struct error *err);

/* A negative index is absent. */
bool vrm_index(
	const struct gltf_item *object, const char *name, int count, int *index, struct error *err);

/* Zeroed memory of the rig, and a text in it. */
void *vrm_storage(struct vrm *vrm, size_t count, size_t size, struct error *err);
const char *vrm_text(struct vrm *vrm, const char *text, struct error *err);
