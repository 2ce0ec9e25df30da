// Rotations as unit quaternions x y z w.

const DEGREE = Math.PI / 180;

/** @typedef {[number, number, number, number]} Quaternion */

/** a after b. @param {Quaternion} a @param {Quaternion} b @returns {Quaternion} */
export function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

/** @param {Quaternion} q @returns {Quaternion} */
export const inverse = ([x, y, z, w]) => [-x, -y, -z, w];

/** @param {number} axis 0, 1 or 2 @param {number} radians @returns {Quaternion} */
export function about(axis, radians) {
	const q = [0, 0, 0, Math.cos(radians / 2)];
	q[axis] = Math.sin(radians / 2);
	return q;
}

/** About X first, then Y, then Z. @param {number[]} degrees @returns {Quaternion} */
export function fromAngles(degrees) {
	return degrees
		.map((angle, axis) => about(axis, angle * DEGREE))
		.reduce((done, next) => multiply(next, done));
}

/** The inverse of fromAngles(). @param {Quaternion} q @returns {number[]} */
export function toAngles([x, y, z, w]) {
	const sine = Math.min(Math.max(2 * (w * y - x * z), -1), 1);
	return [
		Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
		Math.asin(sine),
		Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
	].map((angle) => angle / DEGREE);
}

/** Normalized columns of a matrix: the images of the axes. @param {ArrayLike<number>} m 16, column-major */
export function axesOf(m) {
	return [0, 4, 8].map((at) => {
		const column = [m[at], m[at + 1], m[at + 2]];
		const length = Math.hypot(...column) || 1;
		return column.map((value) => value / length);
	});
}

/** The rotation of a matrix without shear. @param {ArrayLike<number>} m 16 @returns {Quaternion} */
export function fromMatrix(m) {
	const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = axesOf(m);
	const squares = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz];
	const most = squares.indexOf(Math.max(...squares));
	const q = [
		[squares[0], xy + yx, zx + xz, yz - zy],
		[xy + yx, squares[1], yz + zy, zx - xz],
		[zx + xz, yz + zy, squares[2], xy - yx],
		[yz - zy, zx - xz, xy - yx, squares[3]],
	][most];
	const length = Math.hypot(...q);
	return q.map((value) => value / length);
}
