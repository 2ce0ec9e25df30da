// As much of the types of three.js as those of posed/three need.
declare module 'three' {
	export interface Object3DEventMap {
		added: {};
	}
	export class Group<Events extends Object3DEventMap = Object3DEventMap> {
		readonly position: { set(x: number, y: number, z: number): void };
		addEventListener<Type extends Extract<keyof Events, string>>(
			type: Type,
			listener: (event: Events[Type] & { type: Type }) => void,
		): void;
	}
}
