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

/** @param {Shown} shown @returns {PictureCall} */
export function pictureCall({ rig, pose, skinning, comparison, look, camera, size, ground }) {
	const { width, height } = size;
	const request = { rig, pose, width, height, camera };
	if (!comparison.skinning) return { call: 'frame', request: { ...request, skinning, ...look } };
	return {
		call: 'compare',
		request: {
			...request,
			methods: [skinning, comparison.skinning],
			view: comparison.view === 'side' ? 'side_by_side' : 'heat',
			background: ground,
		},
	};
}
