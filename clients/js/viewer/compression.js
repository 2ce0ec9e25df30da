// The panel of compression: what the current clip takes within a tolerance, and how far off it is then.
import { decodedClip } from './beside.js';
import { ClipCompressor } from './clip_compressor.js';
import { byId, count, lengthText, setBusy } from './dom.js';
import { DecodedClip } from './decoded_clip.js';
import { save } from './downloads.js';
import { contentOf } from './rig.js';
import { fileOf } from './snippets.js';
import { Tolerance } from './tolerance.js';

/** @typedef {import('./pose.js').Clip} Clip */

const CHOICES = ['codec', 'segment', 'compress-colours'];
const NO_CLIP = 'Choose a clip: the rest pose has nothing to compress.';
const OTHER_CLIP = 'This clip belongs to another rig: open that rig to compress it.';

/** @param {number} bytes */
const exactBytes = (bytes) => `${count(bytes)} B`;

/** "6.7 %, 1 : 14.9" @param {number} bytes @param {number} raw */
function ratioText(bytes, raw) {
	const percent = ((100 * bytes) / raw).toPrecision(3);
	return `${Number(percent)} %, 1 : ${Number((raw / bytes).toPrecision(3))}`;
}

/** @param {number} metres */
const millimetres = (metres) => String(Number((1000 * metres).toPrecision(6)));

/** Sets a menu; throws if it has no such choice. @param {string} id @param {string} value */
function choose(id, value) {
	if (![...byId(id).options].some((option) => option.value === value))
		throw new RangeError(`there is no ${id} ${value}`);
	byId(id).value = value;
}

