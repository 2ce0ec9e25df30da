// Marks behind the scrub bar: seconds, the clip's keys, the looped range, and the findings of a check.
import { byId } from './dom.js';

const MOST_KEY_BYTES = 2e6; // the keys of larger clips are not loaded
const EDGE = 8; // pixels: half the bar's thumb
const LEAST_APART = 44; // pixels between two labelled seconds
/** Findings by level: the worse, the taller, and drawn later. */
const FINDINGS = [
	{ level: 'note', colour: '#7d8590', height: 9 },
	{ level: 'warning', colour: '#c98500', height: 13 },
	{ level: 'error', colour: '#d93025', height: 18 },
];
const FINDING_WIDTH = 3;
const STEPS_S = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300];

export class Timeline {
	#client;
	#canvas = byId('marks');
	/** @type {number[]} shares of the clip */
	#keys = [];
	/** The clip that the keys belong to. */
	#clip = '';
	/** The name and the seconds of the clip; null = none of the rig. @type {?{name: string, duration: number}} */
	#shown = null;
	/** @type {import('../client/posed.js').CheckFinding[]} of all clips */
	#findings = [];
	#drawn = '';

	/** @param {import('../client/posed.js').Client} client */
	constructor(client) {
		this.#client = client;
	}

	/** Shows the keys of a clip. @param {any} rig a description @param {?{name: string}} clip null = none */
	async setClip(rig, clip) {
		const name = clip ? `${rig.content} ${clip.name}` : '';
		if (name === this.#clip) return;
		this.#clip = name;
		this.#keys = [];
		const found = clip && rig.clips.find((other) => other.name === clip.name);
		this.#shown = found ?? null;
		if (!found || found.bytes > MOST_KEY_BYTES) return;
		const { channels } = await this.#client.clip(rig.name, clip.name);
		if (name !== this.#clip) return;
		this.#keys = [...new Set(channels.flatMap(({ times }) => times))].map(
			(time) => time / found.duration,
		);
		this.#drawn = '';
	}

	/** Marks findings while their clips are shown. @param {import('../client/posed.js').CheckFinding[]} findings */
	setFindings(findings) {
		this.#findings = findings.filter(({ time }) => time !== undefined);
		this.#drawn = '';
	}

	/** @param {import('../element/clock.js').Clock} clock */
	draw({ duration, range }) {
		const { clientWidth: width, clientHeight: height } = this.#canvas;
		const { color } = getComputedStyle(this.#canvas);
		const state = JSON.stringify([
			width,
			height,
			devicePixelRatio,
			color,
			duration,
			range,
			this.#clip,
			this.#keys.length,
		]);
		if (state === this.#drawn) return;
		this.#drawn = state;
		this.#canvas.width = Math.round(width * devicePixelRatio);
		this.#canvas.height = Math.round(height * devicePixelRatio);
		if (!(duration > 0)) return;
		const context = this.#canvas.getContext('2d');
		context.scale(devicePixelRatio, devicePixelRatio);
		context.fillStyle = color;
		const x = (time) => EDGE + (time / duration) * (width - 2 * EDGE);
		if (range) {
			context.globalAlpha = 0.25;
			context.fillRect(x(range[0]), 0, x(range[1]) - x(range[0]), height);
		}
		context.globalAlpha = 0.45;
		for (const share of this.#keys)
			context.fillRect(Math.round(x(share * duration)), height - 5, 1, 5);
		context.globalAlpha = 1;
		this.#drawFindings(context, (share) => x(share * duration), height);
		context.fillStyle = color;
		this.#drawSeconds(context, x, duration, (width - 2 * EDGE) / duration);
	}

	/** @param {CanvasRenderingContext2D} context @param {(share: number) => number} x @param {number} height */
	#drawFindings(context, x, height) {
		const { name, duration } = this.#shown ?? {};
		for (const { level, colour, height: tall } of FINDINGS) {
			context.fillStyle = colour;
			for (const finding of this.#findings) {
				if (finding.clip !== name || finding.level !== level) continue;
				const left = Math.round(x(finding.time / duration)) - (FINDING_WIDTH - 1) / 2;
				context.fillRect(left, height - tall, FINDING_WIDTH, tall);
			}
		}
	}

	/** @param {CanvasRenderingContext2D} context @param {(time: number) => number} x @param {number} duration @param {number} scale pixels a second */
	#drawSeconds(context, x, duration, scale) {
		const step = STEPS_S.find((seconds) => seconds * scale >= LEAST_APART) ?? 600;
		context.font = '10px system-ui, sans-serif';
		context.textBaseline = 'top';
		for (let i = 0; i * step <= duration; i++) {
			context.textAlign = i === 0 ? 'left' : x(i * step) + 14 > x(duration) ? 'right' : 'center';
			context.fillText(String(Number((i * step).toFixed(1))), x(i * step), 0);
			context.fillRect(Math.round(x(i * step)), 12, 1, 5);
		}
	}
}
