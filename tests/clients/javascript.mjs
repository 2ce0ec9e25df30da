// The JavaScript client against a real daemon with the demo rigs, checked against plain fetch() calls.
//
//   node javascript.mjs --list            the names of the cases, one a line
//   node javascript.mjs ADDRESS NAME...   runs them; a line of JSON for each
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

import { Client, ConnectionFailed, decodeVertices, Problem, signedPath } from '../../clients/js/client/posed.js';
import { signature } from '../../clients/js/client/links.js';
import { FrameRate } from '../../clients/js/element/frame_rate.js';

const DEMO = new URL('../../assets/demo/', import.meta.url);
const STEP = { clip: 'Walk', phase: 0.25 };
const address = process.argv[2];
const client = new Client(address);

/** The response to a plain request. */
async function plain(path, request, accept) {
	const response = await fetch(address + path, {
		...(request && { method: 'POST', body: JSON.stringify(request) }),
		headers: { 'Content-Type': 'application/json', ...(accept && { Accept: accept }) },
	});
	assert.equal(response.status, 200, `${path}: ${response.status}`);
	return new Uint8Array(await response.arrayBuffer());
}

const bytes = async (blob) => new Uint8Array(await blob.arrayBuffer());
const text = (array) => new TextDecoder().decode(array);

/** Packed vertices are within half a step and 0.95 degrees of the exact ones. */
function near(packed, exact, frame) {
	const { bounds } = packed;
	if (packed.names.includes('position')) {
		// Of 14 bits, the fewest that are packed without being asked to.
		const step = (bounds[3] - bounds[0]) / 65535;
		const [a, b] = [packed, exact].map((vertices) => vertices.get('position', frame));
		const worst = a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
		assert.ok(worst <= step * 0.51, `${worst} against a step of ${step}`);
	}
	if (packed.names.includes('normal')) {
		const [a, b] = [packed, exact].map((vertices) => vertices.get('normal', frame));
		for (let i = 0; i < a.length; i += 3) {
			const cosine = a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2];
			assert.ok(cosine > Math.cos((0.96 * Math.PI) / 180), `${cosine} at ${i}`);
		}
	}
}

