// Pictures: the silhouette is that of the triangles, projected and filled by picture.mjs.
import { post } from './daemon.mjs';
import { exceptionFor } from './files.mjs';
import { checkFaces } from './compare_numbers.mjs';
import { SIDE, cameraFor, compareMasks, isMirrored, pngAlpha, silhouette } from './picture.mjs';
import { nameOf, picturePoses, setPose } from './poses.mjs';
import { expect, tally } from './report.mjs';
import { boundsOf } from './three_reference.mjs';

const IOU_LEAST = 0.96;
const DIRECTIONS = [
	[0.45, 0.35, 0.8], // from the front right, and from behind: what has one side shows it once
	[-0.45, 0.35, -0.8],
];

// The view that shows more.
function bestView(positions, pieces) {
	const bounds = boundsOf(positions);
	const views = DIRECTIONS.map((direction) => {
		const camera = cameraFor(bounds, direction);
		const mask = silhouette(positions, pieces, camera);
		return { camera, mask, pixels: mask.reduce((n, x) => n + (x > 0), 0) };
	});
	return views.reduce((a, b) => (b.pixels > a.pixels ? b : a));
}

async function comparePicture(subject, pose) {
	const { name, daemon, rig, second } = subject;
	setPose(second, pose);
	const attributes = ['position', 'normal'];
	const reply = await post(daemon, 'vertices', { rig, pose, attributes });
	const numbers = new Float32Array(await reply.arrayBuffer());
	checkFaces(subject, pose, numbers);
	const positions = numbers.subarray(0, 3 * second.vertexCount);
	const pieces = second.triangles().map((piece) => ({
		...piece,
		mirrored: isMirrored(second.matrices(piece.primitive), piece.primitive.source.influences),
	}));
	const { diagonal } = boundsOf(positions);
	if (!(diagonal > 0)) return 'nothing has a size';
	const { camera, mask } = bestView(positions, pieces);
	const request = { rig, pose, width: SIDE, height: SIDE, samples: 1, camera };
	const png = await post(daemon, 'frame', request, 'image/png');
	const alpha = pngAlpha(Buffer.from(await png.arrayBuffer()));
	const { iou, pixels, optional } = compareMasks(mask, alpha);
	const where = `${name}, ${nameOf(pose)}`;
	expect(iou >= IOU_LEAST, `${where}: silhouettes share ${iou.toFixed(4)} of ${pixels} pixels`);
	tally('pictures by intersection over union', iou, where, (a, b) => a < b);
	if (optional > 0) tally('of them with holes left to the texture, pixels', optional, where);
	if (pixels === 0) tally('of them empty on both sides', 0, where);
	return null;
}

export async function comparePictures(subject) {
	const exception = exceptionFor(subject.name, 'picture');
	if (exception) return exception.why;
	const { primitives } = subject.second;
	if (!primitives.some(({ source }) => source.triangles?.length)) return 'it has no triangles';
	const reasons = [];
	for (const pose of picturePoses(subject.second)) {
		const reason = await comparePicture(subject, pose);
		if (reason) reasons.push(`${nameOf(pose)}: ${reason}`);
	}
	return reasons.join('; ') || null;
}
