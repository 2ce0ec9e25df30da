// The spring bones of VRM 1.0, and what both versions' readers do.
#include "import/vrm_springs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"

/* Colliders that one spring meets: its count is an int. */
#define COLLIDERS_MAX ((size_t)1 << 30)

/* Steps over joints that all springs may take, each past all joints between two of its own: far
 * more than any avatar's springs take, but not for ever. */
#define STEPS_MAX ((size_t)1 << 26)

bool vrm_springs_begin(struct vrm *vrm, size_t count, struct error *err) {
	vrm->steps_left = STEPS_MAX;
	vrm->avatar->springs = vrm_storage(vrm, count, sizeof *vrm->avatar->springs, err);
	return vrm->avatar->springs;
}

bool vrm_springs_step(struct vrm *vrm, int steps, struct error *err) {
	if ((size_t)steps > vrm->steps_left) {
		return gltf_broken(&vrm->extension, err, "has too many springs over one another");
	}
	vrm->steps_left -= (size_t)steps;
	return true;
}

void vrm_spring_add(struct vrm *vrm, struct avatar_spring *spring,
	const struct avatar_spring_joint *joint, bool *taken) {
	const struct rig *rig = vrm->gltf->rig;
	const double *t = joint->tail;
	const char *flaw = taken[joint->joint]                       ? "is in two springs"
		: !isnormal(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) ? "has no length"
								     : NULL;
	if (flaw) {
		rig_warn(vrm->gltf->rig, "nodes[%d] %s: it does not spring there",
			rig->joints[joint->joint].index, flaw);
		return;
	}
	taken[joint->joint] = true;
	spring->joints[spring->joint_count++] = *joint;
}

static bool count_colliders(struct vrm *vrm, const struct gltf_item *list,
	const struct vrm_groups *groups, size_t *count, struct error *err) {
	for (size_t i = 0; i < gltf_list_size(list); i++) {
		int group;
		if (!gltf_element_index(list, i, groups->count, &group, err)) {
			return false;
		}
		*count += (size_t)(groups->first[group + 1] - groups->first[group]);
	}
	return *count <= COLLIDERS_MAX || gltf_broken(&vrm->extension, err, "too many colliders");
}

bool vrm_spring_collide(struct vrm *vrm, const struct gltf_item *spring_item,
	const struct vrm_groups *groups, struct avatar_spring *spring, struct error *err) {
	struct gltf_item list;
	size_t count = 0;
	if (!vrm_list(spring_item, "colliderGroups", &list, err) ||
		!count_colliders(vrm, &list, groups, &count, err)) {
		return false;
	}
	spring->colliders = vrm_storage(vrm, count, sizeof *spring->colliders, err);
	for (size_t i = 0; spring->colliders && i < gltf_list_size(&list); i++) {
		int group = 0;
		gltf_element_index(&list, i, groups->count, &group, err);
		for (int k = groups->first[group]; k < groups->first[group + 1]; k++) {
			spring->colliders[spring->collider_count++] = groups->members[k];
		}
	}
	return spring->colliders;
}

void vrm_spring_end(struct vrm *vrm, const struct avatar_spring *spring) {
	if (spring->joint_count > 0) {
		vrm->avatar->springs[vrm->avatar->spring_count++] = *spring;
	}
}

static int by_first_joint(const void *a, const void *b) {
	const struct avatar_spring *x = a, *y = b;
	return x->joints[0].joint - y->joints[0].joint;
}

void vrm_springs_end(struct vrm *vrm) {
	struct avatar *avatar = vrm->avatar;
	if (avatar->spring_count > 0) {
		qsort(avatar->springs, (size_t)avatar->spring_count, sizeof *avatar->springs,
			by_first_joint);
	}
}

/* --- Colliders --- */

static bool read_sphere(
	const struct gltf_item *shape, struct avatar_collider *collider, struct error *err) {
	return vrm_vector(shape, "offset", collider->offset, err) &&
		vrm_vector(shape, "tail", collider->tail, err) &&
		vrm_number(shape, "radius", &collider->radius, err) &&
		gltf_boolean(shape, "inside", &collider->inside, err) &&
		(collider->radius >= 0 || gltf_broken(shape, err, "radius is below 0"));
}

