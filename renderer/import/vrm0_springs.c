// The spring bones of VRM 0.x: groups of whole trees, with spheres for colliders.
#include <math.h>
#include <string.h>

#include "import/vrm_springs.h"

/* The tail of a node without children, in metres along its own direction. */
#define END_LENGTH 0.07

/* --- Colliders --- */

static bool read_collider(
	struct vrm *vrm, const struct gltf_item *list, size_t i, int joint, struct error *err) {
	struct avatar *avatar = vrm->avatar;
	struct avatar_collider *collider = &avatar->colliders[avatar->collider_count];
	struct gltf_item item;
	collider->joint = joint;
	if (!gltf_element_object(list, i, &item, err) ||
		!vrm_xyz(&item, "offset", collider->offset, err) ||
		!vrm_number(&item, "radius", &collider->radius, err)) {
		return false;
	}
	if (collider->radius < 0) {
		return gltf_broken(&item, err, "radius is below 0");
	}
	collider->offset[2] = -collider->offset[2]; // Unity's axes
	avatar->collider_count++;
	return true;
}

static size_t count_colliders(const struct gltf_item *groups) {
	size_t count = 0;
	for (size_t i = 0; i < gltf_list_size(groups); i++) {
		const struct gltf_item group = gltf_element(groups, i);
		const struct gltf_item colliders = gltf_member(&group, "colliders");
		count += gltf_list_size(&colliders);
	}
	return count;
}

static bool read_colliders(struct vrm *vrm, const struct gltf_item *list, struct vrm_groups *groups,
	struct error *err) {
	struct avatar *avatar = vrm->avatar;
	const size_t count = gltf_list_size(list), total = count_colliders(list);
	int *first = arena_alloc(vrm->gltf->arena, count + 1, sizeof *first);
	int *members = arena_alloc(vrm->gltf->arena, total, sizeof *members);
	avatar->colliders = vrm_storage(vrm, total, sizeof *avatar->colliders, err);
	for (size_t i = 0; avatar->colliders && i < count; i++) {
		struct gltf_item group, colliders;
		int joint = -1;
		if (!gltf_element_object(list, i, &group, err) ||
			!vrm_joint(vrm, &group, "node", &joint, err) ||
			!vrm_list(&group, "colliders", &colliders, err)) {
			return false;
		}
		for (size_t k = 0; joint >= 0 && k < gltf_list_size(&colliders); k++) {
			members[avatar->collider_count] = avatar->collider_count;
			if (!read_collider(vrm, &colliders, k, joint, err)) {
				return false;
			}
		}
		first[i + 1] = avatar->collider_count;
	}
	*groups = (struct vrm_groups){(int)count, first, members};
	return avatar->colliders;
}

/* --- Springs --- */

static void find_tail(const struct vrm *vrm, int joint, double tail[static 3]) {
	const struct gltf *gltf = vrm->gltf;
	const struct gltf_node *node = &gltf->nodes[gltf->rig->joints[joint].index];
	const bool ends = node->child_count == 0;
	const struct transform *rest = ends ? &node->rest : &gltf->nodes[node->children[0]].rest;
	double scale = 1, square = 0;
	for (int i = 0; i < 3; i++) {
		square += (double)rest->translation[i] * (double)rest->translation[i];
	}
	if (ends) {
		scale = square > 0 ? END_LENGTH / sqrt(square) : 0;
	}
	for (int i = 0; i < 3; i++) {
		tail[i] = (double)rest->translation[i] * scale;
	}
}

/* The joints that hang on a joint follow it, so the end of them is where one is met that does not.
 */
static int end_of_tree(const struct rig *rig, int root) {
	int end = root + 1;
	while (end < rig->joint_count && rig->joints[end].parent >= root) {
		end++;
	}
	return end;
}

