// Pose expressions of the API, made of what is chosen.

/**
 * @typedef {{name: string, duration: number}} Clip
 *
 * @typedef {{clip: Clip, weight: number, mask: ?Record<string, number>}} Layer
 *   mask: null = it is mixed with the clip below; else it is laid over it where the mask says so
 *
 * @typedef {{clip: ?Clip, weight: number, layers: Layer[], turned: ?object,
 *   held: ?{solver: string, goals: object[]}}} PoseChoice
 *   clip: null = the rest pose, which others may be mixed with or laid over, too; turned: joints set by hand, as "set" has them; null = none;
 *   held: joints brought to goals by "ccd" or its like; null = none
 */

/** What is averaged: the clip, and those with it. @param {PoseChoice} choice */
function mixed({ clip, weight, layers }) {
	const parts = [{ clip, weight }, ...layers.filter(({ mask }) => !mask)];
	const heard = parts.filter((part) => part.weight > 0);
	return heard.length > 0 ? heard : parts.slice(0, 1);
}

/** What is laid over that on some joints. @param {PoseChoice} choice */
const laidOver = ({ layers }) => layers.filter(({ mask, weight }) => mask && weight > 0);

/**
 * Seconds that the pose takes: clips that are mixed meet in the middle. Over the rest pose it is the
 * longest of what is laid over it.
 * @param {PoseChoice} choice
 */
export function poseDuration(choice) {
	const parts = mixed(choice).filter(({ clip }) => clip);
	if (parts.length === 0) return Math.max(0, ...laidOver(choice).map(({ clip }) => clip.duration));
	if (parts.length === 1) return parts[0].clip.duration;
	const total = parts.reduce((sum, { weight }) => sum + weight, 0);
	return parts.reduce((sum, { clip, weight }) => sum + clip.duration * weight, 0) / total;
}

/**
 * The expression for one moment. Clips that are mixed or laid over run in step: at the same share of
 * each.
 * @param {PoseChoice} choice
 * @param {number} position seconds, up to the duration
 */
export function poseAt(choice, position) {
	const duration = poseDuration(choice);
	const phase = duration > 0 ? Math.min(position / duration, 1) : 0;
	return poseOf(
		choice,
		({ name }) => ({ clip: name, time: position }),
		({ name }) => ({ clip: name, phase }),
	);
}

/**
 * The same for a stream, whose clock says the position.
 * @param {PoseChoice} choice
 */
export function runningPose(choice) {
	const whole = poseDuration(choice);
	return poseOf(
		choice,
		({ name }) => ({ clip: name }),
		({ name, duration }) => ({
			scale_time: { clip: name },
			factor: whole > 0 ? duration / whole : 0,
		}),
	);
}

/**
 * @param {PoseChoice} choice
 * @param {(clip: Clip) => any} alone the expression of a clip that goes by its own time
 * @param {(clip: Clip) => any} inStep that goes along with others
 */
function poseOf(choice, alone, inStep) {
	const played = playedOf(choice, alone, inStep);
	const turned = choice.turned ? { set: played, joints: choice.turned } : played;
	return choice.held ? { [choice.held.solver]: turned, goals: choice.held.goals } : turned;
}

/** @param {PoseChoice} choice @param {(clip: Clip) => any} alone @param {(clip: Clip) => any} inStep */
function playedOf(choice, alone, inStep) {
	const parts = mixed(choice);
	const poseOfClip = parts.length === 1 ? alone : inStep;
	const poses = parts.map(({ clip, weight }) => ({
		pose: clip ? poseOfClip(clip) : 'rest',
		weight,
	}));
	const base = poses.length === 1 ? poses[0].pose : { blend: poses };
	const over = laidOver(choice);
	if (over.length === 0) return base;
	const laid = over.map(({ clip, mask, weight }) => ({ pose: inStep(clip), mask, weight }));
	return { layers: [base, ...laid] };
}
