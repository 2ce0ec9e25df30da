// Adapts the frame rate of a stream to what this client can receive: it falls while frames arrive later and
// later, since they queue up on the way, and rises again when they are on time.

const WINDOW_S = 1; // of observation before each decision
const LATE_S = 0.25;
const IN_TIME_S = 0.05;
const LEAST_FPS = 4;
const SLOWER = 0.6;
const FASTER = 1.25;
const WINDOWS_IN_TIME = 5; // before the rate rises
const DRIFT = 2e-4; // seconds per second by which two clocks may differ

export class FrameRate {
	#wanted;
	/** The frames per second to request. */
	fps;
	/** Offset between the daemon's clock and ours, from the fastest frame. */
	#offset = Infinity;
	#last = 0;
	/** Delay of the fastest frame in this window, seconds. */
	#least = Infinity;
	#windowEnds = 0;
	#windowsInTime = 0;

	/** @param {number} fps the target, which is also the initial rate */
	constructor(fps) {
		this.#wanted = this.fps = fps;
	}

	/** Begins to observe another stream. */
	restart() {
		this.#offset = Infinity;
		this.#last = this.#windowEnds = 0;
		this.#least = Infinity;
	}

	/**
	 * Notes the arrival of a frame.
	 * @param {number} since the daemon's clock in seconds when it made the frame
	 * @param {number} now our clock in seconds
	 * @returns {boolean} true if `fps` has changed
	 */
	note(since, now) {
		this.#offset = Math.min(this.#offset + (now - this.#last) * DRIFT, now - since);
		this.#last = now;
		this.#windowEnds ||= now + WINDOW_S;
		this.#least = Math.min(this.#least, now - since - this.#offset);
		if (now < this.#windowEnds) return false;
		const before = this.fps;
		const late = this.#least;
		this.#judge(late);
		// Frames that are already in transit still have the old rate.
		this.#windowEnds = now + WINDOW_S + (this.fps === before ? 0 : late);
		this.#least = Infinity;
		return this.fps !== before;
	}

	/** @param {number} late */
	#judge(late) {
		this.#windowsInTime = late < IN_TIME_S ? this.#windowsInTime + 1 : 0;
		if (late > LATE_S) {
			this.fps = Math.max(this.fps * SLOWER, Math.min(LEAST_FPS, this.#wanted));
		} else if (this.#windowsInTime === WINDOWS_IN_TIME) {
			this.#windowsInTime = 0;
			this.fps = Math.min(this.fps * FASTER, this.#wanted);
		}
	}
}
