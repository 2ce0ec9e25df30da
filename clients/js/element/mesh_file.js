// Reads /v1/rigs/{rig}/mesh.glb, which is the daemon's own output: one buffer, float32 attributes,
// embedded images. Reads only what all poses share; the vertices come from /v1/vertices.

const GLB_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const UNSIGNED_SHORT = 5123;
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/**
 * @typedef {object} Material
 * @property {number[]} baseColor linear RGBA
 * @property {number[]} emissive linear RGB
 * @property {number[]} factors metallic, roughness, scale of normals, strength of occlusion
 * @property {number[]} reflection of non-metals: RGB at normal incidence, then at grazing angles
 * @property {Record<string, ?Map>} maps baseColor, metallicRoughness, normal, emissive, occlusion
 * @property {'OPAQUE' | 'MASK' | 'BLEND'} alphaMode
 * @property {number} alphaCutoff
 * @property {boolean} doubleSided
 * @property {boolean} unlit
 *
 * @typedef {object} Map
 * @property {number} texture index
 * @property {boolean} second it uses the second texture coordinates
 * @property {number[]} rows 2x3: transform of the texture coordinates
 *
 * @typedef {{mode: number, firstIndex: number, indexCount: number, material: Material}} Primitive
 *   mode: 0 points, 1 lines, 4 triangles, as in glTF and in WebGL
 *
 * @typedef {{magFilter?: number, minFilter?: number, wrapS?: number, wrapT?: number}} Sampler
 *   the numbers of glTF, which are those of WebGL; left out = smooth and repeated
 *
 * @typedef {{picture: Blob, sampler: Sampler}} Texture
 *
 * @typedef {object} Mesh
 * @property {number} vertexCount
 * @property {Uint32Array} indices into all vertices
 * @property {?Float32Array} texcoords [vertexCount][2]; null = none
 * @property {?Float32Array} secondTexcoords likewise
 * @property {?Float32Array} colors [vertexCount][4]; null = none
 * @property {Primitive[]} primitives
 * @property {Texture[]} textures
 */

/** The document and the binary chunk. @param {ArrayBuffer} file */
function split(file) {
	const view = new DataView(file);
	const jsonBytes = view.getUint32(GLB_HEADER_BYTES, true);
	const jsonStart = GLB_HEADER_BYTES + CHUNK_HEADER_BYTES;
	const text = new TextDecoder().decode(new Uint8Array(file, jsonStart, jsonBytes));
	const binStart = jsonStart + jsonBytes + CHUNK_HEADER_BYTES;
	return { document: JSON.parse(text), binStart: Math.min(binStart, file.byteLength) };
}

class Reader {
	/** @param {ArrayBuffer} file */
	constructor(file) {
		const { document, binStart } = split(file);
		this.file = file;
		this.document = document;
		this.binStart = binStart;
	}

