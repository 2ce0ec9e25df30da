// Folders of assets by the JavaScript client.
//
//   node folders.mjs ADDRESS < LIST    LIST: [{name, root, document, files}], in JSON
//
// Puts each under its name, from the disk, and under `NAME in memory`, from a Map of all its files.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { Client, packAsset } from '../../clients/js/client/posed.js';

const client = new Client(process.argv[2]);

for (const { name, root, document, files } of JSON.parse(await text(process.stdin))) {
	await client.putRig(name, await packAsset(document, (path) => readFile(`${root}/${path}`)));
	const contents = await Promise.all(
		files.map(async (path) => [path, await readFile(`${root}/${path}`)]),
	);
	await client.putRig(`${name} in memory`, new Map(contents));
}

// --- Refusals, and files that are left out ---

const triangle = (members) => new TextEncoder().encode(JSON.stringify({ asset: {}, ...members }));
const bytes = new Uint8Array(4);
const pack = (members, ...options) =>
	packAsset('a.gltf', (path) => ({ 'a.gltf': triangle(members), 'b.bin': bytes })[path], ...options);

const leading = ['../b.bin', 'a/../../b.bin', '%2e%2e/b.bin', '..%2Fb.bin', '/b.bin', '%2Fb.bin', '//host/b.bin']
	.concat(['file:///b.bin', 'http://127.0.0.1:9/b.bin', 'C:/b.bin', '..\\b.bin', 'a%5Cb.bin', 'a%00b'])
	.concat(['%ff.bin', '100%.bin', '.', '', '\ud800']);
for (const uri of leading) {
	for (const member of ['buffers', 'images']) {
		await assert.rejects(pack({ [member]: [{ uri }] }), {
			name: 'TypeError',
			message: `${member}[0].uri ${JSON.stringify(uri)} must be a path below the document's folder`,
		});
	}
}

await assert.rejects(pack({ buffers: [{ uri: 'c.bin' }] }), {
	message: 'there is no c.bin, which buffers[0].uri "c.bin" of a.gltf names',
});
const missing = [];
const onMissing = (sentence) => missing.push(sentence);
await pack({ buffers: [{ uri: 'b.bin' }], images: [{ uri: 'c%20.png' }] }, { onMissing });
assert.deepEqual(missing, [
	'there is no c .png, which images[0].uri "c%20.png" of a.gltf names; it is drawn without it',
]);

// Documents without references are sent unchanged, and unreadable ones are the daemon's to refuse.
for (const members of [{}, { buffers: [{ uri: 'data:,x' }] }, { buffers: 3, images: [null, { uri: 4 }] }]) {
	assert.deepEqual(await pack(members), triangle(members));
}
for (const content of ['', '{', '[]', 'null', 'glTF', 'glTF' + '\0'.repeat(30), '\xff']) {
	const document = new TextEncoder().encode(content);
	assert.equal(await packAsset('a.gltf', () => document), document);
}
const failure = new Error('the disk is broken');
await assert.rejects(packAsset('a.gltf', () => Promise.reject(failure)), failure);

const lists = [
	[[], /none is/],
	[[['a.bin', bytes], ['b.bin', bytes]], /none is/],
	[[['a.gltf', bytes], ['b/c.GLB', bytes]], /a.gltf and b\/c.GLB are/],
];
for (const [list, message] of lists) await assert.rejects(client.putRig('refused', list), { message });
await assert.rejects(client.describe('refused'), { status: 404 });
