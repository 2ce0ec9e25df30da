// Jumps of dual quaternion skinning: joints turned by 180 degrees against one another have
// quaternions at right angles, and the last digit decides which way the blend goes (METHODS 0.6).
import { determinant, inverse, unit } from './second_reference.mjs';

const LEAST_COSINE = 1e-5; // an order above what float32 leaves of the products' digits

const LINEAR = [0, 1, 2, 4, 5, 6, 8, 9, 10];

// The rotation nearest to the linear part, as rows of 3x4: Newton's iteration (Higham 1986). A
// reflection is taken out first, as METHODS 0.4 says.
function rotationOf(m) {
	const sign = determinant(m) < 0 ? -1 : 1;
	let x = m.map((value, i) => (i % 4 === 3 ? 0 : sign * value));
	for (let step = 0; step < 60; step++) {
		const y = inverse(x);
		x = x.map((value, i) => (i % 4 === 3 ? 0 : (value + y[4 * (i % 4) + Math.floor(i / 4)]) / 2));
	}
	return x;
}

function quaternionOf(m) {
	const [a, b, c, d, e, f, g, h, k] = LINEAR.map((i) => m[i]);
	const squares = [1 + a - e - k, 1 - a + e - k, 1 - a - e + k, 1 + a + e + k];
	const largest = squares.indexOf(Math.max(...squares));
	return unit(
		[
			[squares[0], b + d, c + g, h - f],
			[b + d, squares[1], f + h, c - g],
			[c + g, f + h, squares[2], d - b],
			[h - f, c - g, d - b, squares[3]],
		][largest],
	);
}

// Numbers of the vertices that have two joints so turned, in the reference's present pose.
export function antipodalVertices(second) {
	const found = new Set();
	let first = 0;
	for (const primitive of second.primitives) {
		const { influences, positions } = primitive.source;
		const turns = influences && second.matrices(primitive).map((m) => quaternionOf(rotationOf(m)));
		const close = (j, k) =>
			Math.abs(turns[j].reduce((sum, x, i) => sum + x * turns[k][i], 0)) < LEAST_COSINE;
		for (const [i, own] of (influences ?? []).entries())
			if (own.some(([j]) => own.some(([k]) => k > j && close(j, k)))) found.add(first + i);
		first += positions.length / 3;
	}
	return found;
}
