// Projects points of the world to a canvas.

/**
 * Returns the function from a point of the world to one on the canvas in its own pixels; null = it is
 * behind the viewer.
 * @param {import('../element/camera.js').Camera} camera
 * @param {number} width @param {number} height of the canvas, or of its column
 * @param {number} [left] the left edge of the column
 * @returns {(place: ArrayLike<number>) => ?{x: number, y: number}}
 */
export function projector(camera, width, height, left = 0) {
	const m = camera.viewProjection(width / Math.max(height, 1));
	return ([x, y, z]) => {
		const w = m[3] * x + m[7] * y + m[11] * z + m[15];
		if (w <= 0) return null;
		const across = (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
		const up = (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
		return { x: left + (0.5 + across / 2) * width, y: (0.5 - up / 2) * height };
	};
}
