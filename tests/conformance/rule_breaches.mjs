// Files that break the rules of glTF 2.0: every part of a sound one changed in turn, and single
// breaches that take some thought.
import { ruleRig, toGlb } from './rule_rig.mjs';

const VALUES = [null, true, 'none', '', 3, -1, 1.5, 1e9, [], {}];

function* places(value, path = []) {
	if (path.length) yield path;
	if (value && typeof value === 'object')
		for (const key of Object.keys(value))
			yield* places(value[key], [...path, Array.isArray(value) ? Number(key) : key]);
}

const copyOf = (value) => JSON.parse(JSON.stringify(value));

function outerOf(json, path) {
	return path.slice(0, -1).reduce((outer, key) => outer[key], json);
}

// [{name, glb}]: each place of the document left out, with another value, or with its elements
// doubled, fewer or more.
export function* changedPlaces() {
	const { json, bin } = ruleRig();
	for (const path of places(json)) {
		const old = outerOf(json, path)[path.at(-1)];
		const change = (what, act) => {
			const next = copyOf(json);
			act(outerOf(next, path), path.at(-1));
			return { name: `${path.join('/')} ${what}`, glb: toGlb({ json: next, bin }) };
		};
		if (typeof path.at(-1) === 'string')
			yield change('left out', (outer, key) => delete outer[key]);
		for (const value of VALUES) {
			if (value !== null && typeof value === typeof old && typeof old === 'boolean') continue;
			yield change(`is ${JSON.stringify(value)}`, (outer, key) => (outer[key] = value));
		}
		if (typeof old === 'number') {
			yield change('half', (outer, key) => (outer[key] /= 2));
			yield change('two more', (outer, key) => (outer[key] += 2));
		}
		if (Array.isArray(old)) {
			yield change('one more', (outer, key) => outer[key].push(outer[key].at(-1)));
			yield change('one fewer', (outer, key) => outer[key].pop());
		}
	}
}

// A sound file, with what finds its parts.
function opened() {
	const rig = ruleRig();
	const { json, bin } = rig;
	const at = (accessor) => {
		const { bufferView, byteOffset } = json.accessors[accessor];
		return json.bufferViews[bufferView].byteOffset + byteOffset;
	};
	const primitive = json.meshes[0].primitives[0];
	const [animation] = json.animations;
	return {
		...rig,
		primitive,
		attributes: primitive.attributes,
		animation,
		times: animation.samplers[0].input,
		turns: animation.samplers[0].output,
		accessor: (name) => json.accessors[primitive.attributes[name]],
		viewOf: (accessor) => json.bufferViews[json.accessors[accessor].bufferView],
		float: (accessor, i, value) => bin.writeFloatLE(value, at(accessor) + 4 * i),
		short: (accessor, i, value) => bin.writeUInt16LE(value, at(accessor) + 2 * i),
		byte: (accessor, i, value) => bin.writeUInt8(value, at(accessor) + i),
		uint: (accessor, i, value) => bin.writeUInt32LE(value, at(accessor) + 4 * i),
	};
}

