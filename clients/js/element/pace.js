// How many frames a second somebody can take: fewer where what comes is seen later and later, since it
// piles up on the way, and more again when it does not.

const WINDOW_S = 1; // that is looked at before something changes
const LATE_S = 0.25;
const IN_TIME_S = 0.05;
const LEAST_FPS = 4;
const SLOWER = 0.6;
const FASTER = 1.25;
const WINDOWS_IN_TIME = 5; // before it is tried faster
const DRIFT = 2e-4; // seconds a second by which two clocks may differ

export class Pace {
	#wanted;
	/** Frames a second that are to come. */
	fps;
	/** Between the daemon's clock and ours, as the frame that was quickest had it. */
	#offset = Infinity;
	#last = 0;
	/** The frame that was least late in this window, seconds. */
	#least = Infinity;
	#windowEnds = 0;
	#windowsInTime = 0;

	/** @param {number} fps that are wanted, and asked for to begin with */
	constructor(fps) {
		this.#wanted = this.fps = fps;
	}

	/** What comes from here on is of another stream. */
	restart() {
		this.#offset = Infinity;
		this.#last = this.#windowEnds = 0;
		this.#least = Infinity;
	}

	/**
	 * A frame has come.
	 * @param {number} since seconds of the daemon's clock when it was made
	 * @param {number} now seconds of ours
	 * @returns {boolean} whether `fps` is another from here on
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
		// What is on the way when it changes still is as it was.
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
