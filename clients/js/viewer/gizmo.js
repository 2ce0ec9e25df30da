// Three rings around a joint, one for each of its axes, which turn it when they are dragged.

const STEPS = 48;
const MOST_RADIUS = 64; // pixels
const LEAST_RADIUS = 30; // that fingers can still tell apart
const RADIUS_SHARE = 0.2; // of the canvas's height
const COLOURS = ['#e5484d', '#30a46c', '#3b82f6'];

/** @typedef {{x: number, y: number}} Point @typedef {import('./projection.js').projector} projector */

/**
 * In the canvas, from angle 0 on; radius in pixels.
 * @typedef {{axis: number, points: (?Point)[], radius: number}} Ring
 */

/**
 * The rings of a joint on the canvas.
 * @param {number[]} place of the joint @param {number[][]} axes its own, unit, in the world
 * @param {ReturnType<projector>} project @param {number} pixel how long one is there, in the world
 * @param {number} height of the canvas
 * @returns {Ring[]}
 */
export function ringsOf(place, axes, project, pixel, height) {
	const radius = Math.max(Math.min(height * RADIUS_SHARE, MOST_RADIUS), LEAST_RADIUS);
	const length = radius * pixel;
	return axes.map((_, axis) => {
		const [u, v] = [axes[(axis + 1) % 3], axes[(axis + 2) % 3]];
		const points = Array.from({ length: STEPS }, (_, i) => {
			const angle = (2 * Math.PI * i) / STEPS;
			const [c, s] = [Math.cos(angle) * length, Math.sin(angle) * length];
			return project(place.map((value, k) => value + c * u[k] + s * v[k]));
		});
		return { axis, points, radius };
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
export function turnOf({ points, radius }, step, way) {
	const [before, after] = [points.at(step - 1), points[(step + 1) % STEPS]];
	if (!before || !after) return 0;
	const [x, y] = [after.x - before.x, after.y - before.y];
	const length = x * x + y * y;
	const angle = (4 * Math.PI) / STEPS; // between the two
	// A ring that is seen from its edge has hardly a tangent: nothing turns faster than by its radius.
	const least = (angle * radius * 0.35) ** 2;
	return ((way.x * x + way.y * y) / Math.max(length, least)) * angle;
}