/* Marks the joints of a group: those of its roots and below that no group before it has. */
static bool mark_joints(struct vrm *vrm, const struct gltf_item *group, unsigned char *marks,
	const bool *taken, size_t *count, struct error *err) {
	struct gltf_item roots;
	if (!vrm_list(group, "bones", &roots, err)) {
		return false;
	}
	for (size_t i = 0; i < gltf_list_size(&roots); i++) {
		const struct gltf_item element = gltf_element(&roots, i);
		int node = -1;
		if (element.json->kind == JSON_KIND_NUMBER && element.json->of.number < 0) {
			continue;
		}
		if (!gltf_element_index(&roots, i, vrm->gltf->node_count, &node, err)) {
			return false;
		}
		const int root = vrm->gltf->nodes[node].joint;
		if (marks[root]) { // and with it all below
			continue;
		}
		const int end = end_of_tree(vrm->gltf->rig, root);
		if (!vrm_springs_step(vrm, end - root, err)) {
			return false;
		}
		for (int joint = root; joint < end; joint++) {
			*count += !marks[joint] && !taken[joint];
			marks[joint] = 1;
		}
	}
	return true;
}

static bool read_numbers(
	const struct gltf_item *group, struct avatar_spring_joint *joint, struct error *err) {
	*joint = (struct avatar_spring_joint){.stiffness = 1, .drag = 0.4};
	return vrm_number(group, "stiffiness", &joint->stiffness, err) && // sic
		vrm_number(group, "gravityPower", &joint->gravity_power, err) &&
		vrm_xyz(group, "gravityDir", joint->gravity, err) &&
		vrm_number(group, "dragForce", &joint->drag, err) &&
		vrm_number(group, "hitRadius", &joint->hit_radius, err) &&
		(joint->hit_radius >= 0 || gltf_broken(group, err, "hitRadius is below 0"));
}

static bool read_group(struct vrm *vrm, const struct gltf_item *group,
	const struct vrm_groups *groups, bool *taken, struct error *err) {
	const struct rig *rig = vrm->gltf->rig;
	struct avatar_spring spring = {.center = -1};
	struct avatar_spring_joint joint;
	const char *name = "";
	size_t count = 0;
	unsigned char *marks = vrm->marks;
	memset(marks, 0, (size_t)rig->joint_count);
	if (!vrm_springs_step(vrm, rig->joint_count, err) ||
		!mark_joints(vrm, group, marks, taken, &count, err) ||
		!read_numbers(group, &joint, err) || !vrm_string(group, "comment", &name, err) ||
		!vrm_joint(vrm, group, "center", &spring.center, err) ||
		!vrm_spring_collide(vrm, group, groups, &spring, err)) {
		return false;
	}
	spring.name = vrm_text(vrm, name, err);
	spring.joints = vrm_storage(vrm, count, sizeof *spring.joints, err);
	if (!spring.name || !spring.joints) {
		return false;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		if (marks[i] && !taken[i]) {
			joint.joint = i;
			find_tail(vrm, i, joint.tail);
			vrm_spring_add(vrm, &spring, &joint, taken);
		}
	}
	vrm_spring_end(vrm, &spring);
	return true;
}

bool vrm0_read_springs(struct vrm *vrm, struct error *err) {
	struct gltf_item secondary, groups, group, list;
	struct vrm_groups colliders;
	if (!vrm_object(&vrm->extension, "secondaryAnimation", &secondary, err) ||
		!vrm_list(&secondary, "colliderGroups", &groups, err) ||
		!read_colliders(vrm, &groups, &colliders, err) ||
		!vrm_list(&secondary, "boneGroups", &list, err) ||
		!vrm_springs_begin(vrm, gltf_list_size(&list), err)) {
		return false;
	}
	const size_t joints = (size_t)vrm->gltf->rig->joint_count;
	bool *taken = arena_alloc(vrm->gltf->arena, joints + 1, sizeof *taken);
	vrm->marks = arena_alloc(vrm->gltf->arena, joints + 1, 1);
	for (size_t i = 0; i < gltf_list_size(&list); i++) {
		if (!gltf_element_object(&list, i, &group, err) ||
			!read_group(vrm, &group, &colliders, taken, err)) {
			return false;
		}
	}
	vrm_springs_end(vrm);
	return true;
}
