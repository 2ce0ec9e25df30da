// The types of posed_mesh.js.
import { Group, type Object3DEventMap } from 'three';
import type { Client, Pose, Skinning } from '../types/client/posed.js';

export interface PlayOptions {
	/** Frames a second. */
	fps?: number;
	/** Below 0 backwards. */
	speed?: number;
	/** Seconds to begin at. */
	time?: number;
	/** Seconds to play for. */
	duration?: number;
}

export interface PosedMeshEvents extends Object3DEventMap {
	/** There are new children: the rig has been replaced. */
	load: {};
	/** A frame of play() is shown. */
	frame: { time: number };
	/** play() has failed. */
	error: { error: unknown };
}

/** A rig skinned by posed, with one child for each primitive. */
export class PosedMesh extends Group<PosedMeshEvents> {
	static load(
		address: string | Client,
		rig: string,
		options?: { skinning?: Skinning; pose?: Pose },
	): Promise<PosedMesh>;
	readonly rig: string;
	skinning: Skinning;
	/** That is shown. */
	pose: Pose;
	/** Shows a pose; false where a newer call has ended this one. */
	setPose(pose: Pose): Promise<boolean>;
	/** Plays until stop(), another pose, or the end of the duration. A failure is an event, too. */
	play(pose: Pose, options?: PlayOptions): Promise<void>;
	/** Ends what plays, and what is on its way. */
	stop(): void;
	/** Frees what is in the graphics memory. */
	dispose(): void;
}
