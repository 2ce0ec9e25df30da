// The types of posed-viewer.js.
import type { AssetFiles } from '../types/client/posed.js';

/** The camera as requests have it. */
export interface ViewerCamera {
	[member: string]: any;
}

/** A morph target: the joint that has it, its number among that joint's, its weight. */
export interface ViewerMorph {
	name: string;
	joint: string;
	index: number;
	weight: number;
}

/** <posed-viewer>. Events: "load", "frame", "upload" with the rig's name, "warning" with the rig's warnings
 * (string[]), and "error" with the error as detail. */
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
	/** The morph targets, with the weights that they have unless a clip drives them. */
	readonly morphs: ViewerMorph[];
	/** Sets the weight of a morph target, in place of the clip's; null = as the clip has it. */
	setMorph(name: string, weight: number | null): void;
}

declare global {
	interface HTMLElementTagNameMap {
		'posed-viewer': PosedViewer;
	}
}
