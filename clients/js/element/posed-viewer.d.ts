// The types of posed-viewer.js.

/** The camera as requests have it. */
export interface ViewerCamera {
	[member: string]: any;
}

/** <posed-viewer>. Events: "load", "frame", and "error" with the error as its detail. */
export class PosedViewer extends HTMLElement {
	static observedAttributes: string[];
	/** Seconds within the clip. */
	currentTime: number;
	/** Seconds of the clip; 0 = there is none. */
	readonly duration: number;
	readonly paused: boolean;
	play(): void;
	pause(): void;
	/** The camera as requests have it. */
	readonly camera: ViewerCamera;
}

declare global {
	interface HTMLElementTagNameMap {
		'posed-viewer': PosedViewer;
	}
}
