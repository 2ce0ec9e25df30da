// The figure that is drawn beside the rig at the same moment: an earlier version of it on the left, or the
// decoded clip on the right. The right one of the two has colours for their distance.
import { decodedPaint, versionPaint } from './comparison.js';
import { lengthText } from './dom.js';
import { poseAt } from './pose.js';

/**
 * @typedef {import('./comparison.js').Version} Version
 * @typedef {import('./pose.js').PoseChoice} PoseChoice
 *
 * @typedef {object} Beside
 * @property {string} rig
 * @property {'left' | 'right'} side of the rig where it is drawn
 * @property {string[]} names of both columns
 * @property {(choice: PoseChoice, position: number) => any} poseAt its pose when the rig is in that choice
 * @property {(rig: Version, beside: Version) => ?Float32Array} paint colours of the right one; null = its materials'
 */

/** @param {string} earlier @param {string} rig the present version @returns {Beside} */
export function earlierVersion(earlier, rig) {
	return {
		rig: earlier,
		side: 'left',
		names: [earlier, rig],
		poseAt,
		paint: versionPaint,
	};
}

/**
 * The rig in the same pose, of which one clip is decoded.
 * @param {string} rig
 * @param {import('./decoded_clip.js').DecodedClip} decoded
 * @param {'tolerance' | 'greatest' | 'materials'} colours of distances up to the tolerance, or up to the greatest
 * @returns {Beside & {decoded: object, colours: string}}
 */
export function decodedClip(rig, decoded, colours) {
	const isOurs = ({ name, from }) => name === decoded.name && !from;
	const most = colours === 'tolerance' ? decoded.tolerance : null;
	return {
		decoded,
		colours,
		rig,
		side: 'right',
		names: ['original', `decoded, within ${lengthText(decoded.tolerance)}`],
		poseAt: (choice, position) =>
			poseAt(choice, position, (clip, time) => (isOurs(clip) ? decoded.poseAt(time) : null)),
		paint: (original, shown) =>
			colours === 'materials' ? null : decodedPaint(original.frame, shown.frame, most),
	};
}