static bool read_plane(
	const struct gltf_item *shape, struct avatar_collider *collider, struct error *err) {
	double *normal = collider->normal;
	normal[2] = 1;
	if (!vrm_vector(shape, "offset", collider->offset, err) ||
		!vrm_vector(shape, "normal", normal, err)) {
		return false;
	}
	const double length =
		sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
	for (int i = 0; i < 3; i++) {
		normal[i] /= length;
	}
	return isnormal(length) || gltf_broken(shape, err, "normal has no direction");
}

/* The shape of a collider, or of the extension that replaces it; found is false without one. */
static bool read_shape(const struct gltf_item *object, struct avatar_collider *collider,
	bool *found, struct error *err) {
	struct gltf_item shape, sphere, capsule, plane;
	if (!vrm_object(object, "shape", &shape, err) ||
		!vrm_object(&shape, "sphere", &sphere, err) ||
		!vrm_object(&shape, "capsule", &capsule, err) ||
		!vrm_object(&shape, "plane", &plane, err)) {
		return false;
	}
	*found = sphere.json || capsule.json || plane.json;
	collider->kind = sphere.json ? AVATAR_SPHERE : capsule.json ? AVATAR_CAPSULE : AVATAR_PLANE;
	return !*found ||
		(collider->kind == AVATAR_PLANE
				? read_plane(&plane, collider, err)
				: read_sphere(sphere.json ? &sphere : &capsule, collider, err));
}

static bool read_collider(struct vrm *vrm, const struct gltf_item *item,
	struct avatar_collider *collider, struct error *err) {
	struct gltf_item extensions, extended;
	bool found = false;
	collider->joint = -1;
	if (!vrm_joint(vrm, item, "node", &collider->joint, err) ||
		!vrm_object(item, "extensions", &extensions, err) ||
		!vrm_object(&extensions, "VRMC_springBone_extended_collider", &extended, err) ||
		(extended.json && !read_shape(&extended, collider, &found, err)) ||
		(!found && !read_shape(item, collider, &found, err))) {
		return false;
	}
	return (found && collider->joint >= 0) || gltf_broken(item, err, "has no node or no shape");
}

static bool read_colliders(struct vrm *vrm, const struct gltf_item *extension, struct error *err) {
	struct avatar *avatar = vrm->avatar;
	struct gltf_item list, item;
	if (!vrm_list(extension, "colliders", &list, err)) {
		return false;
	}
	avatar->colliders = vrm_storage(vrm, gltf_list_size(&list), sizeof *avatar->colliders, err);
	for (size_t i = 0; avatar->colliders && i < gltf_list_size(&list); i++) {
		if (!gltf_element_object(&list, i, &item, err) ||
			!read_collider(vrm, &item, &avatar->colliders[i], err)) {
			return false;
		}
		avatar->collider_count++;
	}
	return avatar->colliders;
}

