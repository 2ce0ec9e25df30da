// Connection slots for the streams of this page. A browser opens six connections to a host for all its pages
// together; further requests wait until one ends, and a stream does not end. So a page holds at most four
// streams, and viewers without a slot fetch single moments in turn.

const MOST = 4;
const WANTED_MS = 1000; // moving viewers without a slot ask more often than that

class ConnectionSlots {
	#taken = 0;
	/** The time when a moving viewer last found no slot. */
	#wantedAt = -Infinity;
	/** The end of the queue of turns. @type {Promise<unknown>} */
	#last = Promise.resolve();

	/** True while a moving viewer has no slot. */
	get isWanted() {
		return performance.now() - this.#wantedAt < WANTED_MS;
	}

	/**
	 * Takes a slot until give(), if one is free; moving viewers come first.
	 * @param {boolean} moves true for a moving viewer
	 */
	take(moves) {
		const isFree = this.#taken < MOST && (moves || !this.isWanted);
		if (isFree) this.#taken++;
		if (moves) this.#wantedAt = isFree ? -Infinity : performance.now();
		return isFree;
	}

	give() {
		this.#taken--;
	}

	/** Runs work that needs a connection for a short time, one after another. @param {() => Promise<void>} work */
	inTurn(work) {
		const done = this.#last.then(work);
		this.#last = done.catch(() => {}); // its caller handles the error
		return done;
	}
}

/** Shared by all viewers on this page. */
export const slots = new ConnectionSlots();
