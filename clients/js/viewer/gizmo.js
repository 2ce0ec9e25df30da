// Three rings around a joint, one for each of its axes, which turn it when they are dragged.

const STEPS = 48;
const RADIUS_PIXELS = 64;
const COLOURS = ['#e5484d', '#30a46c', '#3b82f6'];

/** @typedef {{x: number, y: number}} Point @typedef {import('./projection.js').projector} projector */

/** @typedef {{axis: number, points: (?Point)[]}} Ring in the canvas, from angle 0 on */

/**
 * The rings of a joint on the canvas.
 * @param {number[]} place of the joint @param {number[][]} axes its own, unit, in the world
 * @param {ReturnType<projector>} project @param {number} pixel how long one is there, in the world
 * @returns {Ring[]}
 */
export function ringsOf(place, axes, project, pixel) {
	const radius = RADIUS_PIXELS * pixel;
	return axes.map((_, axis) => {
		const [u, v] = [axes[(axis + 1) % 3], axes[(axis + 2) % 3]];
		const points = Array.from({ length: STEPS }, (_, i) => {
			const angle = (2 * Math.PI * i) / STEPS;
			const [c, s] = [Math.cos(angle) * radius, Math.sin(angle) * radius];
			return project(place.map((value, k) => value + c * u[k] + s * v[k]));
		});
		return { axis, points };
	});
}

/**
 * @param {CanvasRenderingContext2D} context @param {Ring[]} rings
 * @param {?number} active the axis that is being turned about; null = none
 */
export function drawRings(context, rings, active) {
	for (const { axis, points } of rings) {
		if (points.includes(null)) continue;
		context.beginPath();
		for (const { x, y } of points) context.lineTo(x, y);
		context.closePath();
		context.globalAlpha = active === null || active === axis ? 1 : 0.25;
		context.lineWidth = active === axis ? 5 : 3;
		context.strokeStyle = COLOURS[axis];
		context.stroke();
	}
	context.globalAlpha = 1;
}

/**
 * The ring at a place of the canvas, and where on it; null = none is near.
 * @param {Ring[]} rings @param {Point} at @param {number} reach pixels
 */
export function ringAt(rings, at, reach) {
	let best = null;
	let least = reach;
	for (const { axis, points } of rings) {
		points.forEach((point, step) => {
			const apart = point ? Math.hypot(point.x - at.x, point.y - at.y) : Infinity;
			if (apart < least) {
				least = apart;
				best = { axis, step };
			}
		});
	}
	return best;
}

/**
 * How far a pointer's way turns a ring that is seen at one of its steps: along its tangent there.
 * @param {Ring} ring @param {number} step of where it was taken hold of
 * @param {Point} way pixels @returns {number} radians
 */
export function turnOf({ points }, step, way) {
	const [before, after] = [points.at(step - 1), points[(step + 1) % STEPS]];
	if (!before || !after) return 0;
	const [x, y] = [after.x - before.x, after.y - before.y];
	const length = x * x + y * y;
	const angle = (4 * Math.PI) / STEPS; // between the two
	// A ring that is seen from its edge has hardly a tangent: nothing turns faster than by its radius.
	const least = (angle * RADIUS_PIXELS * 0.35) ** 2;
	return ((way.x * x + way.y * y) / Math.max(length, least)) * angle;
}
