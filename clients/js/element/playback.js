// One period of a motion, as POST /v1/bake makes it with the form "playback": frames that are shown again
// and again without a daemon.
import { readLayout } from '../client/layout.js';
import { PackedFrames } from '../client/packed.js';
import { Vertices } from '../client/vertices.js';
import { filesOfArchive } from './archive.js';
import { readRest } from './mesh_file.js';

const MOST_BYTES = 64 << 20; // of unpacked frames

/**
 * @typedef {object} Frame
 * @property {number} time seconds
 * @property {Float32Array[]} [palettes] of each stage, for the skin of the surface; else:
 * @property {Vertices} [vertices]
 *
 * @typedef {object} SkinInputs what the shader takes besides palettes
 * @property {string} text its functions
 * @property {any} shader the description of its inputs, as POST /v1/shaders has it
 * @property {Map<string, Uint8Array>} files "influences.bin", "data0.bin", …
 * @property {{positions: Float32Array, normals: Float32Array}} rest before skinning
 */

/** The frames as the vertex codec packs them. @param {Map<string, Uint8Array>} files @param {any} bake */
function unpackFrames(files, { packed, vertices, frames }) {
	const layout = readLayout(packed.layout, vertices);
	if (layout.frameBytes * frames > MOST_BYTES)
		throw new RangeError(`${frames} frames of this rig are too many to be kept`);
	const bytes = /** @type {Uint8Array} */ (files.get(packed.file));
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	let at = 0;
	const block = () => {
		const size = view.getUint32(at, true);
		at += 4 + size;
		return bytes.subarray(at - size, at);
	};
	const decoder = new PackedFrames(layout, vertices);
	if (decoder.hasOrder) decoder.readOrder(block());
	const head = {
		...{ vertices, frames: 1, layout, bounds: packed.bounds },
		...{ skinning: null, etag: null, content: null },
	};
	return Array.from({ length: frames }, (_, i) => {
		const frame = decoder.read(block(), i === 0);
		return new Vertices(head, [frame], decoder.order);
	});
}

export class Playback {
	/** The file of its mesh; null = it was left out. @type {?ArrayBuffer} */
	mesh = null;
	/** @type {?SkinInputs} null = it was left out, or the frames are vertices */
	skin = null;
	/** @type {?Float32Array} */
	#palettes = null;
	/** @type {Vertices[]} */
	#vertices = [];

	/** @param {any} bake its description @param {Map<string, Uint8Array>} files */
	constructor(bake, files) {
		this.rate = bake.rate;
		this.frames = bake.frames;
		this.vertexCount = bake.vertices;
		this.#floats = bake.palettes?.floats ?? [];
		const mesh = files.get('mesh.glb');
		if (mesh) this.mesh = /** @type {ArrayBuffer} */ (mesh.slice().buffer);
		const text = files.get('shader.glsl');
		if (text && this.mesh) {
			const rest = readRest(this.mesh);
			this.skin = { text: new TextDecoder().decode(text), shader: bake.shader, files, rest };
		}
		const palettes = files.get('palettes.bin');
		if (palettes)
			this.#palettes = new Float32Array(palettes.buffer, palettes.byteOffset, palettes.length / 4);
		else this.#vertices = unpackFrames(files, bake);
	}

	#floats;

	/** True if frames are palettes, which need a skin. */
	get hasPalettes() {
		return this.#palettes !== null;
	}

	/** The number of the frame that is shown at a position. @param {number} position seconds */
	indexAt(position) {
		const index = Math.floor(position * this.rate + 1e-6);
		return Math.min(Math.max(index, 0), this.frames - 1);
	}

	/** @param {number} index @returns {Frame} */
	frame(index) {
		const time = index / this.rate;
		if (!this.#palettes) return { time, vertices: this.#vertices[index] };
		const size = this.#floats.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0);
		let at = index * size;
		const palettes = this.#floats.map((/** @type {number} */ n) => {
			at += n;
			return /** @type {Float32Array} */ (this.#palettes).subarray(at - n, at);
		});
		return { time, palettes };
	}
}

/** @param {ArrayBuffer} file */
export async function readPlayback(file) {
	const files = await filesOfArchive(file);
	const bake = JSON.parse(new TextDecoder().decode(files.get('bake.json')));
	return new Playback(bake, files);
}
