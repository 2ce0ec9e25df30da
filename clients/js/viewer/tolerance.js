// The bound on the error of a compressed clip: a logarithmic slider, and the number in millimetres.
import { byId, lengthText } from './dom.js';

const FIGURE_M = 1.75; // its slider goes from 0.01 mm to 10 mm
const [FIGURE_LEAST_M, FIGURE_MOST_M] = [1, 2.6]; // extents that are a figure's, too
const STANDARD_M = 1e-4;
const DIGITS = 2;

/** How much larger than a figure a rig is. @param {any} rig a description */
function scaleOf({ bounds }) {
	const extent = bounds ? Math.max(...bounds.max.map((high, k) => high - bounds.min[k])) : 0;
	const isFigure = extent >= FIGURE_LEAST_M && extent <= FIGURE_MOST_M;
	return isFigure || extent === 0 ? 1 : extent / FIGURE_M;
}

/** @param {number} metres @param {number} digits */
const rounded = (metres, digits) => Number(metres.toPrecision(digits));

export class Tolerance {
	#scale = 1;
	/** Metres. */
	#value = STANDARD_M;

	/** @param {() => void} onChange */
	constructor(onChange) {
		byId('tolerance').addEventListener('input', () => {
			this.#value = rounded(this.#scale * 10 ** Number(byId('tolerance').value), DIGITS);
			this.#showEntry();
			onChange();
		});
		byId('tolerance-mm').addEventListener('input', () => {
			const millimetres = Number(byId('tolerance-mm').value);
			const isOne = millimetres > 0;
			byId('tolerance-mm').setAttribute('aria-invalid', String(!isOne));
			if (!isOne) return;
			this.#value = rounded(millimetres / 1000, 12);
			this.#showSlider();
			onChange();
		});
	}

	/** Metres. */
	get value() {
		return this.#value;
	}

	/** Sets the range and the usual tolerance of a rig. @param {any} rig a description */
	show(rig) {
		this.#scale = scaleOf(rig);
		this.restore(rounded(STANDARD_M * this.#scale, DIGITS));
	}

	/** @param {number} metres */
	restore(metres) {
		if (!(metres > 0)) throw new RangeError('a tolerance must be more than 0');
		this.#value = metres;
		this.#showSlider();
		this.#showEntry();
	}

	#showSlider() {
		byId('tolerance').value = String(Math.log10(this.#value / this.#scale));
		this.#say();
	}

	#showEntry() {
		byId('tolerance-mm').value = String(rounded(this.#value * 1000, 12));
		byId('tolerance-mm').setAttribute('aria-invalid', 'false');
		this.#say();
	}

	#say() {
		const text = lengthText(this.#value);
		byId('tolerance-text').textContent = text;
		byId('tolerance').setAttribute('aria-valuetext', text);
	}
}
