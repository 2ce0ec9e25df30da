// A TypeScript user's program with the package; it is compiled, not run.
import { Client, Problem, Vertices } from 'posed';
import type {
	Pose,
	Skinning,
	Moment,
	CallOptions,
	VerticesRequest,
	Picture,
	RigSummary,
	CheckReport,
	CheckFinding,
} from 'posed';
import { PosedMesh } from 'posed/three';
import { PosedViewer } from 'posed/element';
const client = new Client('http://a', { token: 'b' });
const signal = new AbortController().signal;
export const found: Promise<Vertices> = client.vertices({ rig: 'a', skinning: { method: 'dqs' } });
export const other: Promise<Vertices> = client.vertices({ rig: 'a' }, { signal });
export const kept: Promise<Vertices | null> = client.vertices({ rig: 'a' }, { etag: '"b"' });
// @ts-expect-error
export const sure: Promise<Vertices> = client.vertices({ rig: 'a' }, { etag: '"b"' });
export const maybe = (options: CallOptions): Promise<Picture | null> =>
	client.frame({ rig: 'a' }, options);
export async function numbers(pose: Pose, skinning: Skinning) {
	const request: VerticesRequest = { rig: 'a', pose, skinning };
	const count = (await client.matrices(request)).length + (await found).get('position').length;
	return count + (await (await client.frame(request)).arrayBuffer()).byteLength;
}
export const isOld = (moment: Moment): boolean => moment.outdated;
export const status = (error: Problem): number => error.status;
// @ts-expect-error
client.vertices({ pose: 'rest' });
// @ts-expect-error
client.vertices({ rig: 'a' }, { sginal: 1 });
const mesh: PosedMesh = await PosedMesh.load(client, 'a');
mesh.addEventListener('frame', ({ time }) => time.toFixed());
mesh.position.set(1, 2, 3);
const viewer: PosedViewer = document.createElement('posed-viewer');
viewer.currentTime = viewer.duration / 2;
export async function answers(asset: Blob): Promise<number> {
	const { joints, clips } = await client.describe('a');
	const named: string[] = joints.map(({ name }) => name);
	const summary: RigSummary = await client.putRig('a', asset);
	// @ts-expect-error
	joints[0].nmae;
	return named.length + clips[0].duration + summary.vertices;
}
export const report: Promise<CheckReport> = client.check({ rig: 'a', profile: 'game' });
export async function errors(asset: Blob): Promise<CheckFinding[]> {
	for await (const event of client.checkEvents({ asset })) if (event.event === 'end') break;
	return (await report).files.flatMap((file) => file.findings.filter((f) => f.level === 'error'));
}
export async function file(): Promise<ArrayBuffer | undefined> {
	for await (const event of client.compressEvents({ rig: 'a' })) if (event.event === 'end') return event.file;
	return undefined;
}
// @ts-expect-error
client.check({ rig: 'a', only: 'motion/*' });
