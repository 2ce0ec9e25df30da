// A picture of the demo humanoid in the middle of a step, and where its head is then.
//
//   node examples/walk.js [ADDRESS]
import { writeFile } from 'node:fs/promises';

import { Client } from 'posed';

const client = new Client(process.argv[2]);
const pose = { clip: 'Walk', phase: 0.25 };

const picture = await client.frame({ rig: 'humanoid', pose, width: 256, height: 256 });
await writeFile('walk.png', Buffer.from(await picture.arrayBuffer()));
console.log(`wrote walk.png, ${picture.size} bytes`);

const { joints } = await client.pose({ rig: 'humanoid', pose, space: 'world' });
const head = joints.find(({ name }) => name === 'Head');
console.log('the head is at', head.world.slice(12, 15).map((x) => x.toFixed(3)).join(' '));

const vertices = await client.vertices({ rig: 'humanoid', pose, attributes: ['position', 'normal'] });
const heights = vertices.get('position').filter((_, i) => i % 3 === 1);
console.log(`the highest of ${vertices.vertices} vertices is at ${Math.max(...heights).toFixed(3)}`);
