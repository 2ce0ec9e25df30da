// The canvas over the picture: joints, the bones between them, their names and paths, and the rings of the joint
// that is being turned by hand; and what is marked: vertices, and a joint.
import { drawRings, ringAt, ringsOf } from './gizmo.js';
import { projector } from './projection.js';
import { axesOf } from './quaternion.js';

const DOT = 3.5;
const FONT = '11px system-ui, sans-serif';
const NAME_GAP = 7;
const MARK = { vertex: 3, joint: 11, colour: '#ff3b6b' };
const REACH = { mouse: 10, touch: 24 };

export class JointOverlay {
	#canvas;
	#context;
	#player;
	#skeleton;
	#trails;
	/** True while bones are drawn. */
	showsBones = false;
	/** True while these have their names. */
	showsNames = false;
	/** True while the paths of joints are drawn. */
	showsTrails = false;
	/** True while joints can be grabbed, and the chosen one turned. */
	showsHandles = false;
	/** @type {?number} the chosen joint */
	chosen = null;
	/** @type {?Set<number>} joints of the mask being edited; null = none */
	mask = null;
	/** @type {?number} the axis being turned about */
	active = null;
	/** @type {import('./gizmo.js').Ring[]} as drawn last */
	rings = [];
	#isEmpty = true;
	/** @type {{vertices: number[], joint: ?number}} */
	#marked = { vertices: [], joint: null };

	/**
	 * @param {HTMLCanvasElement} canvas
	 * @param {import('./player.js').Player} player @param {import('./skeleton.js').Skeleton} skeleton
	 * @param {import('./trails.js').Trails} trails
	 */
	constructor(canvas, player, skeleton, trails) {
		this.#canvas = canvas;
		this.#context = canvas.getContext('2d');
		this.#player = player;
		this.#skeleton = skeleton;
		this.#trails = trails;
	}

	/** Marks vertices and a joint of the rig. @param {{vertices: number[], joint: ?number}} marked */
	mark(marked) {
		this.#marked = marked;
	}

