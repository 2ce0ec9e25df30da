// Holds poses of several clips against three.js' AnimationMixer: weights, rest mixed in, additive
// clips, cross-fades, loops. What it calls weighted is posed's blend with "rotation": "slerp", which
// depends on the order in the same way.
//
// The mixer takes for a property that a clip does not drive the value from the file in that clip's
// place, posed leaves that clip out of the sum: only joints that all clips drive are held.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	AdditiveAnimationBlendMode,
	AnimationMixer,
	AnimationUtils,
	LoopOnce,
	LoopPingPong,
	LoopRepeat,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ask, post, startDaemon } from './daemon.mjs';
import { geometryGlb, readForRequest, readGltf } from './gltf_file.mjs';
import { check, count, expect, lines, tally } from './report.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const FILES = [
	{ name: 'demo/humanoid', path: join(ROOT, 'assets', 'demo', 'humanoid.glb') },
	{ name: 'Fox', path: join(SHARED, 'khronos-Fox', 'glTF-Binary', 'Fox.glb') },
];
const ROUNDS = 40;

// three.js keeps keys as float32 and computes in doubles; posed answers in float32.
const TOLERANCE = 2e-6;

function generator(seed) {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

class Mixed {
	static async load(path) {
		const self = new Mixed();
		const gltf = await new GLTFLoader().parseAsync(geometryGlb(await readGltf(path)), '');
		self.scene = gltf.scene;
		self.clips = gltf.animations;
		self.parser = gltf.parser;
		return self;
	}

	async findJoints(description) {
		this.joints = [];
		for (const { name, index } of description.joints) {
			this.joints.push({ name, object: await this.parser.getDependency('node', index) });
		}
	}

	// A mixer to set up, then the nodes' local transforms that it leaves; the file's come back.
	run(setUp) {
		const mixer = new AnimationMixer(this.scene);
		setUp(mixer);
		const locals = this.joints.map(({ object }) => ({
			translation: object.position.toArray(),
			rotation: object.quaternion.toArray(),
			scale: object.scale.toArray(),
		}));
		mixer.stopAllAction();
		mixer.update(0);
		return locals;
	}

	// True if all of these clips drive a joint's property.
	drives(clips, object, property) {
		return clips.every((clip) =>
			clip.tracks.some(({ name }) =>
				[object.uuid, object.name].some((node) => name === `${node}.${property}`),
			),
		);
	}
}

const PROPERTIES = { translation: 'position', rotation: 'quaternion', scale: 'scale' };

function errorOf(got, want, path) {
	const sign = path === 'rotation' && got.reduce((sum, x, i) => sum + x * want[i], 0) < 0 ? -1 : 1;
	const size = Math.max(1, ...want.map(Math.abs));
	return Math.max(...got.map((x, i) => Math.abs(x - sign * want[i]))) / size;
}

async function hold(subject, what, clips, expression, setUp) {
	const { daemon, mixed, name } = subject;
	const request = { rig: name, pose: expression, space: 'local' };
	const reply = await post(daemon, 'pose', request, 'application/json');
	const { joints } = await reply.json();
	const wanted = mixed.run(setUp);
	for (const [i, { object }] of mixed.joints.entries()) {
		for (const [path, property] of Object.entries(PROPERTIES)) {
			if (!mixed.drives(clips, object, property)) continue;
			const error = errorOf(joints[i][path], wanted[i][path], path);
			tally(`mixer, ${what}`, error, name);
			expect(
				error <= TOLERANCE,
				`${what}: ${path} of "${joints[i].name}" is off by ${error.toExponential(2)} in ` +
					JSON.stringify(expression),
			);
			subject.held++;
		}
	}
}

const begin = (mixer, clip, time, weight = 1) => {
	const action = mixer.clipAction(clip);
	action.play();
	action.setEffectiveWeight(weight);
	action.time = time;
	return action;
};

function chosen(subject, random, least) {
	const clips = subject.mixed.clips;
	const count = Math.min(clips.length, least + Math.floor(random() * (clips.length - least + 1)));
	const first = Math.floor(random() * clips.length);
	return Array.from({ length: count }, (_, i) => {
		const clip = clips[(first + i) % clips.length];
		return { clip, name: clip.name, time: random() * clip.duration, weight: 0.05 + random() };
	});
}

// Weights that sum to 1, or to less: then the mixer fills up with the file's values.
async function weights(subject, random, share) {
	const items = chosen(subject, random, 2);
	const sum = items.reduce((total, { weight }) => total + weight, 0) / share;
	for (const item of items) item.weight /= sum;
	const blend = items.map(({ name, time, weight }) => ({ pose: { clip: name, time }, weight }));
	if (share < 1) blend.push({ pose: 'rest', weight: 1 - share });
	await hold(
		subject,
		share < 1 ? 'weights below 1' : 'weights',
		items.map(({ clip }) => clip),
		{ blend, rotation: 'slerp' },
		(mixer) => {
			for (const { clip, time, weight } of items) begin(mixer, clip, time, weight);
			mixer.update(0);
		},
	);
}

async function additive(subject, random) {
	const [base, extra] = chosen(subject, random, 2);
	const difference = AnimationUtils.makeClipAdditive(extra.clip.clone(), 0);
	difference.blendMode = AdditiveAnimationBlendMode;
	const weight = Math.min(1, extra.weight);
	await hold(
		subject,
		'additive',
		[base.clip, extra.clip],
		{
			add: { clip: extra.name, time: extra.time },
			reference: { clip: extra.name, time: 0 },
			to: { clip: base.name, time: base.time },
			weight,
		},
		(mixer) => {
			begin(mixer, base.clip, base.time);
			begin(mixer, difference, extra.time, weight);
			mixer.update(0);
		},
	);
}

async function crossFade(subject, random) {
	const [from, to] = chosen(subject, random, 2);
	const duration = 0.2 + random();
	const elapsed = random() * duration;
	await hold(
		subject,
		'cross-fade',
		[from.clip, to.clip],
		{
			crossfade: [
				{ clip: from.name, time: from.time + elapsed, loop: 'repeat' },
				{ clip: to.name, time: to.time + elapsed, loop: 'repeat' },
			],
			share: elapsed / duration,
			easing: 'linear',
			rotation: 'slerp',
		},
		(mixer) => {
			const first = begin(mixer, from.clip, from.time);
			const second = begin(mixer, to.clip, to.time);
			first.crossFadeTo(second, duration, false);
			mixer.update(elapsed);
		},
	);
}

async function loops(subject, random) {
	const { clip, name } = chosen(subject, random, 1)[0];
	const time = random() * 3.7 * clip.duration;
	const modes = { repeat: LoopRepeat, ping_pong: LoopPingPong, clamp: LoopOnce };
	for (const [loop, mode] of Object.entries(modes)) {
		await hold(subject, 'loops', [clip], { clip: name, time, loop }, (mixer) => {
			const action = begin(mixer, clip, 0);
			action.setLoop(mode, Infinity);
			action.clampWhenFinished = true;
			mixer.update(time);
		});
	}
}

async function compareFile(daemon, { name, path }) {
	const subject = { daemon, name: name.replace('/', ' '), held: 0 };
	const url = `${daemon.url}/v1/rigs/${encodeURIComponent(subject.name)}`;
	await ask(url, { method: 'PUT', body: readForRequest(path) });
	subject.mixed = await Mixed.load(path);
	await subject.mixed.findJoints(await (await ask(url)).json());
	const random = generator(7);
	const kinds = {
		weights: () => weights(subject, random, 1),
		'weights below 1': () => weights(subject, random, 0.7),
		additive: () => additive(subject, random),
		'cross-fades': () => crossFade(subject, random),
		loops: () => loops(subject, random),
	};
	for (const [kind, one] of Object.entries(kinds)) {
		await check(`${name}, ${kind} against AnimationMixer`, async () => {
			subject.held = 0;
			for (let i = 0; i < ROUNDS; i++) await one();
			expect(subject.held > 10 * ROUNDS, `only ${subject.held} transforms were held`);
		});
	}
}

async function main() {
	const daemon = await startDaemon(BINARY);
	for (const file of FILES) {
		if (existsSync(file.path)) {
			await compareFile(daemon, file);
		} else {
			count.skipped++;
			console.log(`SKIPPED ${file.name}: no ${file.path} (POSED_SHARED_FILES says where)`);
		}
	}
	await daemon.stop();
	for (const line of lines()) console.log(line);
}

await main().catch((error) => {
	count.failed++;
	console.log(`FAILED  the comparison stopped: ${error.stack}`);
});
console.log(
	`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
);
process.exit(count.failed ? 1 : 0);
