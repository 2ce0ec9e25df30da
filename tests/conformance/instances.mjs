// EXT_mesh_gpu_instancing against three.js: the vertices of each instance are where its InstancedMesh
// puts them, at rest and in a clip.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AnimationMixer, Matrix4, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ask, post, startDaemon } from './daemon.mjs';
import { GlbBuilder } from './glb_builder.mjs';
import { Chance } from './random_rig.mjs';
import { check, count, expect } from './report.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const FLOAT = 5126;
const SEEDS = 20;
const TOLERANCE = 1e-4; // of numbers up to a hundred: three.js keeps matrices of instances as float32
const TIME = 0.4;

// A tree of nodes, some of them with instances of one of two meshes, and a clip that turns the root.
function makeRig(chance) {
	const builder = new GlbBuilder();
	const isAttribute = true;
	const vectors = (n, size) => chance.many(n, () => chance.vector(3, size)).flat();
	const meshes = chance.many(2, () => {
		const numbers = vectors(5, 1);
		const columns = [0, 1, 2].map((k) => numbers.filter((_, i) => i % 3 === k));
		const POSITION = builder.accessor('VEC3', FLOAT, numbers, {
			isAttribute,
			min: columns.map((column) => Math.min(...column)),
			max: columns.map((column) => Math.max(...column)),
		});
		return builder.add('meshes', { primitives: [{ attributes: { POSITION } }] });
	});
	const rotation = () => chance.direction(4);
	const node = () => ({ translation: chance.vector(3, 2), rotation: rotation(), scale: chance.scale() });
	for (let i = 0; i < 5; i++) {
		const n = chance.whole(1, 6);
		const attributes = {};
		if (chance.is(0.8)) attributes.TRANSLATION = builder.accessor('VEC3', FLOAT, vectors(n, 5));
		if (chance.is(0.8))
			attributes.ROTATION = builder.accessor('VEC4', FLOAT, chance.many(n, rotation).flat());
		if (chance.is(0.8)) attributes.SCALE = builder.accessor('VEC3', FLOAT, chance.many(n, () => chance.scale()).flat());
		const extensions = { EXT_mesh_gpu_instancing: { attributes } };
		builder.add('nodes', { ...node(), mesh: chance.pick(meshes), extensions });
	}
	builder.json.nodes[0].children = [1, 2];
	builder.json.nodes[2].children = [3];
	builder.add('scenes', { nodes: [0, 4] });
	const input = builder.accessor('SCALAR', FLOAT, [0, 1], { min: [0], max: [1] });
	const output = builder.accessor('VEC4', FLOAT, [...rotation(), ...rotation()]);
	const channels = [{ sampler: 0, target: { node: 0, path: 'rotation' } }];
	builder.add('animations', { name: 'turn', samplers: [{ input, output }], channels });
	Object.assign(builder.json, { scene: 0, extensionsUsed: ['EXT_mesh_gpu_instancing'] });
	builder.json.extensionsRequired = builder.json.extensionsUsed;
	return builder.glb();
}

// World positions of all meshes, in the order of the nodes in the scene.
function positionsOf(scene) {
	const out = [];
	const [matrix, position] = [new Matrix4(), new Vector3()];
	scene.updateMatrixWorld(true);
	scene.traverse((mesh) => {
		if (!mesh.isMesh) return;
		const places = mesh.isInstancedMesh ? mesh.count : 1;
		for (let k = 0; k < places; k++) {
			if (mesh.isInstancedMesh) mesh.getMatrixAt(k, matrix);
			else matrix.identity();
			matrix.premultiply(mesh.matrixWorld);
			for (let i = 0; i < mesh.geometry.attributes.position.count; i++)
				out.push(...position.fromBufferAttribute(mesh.geometry.attributes.position, i).applyMatrix4(matrix));
		}
	});
	return out;
}

async function compare(daemon, seed) {
	const glb = makeRig(new Chance(seed));
	await ask(`${daemon.url}/v1/rigs/instances`, { method: 'PUT', body: glb });
	const { scene, animations } = await new GLTFLoader().parseAsync(new Uint8Array(glb).buffer, '');
	for (const pose of ['rest', { clip: 'turn', time: TIME }]) {
		if (pose !== 'rest') {
			const mixer = new AnimationMixer(scene);
			mixer.clipAction(animations[0]).play();
			mixer.setTime(TIME);
		}
		const want = positionsOf(scene);
		const answer = await post(daemon, 'vertices', { rig: 'instances', pose });
		const got = new Float32Array(await answer.arrayBuffer());
		expect(got.length === want.length, `${got.length / 3} vertices, expected ${want.length / 3}`);
		const apart = want.reduce((most, x, i) => Math.max(most, Math.abs(x - got[i])), 0);
		expect(apart <= TOLERANCE, `${apart} apart`);
	}
}

const daemon = await startDaemon(BINARY);
try {
	for (let seed = 1; seed <= SEEDS; seed++) await check(`seed ${seed}`, () => compare(daemon, seed));
} finally {
	await daemon.stop();
}
console.log(`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed ? 1 : 0);