const quarter = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export const BREACHES = {
	'matrix beside translation': ({ json }) => (json.nodes[4].translation = [1, 0, 0]),
	'matrix beside rotation': ({ json }) => (json.nodes[4].rotation = [0, 0, 0, 1]),
	'matrix beside scale': ({ json }) => (json.nodes[4].scale = [1, 1, 1]),
	'matrix with shear': ({ json }) => (json.nodes[4].matrix[4] = 1),
	'matrix with a last row': ({ json }) => (json.nodes[4].matrix[15] = 1.00005),
	'long rotation': ({ json }) => (json.nodes[5].rotation = [0, 0, 0.8, 0.8]),
	'short rotation': ({ json }) => (json.nodes[5].rotation = [0, 0, 0, 0.5]),
	'rotation of nothing': ({ json }) => (json.nodes[5].rotation = [0, 0, 0, 0]),
	'two nodes not unit': ({ json }) =>
		(json.nodes[5].rotation = json.nodes[1].rotation = [0, 0, 0.5, 0.5]),
	'a node twice in a scene': ({ json }) => json.scenes[0].nodes.push(4),
	'a child in a scene': ({ json }) => json.scenes[0].nodes.push(2),
	'a child in another scene': ({ json }) => json.scenes.push({ nodes: [3] }),
	'a scene of nothing': ({ json }) => (json.scenes[0].nodes = []),
	'a second parent': ({ json }) => (json.nodes[6].children = [3]),
	'a loop of nodes': ({ json }) => (json.nodes[3].children = [1]),
	'a skin without a scene': ({ json }) => {
		json.scenes.push({ nodes: [0] });
		json.scenes[0].nodes.shift();
	},
	'joints in no scene': ({ json }) => json.scenes[0].nodes.splice(1, 1),
	'joints without a common root': ({ json }) => {
		json.skins[0].joints = [1, 5];
		delete json.skins[0].skeleton;
	},
	'a skeleton below its joints': ({ json }) => (json.skins[0].skeleton = 3),
	'a skeleton beside its joints': ({ json }) => (json.skins[0].skeleton = 5),
	'a joint twice': ({ json }) => (json.skins[0].joints = [1, 1]),
	'a skin for a mesh without joints': ({ json }) => (json.nodes[4].skin = 0),
	'a skinned mesh without its skin': ({ json }) => delete json.nodes[0].skin,
	'weights for a mesh without targets': ({ json }) => (json.nodes[4].weights = [1]),
	'negative key times': ({ float, times, json }) => {
		float(times, 0, -1);
		json.accessors[times].min = [-1];
	},
	'key times that fall': ({ float, times }) => float(times, 1, 2),
	'equal key times': ({ float, times }) => float(times, 1, 0),
	'a key time not a number': ({ float, times }) => float(times, 1, NaN),
	'rotation keys not unit': ({ float, turns }) => float(turns, 3, 2),
	'rotation keys of nothing': ({ float, turns }) => float(turns, 3, 0),
	'channels on a matrix': ({ animation }) => (animation.channels[1].target.node = 4),
	'two channels of one target': ({ animation }) =>
		animation.channels.push({ sampler: 1, target: { node: 2, path: 'translation' } }),
	'weights of a mesh without targets': ({ animation }) => (animation.channels[2].target.node = 4),
	'weights of a node without mesh': ({ animation }) => (animation.channels[2].target.node = 5),
	'one key of a spline': ({ animation, json }) => {
		const input = json.accessors.push({ ...json.accessors[animation.samplers[0].input] }) - 1;
		Object.assign(json.accessors[input], { count: 1, max: [0] });
		const output = json.accessors.push({ ...json.accessors[animation.samplers[3].output] }) - 1;
		json.accessors[output].count = 3;
		animation.samplers[3] = { input, output, interpolation: 'CUBICSPLINE' };
	},
	'key times without bounds': ({ json, times }) => {
		delete json.accessors[times].min;
		delete json.accessors[times].max;
	},
	'key times with a stride': ({ viewOf, times }) => (viewOf(times).byteStride = 4),
	'translations of shorts': ({ json, animation }) =>
		Object.assign(json.accessors[animation.samplers[1].output], {
			componentType: 5122,
			normalized: true,
		}),
	'rotations of shorts that are not normalized': ({ json, turns }) =>
		(json.accessors[turns].componentType = 5122),
	'times as values': ({ animation, json }) => {
		json.accessors[animation.samplers[2].output] = { ...json.accessors[animation.samplers[2].input] };
		animation.samplers[2].output = animation.samplers[2].input;
	},
	'wrong min': ({ accessor }) => (accessor('POSITION').min = [-1, 0, 0]),
	'wrong max': ({ accessor }) => (accessor('POSITION').max = [5, 2, 0]),
	'values beyond max': ({ accessor }) => (accessor('POSITION').max = [0.5, 2, 0]),
	'values below min': ({ accessor }) => (accessor('POSITION').min = [0.5, 0, 0]),
	'wrong max of times': ({ json, times }) => (json.accessors[times].max = [2]),
	'wrong max of a sparse accessor': ({ json }) =>
		(json.accessors.find((a) => a.sparse).max = [1, 2, 0]),
	'min without max': ({ accessor }) => delete accessor('POSITION').max,
	'no bounds of positions': ({ accessor }) => {
		delete accessor('POSITION').min;
		delete accessor('POSITION').max;
	},
	'too few bounds': ({ accessor }) => (accessor('POSITION').min = [0, 0]),
	'too many bounds': ({ accessor }) => (accessor('NORMAL').max = [0, 0, 1, 1]),
	'bounds of an integer not whole': ({ accessor }) => {
		accessor('JOINTS_0').min = [0, 0, 0, 0];
		accessor('JOINTS_0').max = [1.5, 1, 0, 0];
	},
	'bounds of an integer that it cannot hold': ({ accessor }) => {
		accessor('JOINTS_0').min = [0, 0, 0, 0];
		accessor('JOINTS_0').max = [300, 1, 0, 0];
	},
	'wrong bounds of joints': ({ accessor }) => (accessor('JOINTS_0').max = [2, 1, 0, 0]),
	'wrong bounds of a custom attribute': ({ accessor }) => (accessor('_CUSTOM').max = [7]),
	'long normals': ({ float, attributes }) => float(attributes.NORMAL, 2, 2),
	'normals of nothing': ({ float, attributes }) => float(attributes.NORMAL, 2, 0),
	'normals not numbers': ({ float, attributes }) => float(attributes.NORMAL, 2, NaN),
	'positions not numbers': ({ float, attributes }) => float(attributes.POSITION, 2, NaN),
	'texture coordinates not numbers': ({ float, attributes }) =>
		float(attributes.TEXCOORD_0, 2, Infinity),
	'custom attributes not numbers': ({ float, attributes }) => float(attributes._CUSTOM, 2, NaN),
	'long tangents': ({ float, attributes }) => float(attributes.TANGENT, 0, 2),
	'handedness of a half': ({ float, attributes }) => float(attributes.TANGENT, 3, 0.5),
	'handedness of nothing': ({ float, attributes }) => float(attributes.TANGENT, 3, 0),
	'colours beyond 1': ({ float, attributes }) => float(attributes.COLOR_0, 3, 1.5),
	'negative colours': ({ float, attributes }) => float(attributes.COLOR_0, 1, -0.5),
	'weights beyond 1': ({ float, attributes }) => float(attributes.WEIGHTS_0, 0, 1.5),
	'weights below 1': ({ float, attributes }) => float(attributes.WEIGHTS_0, 0, 0.5),
	'weights a little below 1': ({ float, attributes }) => float(attributes.WEIGHTS_0, 0, 0.999),
	'no weights': ({ float, attributes }) => float(attributes.WEIGHTS_0, 0, 0),
	'negative weights': ({ float, attributes }) => float(attributes.WEIGHTS_0, 5, -0.25),
	'weights not numbers': ({ float, attributes }) => float(attributes.WEIGHTS_0, 5, NaN),
	'joints beyond the skin': ({ byte, attributes }) => byte(attributes.JOINTS_0, 0, 9),
	'joints beyond the skin without weight': ({ byte, attributes }) =>
		byte(attributes.JOINTS_0, 1, 9),
	'a joint twice at a vertex': ({ byte, attributes }) => byte(attributes.JOINTS_0, 5, 0),
	'indices beyond the vertices': ({ short, primitive }) => short(primitive.indices, 0, 4),
	'primitive restart': ({ short, primitive }) => short(primitive.indices, 0, 65535),
	'inverse binds not numbers': ({ float, json }) => float(json.skins[0].inverseBindMatrices, 0, NaN),
	'inverse binds with a last row': ({ float, json }) =>
		float(json.skins[0].inverseBindMatrices, 15, 1.00005),
	'inverse binds with a wrong last row': ({ float, json }) =>
		float(json.skins[0].inverseBindMatrices, 3, 1),
	'too few inverse binds': ({ json }) =>
		(json.accessors[json.skins[0].inverseBindMatrices].count = 1),
	'inverse binds with a stride': ({ viewOf, json }) =>
		(viewOf(json.skins[0].inverseBindMatrices).byteStride = 64),
	'inverse binds as vectors': ({ json }) =>
		Object.assign(json.accessors[json.skins[0].inverseBindMatrices], { type: 'VEC4', count: 8 }),
	'inverse binds with a target': ({ viewOf, json }) =>
		(viewOf(json.skins[0].inverseBindMatrices).target = 34962),
	'indices with a stride': ({ viewOf, primitive }) => (viewOf(primitive.indices).byteStride = 4),
	'indices with the target of vertices': ({ viewOf, primitive }) =>
		(viewOf(primitive.indices).target = 34962),
	'vertices with the target of indices': ({ viewOf, attributes }) =>
		(viewOf(attributes.POSITION).target = 34963),
	'indices that are signed': ({ json, primitive }) =>
		(json.accessors[primitive.indices].componentType = 5122),
	'indices that are normalized': ({ json, primitive }) =>
		(json.accessors[primitive.indices].normalized = true),
	'indices as vectors': ({ json, primitive }) =>
		Object.assign(json.accessors[primitive.indices], { type: 'VEC2', count: 3 }),
	'indices and vertices in one accessor': ({ json, primitive }) => {
		primitive.attributes._INDEX = primitive.indices;
		json.accessors[primitive.indices].count = 4;
	},
	'four corners of triangles': ({ json, primitive }) => (json.accessors[primitive.indices].count = 5),
	'one corner of lines': ({ json }) =>
		(json.accessors[json.meshes[1].primitives[1].indices].count = 3),
	'an attribute nobody knows': ({ attributes }) => (attributes.COLOUR = attributes.COLOR_0),
	'texture coordinates from 1 on': ({ attributes }) => {
		attributes.TEXCOORD_1 = attributes.TEXCOORD_0;
		delete attributes.TEXCOORD_0;
	},
	'texture coordinates with a gap': ({ attributes }) =>
		(attributes.TEXCOORD_2 = attributes.TEXCOORD_0),
	'joints without weights': ({ attributes }) => delete attributes.WEIGHTS_0,
	'joints of a second set alone': ({ attributes }) => (attributes.JOINTS_1 = attributes.JOINTS_0),
	'tangents without normals': ({ attributes, primitive }) => {
		delete attributes.NORMAL;
		delete primitive.targets[0].NORMAL;
	},
	'target without its attribute': ({ attributes, primitive }) => {
		delete attributes.NORMAL;
		delete attributes.TANGENT;
	},
	'a target nobody knows': ({ primitive }) =>
		(primitive.targets[0].TEXCOORD_9 = primitive.targets[0].POSITION),
	'a target of another length': ({ json, primitive }) =>
		(json.accessors[primitive.targets[0].NORMAL].count = 3),
	'no positions': ({ attributes }) => delete attributes.POSITION,
	'no attributes': ({ primitive }) => (primitive.attributes = {}),
	'no texture coordinates': ({ attributes }) => delete attributes.TEXCOORD_0,
	'a normal map without normals': ({ attributes, json }) => {
		for (const name of ['NORMAL', 'TANGENT']) delete attributes[name];
		delete json.meshes[0].primitives[0].targets[0].NORMAL;
	},
	'custom attributes of another length': ({ accessor }) => (accessor('_CUSTOM').count = 3),
	'custom attributes of unsigned ints': ({ accessor }) => (accessor('_CUSTOM').componentType = 5125),
	'colours of unsigned ints': ({ accessor }) => (accessor('COLOR_0').componentType = 5125),
	'colours of bytes that are not normalized': ({ accessor }) =>
		(accessor('COLOR_0').componentType = 5121),
	'a second colour of two numbers': ({ attributes }) => (attributes.COLOR_1 = attributes.TEXCOORD_0),
	'second texture coordinates of three numbers': ({ attributes }) =>
		(attributes.TEXCOORD_1 = attributes.NORMAL),
	'positions of shorts': ({ accessor }) => (accessor('POSITION').componentType = 5122),
	'a misaligned offset': ({ accessor }) =>
		Object.assign(accessor('_CUSTOM'), { byteOffset: 2, count: 3 }),
	'a misaligned view': ({ json, attributes }) => {
		const view = json.bufferViews[json.accessors[attributes._CUSTOM].bufferView];
		view.byteOffset -= 2;
	},
	'vertices of bytes without padding': ({ json, accessor, attributes }) => {
		Object.assign(accessor('COLOR_0'), { componentType: 5121, normalized: true, type: 'VEC3' });
	},
	'vertices with a stride of five': ({ viewOf, attributes }) =>
		(viewOf(attributes._CUSTOM).byteStride = 5),
	'a stride beyond the view': ({ viewOf, attributes, accessor }) => {
		viewOf(attributes._CUSTOM).byteStride = 20;
		accessor('_CUSTOM').count = 1;
	},
	'two accessors of a view without a stride': ({ json, attributes }) => {
		const copy = json.accessors.push({ ...json.accessors[attributes._CUSTOM] }) - 1;
		attributes._OTHER = copy;
	},
	'normalized floats': ({ accessor }) => (accessor('_CUSTOM').normalized = true),
	'a sparse offset that is misaligned': ({ json }) =>
		(json.accessors.find((a) => a.sparse).sparse.indices.byteOffset = 1),
	'sparse indices that fall': ({ bin, json }) => {
		const { bufferView } = json.accessors.find((a) => a.sparse).sparse.indices;
		bin.writeUInt16LE(3, json.bufferViews[bufferView].byteOffset);
	},
	'sparse indices beyond the end': ({ bin, json }) => {
		const { bufferView } = json.accessors.find((a) => a.sparse).sparse.indices;
		bin.writeUInt16LE(7, json.bufferViews[bufferView].byteOffset + 2);
	},
	'sparse indices with a stride': ({ json }) => {
		const { bufferView } = json.accessors.find((a) => a.sparse).sparse.indices;
		json.bufferViews[bufferView].byteStride = 4;
	},
	'a picture with a stride': ({ json }) =>
		(json.bufferViews[json.images[0].bufferView].byteStride = 4),
	'a picture with a target': ({ json }) =>
		(json.bufferViews[json.images[0].bufferView].target = 34962),
	'a picture of two origins': ({ json }) => (json.images[0].uri = 'data:image/png;base64,AAAA'),
	'a picture without a type': ({ json }) => delete json.images[0].mimeType,
	'a picture of another type': ({ json }) => (json.images[0].mimeType = 'image/jpeg'),
	'a picture that is none': ({ json, bin }) =>
		bin.fill(7, json.bufferViews[json.images[0].bufferView].byteOffset),
	'a picture of a type nobody knows': ({ json }) => (json.images[0].mimeType = 'image/bmp'),
	'a picture that is cut': ({ json }) =>
		(json.bufferViews[json.images[0].bufferView].byteLength = 40),
	'an extension that is not declared': ({ json }) => json.extensionsUsed.pop(),
	'an unknown extension that is not declared': ({ json }) =>
		(json.nodes[3].extensions = { EXT_unheard: {} }),
	'an extension used twice': ({ json }) => json.extensionsUsed.push('KHR_lights_punctual'),
	'an extension required and not used': ({ json }) =>
		(json.extensionsRequired = ['KHR_mesh_quantization']),
	'an extension that must be required': ({ json }) =>
		json.extensionsUsed.push('KHR_mesh_quantization'),
	'no extensions used': ({ json }) => (json.extensionsUsed = []),
	'a light that is no cone': ({ json }) =>
		(json.extensions.KHR_lights_punctual.lights[0].spot = { innerConeAngle: 1, outerConeAngle: 0.5 }),
	'a camera of two kinds': ({ json }) => (json.cameras[0].orthographic = json.cameras[1].orthographic),
	'a camera of another kind': ({ json }) => (json.cameras[0].type = 'orthographic'),
	'a camera that sees to its own eye': ({ json }) => (json.cameras[0].perspective.zfar = 0.05),
	'a camera without height': ({ json }) => (json.cameras[1].orthographic.ymag = 0),
	'a camera nobody uses without sense': ({ json }) =>
		json.cameras.push({ type: 'perspective', perspective: { yfov: -1, znear: 1 } }),
	'a later minor version': ({ json }) => (json.asset.version = '2.1'),
	'a version of three numbers': ({ json }) => (json.asset.version = '2.0.1'),
	'a least version above its own': ({ json }) => (json.asset.minVersion = '2.1'),
	'a chunk that is too long': ({ json }) => (json.buffers[0].byteLength -= 8),
	'bytes in place of the type': ({ json }) => (json.buffers[0].uri = 'data:text/plain;base64,AAAA'),
	'a texture nobody uses of nothing': ({ json }) => json.textures.push({ source: 9, sampler: 9 }),
	'a sampler nobody uses without sense': ({ json }) => json.samplers.push({ wrapS: 1 }),
	'a picture nobody uses of nothing': ({ json }) => json.images.push({}),
	'a material that nobody uses without sense': ({ json }) =>
		json.materials.push({ alphaMode: 'MASK', emissiveFactor: [2, 0, 0] }),
	'names that are numbers': ({ json }) => {
		for (const list of ['accessors', 'bufferViews', 'buffers', 'images', 'materials', 'meshes'])
			json[list][0].name = 5;
	},
	'lists of nothing': ({ json }) => {
		json.nodes[3].children = [];
		json.meshes.push({ primitives: [] });
	},
	'a rotated matrix': ({ json }) => (json.nodes[4].matrix = quarter.map((x, i) => x * (1 + i % 2))),
};

// [{name, glb}] of BREACHES.
export function* singleBreaches() {
	for (const [name, act] of Object.entries(BREACHES)) {
		const rig = opened();
		act(rig);
		yield { name, glb: toGlb(rig) };
	}
	const sound = toGlb(ruleRig());
	yield { name: 'bytes behind the end', glb: Buffer.concat([sound, Buffer.from('glTF')]) };
	const filled = Buffer.from(sound);
	const end = 20 + filled.readUInt32LE(12);
	for (let at = end; filled[at - 1] === 0x20; at--) filled[at - 1] = 0;
	if (filled[end - 1] !== 0) throw new Error('the JSON of the sound file is not filled up');
	yield { name: 'a chunk of JSON filled up with NUL', glb: filled };
}
