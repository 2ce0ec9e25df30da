// The types of posed-viewer.js.
import type { AssetFiles } from '../types/client/posed.js';

/** The camera as requests have it. */
export interface ViewerCamera {
	[member: string]: any;
}

/** <posed-viewer>. Events: "load", "frame", "upload" with the rig's name, and "error" with the error as
 * detail. */
export class PosedViewer extends HTMLElement {
	static observedAttributes: string[];
	/** Seconds within the clip. */
	currentTime: number;
	/** Seconds of the clip; 0 = there is none. */
	readonly duration: number;
	readonly paused: boolean;
	play(): void;
	pause(): void;
	/** Stores files as a rig, and shows it: a .gltf with those that it names, a .glb or a .zip. Gives the
	 * rig's name. */
	upload(files: AssetFiles | FileList): Promise<string>;
	/** The camera as requests have it. */
	readonly camera: ViewerCamera;
}

declare global {
	interface HTMLElementTagNameMap {
		'posed-viewer': PosedViewer;
	}
}
