// Bounding boxes of rigs.

/** @typedef {import('../element/camera.js').Box} Box */

const UNIT_BOX = { min: [-1, -1, -1], max: [1, 1, 1] };

/**
 * The union of boxes; null if there are none.
 * @param {(Box | null | undefined)[]} boxes
 */
function boxAround(boxes) {
	const real = boxes.filter(Boolean);
	if (real.length === 0) return null;
	const over = (side, pick) => [0, 1, 2].map((k) => pick(...real.map((box) => box[side][k])));
	return { min: over('min', Math.min), max: over('max', Math.max) };
}

/**
 * The box around a rig over all clips of a pose, as far as the description has their bounds.
 * @param {any} rig a description; null = none @param {import('./pose.js').PoseChoice} choice
 */
export function boxOfPose(rig, { clip, layers }) {
	const bounds = (wanted) =>
		wanted.from ? null : rig?.clips.find(({ name }) => name === wanted.name)?.bounds;
	const boxes = [{ clip }, ...layers].map((part) => (part.clip ? bounds(part.clip) : rig?.bounds));
	return (boxes[0] && boxAround(boxes)) ?? rig?.bounds ?? UNIT_BOX;
}

/** The box around positions. @param {Float32Array} positions @returns {Box} */
export function boxOfPositions(positions) {
	const [min, max] = [Array(3).fill(Infinity), Array(3).fill(-Infinity)];
	for (let i = 0; i < positions.length; i++) {
		const k = i % 3;
		if (positions[i] < min[k]) min[k] = positions[i];
		if (positions[i] > max[k]) max[k] = positions[i];
	}
	return { min, max };
}