/** A server that handles requests as told, for what the daemon does not do on demand. */
async function withServer(handle, run) {
	const server = createServer(handle).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	try {
		await run(`http://127.0.0.1:${server.address().port}`);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

const cases = {
	async service() {
		assert.equal((await client.service()).name, 'posed');
		assert.equal(await client.isAlive(), true);
		assert.ok(await client.ready());
		assert.match(await client.metrics(), /^posed_/m);
		assert.match(await client.viewer(), /<html/);
		assert.ok(await client.script('viewer/viewer.css'));
		assert.match(await client.openapi(), /^# The HTTP API of posed/);
	},

	async rigs() {
		const asset = await readFile(new URL('cyl2.glb', DEMO));
		assert.equal((await client.putRig('a b', asset)).name, 'a b');
		assert.ok((await client.rigs()).some(({ name }) => name === 'a b'));
		assert.deepEqual(await client.describe('a b'), JSON.parse(text(await plain('/v1/rigs/a%20b'))));
		assert.deepEqual(new Uint8Array(await client.source('a b')), new Uint8Array(asset));
		assert.equal(text((await client.mesh('a b')).slice(0, 4)), 'glTF');
		await assert.rejects(client.putRig('a b', asset, { keep: true }), { status: 412 });
		await assert.rejects(client.putRig('a\u202eb', asset), { status: 400, message: /U\+202E/ });
		await client.deleteRig('a b');
		assert.ok(!(await client.rigs()).some(({ name }) => name === 'a b'));
	},

	async 'a frame is the same picture'() {
		const request = { rig: 'humanoid', pose: STEP, width: 64, height: 48 };
		const want = await plain('/v1/frame', request, 'image/png');
		const picture = await client.frame(request);
		assert.equal(picture.type, 'image/png');
		assert.deepEqual(await bytes(picture), want);
		const parameters = { clip: 'Walk', phase: 0.25, width: 64, height: 48 };
		assert.deepEqual(await bytes(await client.frameLink('humanoid', parameters)), want);
		const webp = await client.frameLink('humanoid', parameters, { ending: 'webp' });
		assert.equal(webp.type, 'image/webp');
		const moving = await fetch(client.framesUrl('humanoid', { ...parameters, turntable: 3 }, 'gif'));
		assert.equal(moving.headers.get('content-type'), 'image/gif');
		const linked = await fetch(client.frameUrl('humanoid', parameters));
		assert.deepEqual(new Uint8Array(await linked.arrayBuffer()), want);
		const signed = { clip: 'Walk', phase: 0.25, w: 64, h: 48 };
		assert.deepEqual(await bytes(await client.signedFrame('humanoid', signed)), want);
	},

	async 'a picture has what the daemon says of it beside it'() {
		const shading = { mode: 'depth', near: 1, far: 6.5 };
		const request = { rig: 'humanoid', pose: STEP, width: 64, height: 48, shading };
		const picture = await client.frame(request);
		assert.equal(picture.headers.get('Posed-Depth'), '1 6.5');
		const octets = await client.frame(request, { accept: 'application/octet-stream' });
		assert.equal(octets.headers.get('Posed-Size'), '64x48');
		assert.equal(octets.size, 2 * 64 * 48);
		const query = { clip: 'Walk', count: 2, shading: 'depth', near: 1, far: 6.5 };
		const moving = await client.framesLink('humanoid', query);
		assert.equal(moving.headers.get('Posed-Depth'), '1 6.5');
		const etag = picture.headers.get('ETag');
		assert.equal(await client.frame(request, { etag }), null);
	},

	async 'vertices are views of the answer'() {
		const request = { rig: 'humanoid', pose: STEP, attributes: ['position', 'normal'] };
		const want = new Float32Array((await plain('/v1/vertices', request)).buffer);
		const found = await client.vertices(request);
		assert.deepEqual(found.get('position'), want.subarray(0, want.length / 2));
		assert.deepEqual(found.get('normal'), want.subarray(want.length / 2));
		assert.equal(found.get('normal').buffer, found.data[0].buffer);
		assert.deepEqual(found.names, ['position', 'normal']);
		assert.throws(() => found.get('tangent'), RangeError);
		assert.throws(() => found.get('position', 1), RangeError);
		assert.throws(() => found.get('position', 0.5), RangeError);
		assert.equal(await client.vertices(request, { etag: found.etag }), null);
	},

	async 'frames come one by one'() {
		const poses = Array.from({ length: 90 }, (_, i) => ({ clip: 'Walk', time: i / 30 }));
		const request = { rig: 'humanoid', poses, attributes: ['position', 'normal'] };
		const whole = await client.vertices(request);
		assert.equal(whole.frames, 90);
		let count = 0;
		for await (const frame of client.verticesByFrame(request)) {
			assert.deepEqual(frame.get('position'), whole.get('position', count), `frame ${count}`);
			assert.deepEqual(frame.get('normal'), whole.get('normal', count), `frame ${count}`);
			count++;
		}
		assert.equal(count, 90);
		for await (const frame of client.verticesByFrame(request)) {
			assert.equal(frame.frames, 1);
			break; // ends the call
		}
	},

	async 'packed vertices are unpacked'() {
		const poses = Array.from({ length: 8 }, (_, i) => ({ clip: 'Run', time: i / 30 }));
		const request = { rig: 'humanoid', poses };
		const exact = await client.vertices({ ...request, attributes: ['position', 'normal'] });
		const attributes = ['position:u16x3', 'normal:oct8x2'];
		const ways = [
			{ attributes },
			{ attributes, compression: 'meshopt' },
			{ attributes, compression: { codec: 'meshopt', delta: 'none', order: 'file' } },
			{ attributes: attributes.slice(0, 1), compression: 'meshopt' },
			{ attributes: attributes.slice(1), compression: 'meshopt' },
		];
		for (const way of ways) {
			const packed = await client.vertices({ ...request, ...way });
			assert.equal(packed.frames, 8);
			for (let i = 0; i < packed.frames; i++) near(packed, exact, i);
			let i = 0;
			for await (const frame of client.verticesByFrame({ ...request, ...way })) {
				for (const name of frame.names)
					assert.deepEqual(frame.get(name), packed.get(name, i), `${name} of frame ${i}`);
				i++;
			}
			assert.equal(i, 8);
		}
	},

	async 'a stream gives frames in real time'() {
		const attributes = ['position:u16x3', 'normal:oct8x2'];
		const request = { rig: 'humanoid', pose: { clip: 'Run', loop: 'repeat' }, fps: 60, duration: 0.5 };
		for (const compression of [undefined, 'meshopt']) {
			const stream = await client.stream({ ...request, attributes, compression });
			let frames = 0;
			let last = -1;
			for await (const frame of stream) {
				assert.ok(frame.number > last, `${frame.number} behind ${last}`);
				last = frame.number;
				const pose = { clip: 'Run', loop: 'repeat', time: frame.time };
				if (frames++ % 5 === 0) {
					const exact = await client.vertices({
						rig: 'humanoid',
						pose,
						attributes: ['position', 'normal'],
					});
					near(frame, exact, 0);
				}
			}
			assert.ok(frames >= 3, `${frames} frames in half a second`);
		}
	},

	async 'a stream is changed and left'() {
		const stream = await client.stream({ rig: 'cyl2', pose: 'rest', fps: 30 });
		let seen = 0;
		for await (const frame of stream) {
			if (++seen === 1) {
				const wrong = await stream.change({ pose: { clip: 'nothing' } }).catch((e) => e);
				assert.equal(wrong.type, 'urn:posed:unknown-clip');
				await stream.change({ pose: { clip: 'bend', loop: 'repeat' }, speed: 2 });
				assert.equal((await stream.state()).speed, 2);
			} else if (frame.changed) {
				const pose = { clip: 'bend', loop: 'repeat', time: frame.time };
				const exact = await client.vertices({ rig: 'cyl2', pose });
				assert.deepEqual(frame.get('position'), exact.get('position'));
				break; // ends it
			}
		}
		for (let tries = 0; tries < 100; tries++) {
			const error = await client.streamState(stream.id).then(
				() => null,
				(e) => e,
			);
			if (error) {
				assert.equal(error.status, 404);
				return;
			}
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		assert.fail('the stream is still there');
	},

	async 'a stream comes in two ways, backwards in a range'() {
		const request = { rig: 'cyl2', pose: { clip: 'bend' }, fps: 60, duration: 0.4, speed: -2 };
		const skinning = ['lbs', 'dqs'];
		const stream = await client.stream({ ...request, skinning, range: { from: 1, to: 2 } });
		let count = 0;
		for await (const moment of stream.moments()) {
			assert.equal(moment.count, ++count);
			assert.equal(moment.outdated, false);
			assert.deepEqual(
				moment.frames.map(({ way }) => way),
				[0, 1],
			);
			const time = 1 + ((((moment.time - 1) % 1) + 1) % 1);
			for (const frame of moment.frames) {
				assert.equal(frame.time, moment.time);
				const method = skinning[frame.way];
				const pose = { clip: 'bend', time };
				const exact = await client.vertices({ rig: 'cyl2', pose, skinning: method });
				const far = frame.get('position').map((x, i) => Math.abs(x - exact.get('position')[i]));
				assert.ok(Math.max(...far) < 1e-6);
			}
		}
		assert.ok(count > 3);
	},

	async 'a pace is what somebody can take'() {
		// Frames wait in a line behind one another, and each takes so long to be read.
		const play = (rate, from, seconds, cost) => {
			let [due, free, late] = [from, from, 0];
			while (due < from + seconds) {
				const made = due;
				free = Math.max(free, made) + cost;
				late = free - made;
				rate.note(made, free);
				due += 1 / rate.fps;
			}
			return late;
		};
		const rate = new FrameRate(30);
		play(rate, 0, 10, 0.01);
		assert.equal(rate.fps, 30);
		assert.ok(play(rate, 10, 30, 0.1) < 0.5, 'late');
		assert.ok(rate.fps < 10 && rate.fps >= 4);
		play(rate, 40, 120, 0.01);
		assert.equal(rate.fps, 30);
		rate.note(160, 162); // one that is late alone
		play(rate, 162, 1, 0.01);
		assert.equal(rate.fps, 30);
	},

	async 'a stream is ended by its id'() {
		const stream = await client.stream({ rig: 'cyl2', pose: { clip: 'bend', loop: 'repeat' } });
		for await (const frame of stream) if (frame.number === 0) await client.endStream(stream.id);
		await assert.rejects(client.endStream(stream.id), { status: 404 });
	},

	async 'the codec is meshoptimizers'() {
		let MeshoptEncoder;
		try {
			({ MeshoptEncoder } = await import('../conformance/node_modules/meshoptimizer/index.js'));
		} catch {
			return 'meshoptimizer is not here: tests/conformance/run.py installs it';
		}
		await MeshoptEncoder.ready;
		const random = (() => {
			let state = 12345;
			return () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
		})();
		for (const stride of [4, 8, 12, 16, 32, 64, 256]) {
			for (const count of [1, 15, 16, 17, 255, 256, 257, 3000]) {
				const bytes = new Uint8Array(count * stride);
				// Smooth here, rough there: every number of bits comes up.
				bytes.forEach((_, i) => {
					const rough = 1 << (Math.floor(i / stride / 40) % 9);
					bytes[i] = (i % stride) * 7 + random() * rough;
				});
				const coded = MeshoptEncoder.encodeVertexBufferLevel(bytes, count, stride, 2, 0);
				assert.deepEqual(decodeVertices(coded, count, stride), bytes, `${count} of ${stride}`);
				assert.throws(() => decodeVertices(coded.subarray(0, -1), count, stride));
			}
		}
		assert.throws(() => decodeVertices(new Uint8Array(64), 1, 4));
	},

	async poses() {
		const want = JSON.parse(text(await plain('/v1/pose', { rig: 'tube23' })));
		assert.deepEqual(await client.pose({ rig: 'tube23' }), want);
		const matrices = await client.matrices({ rig: 'tube23', poses: ['rest', STEP_OF_TUBE] });
		assert.equal(matrices.length, 2 * 16 * want.joints.length);
		want.joints.forEach(({ world }, i) =>
			world.forEach((x, k) => assert.ok(Math.abs(x - matrices[i * 16 + k]) < 1e-6)),
		);
	},

	async influences() {
		const want = await plain('/v1/rigs/humanoid/influences?joint=Head');
		assert.deepEqual(await client.influences('humanoid', 'Head'), new Float32Array(want.buffer));
	},

	async thumbnails() {
		await assert.rejects(client.thumbnail('humanoid'), /no VRM avatar/);
	},

	async shaders() {
		const { versions } = (await client.shaders()).find(({ method }) => method === 'delta_mush');
		assert.deepEqual(versions, ['310']);
		const want = text(await plain('/v1/shaders/dqs?version=310'));
		assert.equal(await client.shader('dqs', { version: '310' }), want);
		const request = { rig: 'cyl2', skinning: 'dqs', buffers: ['palette'] };
		const { stages } = await client.shaderInputs(request);
		assert.equal(stages[0].function, 'posed_surface');
	},

	async examples() {
		const found = await client.vertices({ rig: 'cyl2', attributes: ['position', 'normal'] });
		const [positions, normals] = [found.get('position'), found.get('normal')];
		await client.putExample('cyl2', 'a', 'rest', { positions, normals });
		await client.putExample('cyl2', 'b', 'rest', { positions });
		await client.putExample('cyl2', 'c', 'rest', { glb: await client.mesh('cyl2') });
		assert.deepEqual((await client.examples('cyl2')).map(({ name }) => name), ['a', 'b', 'c']);
		const stored = await client.example('cyl2', 'a');
		assert.ok(Math.abs(stored.positions[7][0] - positions[21]) < 1e-7);
		for (const name of ['a', 'b', 'c']) await client.deleteExample('cyl2', name);
		assert.deepEqual(await client.examples('cyl2'), []);
	},

	async clips() {
		await client.putClip('cyl2', 'half', { pose: { clip: 'bend' }, duration: 0.5, rate: 30 });
		const file = await readFile(new URL('cyl2.glb', DEMO));
		await client.putClip('cyl2', 'file', { file, clip: 'twist' });
		const names = (await client.clips('cyl2')).map(({ name }) => name);
		assert.deepEqual(names.slice(-2), ['file', 'half']);
		assert.equal((await client.clip('cyl2', 'half')).duration, 0.5);
		assert.equal(text((await client.clipFile('cyl2', 'half')).slice(0, 4)), 'glTF');
		assert.equal(text((await client.clipFile('cyl2', 'half', { prune: true })).slice(0, 4)), 'glTF');
		const asJson = { prune: true, accept: 'application/json' };
		await assert.rejects(client.clipFile('cyl2', 'half', asJson), { status: 400 });
		for (const name of ['file', 'half']) await client.deleteClip('cyl2', name);
	},

	async fits() {
		const { id } = await client.beginFit('cyl2', 'cor');
		assert.ok((await client.fits('cyl2')).some((fit) => fit.id === id));
		assert.equal((await client.fit('cyl2', id)).id, id);
		await client.cancelFit('cyl2', id);
	},

	async frames() {
		const request = { rig: 'cyl2', turntable: 3, width: 32, height: 32, camera: { pitch: 5 } };
		const turn = await client.frames(request);
		assert.equal(turn.type, 'image/apng');
		const link = await client.framesLink('cyl2', { turntable: 3, width: 32, height: 32, pitch: 5 });
		assert.deepEqual(await link.arrayBuffer(), await turn.arrayBuffer());
	},

	async 'a sequence is taken while it is made, and left'() {
		const request = { rig: 'cyl2', turntable: 3, width: 32, height: 32, format: 'tar' };
		const answer = await client.framesStream(request);
		assert.equal(answer.headers.get('Posed-Frames'), '3');
		const pieces = [];
		for await (const piece of answer.body) pieces.push(piece);
		assert.deepEqual(new Uint8Array(Buffer.concat(pieces)), await bytes(await client.frames(request)));
		const many = { ...request, turntable: 360, width: 512, height: 512 };
		const long = await client.framesStream(many);
		const reader = long.body.getReader();
		assert.ok((await reader.read()).value.length > 0);
		await reader.cancel();
	},

	async 'a check has a report and events'() {
		const request = { rig: 'cyl2', only: ['surface/*'] };
		const report = await client.check(request);
		assert.equal(report.schema, 'posed-check/1');
		const found = report.files[0].findings.map((finding) => finding.rule);
		const events = [];
		for await (const event of client.checkEvents(request)) events.push(event);
		assert.equal(events[0].event, 'start');
		assert.deepEqual(events.at(-1).summary, report.summary);
		assert.deepEqual(
			events.filter(({ event }) => event === 'finding').map(({ rule }) => rule),
			found,
		);
		for await (const event of client.checkEvents(request)) {
			assert.equal(event.event, 'start');
			break;
		}
		assert.deepEqual(await client.checkLink('cyl2', { only: ['surface/*'] }), report);
		const sarif = await client.checkFile(request, 'application/sarif+json');
		assert.equal(JSON.parse(Buffer.from(sarif).toString()).version, '2.1.0');
		const source = await client.source('cyl2');
		const asset = await client.check({ asset: new Blob([source]), path: 'cyl2', only: ['surface/*'] });
		assert.deepEqual(asset.files, report.files);
	},

	async 'a check goes on in the background'() {
		const request = { rig: 'humanoid', skip: ['rig/height'] };
		let task = await client.beginCheck(request);
		while (task.state === 'waiting' || task.state === 'running')
			task = await client.checkState(task.id);
		assert.equal(task.state, 'done');
		assert.deepEqual(await client.checkReport(task.id), await client.check(request));
		await client.cancelCheck(task.id);
		await assert.rejects(client.checkState(task.id), { status: 404 });
	},

	async 'rules and profiles of checks'() {
		const rules = await client.checkRules();
		const pop = rules.find(({ id }) => id === 'motion/pop');
		assert.equal(pop.profiles.game.warning, 0.006);
		const profile = await client.checkProfile('game');
		assert.equal(profile.version, 1);
		const request = { rig: 'cyl2', only: ['surface/*'] };
		const { files } = await client.check({ ...request, profile });
		assert.deepEqual(files, (await client.check(request)).files);
	},

	async 'a crowd and a bake have their headers beside them'() {
		const crowd = { instances: [{ rig: 'cyl2' }, { rig: 'cyl2' }] };
		const octets = await client.crowd(crowd, { accept: 'application/octet-stream' });
		assert.equal(octets.headers.get('Posed-Instances'), '2');
		assert.equal(octets.headers.get('Posed-Layout'), 'position:f32x3');
		const request = { rig: 'cyl2', pose: { clip: 'bend' }, rate: 4, as: 'morph' };
		const etag = (await client.bake(request)).headers.get('ETag');
		assert.equal(await client.bake(request, { etag }), null);
	},

	async 'between rigs, clips and methods'() {
		assert.ok((await client.compatibility('humanoid', 'head')).pairs.length > 0);
		const baked = await client.bake({ rig: 'humanoid', pose: { clip: 'Walk' }, rate: 4, as: 'morph' });
		assert.equal(text(baked.slice(0, 4)), 'glTF');
		const found = await client.transitions({ rig: 'humanoid', from: 'Walk', to: 'Run' });
		assert.ok(found.transitions.length > 0);
		const clips = { rig: 'humanoid', clips: ['Walk'], tolerance: 0.001 };
		const compressed = await client.compress(clips);
		assert.equal(text(compressed.slice(0, 4)), 'PCLP');
		const few = await client.compress({ ...clips, codec: 'keys', tolerance: 0.001 });
		assert.equal(text(few.slice(0, 4)), 'glTF');
		const report = await client.compressReport(clips);
		assert.equal(report.bytes, compressed.byteLength);
		assert.ok(report.clips[0].error.max <= 0.001);
		const events = [];
		for await (const event of client.compressEvents(clips)) events.push(event);
		assert.deepEqual(events.map(({ event, clip }) => clip ?? event), ['start', 'Walk', 'end']);
		assert.deepEqual(events.at(-1).report, report);
		assert.deepEqual(Buffer.from(events.at(-1).file), Buffer.from(compressed));
		const refused = async () => {
			for await (const event of client.compressEvents({ ...clips, tolerance: 1e-9 })) assert.ok(event);
		};
		await assert.rejects(refused, { name: 'Problem', status: 400, pointer: '/tolerance' });
		const request = { rig: 'cyl2', methods: ['lbs', 'dqs'], width: 200, height: 200 };
		assert.equal((await client.compare(request)).methods.length, 2);
		assert.equal((await client.compare(request, { accept: 'image/png' })).type, 'image/png');
		const crowd = { instances: [{ rig: 'cyl2' }], width: 64, height: 64 };
		assert.equal((await client.crowd(crowd)).type, 'image/png');
		const described = await client.crowd(crowd, { accept: 'application/json' });
		assert.equal(described.instances.length, 1);
		const octets = await client.crowd(crowd, { accept: 'application/octet-stream' });
		const alone = await client.vertices({ rig: 'cyl2' });
		assert.deepEqual(new Float32Array(octets), alone.get('position'));
	},

	async 'a signature is imgproxys'() {
		// The example of imgproxy's documentation, with the same key and salt.
		const path =
			'/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png';
		const hex = (word) => Buffer.from(word).toString('hex');
		assert.equal(
			await signature(path, hex('secret'), hex('hello')),
			'oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8',
		);
		assert.equal(await signedPath('a b', { clip: 'x/y' }), '/i/unsafe/clip:x%2Fy/a%20b.png');
	},

	async 'refusals are problems'() {
		const error = await client.pose({ rig: 'humanoid', pose: { clip: 'Wlak' } }).catch((e) => e);
		assert.ok(error instanceof Problem);
		assert.equal(error.status, 404);
		assert.equal(error.type, 'urn:posed:unknown-clip');
		assert.equal(error.pointer, '/pose/clip');
		assert.match(error.detail, /Walk/);
		assert.ok(error.requestId);
		await assert.rejects(client.frameLink('humanoid', { clip: 'Walk', tmie: 1 }), {
			parameter: 'tmie',
		});
	},

	async 'a signal ends a call'() {
		const stop = new AbortController();
		// The server has the request, and never answers it.
		await withServer(
			() => stop.abort(),
			async (place) => {
				const call = new Client(place).vertices({ rig: 'humanoid' }, { signal: stop.signal });
				await assert.rejects(call, { name: 'AbortError' });
			},
		);
	},

	async 'a daemon that is not there'() {
		await assert.rejects(new Client('http://127.0.0.1:1').rigs(), ConnectionFailed);
	},

	async 'an upload may be a stream, which is sent once'() {
		const asset = await readFile(new URL('cyl2.glb', DEMO));
		await client.putRig('streamed', new Blob([asset]).stream());
		assert.deepEqual(new Uint8Array(await client.source('streamed')), new Uint8Array(asset));
		await client.deleteRig('streamed');
		const handle = async (request, response) => {
			for await (const _ of request); // all of it
			response.writeHead(503, { 'Retry-After': '0.01' }).end('{"detail": "busy"}');
		};
		await withServer(handle, async (place) => {
			const put = new Client(place).putRig('a', new Blob([asset]).stream());
			await assert.rejects(put, { status: 503, detail: 'busy' });
		});
	},

	async 'an answer that ends too early is a failed connection'() {
		const handle = (_, response) => {
			const layout = { 'Posed-Layout': 'position:f32x3', 'Posed-Vertices': '1' };
			response.writeHead(200, { 'Content-Length': '1000', ...layout });
			response.write('{"joints": [');
			response.socket.end();
		};
		await withServer(handle, async (place) => {
			const cut = new Client(place);
			const calls = [
				() => cut.pose({ rig: 'a' }),
				() => cut.matrices({ rig: 'a' }),
				() => cut.vertices({ rig: 'a' }),
				() => cut.frame({ rig: 'a' }),
				() => cut.metrics(),
			];
			for (const call of calls) await assert.rejects(call(), ConnectionFailed);
		});
	},

	async 'what is no daemon is said to be none'() {
		const handle = (_, response) =>
			response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>hotel</html>');
		await withServer(handle, async (place) => {
			const failed = await new Client(place).rigs().catch((e) => e);
			assert.ok(failed instanceof ConnectionFailed);
			assert.match(failed.message, /text\/html/);
		});
	},

	async 'addresses have what can be written into them'() {
		const url = client.frameUrl('cyl2', { clip: null, time: undefined, width: 8 });
		assert.equal(url, `${address}/v1/rigs/cyl2/frame.png?width=8`);
		const parameters = { skinning: { method: 'dqs' } };
		assert.throws(() => client.frameUrl('cyl2', parameters), /skinning/);
	},

	async 'a busy daemon is asked again'() {
		let seen = 0;
		const handle = (request, response) => {
			seen++;
			const busy = seen <= 2;
			assert.equal(request.headers.authorization, 'Bearer secret');
			response.writeHead(busy ? 503 : 200, busy ? { 'Retry-After': '0.01' } : {});
			response.end(JSON.stringify(busy ? { detail: 'busy' } : { joints: [] }));
		};
		await withServer(handle, async (place) => {
			const waiting = new Client(place, { token: 'secret' });
			assert.deepEqual(await waiting.pose({ rig: 'a' }), { joints: [] });
			assert.equal(seen, 3);
			seen = -1000;
			const hasty = new Client(place, { token: 'secret', patienceMs: 0 });
			await assert.rejects(hasty.pose({ rig: 'a' }), { status: 503, detail: 'busy' });
			assert.equal(seen, -999);
		});
	},

	async 'token is asked for, and those who wait are told'() {
		const answers = [
			[401, {}],
			[401, {}],
			[503, { 'Retry-After': '0.01' }],
			[200, { 'Content-Type': 'application/json' }],
		];
		const tokens = [];
		const handle = (request, reply) => {
			tokens.push(request.headers.authorization ?? null);
			reply.writeHead(...answers[tokens.length - 1]).end('{"version": "1"}');
		};
		await withServer(handle, async (place) => {
			const [asked, waits, seen, fetched] = [[], [], [], []];
			const hooked = new Client(place, {
				askToken: async (refused) => {
					asked.push(refused);
					return refused === null ? 'first' : 'second';
				},
				onBusy: (seconds) => waits.push(seconds),
				onAnswer: (response) => seen.push(response.status),
				fetch: (url, request) => {
					fetched.push(url);
					return fetch(url, request);
				},
			});
			assert.deepEqual(await hooked.service(), { version: '1' });
			assert.deepEqual(asked, [null, 'first']);
			assert.deepEqual(tokens, [null, 'Bearer first', 'Bearer second', 'Bearer second']);
			assert.deepEqual(waits, [0.01]);
			assert.deepEqual(seen, [401, 401, 503, 200]);
			assert.deepEqual(new Set(fetched), new Set([`${place}/v1`]));
		});
	},

	async 'token that nobody has is a refusal'() {
		const handle = (_, reply) => reply.writeHead(401).end('{"detail": "a token, please"}');
		await withServer(handle, async (place) => {
			const locked = new Client(place, { askToken: async () => null });
			await assert.rejects(locked.service(), { status: 401, message: 'a token, please' });
		});
	},
};

const STEP_OF_TUBE = { clip: 'wave', phase: 0.5 };

if (address === '--list') {
	console.log(Object.keys(cases).join('\n'));
} else if (address === '--operations') {
	const { operations } = Client;
	const methods = Object.keys(operations);
	assert.ok(methods.every((name) => typeof Client.prototype[name] === 'function'));
	console.log(JSON.stringify(Object.values(operations)));
} else {
	for (const name of process.argv.slice(3)) {
		// A case that cannot run here says why.
		const [skipped, failure] = await cases[name]().then(
			(reason) => [reason ?? null, null],
			(error) => [null, error.stack],
		);
		console.log(JSON.stringify({ name, skipped, failure }));
	}
}