	/** The numbers of an accessor. @returns {Float32Array | Uint32Array | Uint16Array} */
	numbers(index) {
		const accessor = this.document.accessors[index];
		const view = this.document.bufferViews[accessor.bufferView];
		const start = this.binStart + (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
		const count = accessor.count * WIDTHS[accessor.type];
		if (accessor.type !== 'SCALAR') return new Float32Array(this.file, start, count);
		const Integers = accessor.componentType === UNSIGNED_SHORT ? Uint16Array : Uint32Array;
		return new Integers(this.file, start, count);
	}

	/** @param {number} index of a texture @returns {Texture} */
	texture(index) {
		const { textures, images, samplers = [], bufferViews } = this.document;
		const image = images[textures[index].source];
		const view = bufferViews[image.bufferView];
		const start = this.binStart + (view.byteOffset ?? 0);
		const picture = new Blob([new Uint8Array(this.file, start, view.byteLength)], {
			type: image.mimeType,
		});
		return { picture, sampler: samplers[textures[index].sampler] ?? {} };
	}
}

/** @param {any} info a texture of a material; undefined = none @returns {?Map} */
function readMap(info) {
	if (!info) return null;
	const moved = info.extensions?.KHR_texture_transform ?? {};
	const { offset = [0, 0], rotation = 0, scale = [1, 1] } = moved;
	const [sine, cosine] = [Math.sin(rotation), Math.cos(rotation)];
	return {
		texture: info.index,
		second: (moved.texCoord ?? info.texCoord ?? 0) === 1,
		rows: [
			...[cosine * scale[0], sine * scale[1], offset[0]],
			...[-sine * scale[0], cosine * scale[1], offset[1]],
		],
	};
}

/** The reflectance of non-metals. @param {any} extensions of a material */
function reflectionOf({
	KHR_materials_ior: { ior = 1.5 } = {},
	KHR_materials_specular: specular = {},
}) {
	const { specularFactor = 1, specularColorFactor = [1, 1, 1] } = specular;
	const front = ((ior - 1) / (ior + 1)) ** 2;
	const seen = specularColorFactor.map((part) => Math.min(front * part, 1) * specularFactor);
	return [...seen, specularFactor];
}

/** @param {any} material of the document; undefined = glTF's default @returns {Material} */
function readMaterial(material = {}) {
	const surface = material.pbrMetallicRoughness ?? {};
	const { normalTexture, occlusionTexture, extensions = {} } = material;
	const strength = extensions.KHR_materials_emissive_strength?.emissiveStrength ?? 1;
	return {
		baseColor: surface.baseColorFactor ?? [1, 1, 1, 1],
		emissive: (material.emissiveFactor ?? [0, 0, 0]).map((part) => part * strength),
		factors: [
			surface.metallicFactor ?? 1,
			surface.roughnessFactor ?? 1,
			normalTexture?.scale ?? 1,
			occlusionTexture?.strength ?? 1,
		],
		reflection: reflectionOf(extensions),
		maps: {
			baseColor: readMap(surface.baseColorTexture),
			metallicRoughness: readMap(surface.metallicRoughnessTexture),
			normal: readMap(normalTexture),
			emissive: readMap(material.emissiveTexture),
			occlusion: readMap(occlusionTexture),
		},
		alphaMode: material.alphaMode ?? 'OPAQUE',
		alphaCutoff: material.alphaCutoff ?? 0.5,
		doubleSided: material.doubleSided ?? false,
		unlit: extensions.KHR_materials_unlit !== undefined,
	};
}

/** Primitives in the order of their vertices. */
function primitivesInOrder({ scenes, nodes = [], meshes = [] }) {
	return (scenes[0].nodes ?? []).flatMap((node) => meshes[nodes[node].mesh].primitives);
}

/** One attribute of all primitives, concatenated; null if none has it. */
function joinAttribute(reader, primitives, name, width, vertexCount) {
	if (!primitives.some(({ attributes }) => name in attributes)) return null;
	const all = new Float32Array(vertexCount * width).fill(1);
	let first = 0;
	for (const { attributes } of primitives) {
		if (name in attributes) all.set(reader.numbers(attributes[name]), first * width);
		first += reader.document.accessors[attributes.POSITION].count;
	}
	return all;
}

/** @param {ArrayBuffer} file @returns {Mesh} */
export function readMesh(file) {
	const reader = new Reader(file);
	const { accessors = [], materials = [], textures = [] } = reader.document;
	const raw = primitivesInOrder(reader.document);
	const indices = new Uint32Array(raw.reduce((sum, p) => sum + accessors[p.indices].count, 0));
	const vertexCount = raw.reduce((sum, p) => sum + accessors[p.attributes.POSITION].count, 0);
	const primitives = [];
	let firstIndex = 0;
	let firstVertex = 0;
	for (const { attributes, indices: from, mode = 4, material: index } of raw) {
		const material = readMaterial(materials[index]);
		const lastVertex = firstVertex + accessors[attributes.POSITION].count;
		const own = reader.numbers(from);
		own.forEach((vertex, i) => (indices[firstIndex + i] = vertex + firstVertex));
		primitives.push({
			mode,
			firstIndex,
			indexCount: own.length,
			material,
		});
		firstIndex += own.length;
		firstVertex = lastVertex;
	}
	return {
		vertexCount,
		indices,
		texcoords: joinAttribute(reader, raw, 'TEXCOORD_0', 2, vertexCount),
		secondTexcoords: joinAttribute(reader, raw, 'TEXCOORD_1', 2, vertexCount),
		colors: joinAttribute(reader, raw, 'COLOR_0', 4, vertexCount),
		primitives,
		textures: textures.map((_, index) => reader.texture(index)),
	};
}

/** The vertices of a file, as they are in it. @param {ArrayBuffer} file */
export function readRest(file) {
	const reader = new Reader(file);
	const raw = primitivesInOrder(reader.document);
	const count = raw.reduce(
		(sum, p) => sum + reader.document.accessors[p.attributes.POSITION].count,
		0,
	);
	const [positions, normals] = ['POSITION', 'NORMAL'].map(
		(name) => joinAttribute(reader, raw, name, 3, count) ?? new Float32Array(count * 3),
	);
	return { positions, normals };
}

/** The encoded bytes of a texture. @param {Texture} texture */
export function decodePicture({ picture }) {
	return createImageBitmap(picture, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
}
