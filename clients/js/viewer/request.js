// The request for the picture on the screen.

/**
 * @typedef {object} Shown
 * @property {string} rig
 * @property {any} pose
 * @property {any} skinning
 * @property {{skinning: any, view: 'side' | 'heat'}} comparison skinning: null = no
 *   comparison
 * @property {?import('./attachment.js').Attached} attached null = no joint holds a rig
 * @property {Record<string, any>} look members of a picture
 * @property {any} camera
 * @property {{width: number, height: number}} size pixels
 * @property {string} ground background of text, "#rrggbb"
 *
 * @typedef {{call: 'frame' | 'compare' | 'crowd', request: any}} PictureCall call: the client's method
 */

/**
 * The part of a look that comparisons support: they have no overlays and no legend, and a heat map
 * colours surfaces itself.
 * @param {Record<string, any>} look members of a picture @param {'side' | 'heat'} view
 */
function lookOfComparison({ overlays, shading, ...look }, view) {
	if (view === 'heat' || !shading) return look;
	const { legend, ...shown } = typeof shading === 'string' ? { mode: shading } : shading;
	return { ...look, shading: shown };
}

/**
 * The part of a look that crowds support, like comparisons. The held rig lacks the joint of a shading.
 * @param {Record<string, any>} look members of a picture
 */
function lookOfCrowd({ overlays, shading, ...look }) {
	return shading?.joint === undefined ? lookOfComparison({ ...look, shading }, 'side') : look;
}

/**
 * True if pixels are numbers, which must not be blended with a background.
 * @param {Record<string, any>} look members of a picture
 */
function isNumbers({ shading }) {
	return ['depth', 'joint_id', 'primitive_id'].includes(shading?.mode ?? shading);
}

/** @param {Shown} shown @returns {PictureCall} */
export function pictureCall({ rig, pose, skinning, comparison, attached, look, camera, size, ground }) {
	const { width, height } = size;
	if (attached) {
		const { rig: held, joint, place } = attached;
		const instances = [
			{ rig, pose },
			{ rig: held, attach: { to: 0, joint }, ...place },
		];
		const request = { instances, width, height, camera, skinning, ...lookOfCrowd(look) };
		return { call: 'crowd', request };
	}
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
