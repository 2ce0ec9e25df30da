// Shows a finding of a check on the stage: the place that it is at, and marks there.

/** @typedef {import('../client/posed.js').CheckFinding} Finding */

const AROUND = 0.15; // of the rig's greatest extent, on each side of what is framed

/** @param {Float32Array} positions @param {number[]} vertices */
function boxOf(positions, vertices) {
	const axis = (k) => vertices.map((vertex) => positions[3 * vertex + k]);
	const over = (pick) => [0, 1, 2].map((k) => pick(...axis(k)));
	return { min: over(Math.min), max: over(Math.max) };
}

/** @param {import('../element/camera.js').Box} box @param {number} by */
function widened({ min, max }, by) {
	return { min: min.map((low) => low - by), max: max.map((high) => high + by) };
}

/** @param {any} rig a description */
function extentOf({ bounds }) {
	return bounds ? Math.max(...bounds.max.map((high, k) => high - bounds.min[k])) : 1;
}

/** The place of a finding's joint in the list of joints; null = none. @param {any} rig @param {Finding} finding */
function jointOf(rig, { joint, joint_index: node }) {
	const named = rig.joints.filter(({ name }) => name === joint);
	const found = named.length > 1 ? named.find(({ key }) => key === String(node)) : named[0];
	return found?.index ?? null;
}

export class FindingView {
	#client;
	#player;
	#overlay;
	/** @type {?Finding} */
	#shown = null;

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {import('./player.js').Player} player @param {import('./joint_overlay.js').JointOverlay} overlay
	 */
	constructor(client, player, overlay) {
		this.#client = client;
		this.#player = player;
		this.#overlay = overlay;
	}

	/** Marks a finding in the current pose, and looks at it. @param {Finding} finding */
	async show(finding) {
		const { rig } = this.#player;
		const joint = jointOf(rig, finding);
		this.#shown = finding;
		this.#overlay.mark({ vertices: this.#verticesOf(finding), joint });
		this.#player.wake();
		const camera = finding.evidence?.camera;
		if (camera) {
			this.#player.setCamera(camera);
			return;
		}
		const box = await this.#boxAround(rig, finding, joint);
		if (this.#shown !== finding || this.#player.rig !== rig) return; // another was chosen meanwhile
		if (box) this.#player.frame(widened(box, AROUND * extentOf(rig)));
		else this.#player.fit();
	}

	clear() {
		this.#shown = null;
		this.#overlay.mark({ vertices: [], joint: null });
		this.#player.wake();
	}

	/** @param {Finding} finding */
	#verticesOf({ vertices = [], triangles = [] }) {
		return vertices.length > 0 ? vertices : this.#player.cornersOf(triangles);
	}

	/** @param {any} rig @param {Finding} finding @param {?number} joint */
	async #boxAround(rig, finding, joint) {
		const request = { rig: rig.name, pose: this.#player.poseNow() };
		const vertices = this.#verticesOf(finding);
		if (vertices.length > 0) {
			const found = await this.#client.vertices({ ...request, attributes: ['position'] });
			const known = vertices.filter((vertex) => vertex < found.vertices);
			return known.length > 0 ? boxOf(found.get('position'), known) : null;
		}
		if (joint === null) return null;
		const matrices = await this.#client.matrices(request);
		const place = [...matrices.subarray(16 * joint + 12, 16 * joint + 15)];
		return { min: place, max: place };
	}
}
