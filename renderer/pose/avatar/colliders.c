// What spring bones collide with.
#include "pose/avatar/colliders.h"

#include <string.h>

#include "base/mat.h"
#include "base/vec.h"

/* The normal by the inverse transpose of the linear part, but for a factor: by its cofactors. */
static void place_normal(
	const double world[static 12], const double normal[static 3], double out[static 3]) {
	double cofactors[3][3];
	vec3_cross(&world[4], &world[8], cofactors[0]);
	vec3_cross(&world[8], &world[0], cofactors[1]);
	vec3_cross(&world[0], &world[4], cofactors[2]);
	const double sign = vec3_dot(&world[0], cofactors[0]) < 0 ? -1 : 1;
	for (int i = 0; i < 3; i++) {
		out[i] = sign * vec3_dot(cofactors[i], normal);
	}
	vec3_normalize(out);
}

struct placed_collider collider_place(
	const struct avatar_collider *collider, const double world[static 12]) {
	struct placed_collider placed = {
		.kind = collider->kind,
		.inside = collider->inside,
		.radius = collider->radius,
	};
	mat_map_point(world, collider->offset, placed.center);
	if (collider->kind == AVATAR_CAPSULE) {
		vec3_sub(collider->tail, collider->offset, placed.along);
		mat_map_direction(world, placed.along, placed.along);
	} else if (collider->kind == AVATAR_PLANE) {
		place_normal(world, collider->normal, placed.normal);
	}
	return placed;
}

/* From the nearest point of a capsule's axis. */
static void leave_axis(const double along[static 3], double away[static 3]) {
	const double length2 = vec3_dot(along, along);
	const double k = vec3_dot(along, away);
	if (k > 0) {
		const double share = k < length2 ? k / length2 : 1;
		for (int i = 0; i < 3; i++) {
			away[i] -= share * along[i];
		}
	}
}

/* The direction of the shortest way out; returns how far out the sphere is already. */
static double measure(const struct placed_collider *collider, double radius,
	const double position[static 3], double direction[static 3]) {
	vec3_sub(position, collider->center, direction);
	if (collider->kind == AVATAR_PLANE) {
		const double distance = vec3_dot(direction, collider->normal) - radius;
		memcpy(direction, collider->normal, sizeof collider->normal);
		return distance;
	}
	if (collider->kind == AVATAR_CAPSULE) {
		leave_axis(collider->along, direction);
	}
	const double length = vec3_length(direction);
	const double unit = length > 1e-300 ? 1 / length : 0;
	vec3_scale(direction, collider->inside ? -unit : unit, direction);
	return collider->inside ? collider->radius - radius - length
				: length - collider->radius - radius;
}

bool collider_push(
	const struct placed_collider *collider, double radius, double position[static 3]) {
	double direction[3];
	const double distance = measure(collider, radius, position, direction);
	if (!(distance < 0)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		position[i] -= distance * direction[i];
	}
	return true;
}
