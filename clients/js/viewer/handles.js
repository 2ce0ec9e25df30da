// Pointer input on joints and gizmo: a click chooses a joint, a drag on a ring turns it. The camera gets the rest.
import { turnOf } from './gizmo.js';

const CLICK_PIXELS = 5;

export class Handles {
	#stage;
	#overlay;
	#on;
	/** @type {?{pointer: number, axis: number, step: number, ring: any, x: number, y: number,
	 *   begun: boolean}}  */
	#turning = null;
	/** @type {?{x: number, y: number}} the point where a pointer went down */
	#down = null;

	/**
	 * @param {HTMLElement} stage @param {import('./joint_overlay.js').JointOverlay} overlay
	 * @param {object} on
	 * @param {(joint: number, alone: boolean) => void} on.onChoose alone: without its descendants
	 * @param {() => void} on.onTurnBegin
	 * @param {(axis: number, radians: number) => void} on.onTurn since it began
	 * @param {() => void} on.onTurnEnd
	 */
	constructor(stage, overlay, on) {
		this.#stage = stage;
		this.#overlay = overlay;
		this.#on = on;
		// Before the camera's own listeners on the canvases.
		const options = { capture: true };
		stage.addEventListener('pointerdown', (event) => this.#begin(event), options);
		stage.addEventListener('pointermove', (event) => this.#move(event), options);
		stage.addEventListener('pointerup', (event) => this.#end(event), options);
		stage.addEventListener('pointercancel', (event) => this.#end(event), options);
	}

	#place(event) {
		const { left, top } = this.#stage.getBoundingClientRect();
		return { x: event.clientX - left, y: event.clientY - top };
	}

	#begin(event) {
		if (!event.target.matches('canvas') || !event.isPrimary || event.button !== 0) return;
		const at = this.#place(event);
		this.#down = at;
		const found = this.#overlay.ringAt(at, event.pointerType);
		if (!found) return;
		event.stopPropagation();
		event.target.setPointerCapture(event.pointerId);
		const ring = this.#overlay.rings[found.axis];
		this.#turning = { pointer: event.pointerId, ...found, ring, ...at, begun: false };
	}

	#move(event) {
		const turning = this.#turning;
		if (turning?.pointer !== event.pointerId) return;
		event.stopPropagation();
		const { x, y } = this.#place(event);
		// The ring as it was at the beginning of the drag, so that it does not move under the pointer.
		const way = { x: x - turning.x, y: y - turning.y };
		if (!turning.begun && Math.hypot(way.x, way.y) <= CLICK_PIXELS) return;
		if (!turning.begun) this.#on.onTurnBegin();
		turning.begun = true;
		this.#on.onTurn(turning.axis, turnOf(turning.ring, turning.step, way));
	}

	#end(event) {
		const down = this.#down;
		this.#down = null;
		const turning = this.#turning;
		if (turning?.pointer === event.pointerId) {
			event.stopPropagation();
			this.#turning = null;
			if (turning.begun) {
				this.#on.onTurnEnd();
				return;
			}
		}
		if (event.type !== 'pointerup' || !down) return;
		const at = this.#place(event);
		if (Math.hypot(at.x - down.x, at.y - down.y) > CLICK_PIXELS) return;
		const joint = this.#overlay.jointAt(at, event.pointerType);
		if (joint !== null) this.#on.onChoose(joint, event.shiftKey || event.altKey);
	}
}
