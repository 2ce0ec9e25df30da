// Maps mouse, touch, wheel and keys on a canvas to the camera.

const DEGREES_PER_HEIGHT = 220; // for a drag over the whole canvas
const DEGREES_PER_KEY = 5;
const PAN_PER_KEY = 0.04;
const ZOOM_PER_KEY = 1.15;

/** Camera movements by key. */
const KEYS = {
	ArrowLeft: (camera) => camera.turn(-DEGREES_PER_KEY, 0),
	ArrowRight: (camera) => camera.turn(DEGREES_PER_KEY, 0),
	ArrowUp: (camera) => camera.turn(0, DEGREES_PER_KEY),
	ArrowDown: (camera) => camera.turn(0, -DEGREES_PER_KEY),
	'+': (camera) => camera.zoom(1 / ZOOM_PER_KEY),
	'=': (camera) => camera.zoom(1 / ZOOM_PER_KEY),
	'-': (camera) => camera.zoom(ZOOM_PER_KEY),
};

const SHIFTED_KEYS = {
	ArrowLeft: (camera) => camera.pan(-PAN_PER_KEY, 0),
	ArrowRight: (camera) => camera.pan(PAN_PER_KEY, 0),
	ArrowUp: (camera) => camera.pan(0, PAN_PER_KEY),
	ArrowDown: (camera) => camera.pan(0, -PAN_PER_KEY),
	'+': KEYS['+'],
};

/**
 * Centre of the pointers, and the distance between the first two.
 * @param {{x: number, y: number}[]} pointers
 */
function spread(pointers) {
	const x = pointers.reduce((sum, p) => sum + p.x, 0) / pointers.length;
	const y = pointers.reduce((sum, p) => sum + p.y, 0) / pointers.length;
	const [a, b] = pointers;
	return { x, y, apart: b ? Math.hypot(a.x - b.x, a.y - b.y) : 0 };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import('./camera.js').Camera} camera
 * @param {object} on
 * @param {() => void} on.onMove @param {() => void} on.onFit
 * @param {(event: WheelEvent) => boolean} [on.zooms] true if a wheel event zooms instead of scrolling the
 *   page; left out: always
 */
export function attachGestures(canvas, camera, { onMove, onFit, zooms = () => true }) {
	/** @type {Map<number, {x: number, y: number}>} pointers that are down */
	const pointers = new Map();

	const move = (event) => {
		const before = spread([...pointers.values()]);
		pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
		const after = spread([...pointers.values()]);
		const [x, y] = [after.x - before.x, after.y - before.y].map((d) => d / canvas.clientHeight);
		const panning = pointers.size > 1 || event.shiftKey || (event.buttons & 6) !== 0;
		if (panning) {
			camera.pan(x, y);
		} else {
			camera.turn(-x * DEGREES_PER_HEIGHT, y * DEGREES_PER_HEIGHT);
		}
		if (before.apart > 0 && after.apart > 0) camera.zoom(before.apart / after.apart);
		onMove();
	};

	canvas.addEventListener('pointerdown', (event) => {
		canvas.setPointerCapture(event.pointerId);
		pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
	});
	canvas.addEventListener('pointermove', (event) => {
		if (pointers.has(event.pointerId)) move(event);
	});
	canvas.addEventListener('pointerup', (event) => pointers.delete(event.pointerId));
	canvas.addEventListener('pointercancel', (event) => pointers.delete(event.pointerId));
	canvas.addEventListener('contextmenu', (event) => event.preventDefault());
	canvas.addEventListener('dblclick', onFit);
	canvas.addEventListener(
		'wheel',
		(event) => {
			if (!zooms(event)) return;
			event.preventDefault();
			const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30);
			camera.zoom(Math.exp(pixels * 0.0015));
			onMove();
		},
		{ passive: false },
	);
	canvas.addEventListener('keydown', (event) => {
		const act = (event.shiftKey ? SHIFTED_KEYS : KEYS)[event.key];
		const fits = event.key === 'Home';
		if ((!act && !fits) || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		if (fits) {
			onFit();
		} else {
			act(camera);
			onMove();
		}
	});
}
