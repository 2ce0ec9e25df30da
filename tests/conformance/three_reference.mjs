// World-space vertices and node matrices of a glTF file as three.js computes them, in doubles.
//
// three.js reads the file, samples the clips and multiplies the node matrices. The last step, the
// weighted sum over the joints, is written out here: three's own takes the mesh node's transform
// out and back in (bindMatrix), which glTF ignores and which fails on a mesh node of scale 0.
import { AnimationMixer, Matrix4, Mesh, Vector3, Vector4 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { geometryGlb, readGltf } from './gltf_file.mjs';

// A mesh of one primitive is the node's object itself; one of several is a group below it.
function primitivesOf(object, nodeObjects) {
	const found = object.geometry ? [object] : [];
	for (const child of object.children) {
		if (!nodeObjects.has(child)) found.push(...primitivesOf(child, nodeObjects));
	}
	return found;
}

function skinVertex(mesh, joints, i, position, scratch) {
	const { index, weight, moved, sum } = scratch;
	index.fromBufferAttribute(mesh.geometry.attributes.skinIndex, i);
	weight.fromBufferAttribute(mesh.geometry.attributes.skinWeight, i);
	sum.set(0, 0, 0);
	for (let k = 0; k < 4; k++) {
		const w = weight.getComponent(k);
		if (w !== 0)
			sum.addScaledVector(moved.copy(position).applyMatrix4(joints[index.getComponent(k)]), w);
	}
	position.copy(sum);
}

export class ThreeReference {
	// file: of readGltf; its json is changed.
	static async load(file) {
		const glb = geometryGlb(file);
		const gltf = await new GLTFLoader().parseAsync(glb, '');
		const self = new ThreeReference();
		self.json = file.json;
		self.scene = gltf.scene;
		self.clips = gltf.animations;
		self.mixer = new AnimationMixer(gltf.scene);
		await self.#findNodes(gltf.parser);
		return self;
	}

	async #findNodes(parser) {
		const order = []; // node indices, depth first from the roots, in file order
		const visit = (index) => {
			order.push(index);
			for (const child of this.json.nodes[index].children ?? []) visit(child);
		};
		for (const root of this.json.scenes[0].nodes ?? []) visit(root);
		this.nodes = new Map();
		for (const index of order) this.nodes.set(index, await parser.getDependency('node', index));
		const objects = new Set(this.nodes.values());
		this.primitives = order.flatMap((index) => primitivesOf(this.nodes.get(index), objects));
		this.vertexCount = this.primitives.reduce(
			(n, p) => n + p.geometry.attributes.position.count,
			0,
		);
	}

	rest() {
		this.mixer.stopAllAction(); // gives every property its value from the file back
		this.mixer.update(0);
		this.scene.updateMatrixWorld(true);
	}

	// Before its first key and after its last a channel holds: three's interpolants clamp, and an
	// update by 0 seconds wraps nothing.
	pose(clip, time) {
		this.mixer.stopAllAction();
		const action = this.mixer.clipAction(this.clips[clip]);
		action.play();
		action.time = time;
		this.mixer.update(0);
		this.scene.updateMatrixWorld(true);
	}

	positions() {
		const out = new Float64Array(3 * this.vertexCount);
		const position = new Vector3();
		const scratch = {
			index: new Vector4(),
			weight: new Vector4(),
			moved: new Vector3(),
			sum: new Vector3(),
		};
		let at = 0;
		for (const mesh of this.primitives) {
			const joints = mesh.skeleton?.bones.map((bone, j) =>
				new Matrix4().multiplyMatrices(bone.matrixWorld, mesh.skeleton.boneInverses[j]),
			);
			for (let i = 0; i < mesh.geometry.attributes.position.count; i++, at += 3) {
				morphed(mesh, i, position);
				if (joints) skinVertex(mesh, joints, i, position, scratch);
				else position.applyMatrix4(mesh.matrixWorld);
				position.toArray(out, at);
			}
		}
		return out;
	}
}

// Morph targets only: SkinnedMesh's own version would skin too. Points and lines have no targets.
function morphed(mesh, i, position) {
	if (mesh.isMesh) Mesh.prototype.getVertexPosition.call(mesh, i, position);
	else position.fromBufferAttribute(mesh.geometry.attributes.position, i);
}

export function boundsOf(positions) {
	const min = [Infinity, Infinity, Infinity];
	const max = [-Infinity, -Infinity, -Infinity];
	for (let i = 0; i < positions.length; i++) {
		min[i % 3] = Math.min(min[i % 3], positions[i]);
		max[i % 3] = Math.max(max[i % 3], positions[i]);
	}
	return { min, max, diagonal: Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) };
}

// node three_reference.mjs FILE [CLIP TIME]: prints vertices, clips and the posed bounds.
if (process.argv[1] === new URL(import.meta.url).pathname) {
	const [, , path, clip, time] = process.argv;
	const reference = await ThreeReference.load(await readGltf(path));
	if (clip === undefined) reference.rest();
	else reference.pose(Number(clip), Number(time));
	const clips = reference.clips.map((c) => ({
		name: c.name,
		duration: c.duration,
		tracks: c.tracks.length,
	}));
	console.log(
		JSON.stringify({ vertices: reference.vertexCount, clips, ...boundsOf(reference.positions()) }),
	);
}
