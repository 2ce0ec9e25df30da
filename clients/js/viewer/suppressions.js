// Findings that are to be suppressed, with reasons, and the rules file that says so.

/** @typedef {import('../client/posed.js').CheckFinding} Finding */
/** @typedef {{rule: string, file: string, clip?: string, joint?: string, material?: string, reason: string}} Suppression */

const VERSION = 1;
const PLACE = ['clip', 'joint', 'material'];

export class Suppressions {
	/** @type {Suppression[]} */
	#rows = [];

	get isEmpty() {
		return this.#rows.length === 0;
	}

	/** Whatever a row covers has the same rule, clip, joint and material. @param {Suppression} row @param {Finding} finding */
	covers(row, finding) {
		return ['rule', ...PLACE].every((name) => row[name] === finding[name]);
	}

	/** True if a row of ours covers it. @param {Finding} finding */
	has(finding) {
		return this.#rows.some((row) => this.covers(row, finding));
	}

	/** @param {Finding} finding @param {string} rig @param {string} reason */
	add(finding, rig, reason) {
		const place = PLACE.filter((name) => finding[name] !== undefined);
		const row = {
			rule: finding.rule,
			file: `*${rig}*`, // the rig of a daemon, and the files of that name
			...Object.fromEntries(place.map((name) => [name, finding[name]])),
			reason,
		};
		this.#rows.push(row);
		return row;
	}

	/** Removes the rows that cover a finding, and returns them. @param {Finding} finding */
	remove(finding) {
		const removed = this.#rows.filter((row) => this.covers(row, finding));
		this.#rows = this.#rows.filter((row) => !removed.includes(row));
		return removed;
	}

	/** The rules file. @param {string} profile */
	file(profile) {
		return { version: VERSION, extends: profile, suppress: this.#rows };
	}

	/** The member of a request for a check. @param {string} profile */
	profile(profile) {
		return this.isEmpty ? profile : this.file(profile);
	}
}
