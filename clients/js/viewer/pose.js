// Pose expressions of the API, made of what is chosen.

/**
 * @typedef {{name: string, duration: number}} Clip
 * @typedef {{clip: ?Clip, other: ?Clip, share: number, turned: ?object}} PoseChoice
 *   clip: null = the rest pose; other: blended in with its share of 0 to 1; null = none; turned:
 *   joints set by hand, as "set" has them; null = none
 */

/** Seconds that the pose chosen takes: two clips meet half way. @param {PoseChoice} choice */
export function poseDuration({ clip, other, share }) {
	if (!clip) return 0;
	return other ? clip.duration * (1 - share) + other.duration * share : clip.duration;
}

/**
 * The expression for one moment. Clips that are blended run in step: at the same share of each.
 * @param {PoseChoice} choice
 * @param {number} position seconds, up to the duration
 */
export function poseAt(choice, position) {
	const played = playedAt(choice, position);
	return choice.turned ? { set: played, joints: choice.turned } : played;
}

/** @param {PoseChoice} choice @param {number} position */
function playedAt(choice, position) {
	const { clip, other, share } = choice;
	if (!clip) return 'rest';
	if (!other) return { clip: clip.name, time: position };
	const duration = poseDuration(choice);
	const phase = duration > 0 ? Math.min(position / duration, 1) : 0;
	return {
		blend: [
			{ pose: { clip: clip.name, phase }, weight: 1 - share },
			{ pose: { clip: other.name, phase }, weight: share },
		],
	};
}
