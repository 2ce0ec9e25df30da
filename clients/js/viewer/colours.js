// A colour scale from dark blue for 0 over green to yellow for 1, with evenly rising
// lightness, so that it also works for the colour-blind.

const START = [0.4, 0.03, -0.13];
const PULL = [0, -0.19, -0.06];
const END = [0.93, -0.035, 0.155];

/** Oklab's lightness and opponent colours as linear light, within [0, 1]. */
function fromLab([lightness, a, b]) {
	const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
	return [
		4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
	].map((x) => Math.min(Math.max(x, 0), 1));
}

/** Linear red, green, blue. @param {number} share [0, 1] */
function heat(share) {
	const t = Math.min(Math.max(share, 0), 1);
	const [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
	const lightness = START[0] + (END[0] - START[0]) * t;
	return fromLab([
		lightness,
		u * START[1] + v * PULL[1] + w * END[1],
		u * START[2] + v * PULL[2] + w * END[2],
	]);
}

const STEPS = 256;
const TABLE = Array.from({ length: STEPS }, (_, i) => heat(i / (STEPS - 1)));

/**
 * Linear red, green, blue and alpha 1 for each share.
 * @param {ArrayLike<number>} shares [0, 1]
 */
export function paintOf(shares) {
	const paint = new Float32Array(shares.length * 4);
	for (let i = 0; i < shares.length; i++) {
		const step = Math.round(Math.min(Math.max(shares[i], 0), 1) * (STEPS - 1));
		paint.set(TABLE[step], i * 4);
		paint[i * 4 + 3] = 1;
	}
	return paint;
}

/** The scale from left to right, as a CSS gradient. */
export function scaleGradient() {
	const encode = (x) =>
		Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
	const stops = [0, 0.25, 0.5, 0.75, 1].map((t) => `rgb(${heat(t).map(encode).join(' ')})`);
	return `linear-gradient(to right, ${stops.join(', ')})`;
}