/* The colliders of all groups one behind the other. */
static bool read_groups(struct vrm *vrm, const struct gltf_item *extension,
	struct vrm_groups *groups, struct error *err) {
	struct gltf_item list, item, members;
	if (!vrm_list(extension, "colliderGroups", &list, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&list);
	size_t total = 0;
	int *first = arena_alloc(vrm->gltf->arena, count + 1, sizeof *first);
	for (size_t i = 0; i < count; i++) {
		item = gltf_element(&list, i);
		members = gltf_member(&item, "colliders");
		total += gltf_list_size(&members);
	}
	int *all = arena_alloc(vrm->gltf->arena, total, sizeof *all);
	for (size_t i = 0; i < count; i++) {
		if (!gltf_element_object(&list, i, &item, err) ||
			!vrm_list(&item, "colliders", &members, err)) {
			return false;
		}
		first[i + 1] = first[i];
		for (size_t k = 0; k < gltf_list_size(&members); k++) {
			if (!gltf_element_index(&members, k, vrm->avatar->collider_count,
				    &all[first[i + 1]++], err)) {
				return false;
			}
		}
	}
	*groups = (struct vrm_groups){(int)count, first, all};
	return true;
}

/* --- Springs --- */

/* Where a joint below another rests, in the other's axes. */
static void place_below(const struct rig *rig, int below, int above, double place[static 3]) {
	memset(place, 0, 3 * sizeof *place);
	for (int at = below; at != above; at = rig->joints[at].parent) {
		const struct transform *rest = &rig->joints[at].rest;
		double m[12], out[3];
		mat_from_transform(rest->translation, rest->rotation, rest->scale, m);
		mat_map_point(m, place, out);
		memcpy(place, out, sizeof out);
	}
}

static bool read_joint(struct vrm *vrm, const struct gltf_item *list, size_t i,
	struct avatar_spring_joint *joint, struct error *err) {
	struct gltf_item item;
	*joint = (struct avatar_spring_joint){
		.joint = -1, .stiffness = 1, .drag = 0.5, .gravity = {0, -1, 0}};
	if (!gltf_element_object(list, i, &item, err) ||
		!vrm_joint(vrm, &item, "node", &joint->joint, err) ||
		!vrm_number(&item, "hitRadius", &joint->hit_radius, err) ||
		!vrm_number(&item, "stiffness", &joint->stiffness, err) ||
		!vrm_number(&item, "gravityPower", &joint->gravity_power, err) ||
		!vrm_number(&item, "dragForce", &joint->drag, err) ||
		!vrm_vector(&item, "gravityDir", joint->gravity, err)) {
		return false;
	}
	return (joint->joint >= 0 && joint->hit_radius >= 0) ||
		gltf_broken(&item, err, "has no node, or a radius below 0");
}

/* Each joint's tail is the next one; the last is nothing else. */
static bool read_joints(struct vrm *vrm, const struct gltf_item *list, struct avatar_spring *spring,
	bool *taken, struct error *err) {
	const struct rig *rig = vrm->gltf->rig;
	const size_t count = gltf_list_size(list);
	struct avatar_spring_joint joint, next;
	spring->joints = vrm_storage(vrm, count, sizeof *spring->joints, err);
	if (!spring->joints || (count > 0 && !read_joint(vrm, list, 0, &joint, err))) {
		return false;
	}
	for (size_t i = 1; i < count; i++, joint = next) {
		const struct gltf_item item = gltf_element(list, i);
		if (!read_joint(vrm, list, i, &next, err)) {
			return false;
		}
		if (next.joint == joint.joint || !rig_is_below(rig, next.joint, joint.joint)) {
			return gltf_broken(&item, err, "is not below the joint before it");
		}
		// Depth-first numbers: what lies between the two is no more than their difference.
		if (!vrm_springs_step(vrm, next.joint - joint.joint, err)) {
			return false;
		}
		place_below(rig, next.joint, joint.joint, joint.tail);
		vrm_spring_add(vrm, spring, &joint, taken);
	}
	return true;
}

static bool read_spring(struct vrm *vrm, const struct gltf_item *item,
	const struct vrm_groups *groups, bool *taken, struct error *err) {
	struct gltf_item joints;
	const char *name = "";
	struct avatar_spring spring = {.center = -1};
	if (!vrm_string(item, "name", &name, err) ||
		!vrm_joint(vrm, item, "center", &spring.center, err) ||
		!vrm_list(item, "joints", &joints, err) ||
		!read_joints(vrm, &joints, &spring, taken, err) ||
		!vrm_spring_collide(vrm, item, groups, &spring, err)) {
		return false;
	}
	spring.name = vrm_text(vrm, name, err);
	if (!spring.name) {
		return false;
	}
	vrm_spring_end(vrm, &spring);
	return true;
}

bool vrm_read_springs(struct vrm *vrm, struct error *err) {
	struct gltf_item extension, springs, item;
	struct vrm_groups groups;
	if (!vrm_object(&vrm->extensions, "VRMC_springBone", &extension, err) ||
		!read_colliders(vrm, &extension, err) ||
		!read_groups(vrm, &extension, &groups, err) ||
		!vrm_list(&extension, "springs", &springs, err) ||
		!vrm_springs_begin(vrm, gltf_list_size(&springs), err)) {
		return false;
	}
	bool *taken = arena_alloc(
		vrm->gltf->arena, (size_t)vrm->gltf->rig->joint_count + 1, sizeof *taken);
	for (size_t i = 0; i < gltf_list_size(&springs); i++) {
		if (!gltf_element_object(&springs, i, &item, err) ||
			!read_spring(vrm, &item, &groups, taken, err)) {
			return false;
		}
	}
	vrm_springs_end(vrm);
	return true;
}
