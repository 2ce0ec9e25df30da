// Plays a clip from memory: its period is fetched once, by a link that browsers cache, and asks no more of
// the daemon than from time to time whether the rig is still the same.
import { ConnectionFailed } from '../client/errors.js';
import { Clock } from './clock.js';
import { readPlayback } from './playback.js';

const MOST_FRAMES = 1800; // longer clips are streamed
const LEAST_SPEED = 1 / 8; // slower ones, too
const LOOK_AGAIN_MS = 10000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10000;

/**
 * @typedef {import('./playback.js').Playback} Playback
 * @typedef {import('./playback.js').Frame} Frame
 *
 * @typedef {object} Subject
 * @property {import('../client/posed.js').Client} client
 * @property {any} rig its description
 * @property {any} skinning undefined = the default
 * @property {string} clip @property {Clock['loop']} loop
 * @property {number} speed @property {number} fps @property {number} time seconds
 *
 * @typedef {object} Listener
 * @property {(playback: Playback) => Promise<void>} onPlayback the next frames belong to it
 * @property {(frame: Frame) => void} onFrame
 * @property {() => boolean} hasSkin true if palettes can be shown without another mesh
 * @property {() => void} onOutdated the rig was replaced
 * @property {(error: any, isLost: boolean) => void} onError isLost: the daemon is unreachable and asked
 *   again; otherwise the clip cannot be played from memory
 * @property {() => void} onBack the daemon answers again
 */

/** Frames a second that show a clip at a speed: each of them exact. @param {number} fps @param {number} speed */
function rateOf(fps, speed) {
	const slow = Math.min(Math.abs(speed), 1);
	return Math.min(fps * 2 ** Math.ceil(-Math.log2(slow)), 1000);
}

/** @param {string} clip @param {any} rig */
const clipOf = (clip, rig) => rig.clips.find((/** @type {any} */ { name }) => name === clip);

export class LoopPlayer {
	#on;
	/** @type {?Subject} */
	#subject = null;
	#clock = new Clock();
	/** @type {?Playback} */
	#playback = null;
	/** That the playback is of. @type {?Subject} */
	#loaded = null;
	#shown = -1;
	#isAsleep = false;
	#lookAt = 0;
	#ticks = false;
	#before = 0;
	#runs = 0;

	/** @param {Listener} on */
	constructor(on) {
		this.#on = on;
	}

	/** Ends it, and forgets what was fetched. */
	clear() {
		this.#subject = this.#playback = this.#loaded = null;
	}

	/**
	 * True if a clip can be played from memory.
	 * @param {Pick<Subject, 'rig'> & Pick<Subject, 'clip'> & {speed: number, fps: number}} subject
	 */
	static plays({ rig, clip, speed, fps }) {
		const found = clipOf(clip, rig);
		if (!found || !(found.duration > 0) || !(rig.vertices > 0)) return false;
		if (!(Math.abs(speed) >= LEAST_SPEED && fps > 0)) return false;
		return found.duration * rateOf(fps, speed) <= MOST_FRAMES;
	}

	get isOpen() {
		return this.#subject !== null;
	}

	/** Plays this subject from now on. @param {?Subject} subject null = stops */
	open(subject) {
		this.#subject = subject;
		if (!subject) return;
		const clip = clipOf(subject.clip, subject.rig);
		Object.assign(this.#clock, { duration: clip.duration, loop: subject.loop, speed: subject.speed });
		this.#clock.time = subject.time;
		this.#clock.playing = true;
		this.#shown = -1;
		this.#before = performance.now();
		this.#lookAt = performance.now() + LOOK_AGAIN_MS;
		if (this.#loaded && this.#isSame(this.#loaded, subject)) return this.#tick();
		this.#load(subject, ++this.#runs);
	}

	/** @param {Subject} before @param {Subject} now */
	#isSame(before, now) {
		const keyOf = (/** @type {Subject} */ { rig, skinning, clip, loop, speed, fps }) =>
			JSON.stringify([rig, skinning, clip, loop === 'repeat', rateOf(fps, speed)]);
		return before.client === now.client && keyOf(before) === keyOf(now);
	}

	/** @param {boolean} isSeen nothing moves while it is invisible */
	setSeen(isSeen) {
		const isAsleep = !isSeen || document.hidden;
		if (this.#isAsleep && !isAsleep) this.#before = performance.now();
		this.#isAsleep = isAsleep;
		this.#tick();
	}

	/** @param {Subject} subject */
	#fetch({ client, rig, clip, loop, skinning, fps, speed }) {
		// Only where it starts over is the last moment the first.
		const pose = { clip, loop: loop === 'repeat' ? loop : 'clamp' };
		const request = {
			...{ rig: rig.name, pose, skinning, as: 'playback' },
			...{ rate: rateOf(fps, speed), duration: clipOf(clip, rig).duration },
			...(this.#on.hasSkin() && { mesh: false }),
		};
		return client.bakeLink(request, { content: rig.content });
	}

	/** @param {Subject} subject @param {number} run */
	async #load(subject, run) {
		for (let retryMs = FIRST_RETRY_MS; run === this.#runs && this.#subject === subject; ) {
			try {
				const file = await this.#fetch(subject);
				const playback = await readPlayback(/** @type {ArrayBuffer} */ (file));
				if (this.#subject !== subject) return;
				await this.#on.onPlayback(playback);
				if (this.#subject !== subject) return;
				this.#playback = playback;
				this.#loaded = subject;
				this.#before = performance.now();
				return this.#tick();
			} catch (error) {
				if (this.#subject !== subject) return;
				const isLost = error instanceof ConnectionFailed;
				this.#on.onError(error, isLost);
				if (!isLost) return;
				await new Promise((resolve) => setTimeout(resolve, retryMs));
				retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
			}
		}
	}

	/** Shows the frame that is due, now and in each frame of the browser while the clock runs. */
	#tick() {
		if (!this.#playback || this.#isAsleep || !this.#subject) return;
		this.#show();
		if (performance.now() > this.#lookAt) this.#look(this.#subject);
		if (this.#ticks) return;
		this.#ticks = true;
		const next = () => {
			this.#ticks = false;
			this.#tick();
		};
		if (this.#clock.playing) requestAnimationFrame(next);
		else setTimeout(next, LOOK_AGAIN_MS);
	}

	#show() {
		const now = performance.now();
		this.#clock.advance((now - this.#before) / 1000);
		this.#before = now;
		const playback = /** @type {Playback} */ (this.#playback);
		let index = playback.indexAt(this.#clock.position());
		// The last frame is the first of the next round.
		if (this.#clock.loop === 'repeat' && index === playback.frames - 1) index = 0;
		if (index === this.#shown) return;
		this.#shown = index;
		this.#on.onFrame(playback.frame(index));
	}

	/** Asks whether the rig is still the same. @param {Subject} subject */
	async #look(subject) {
		this.#lookAt = Infinity;
		try {
			const rig = await subject.client.describe(subject.rig.name);
			if (this.#subject !== subject) return;
			this.#on.onBack();
			if (JSON.stringify(rig) !== JSON.stringify(subject.rig)) this.#on.onOutdated();
		} catch (error) {
			// A rig that is deleted stays in sight.
			if (this.#subject === subject && error instanceof ConnectionFailed)
				this.#on.onError(error, true);
		}
		this.#lookAt = performance.now() + LOOK_AGAIN_MS;
	}
}
