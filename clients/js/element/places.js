// The connections that this page keeps open. A browser has six to a host, for all its pages together;
// what goes beyond waits until one ends, which a stream does not. So a page keeps four streams at most,
// and whoever finds no place looks at one moment after another, in turn with the others.

const MOST = 4;
const WANTED_MS = 1000; // those who move and have no place ask more often than that

class Places {
	#taken = 0;
	/** When somebody who moves has found no place. */
	#wantedAt = -Infinity;
	/** Of the turns so far. @type {Promise<unknown>} */
	#last = Promise.resolve();

	/** Whether somebody who moves has no place. */
	get isWanted() {
		return performance.now() - this.#wantedAt < WANTED_MS;
	}

	/**
	 * Takes a place until give(), if there is one; those who move come before the others.
	 * @param {boolean} moves whoever wants it
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

	/** Does what takes a connection for a moment, one after another. @param {() => Promise<void>} work */
	inTurn(work) {
		const done = this.#last.then(work);
		this.#last = done.catch(() => {}); // whose own it is
		return done;
	}
}

/** Of all that streams on this page: connections are the page's. */
export const places = new Places();
