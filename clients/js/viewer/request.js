// The call that makes the picture of what is on the screen.

/**
 * @typedef {object} Shown
 * @property {string} rig
 * @property {any} pose
 * @property {any} skinning
 * @property {{skinning: any, view: 'side' | 'heat'}} comparison skinning: null = it is compared with
 *   nothing
 * @property {Record<string, any>} look members of a picture
 * @property {any} camera
 * @property {{width: number, height: number}} size pixels
 * @property {string} ground what text is written on, "#rrggbb"
 *
 * @typedef {{call: 'frame' | 'compare', request: any}} PictureCall call: the client's method
 */

/**
 * What comparisons take of a look: they have no overlays and no legend, and a heat map colours surfaces
 * itself.
 * @param {Record<string, any>} look members of a picture @param {'side' | 'heat'} view
 */
function lookOfComparison({ overlays, shading, ...look }, view) {
	if (view === 'heat' || !shading) return look;
	const { legend, ...shown } = typeof shading === 'string' ? { mode: shading } : shading;
	return { ...look, shading: shown };
}

/**
 * Whether pixels are numbers, which no background lies behind.
 * @param {Record<string, any>} look members of a picture
 */
function isNumbers({ shading }) {
	return ['depth', 'joint_id', 'primitive_id'].includes(shading?.mode ?? shading);
}

/** @param {Shown} shown @returns {PictureCall} */
export function pictureCall({ rig, pose, skinning, comparison, look, camera, size, ground }) {
	const { width, height } = size;
	const request = { rig, pose, width, height, camera };
	if (!comparison.skinning) return { call: 'frame', request: { ...request, skinning, ...look } };
	const shown = lookOfComparison(look, comparison.view);
	return {
		call: 'compare',
		request: {
			...request,
			...shown,
			methods: [skinning, comparison.skinning],
			view: comparison.view === 'side' ? 'side_by_side' : 'heat',
			...(!isNumbers(shown) && { background: ground }),
		},
	};
}
