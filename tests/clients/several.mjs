// Assets of several files by the JavaScript client.
//
//   node several.mjs ADDRESS < LIST    LIST: [{name, root, files}], in JSON
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { Client } from '../../clients/js/client/posed.js';

const client = new Client(process.argv[2]);
for (const { name, root, files } of JSON.parse(await text(process.stdin))) {
	const contents = files.map(async (path) => [path, await readFile(`${root}/${path}`)]);
	await client.putRig(name, new Map(await Promise.all(contents)));
}