	/** True while the page draws what else the daemon would draw into its pictures. */
	get #drawsOverlays() {
		return this.#player.mode === 'vertices';
	}

	get #hasTrails() {
		return this.showsTrails && this.#drawsOverlays;
	}

	get #hasJoints() {
		const bones = this.showsBones && this.#drawsOverlays;
		return bones || this.showsHandles || this.#marked.joint !== null;
	}

	get #isWanted() {
		const { rig, isOwnView } = this.#player;
		const hasMore = this.#hasTrails || this.#marked.vertices.length > 0;
		return rig !== null && isOwnView && (this.#hasJoints || hasMore);
	}

	/** Draws everything again, and requests joints if they are needed. */
	draw() {
		this.rings = [];
		if (!this.#isWanted && this.#isEmpty) return;
		const { clientWidth, clientHeight } = this.#canvas;
		const ratio = devicePixelRatio;
		this.#canvas.width = Math.round(clientWidth * ratio); // this clears it
		this.#canvas.height = Math.round(clientHeight * ratio);
		this.#isEmpty = !this.#isWanted;
		if (this.#isEmpty) return;
		this.#context.scale(ratio, ratio);
		if (this.#hasJoints) this.#skeleton.want(this.#player.poseNow());
		if (this.#hasTrails) this.#trails.want(this.#player.choice);
		const hasJoints = this.#hasJoints && this.#skeleton.matrices !== null;
		for (let column = this.#player.firstColumn; column < this.#player.columns; column++) {
			if (this.#hasTrails) this.#trails.draw(this.#context, this.#projector(column));
			if (hasJoints) this.#drawColumn(column);
			this.#drawMarks(this.#projector(column), hasJoints);
		}
	}

	/** @param {number} column */
	#projector(column) {
		const { clientWidth, clientHeight } = this.#canvas;
		const width = clientWidth / this.#player.columns;
		return projector(this.#player.camera, width, clientHeight, column * width);
	}

	/** @param {number} column */
	#drawColumn(column) {
		const project = this.#projector(column);
		const { joints } = this.#player.rig;
		const places = joints.map(({ index }) => project(this.#skeleton.place(index)));
		if (this.showsBones || this.showsHandles) this.#drawBones(joints, places);
		if (this.showsBones && this.showsNames) this.#drawNames(joints, places);
		if (!this.showsHandles) return;
		this.#drawDots(places);
		if (column === this.#player.firstColumn && this.chosen !== null && !this.mask) this.#drawRings(project);
	}

	#drawBones(joints, places) {
		const context = this.#context;
		context.beginPath();
		for (const { index, parent } of joints) {
			const [from, to] = [places[parent], places[index]];
			if (!from || !to) continue;
			context.moveTo(from.x, from.y);
			context.lineTo(to.x, to.y);
		}
		context.lineCap = 'round';
		for (const [width, colour] of [
			[4, '#0008'],
			[2, '#fff'],
		]) {
			context.lineWidth = width;
			context.strokeStyle = colour;
			context.stroke();
		}
	}

	#drawNames(joints, places) {
		const context = this.#context;
		context.font = FONT;
		context.textBaseline = 'middle';
		context.lineJoin = 'round';
		context.lineWidth = 3;
		context.strokeStyle = '#000a';
		context.fillStyle = '#fff';
		joints.forEach(({ name }, joint) => {
			const place = places[joint];
			if (!place || !name) return;
			context.strokeText(name, place.x + NAME_GAP, place.y);
			context.fillText(name, place.x + NAME_GAP, place.y);
		});
	}

	#drawDots(places) {
		const context = this.#context;
		places.forEach((place, joint) => {
			if (!place) return;
			const isChosen = joint === this.chosen && !this.mask;
			context.beginPath();
			context.arc(place.x, place.y, isChosen ? DOT + 2 : DOT, 0, 2 * Math.PI);
			context.fillStyle = this.mask?.has(joint) || isChosen ? '#ffb224' : '#fff';
			context.fill();
			context.lineWidth = 1.5;
			context.strokeStyle = '#000a';
			context.stroke();
		});
	}

	/** @param {ReturnType<typeof projector>} project @param {boolean} hasJoints their places are known */
	#drawMarks(project, hasJoints) {
		const context = this.#context;
		const { vertices, joint } = this.#marked;
		const circle = (place, radius) => {
			const at = project(place);
			if (!at) return;
			context.moveTo(at.x + radius, at.y);
			context.arc(at.x, at.y, radius, 0, 2 * Math.PI);
		};
		context.beginPath();
		for (const place of this.#player.placesOf(vertices)) circle(place, MARK.vertex);
		context.fillStyle = MARK.colour;
		context.fill();
		if (joint !== null && hasJoints) circle(this.#skeleton.place(joint), MARK.joint);
		for (const [width, colour] of [
			[4, '#0006'],
			[2, MARK.colour],
		]) {
			context.lineWidth = width;
			context.strokeStyle = colour;
			context.stroke();
		}
	}

	#drawRings(project) {
		const place = this.#skeleton.place(this.chosen);
		const middle = project(place);
		const { right } = this.#player.camera.axes();
		const beside = project(place.map((value, k) => value + right[k] * 1e-3));
		if (!middle || !beside) return;
		const pixel = 1e-3 / Math.max(Math.hypot(beside.x - middle.x, beside.y - middle.y), 1e-9);
		const axes = axesOf(this.#skeleton.matrix(this.chosen));
		this.rings = ringsOf(place, axes, project, pixel, this.#canvas.clientHeight);
		drawRings(this.#context, this.rings, this.active);
	}

	/** The ring near a point of the canvas. @param {{x: number, y: number}} at @param {string} pointer */
	ringAt(at, pointer) {
		return ringAt(this.rings, at, REACH[pointer] ?? REACH.mouse);
	}

	/** The joint near a point of the canvas; null = none. @param {{x: number, y: number}} at @param {string} pointer */
	jointAt(at, pointer) {
		if (!this.#isWanted || !this.showsHandles || !this.#skeleton.matrices) return null;
		const width = this.#canvas.clientWidth / this.#player.columns;
		const project = this.#projector(Math.floor(at.x / width));
		let best = null;
		let least = REACH[pointer] ?? REACH.mouse;
		for (const { index } of this.#player.rig.joints) {
			const place = project(this.#skeleton.place(index));
			const apart = place ? Math.hypot(place.x - at.x, place.y - at.y) : Infinity;
			if (apart < least) [best, least] = [index, apart];
		}
		return best;
	}
}
