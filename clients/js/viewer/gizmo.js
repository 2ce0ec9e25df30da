// The rotation gizmo: three rings around a joint, one for each of its axes; dragging a ring turns the joint.

const STEPS = 48;
const MOST_RADIUS = 64; // pixels
const LEAST_RADIUS = 30; // for touch
const RADIUS_SHARE = 0.2; // of the canvas's height
const COLOURS = ['#e5484d', '#30a46c', '#3b82f6'];

/** @typedef {{x: number, y: number}} Point @typedef {import('./projection.js').projector} projector */

/**
 * A ring on the canvas, from angle 0 on; radius in pixels.
 * @typedef {{axis: number, points: (?Point)[], radius: number}} Ring
 */

/**
 * The rings of a joint on the canvas.
 * @param {number[]} place of the joint @param {number[][]} axes its own unit axes in the world
 * @param {ReturnType<projector>} project @param {number} pixel size of a pixel there, in the world
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
 * @param {?number} active the axis that is being turned; null = none
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
 * The ring near a point of the canvas, and the nearest step of it; null = none.
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
 * The angle by which a drag turns a ring that was grabbed at one of its steps: along its tangent there.
 * @param {Ring} ring @param {number} step that was grabbed
 * @param {Point} way pixels @returns {number} radians
 */
export function turnOf({ points, radius }, step, way) {
	const [before, after] = [points.at(step - 1), points[(step + 1) % STEPS]];
	if (!before || !after) return 0;
	const [x, y] = [after.x - before.x, after.y - before.y];
	const length = x * x + y * y;
	const angle = (4 * Math.PI) / STEPS; // between the neighbouring steps
	// A ring seen edge-on has almost no tangent: its radius limits the speed.
	const least = (angle * radius * 0.35) ** 2;
	return ((way.x * x + way.y * y) / Math.max(length, least)) * angle;
}
