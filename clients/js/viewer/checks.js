// The panel of checks: runs a check of the shown rig, lists its findings, and collects those that are to
// be suppressed.
import { askReason } from './dialogs.js';
import { byId, fillSelect } from './dom.js';
import { save } from './downloads.js';
import { FindingList } from './finding_list.js';
import { contentOf } from './rig.js';
import { Suppressions } from './suppressions.js';
import { Versions } from './versions.js';

/** @typedef {import('../client/posed.js').CheckFinding} Finding */

const STANDARD = 'game';
const RULES_FILE = 'checks.json';

const OF_VERSIONS = /^(diff|picture)\//; // rules

const counted = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;

/** "1 error, 0 warnings, 2 notes, 1 suppressed" @param {Finding[]} findings @param {number} unlisted */
function summaryOf(findings, unlisted) {
	const heard = findings.filter(({ suppressed }) => !suppressed);
	const levels = ['error', 'warning', 'note'].map((level) =>
		counted(heard.filter((finding) => finding.level === level).length, level),
	);
	const silent = findings.length - heard.length;
	return [
		...levels,
		...(silent > 0 ? [`${silent} suppressed`] : []),
		...(unlisted > 0 ? [`${unlisted} more that are not listed`] : []),
	].join(', ');
}

export class Checks {
	#client;
	#on;
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	/** The rig and the content that the findings belong to. */
	#key = '';
	/** @type {Finding[]} */
	#findings = [];
	/** Findings that the report counts and does not list. */
	#unlisted = 0;
	/** @type {?AbortController} of the check that runs; null = none */
	#running = null;
	#suppressions = new Suppressions();
	#list;
	#versions;

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {object} on
	 * @param {(finding: Finding) => void} on.onShow a finding is chosen
	 * @param {() => void} on.onLeave none is chosen any more
	 * @param {(findings: Finding[]) => void} on.onFindings those that count
	 * @param {() => void} on.onVersion another earlier version is to be shown, or none
	 * @param {(text: string) => void} on.onStatus
	 * @param {(error: Error) => void} on.onError
	 */
	constructor(client, on) {
		this.#client = client;
		this.#on = on;
		this.#list = new FindingList({
			onChoose: (finding) => {
				if (OF_VERSIONS.test(finding.rule)) this.#versions.open();
				on.onShow(finding);
			},
			onSuppress: (finding) => this.#suppress(finding),
			onRestore: (finding) => this.#restore(finding),
			isOurs: (finding) => this.#suppressions.has(finding),
		});
		this.#versions = new Versions(on.onVersion);
		byId('check').addEventListener('submit', (event) => {
			event.preventDefault();
			if (this.#running) this.#stop();
			else this.#run();
		});
		byId('check-rules').addEventListener('click', () => this.#download());
	}

	/** @param {string[]} names of the daemon's profiles */
	setProfiles(names) {
		fillSelect(
			byId('check-profile'),
			names.map((name) => [name, name]),
		);
		byId('check-profile').value = STANDARD;
	}

	/** @param {{name: string, vertices: number}[]} rigs that may be earlier versions */
	setRigs(rigs) {
		this.#versions.setRigs(rigs);
	}

	/** The rig to be shown as an earlier version. @returns {?string} null = none */
	get version() {
		return this.#versions.shown;
	}

	/** Shows no earlier version any more. */
	leaveVersion() {
		this.#versions.close();
	}

	/** Findings of another rig, or of earlier content, are dropped. @param {any} rig a description; null = none */
	show(rig) {
		const key = rig ? `${rig.name} ${contentOf(rig)}` : '';
		this.#rig = rig;
		if (key === this.#key) return;
		this.#key = key;
		this.#versions.show(rig?.name ?? null);
		this.#stop();
		byId('check-summary').textContent = '';
		this.#take([], 0, []);
	}

	/** Leaves a finding of another clip than the one that is shown now. @param {?string} clip its name */
	setClip(clip) {
		const { chosen } = this.#list;
		if (!chosen?.clip || chosen.clip === clip) return;
		this.#list.choose(null);
		this.#on.onLeave();
	}

	/** Goes to the next finding, or to the one before. @param {1 | -1} way */
	step(way) {
		this.#list.step(way);
	}

	/** @param {Finding[]} findings @param {number} unlisted @param {string[]} notCovered what was not checked */
	#take(findings, unlisted, notCovered) {
		byId('check-rest').textContent =
			notCovered.length > 0 ? `Not checked: ${notCovered.join(', ')}` : '';
		this.#findings = findings;
		this.#unlisted = unlisted;
		this.#list.choose(null);
		this.#on.onLeave();
		this.#refresh();
	}

	#refresh() {
		this.#list.show(this.#findings);
		this.#on.onFindings(this.#findings.filter(({ suppressed }) => !suppressed));
		byId('check-rules').hidden = this.#suppressions.isEmpty;
	}

	async #run() {
		const running = new AbortController();
		const { name } = this.#rig;
		const profile = this.#suppressions.profile(byId('check-profile').value);
		this.#running = running;
		this.#take([], 0, []);
		this.#showProgress(0);
		byId('check-summary').textContent = `Checking “${name}” …`;
		try {
			const { signal } = running;
			const request = { rig: name, profile, ...this.#against() };
			await this.#read(this.#client.checkEvents(request, { signal }), running);
			byId('check-summary').textContent = summaryOf(this.#findings, this.#unlisted);
		} catch (error) {
			if (this.#running !== running) return; // it was stopped
			byId('check-summary').textContent = 'The check failed.';
			this.#on.onError(error);
		}
		this.#running = null;
		this.#showProgress(null);
	}

	/** Pictures of both versions are compared where those of findings are wanted. */
	#against() {
		const rig = this.#versions.chosen;
		return rig ? { against: { rig }, evidence: 'pictures' } : {};
	}

	/** @param {AsyncIterable<any>} events @param {AbortController} running */
	async #read(events, running) {
		const findings = [];
		for await (const { event, ...about } of events) {
			if (this.#running !== running) return;
			if (event === 'clip') this.#showProgress(about.done / about.of);
			if (event === 'finding') findings.push(about);
			if (event === 'file') {
				const unlisted = about.more.reduce((sum, { count }) => sum + count, 0);
				this.#take(findings, unlisted, about.not_covered);
			}
		}
	}

	#stop() {
		if (!this.#running) return;
		const running = this.#running;
		this.#running = null;
		running.abort();
		this.#showProgress(null);
		byId('check-summary').textContent = 'The check was stopped.';
	}

	/** @param {?number} share null = none runs */
	#showProgress(share) {
		byId('check-progress').hidden = share === null;
		byId('check-progress').value = share ?? 0;
		byId('check-run').textContent = share === null ? 'Run' : 'Stop';
	}

	/** @param {Finding} finding */
	async #suppress(finding) {
		const reason = await askReason(`Suppress “${finding.message}”?`);
		if (!reason || !this.#findings.includes(finding)) return;
		const row = this.#suppressions.add(finding, this.#rig.name, reason);
		for (const other of this.#findings) {
			if (this.#suppressions.covers(row, other)) other.suppressed ??= reason;
		}
		this.#showChange();
	}

	/** Takes a suppression back. @param {Finding} finding */
	#restore(finding) {
		for (const row of this.#suppressions.remove(finding)) {
			for (const other of this.#findings) {
				if (this.#suppressions.covers(row, other)) delete other.suppressed;
			}
		}
		this.#showChange();
	}

	#showChange() {
		this.#refresh();
		this.#list.focusChosen();
		byId('check-summary').textContent = summaryOf(this.#findings, this.#unlisted);
	}

	#download() {
		const file = this.#suppressions.file(byId('check-profile').value);
		const text = JSON.stringify(file, null, 2) + '\n';
		save(new Blob([text], { type: 'application/json' }), RULES_FILE);
		this.#on.onStatus(`“${RULES_FILE}” is downloaded: pose check --rules ${RULES_FILE}`);
	}
}
