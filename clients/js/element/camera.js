// The camera, which orbits a target as the API's does: yaw 0 looks from +Z, 90 from +X, a positive
// pitch looks from above.

const DEGREE = Math.PI / 180;
const FILL = 0.94; // share of the picture's half that a fitted box may take
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
	pitch = 12;
	fov = 30;
	distance = 5;
	target = [0, 0, 0];
	/** Half the diagonal of what was fitted. */
	#radius = 1;

	/** The members of the API's "camera". */
	request() {
		const { yaw, pitch, distance, fov, target } = this;
		return { yaw, pitch, distance, fov, target: [...target] };
	}

	/** Unit axes in the world; back points at the viewer. */
	axes() {
		const [yaw, pitch] = [this.yaw * DEGREE, this.pitch * DEGREE];
		const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
		return { right: [cy, 0, -sy], up: [-sy * sp, cp, -cy * sp], back: [sy * cp, sp, cy * cp] };
	}

	eye() {
		const { back } = this.axes();
		return this.target.map((t, k) => t + back[k] * this.distance);
	}

	/** World to clip space, column-major. @param {number} aspect width / height */
	viewProjection(aspect) {
		const { right, up, back } = this.axes();
		const eye = this.eye();
		const slope = Math.tan((this.fov * DEGREE) / 2);
		const near = this.distance / 50;
		const far = this.distance + 50 * this.#radius;
		const scale = -(far + near) / (far - near);
		const columns = [0, 1, 2].map((k) => [right[k], up[k], back[k], 0]);
		columns.push([
			-dot(right, eye),
			-dot(up, eye),
			-dot(back, eye),
			(-2 * far * near) / (far - near),
		]);
		return new Float32Array(
			columns.flatMap(([x, y, z, offset]) => [
				x / (slope * aspect),
				y / slope,
				scale * z + offset,
				-z,
			]),
		);
	}

	/**
	 * Looks at a box's middle from where all of it is seen.
	 * @param {Box} box
	 * @param {number} aspect width / height
	 */
	fit(box, aspect) {
		const { right, up, back } = this.axes();
		const slope = Math.tan((this.fov * DEGREE) / 2) * FILL;
		this.target = box.min.map((low, k) => (low + box.max[k]) / 2);
		this.#radius = Math.max(
			Math.hypot(...box.max.map((high, k) => high - box.min[k])) / 2,
			1e-6,
		);
		let distance = this.#radius * 1.05;
		for (const corner of corners(box)) {
			const offset = corner.map((x, k) => x - this.target[k]);
			const nearer = dot(offset, back);
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

	/** @param {number} factor of the distance */
	zoom(factor) {
		this.distance = clamp(this.distance * factor, LEAST_DISTANCE, MOST_DISTANCE);
	}

	/** Moves the target with the pointer. @param {number} x @param {number} y in picture heights */
	pan(x, y) {
		const { right, up } = this.axes();
		const height = 2 * this.distance * Math.tan((this.fov * DEGREE) / 2);
		this.target = this.target.map((t, k) => t + (up[k] * y - right[k] * x) * height);
	}
}