export class Compression {
	#on;
	#tolerance;
	#compressor;
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	/** The rig and its content, as text. */
	#key = '';
	/** @type {?Clip} null = the rest pose */
	#clip = null;
	#isOpen = false;
	/** @type {?DecodedClip} null = none is shown */
	#decoded = null;
	/** @type {?ReturnType<typeof decodedClip>} as it was told last */
	#beside = null;
	/** @type {?{joint?: string, time: number}} the worst moment of the report */
	#worst = null;

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {object} on
	 * @param {() => void} on.onBeside another figure is to be shown beside the rig, or none
	 * @param {(moment: {joint?: string, time: number}) => void} on.onWorst the moment of the greatest error is chosen
	 * @param {(call: import('./snippets.js').Call) => void} on.onCopy
	 * @param {(text: string) => void} on.onStatus
	 * @param {(error: Error) => void} on.onError of the download
	 */
	constructor(client, on) {
		this.#on = on;
		this.#tolerance = new Tolerance(() => this.#update());
		this.#compressor = new ClipCompressor(client, {
			onBegin: () => this.#say('Compressing …', true),
			onEncoded: () => this.#say('Measuring the error …', true),
			onReport: (report) => this.#showReport(report),
			onFile: (file) => this.#take(file),
			onDone: () => this.#say('', false),
			onError: (error) => this.#fail(error),
		});
		for (const id of ['codec', 'segment', 'compress-beside'])
			byId(id).addEventListener('change', () => this.#update());
		byId('compress-shell').addEventListener('input', () => this.#update());
		byId('compress-colours').addEventListener('change', () => this.#tell());
		byId('compress-worst').addEventListener('click', () => on.onWorst(this.#worst));
		byId('compress-copy').addEventListener('click', () =>
			on.onCopy(this.#call()),
		);
		byId('compress-download').addEventListener('click', () => this.#download().catch(on.onError));
	}

	/** The decoded clip to be shown beside the rig; null = none. */
	get beside() {
		return this.#beside;
	}

	/** @param {any} rig a description; null = none */
	show(rig) {
		const key = rig ? `${rig.name} ${contentOf(rig)}` : '';
		const isSame = key === this.#key;
		this.#rig = rig;
		this.#key = key;
		if (isSame) return;
		byId('compress-beside').checked = false;
		byId('compress-shell').value = byId('compress-shell').placeholder = '';
		if (rig) this.#tolerance.show(rig);
		this.setClip(null);
	}

	/** @param {?Clip} clip null = the rest pose */
	setClip(clip) {
		const isSame = clip?.name === this.#clip?.name && clip?.from?.rig === this.#clip?.from?.rig;
		this.#clip = clip;
		if (!isSame || !clip) {
			this.#compressor.forget();
			this.#clear();
		}
		this.#update();
	}

	/** Compresses only while the numbers are seen, or the decoded clip. @param {boolean} isOpen */
	setOpen(isOpen) {
		this.#isOpen = isOpen;
		this.#update();
	}

	/** Shows no decoded clip any more. */
	leave() {
		if (!byId('compress-beside').checked) return;
		byId('compress-beside').checked = false;
		this.#update();
	}

	/** The state for a link. */
	state() {
		return {
			tolerance: this.#tolerance.value,
			shell: this.#shell,
			beside: byId('compress-beside').checked,
			...Object.fromEntries(CHOICES.map((id) => [id, byId(id).value])),
		};
	}

	/** @param {ReturnType<Compression['state']>} state */
	restore({ tolerance, shell = null, beside, ...choices }) {
		this.#tolerance.restore(tolerance);
		byId('compress-shell').value = shell > 0 ? millimetres(shell) : '';
		for (const id of CHOICES) choose(id, choices[id]);
		byId('compress-beside').checked = beside === true;
		this.#update();
	}

	/** The clip if the rig has it itself. */
	get #own() {
		return this.#rig && this.#clip && !this.#clip.from ? this.#clip : null;
	}

	/** Metres from joints at which the error is measured. @returns {?number} null = as the daemon has it for the rig */
	get #shell() {
		const entered = Number(byId('compress-shell').value);
		return entered > 0 ? entered / 1000 : null;
	}

	/** @returns {import('./clip_compressor.js').CompressRequest} */
	#request() {
		return {
			rig: this.#rig.name,
			clips: [this.#own.name],
			tolerance: this.#tolerance.value,
			...(this.#shell && { shell: this.#shell }),
			codec: byId('codec').value,
			segment: Number(byId('segment').value),
		};
	}

	/** @returns {import('./snippets.js').Call} */
	#call() {
		return { call: 'compress', request: this.#request() };
	}

	#update() {
		const own = this.#own;
		const isBeside = byId('compress-beside').checked;
		for (const id of ['compress-download', 'compress-copy']) byId(id).disabled = !own;
		byId('compress-colours-field').hidden = !isBeside;
		if (own && (this.#isOpen || isBeside)) {
			this.#compressor.want(this.#request(), isBeside);
		} else {
			this.#compressor.cancel();
			this.#say(own ? '' : this.#clip ? OTHER_CLIP : NO_CLIP, false);
		}
		if (!own || !isBeside) this.#decoded = null;
		this.#tell();
	}

	/** Empties what was shown of another clip. */
	#clear() {
		byId('compress-report').hidden = true;
		this.#worst = this.#decoded = null;
	}

	/** @param {string} text @param {boolean} isBusy */
	#say(text, isBusy) {
		byId('compress-status').textContent = text;
		byId('compress-status').className = 'quiet';
		setBusy(byId('panel-compress'), isBusy);
	}

	/** @param {Error} error */
	#fail(error) {
		this.#say(error.message, false);
		byId('compress-status').className = 'bad';
		this.#clear();
		this.#tell();
	}

	/** @param {import('../client/responses.js').CompressReport} report of one clip */
	#showReport({ bytes, shell, clips: [clip] }) {
		const { raw_bytes: raw, samples, rate, error } = clip;
		const { joint, time } = error;
		this.#worst = { joint, time };
		const texts = {
			raw: exactBytes(raw),
			bytes: exactBytes(bytes),
			ratio: ratioText(bytes, raw),
			samples: `${count(samples)}, ${Number(rate.toPrecision(3))}/s`,
			max: lengthText(error.max),
			p99: lengthText(error.p99),
			rms: lengthText(error.rms),
			worst: `${joint ? `${joint}, ` : ''}${time.toFixed(2)} s`,
		};
		for (const [name, text] of Object.entries(texts)) byId(`compress-${name}`).textContent = text;
		byId('compress-shell').placeholder = millimetres(shell);
		byId('compress-report').hidden = false;
	}

	/** @param {ArrayBuffer} file */
	#take(file) {
		this.#decoded = new DecodedClip(this.#own.name, file, this.#rig.joints);
		this.#tell();
	}

	/** Tells of another figure beside the rig. */
	#tell() {
		const colours = byId('compress-colours').value;
		const last = this.#beside;
		const isSame = last?.decoded === this.#decoded && last?.colours === colours;
		if (this.#decoded ? isSame : !last) return;
		this.#beside = this.#decoded && decodedClip(this.#rig.name, this.#decoded, colours);
		this.#on.onBeside();
	}

	async #download() {
		const call = this.#call();
		const file = await this.#compressor.file(call.request);
		save(new Blob([file]), fileOf(call));
		this.#on.onStatus(`“${fileOf(call)}” is downloaded.`);
	}
}
