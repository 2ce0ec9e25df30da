// The playback clock: a running time and the position in the clip that it maps to.

/** @param {number} a @param {number} b more than 0 */
const modulo = (a, b) => a - b * Math.floor(a / b);

export class Clock {
	/** Seconds, running on past the clip's end. */
	time = 0;
	/** Seconds; 0 = there is nothing to play. */
	duration = 0;
	/** Negative plays backwards. */
	speed = 1;
	/** @type {'repeat' | 'ping_pong' | 'clamp'} */
	loop = 'repeat';
	playing = false;
	/** @type {?[number, number]} seconds of the range that is looped; null = the whole clip */
	range = null;
	/** A time that was sought and is shown as it is, even outside of the range. */
	#sought = NaN;

	/** The times that it loops between. @type {[number, number]} */
	get ends() {
		return this.range ?? [0, this.duration];
	}

	/** True when playback has reached its end. */
	get #isOver() {
		const [start, end] = this.ends;
		return this.loop === 'clamp' && (this.speed < 0 ? this.time <= start : this.time >= end);
	}

	/** @param {number} seconds of wall-clock time that have passed */
	advance(seconds) {
		if (this.playing) this.follow(this.time + seconds * this.speed);
	}

	/** Follows another clock. @param {number} time */
	follow(time) {
		this.time = time;
		if (!this.#isOver) return;
		this.time = this.position();
		this.playing = false;
	}

	play() {
		const [start, end] = this.ends;
		if (this.#isOver) this.time = this.speed < 0 ? end : start;
		this.playing = this.duration > 0;
	}

	/** @param {number} position seconds from the clip's start */
	seek(position) {
		this.time = Math.min(Math.max(position, 0), this.duration);
		this.#sought = this.time;
	}

	/** Changes the clip's length and keeps the relative position. @param {number} duration */
	setDuration(duration) {
		const phase = this.duration > 0 ? this.position() / this.duration : 0;
		this.duration = duration;
		this.time = phase * duration;
		this.#sought = this.time;
		this.range = null;
		this.playing &&= duration > 0;
	}

	/** The position in the clip at a time. */
	position(time = this.time) {
		if (!(this.duration > 0)) return 0;
		if (time === this.#sought) return time;
		const [start, end] = this.ends;
		if (this.loop === 'clamp') return Math.min(Math.max(time, start), end);
		const length = end - start;
		if (this.loop === 'repeat') return start + modulo(time - start, length);
		return end - Math.abs(modulo(time - start, 2 * length) - length);
	}
}
