// Builds the API's pose expressions from the user's choices.

/**
 * @typedef {{name: string, duration: number, from?: {rig: string, way: string}}} Clip
 *   from: another rig that has the clip, and the operation that adopts it
 *
 * @typedef {{clip: Clip, weight: number, mask: ?Record<string, number>}} Layer
 *   mask: null = it is mixed with the clip below; otherwise it is laid over it as the mask says
 *
 * @typedef {{clip: ?Clip, weight: number, layers: Layer[], fade: ?number, turned: ?object,
 *   held: ?{solver: string, goals: object[]}}} PoseChoice
 *   clip: null = the rest pose, with which others may be mixed or over which they are laid; fade: seconds of
 *   the transition between clips played in sequence; null = they are mixed; turned: joints set by
 *   hand, as in "set"; null = none; held: joints moved to goals by "ccd" or another solver; null = none
 */

/** The expression of a clip. @param {Clip} clip @param {{time?: number, phase?: number}} [moment] */
function clipOf({ name, from }, moment) {
	const clip = { clip: name, ...moment };
	return from ? { [from.way]: clip, rig: from.rig } : clip;
}

/** The clips to average: the first, and those mixed with it. @param {PoseChoice} choice */
function mixed({ clip, weight, layers }) {
	const parts = [{ clip, weight }, ...layers.filter(({ mask }) => !mask)];
	const heard = parts.filter((part) => part.weight > 0);
	return heard.length > 0 ? heard : parts.slice(0, 1);
}

/** True if clips are played in sequence. @param {PoseChoice} choice */
const isList = ({ fade, layers }) => fade !== null && layers.some(({ mask }) => !mask);

/** The clips of the sequence: each fades in over the end of the previous one. @param {PoseChoice} choice */
function listed({ clip, layers, fade }) {
	let start = 0;
	return [{ clip }, ...layers.filter(({ mask }) => !mask)].map(({ clip }) => {
		const entry = { clip, start };
		start += Math.max((clip?.duration ?? 0) - fade, 0);
		return entry;
	});
}

/** The clips laid over that on some joints. @param {PoseChoice} choice */
const laidOver = ({ layers }) => layers.filter(({ mask, weight }) => mask && weight > 0);

/**
 * The pose's duration in seconds: the weighted mean of mixed clips. Over the rest pose it is the
 * longest of the clips laid over it.
 * @param {PoseChoice} choice
 */
export function poseDuration(choice) {
	if (isList(choice)) {
		const { clip, start } = listed(choice).at(-1);
		return start + (clip?.duration ?? 0);
	}
	const parts = mixed(choice).filter(({ clip }) => clip);
	if (parts.length === 0) return Math.max(0, ...laidOver(choice).map(({ clip }) => clip.duration));
	if (parts.length === 1) return parts[0].clip.duration;
	const total = parts.reduce((sum, { weight }) => sum + weight, 0);
	return parts.reduce((sum, { clip, weight }) => sum + clip.duration * weight, 0) / total;
}

/**
 * The expression for one moment. Clips that are mixed or laid over run in step: at the same
 * phase.
 * @param {PoseChoice} choice
 * @param {number} position seconds, up to the duration
 * @param {(clip: Clip, time: number) => any} [substitute] an expression in place of a clip at its time, or null
 */
export function poseAt(choice, position, substitute = () => null) {
	const duration = poseDuration(choice);
	const phase = duration > 0 ? Math.min(position / duration, 1) : 0;
	return poseOf(choice, {
		alone: (clip) => substitute(clip, position) ?? clipOf(clip, { time: position }),
		inStep: (clip) => substitute(clip, phase * clip.duration) ?? clipOf(clip, { phase }),
		listed: (clip, start) => substitute(clip, position - start) ?? clipOf(clip),
		moment: { time: position },
	});
}

/**
 * The position at which the choice's clip is at a time of its own.
 * @param {PoseChoice} choice @param {number} time seconds
 */
export function positionAt(choice, time) {
	const { clip } = choice;
	if (isList(choice) || mixed(choice).length === 1) return time;
	return clip.duration > 0 ? (time / clip.duration) * poseDuration(choice) : 0;
}

/**
 * The same for a stream, whose clock gives the position.
 * @param {PoseChoice} choice
 */
export function runningPose(choice) {
	const whole = poseDuration(choice);
	return poseOf(choice, {
		alone: (clip) => clipOf(clip),
		inStep: (clip) => ({
			scale_time: clipOf(clip),
			factor: whole > 0 ? clip.duration / whole : 0,
		}),
		listed: (clip) => clipOf(clip),
		moment: {},
	});
}

/**
 * The expressions of clips.
 * @typedef {object} Expressions
 * @property {(clip: Clip) => any} alone of a clip that runs in its own time
 * @property {(clip: Clip) => any} inStep of a clip in step with others
 * @property {(clip: Clip, start: number) => any} listed of a clip in a sequence
 * @property {{time?: number}} moment of the sequence
 */

/** @param {PoseChoice} choice @param {Expressions} expressions */
function poseOf(choice, expressions) {
	const base = isList(choice) ? playlistOf(choice, expressions) : mixedOf(choice, expressions);
	const played = layersOf(choice, base, expressions.inStep);
	const turned = choice.turned ? { set: played, joints: choice.turned } : played;
	return choice.held ? { [choice.held.solver]: turned, goals: choice.held.goals } : turned;
}

/** @param {PoseChoice} choice @param {Expressions} expressions */
function playlistOf(choice, { listed: entry, moment }) {
	const playlist = listed(choice).map(({ clip, start }, i) => ({
		pose: clip ? entry(clip, start) : 'rest',
		start,
		...(i > 0 && choice.fade > 0 && { fade: choice.fade }),
	}));
	return { playlist, ...moment };
}

/** @param {PoseChoice} choice @param {Expressions} expressions */
function mixedOf(choice, { alone, inStep }) {
	const parts = mixed(choice);
	const poseOfClip = parts.length === 1 ? alone : inStep;
	const poses = parts.map(({ clip, weight }) => ({
		pose: clip ? poseOfClip(clip) : 'rest',
		weight,
	}));
	return poses.length === 1 ? poses[0].pose : { blend: poses };
}

/** @param {PoseChoice} choice @param {any} base an expression @param {(clip: Clip) => any} inStep */
function layersOf(choice, base, inStep) {
	const over = laidOver(choice);
	if (over.length === 0) return base;
	const laid = over.map(({ clip, mask, weight }) => ({ pose: inStep(clip), mask, weight }));
	return { layers: [base, ...laid] };
}
