// The camera, which orbits a target as the API's does: yaw 0 looks from +Z, 90 from +X, a positive
// pitch looks from above.

const DEGREE = Math.PI / 180;
const FILL = 0.94; // largest share of the picture's half that a fitted box takes
const LEAST_DISTANCE = 1e-6;
const MOST_DISTANCE = 1e8;

/** @typedef {{min: number[], max: number[]}} Box */

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const clamp = (x, least, most) => Math.min(Math.max(x, least), most);

/** @param {Box} box @returns {number[][]} */
function corners({ min, max }) {
	return [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
		[0, 1, 2].map((k) => ((i >> k) & 1 ? max[k] : min[k])),
	);
}

export class Camera {
	yaw = 30;
	pitch = 15;
	fov = 30;
	distance = 5;
	target = [0, 0, 0];
	/** True for an orthographic projection; switching keeps the extent that is visible at the target. */
	orthographic = false;
	/** Half the diagonal of what was fitted. */
	#radius = 1;

	/** The members of the API's "camera". */
	request() {
		const { yaw, pitch, distance, fov, target, orthographic } = this;
		const place = { yaw, pitch, target: [...target] };
		return orthographic
			? { ...place, orthographic, height: this.#height() }
			: { ...place, distance, fov };
	}

	/** The height of the visible part of the plane through the target. */
	#height() {
		return 2 * this.distance * Math.tan((this.fov * DEGREE) / 2);
	}

	/** Moves to where that height is visible. @param {number} height */
	setHeight(height) {
		const slope = Math.tan((this.fov * DEGREE) / 2);
		this.distance = clamp(height / (2 * slope), LEAST_DISTANCE, MOST_DISTANCE);
	}

	/** Unit axes in the world; back points at the viewer. */
	axes() {
		const [yaw, pitch] = [this.yaw * DEGREE, this.pitch * DEGREE];
		const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
		return { right: [cy, 0, -sy], up: [-sy * sp, cp, -cy * sp], back: [sy * cp, sp, cy * cp] };
	}

	/** The eye for the shading; far away in an orthographic projection. */
	eye() {
		const { back } = this.axes();
		const distance = this.orthographic ? this.distance + 1e4 * this.#radius : this.distance;
		return this.target.map((t, k) => t + back[k] * distance);
	}

	/** World to clip space, column-major. @param {number} aspect width / height */
	viewProjection(aspect) {
		const { right, up, back } = this.axes();
		const eye = this.target.map((t, k) => t + back[k] * this.distance);
		const half = this.#height() / 2;
		const slope = half / this.distance;
		const reach = 50 * this.#radius;
		const far = this.distance + reach;
		const near = this.orthographic ? this.distance - reach : this.distance / 50;
		const scale = -(far + near) / (far - near);
		const deep = this.orthographic
			? { z: -2 / (far - near), offset: scale, w: 0, one: 1, wide: half }
			: { z: scale, offset: (-2 * far * near) / (far - near), w: -1, one: 0, wide: slope };
		const columns = [0, 1, 2].map((k) => [right[k], up[k], back[k], 0]);
		columns.push([-dot(right, eye), -dot(up, eye), -dot(back, eye), 1]);
		return new Float32Array(
			columns.flatMap(([x, y, z, place]) => [
				x / (deep.wide * aspect),
				y / deep.wide,
				deep.z * z + deep.offset * place,
				deep.w * z + deep.one * place,
			]),
		);
	}

	/**
	 * Looks at the centre of a box from a distance that shows all of it.
	 * @param {Box} box
	 * @param {number} aspect width / height
	 */
	fit(box, aspect) {
		const { right, up, back } = this.axes();
		const slope = Math.tan((this.fov * DEGREE) / 2) * FILL;
		this.target = box.min.map((low, k) => (low + box.max[k]) / 2);
		this.#radius = Math.max(Math.hypot(...box.max.map((high, k) => high - box.min[k])) / 2, 1e-6);
		let distance = this.orthographic ? 0 : this.#radius * 1.05;
		for (const corner of corners(box)) {
			const offset = corner.map((x, k) => x - this.target[k]);
			const nearer = this.orthographic ? 0 : dot(offset, back);
			distance = Math.max(
				distance,
				nearer + Math.abs(dot(offset, right)) / (slope * aspect),
				nearer + Math.abs(dot(offset, up)) / slope,
			);
		}
		this.distance = clamp(distance, LEAST_DISTANCE, MOST_DISTANCE);
	}

	/** @param {number} yaw degrees @param {number} pitch degrees */
	turn(yaw, pitch) {
		this.yaw = (((this.yaw + yaw) % 360) + 360) % 360;
		this.pitch = clamp(this.pitch + pitch, -90, 90);
	}

	/** @param {number} factor the distance is multiplied by */
	zoom(factor) {
		this.distance = clamp(this.distance * factor, LEAST_DISTANCE, MOST_DISTANCE);
	}

	/** Moves the target with the pointer. @param {number} x @param {number} y in picture heights */
	pan(x, y) {
		const { right, up } = this.axes();
		const height = this.#height();
		this.target = this.target.map((t, k) => t + (up[k] * y - right[k] * x) * height);
	}
}
