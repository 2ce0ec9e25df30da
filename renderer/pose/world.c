// Forward kinematics, four joints at once.
#include "pose/pose.h"

#include "base/mat_lanes.h"
#include "base/quaternions.h"

/* The local transforms of four joints, one to a lane. */
struct transforms {
	doubles4 translation[3], scale[3];
	struct quaternions rotation;
};

KERNEL struct transforms load_transforms(
	const struct transform *local, const int joints[static 4]) {
	floats4 start[4], end[4];
	const float *rotations[4];
	for (int i = 0; i < 4; i++) {
		const struct transform *at = &local[joints[i]];
		start[i] = load4(at->translation); // and the rotation's first number
		end[i] = load4(&at->rotation[3]);  // and the scale
		rotations[i] = at->rotation;
	}
	floats4_transpose(start);
	floats4_transpose(end);
	return (struct transforms){
		.translation = {widen4(start[0]), widen4(start[1]), widen4(start[2])},
		.scale = {widen4(end[1]), widen4(end[2]), widen4(end[3])},
		.rotation = quaternions_load(rotations),
	};
}

/* Four lanes of a matrix row become the row in four matrices. */
KERNEL void store_row(doubles4 a, doubles4 b, doubles4 c, doubles4 d, double *rows) {
	const doubles4 ab02 = __builtin_shufflevector(a, b, 0, 4, 2, 6);
	const doubles4 ab13 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
	const doubles4 cd02 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
	const doubles4 cd13 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
	doubles4_store(__builtin_shufflevector(ab02, cd02, 0, 1, 4, 5), rows);
	doubles4_store(__builtin_shufflevector(ab13, cd13, 0, 1, 4, 5), rows + 12);
	doubles4_store(__builtin_shufflevector(ab02, cd02, 2, 3, 6, 7), rows + 24);
	doubles4_store(__builtin_shufflevector(ab13, cd13, 2, 3, 6, 7), rows + 36);
}

/* T R S of four joints: see mat_from_transform(). */
KERNEL void build_local(const struct transforms *t, double matrices[static 48]) {
	const doubles4 rx = t->rotation.x, ry = t->rotation.y, rz = t->rotation.z;
	const doubles4 rw = t->rotation.w;
	const doubles4 square = rx * rx + ry * ry + rz * rz + rw * rw;
	const doubles4 k = (doubles4)((doubles4_mask)(2 / square) & (square > 0));
	const doubles4 xx = k * rx * rx, yy = k * ry * ry, zz = k * rz * rz;
	const doubles4 xy = k * rx * ry, xz = k * rx * rz, yz = k * ry * rz;
	const doubles4 wx = k * rw * rx, wy = k * rw * ry, wz = k * rw * rz;
	const doubles4 sx = t->scale[0], sy = t->scale[1], sz = t->scale[2];
	store_row((1 - yy - zz) * sx, (xy - wz) * sy, (xz + wy) * sz, t->translation[0], matrices);
	store_row((xy + wz) * sx, (1 - xx - zz) * sy, (yz - wx) * sz, t->translation[1],
		matrices + 4);
	store_row((xz - wy) * sx, (yz + wx) * sy, (1 - xx - yy) * sz, t->translation[2],
		matrices + 8);
}

LANES_TARGET void LANES_NAME(world_build)(const struct rig *rig, const struct transform *local,
	const int *needed, int count, double (*world)[12]) {
	for (int at = 0; at < count; at += 4) {
		int four[4];
		for (int i = 0; i < 4; i++) {
			const int place = at + i < count ? at + i : count - 1;
			four[i] = needed ? needed[place] : place;
		}
		const struct transforms transforms = load_transforms(local, four);
		double matrices[4 * 12];
		build_local(&transforms, matrices);
		for (int i = 0; i < 4 && at + i < count; i++) {
			const int parent = rig->joints[four[i]].parent;
			if (parent < 0) {
				memcpy(world[four[i]], matrices + i * 12, sizeof world[0]);
				continue;
			}
			const struct mat_rows rows = mat_rows_load(matrices + i * 12);
			mat_rows_multiply(world[parent], &rows, world[four[i]]);
		}
	}
}
