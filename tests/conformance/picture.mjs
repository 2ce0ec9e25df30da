// The required coverage of a picture: triangles projected and filled by the rule of pixel centres,
// compared with the alpha of a PNG.
import { inflateSync } from 'node:zlib';
import { determinant, unit } from './second_reference.mjs';

export const SIDE = 256;
const FOV = (40 * Math.PI) / 180;

// --- The camera: perspective, from one side of a box, so far away that its sphere fills the view ---

function cross(a, b) {
	return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// {view, projection}: 16 numbers each, column-major, as in OpenGL.
export function cameraFor({ min, max, diagonal }, direction) {
	const back = unit(direction);
	const right = unit(cross([0, 1, 0], back));
	const up = cross(back, right);
	const distance = (diagonal / 2 / Math.sin(FOV / 2)) * 0.9;
	const eye = back.map((x, i) => (min[i] + max[i]) / 2 + distance * x);
	const axes = [right, up, back];
	const view = new Array(16).fill(0);
	for (const [row, axis] of axes.entries()) {
		for (let column = 0; column < 3; column++) view[4 * column + row] = axis[column];
		view[12 + row] = -dot(axis, eye);
	}
	view[15] = 1;
	const [near, far] = [distance / 100, distance + 2 * diagonal];
	const f = 1 / Math.tan(FOV / 2);
	const projection = new Array(16).fill(0);
	projection[0] = projection[5] = f;
	projection[10] = (far + near) / (near - far);
	projection[11] = -1;
	projection[14] = (2 * far * near) / (near - far);
	return { view, projection };
}

// Pixel coordinates, x to the right and y down, of all vertices.
function project(positions, { view, projection }) {
	const out = new Float64Array((positions.length / 3) * 2);
	for (let i = 0; i < positions.length / 3; i++) {
		const p = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], 1];
		const eye = [0, 1, 2].map((r) => p.reduce((sum, x, c) => sum + view[4 * c + r] * x, 0));
		const w = -eye[2];
		out[2 * i] = ((projection[0] * eye[0]) / w / 2 + 0.5) * SIDE;
		out[2 * i + 1] = (0.5 - (projection[5] * eye[1]) / w / 2) * SIDE;
	}
	return out;
}

// --- Filling ---

function fill(mask, value, p, a, b, c) {
	const [ax, ay, bx, by, cx, cy] = [
		p[2 * a],
		p[2 * a + 1],
		p[2 * b],
		p[2 * b + 1],
		p[2 * c],
		p[2 * c + 1],
	];
	const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
	if (!area) return;
	const left = Math.max(0, Math.floor(Math.min(ax, bx, cx)));
	const right = Math.min(SIDE - 1, Math.ceil(Math.max(ax, bx, cx)));
	const top = Math.max(0, Math.floor(Math.min(ay, by, cy)));
	const bottom = Math.min(SIDE - 1, Math.ceil(Math.max(ay, by, cy)));
	for (let y = top; y <= bottom; y++) {
		for (let x = left; x <= right; x++) {
			const [px, py] = [x + 0.5, y + 0.5];
			const u = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / area;
			const v = ((cx - bx) * (py - by) - (cy - by) * (px - bx)) / area;
			const w = ((ax - cx) * (py - cy) - (ay - cy) * (px - cx)) / area;
			if (u >= 0 && v >= 0 && w >= 0) mask[y * SIDE + x] = Math.max(mask[y * SIDE + x], value);
		}
	}
}

const MAY = 1; // covered by a triangle whose texture may have a hole there
const MUST = 2;

// The coverage by a material's triangles: MUST, MAY, or 0 if they are invisible.
function coverageOf(material) {
	const { alphaMode = 'OPAQUE', alphaCutoff = 0.5, pbrMetallicRoughness: pbr = {} } = material;
	if (alphaMode === 'OPAQUE') return MUST;
	const alpha = pbr.baseColorFactor?.[3] ?? 1;
	if (alphaMode === 'MASK' ? alpha < alphaCutoff : alpha === 0) return 0;
	return pbr.baseColorTexture ? MAY : MUST;
}

// pieces: SecondReference.triangles(), each with the sign of its matrix. Triangles that are seen
// from behind count where the material has two sides.
export function silhouette(positions, pieces, camera) {
	const mask = new Uint8Array(SIDE * SIDE);
	const p = project(positions, camera);
	for (const { corners, primitive, mirrored } of pieces) {
		const { material } = primitive.source;
		const value = coverageOf(material);
		for (let i = 0; value && i + 2 < corners.length; i += 3) {
			const [a, b, c] = corners.slice(i, i + 3);
			// y points down: what is counter-clockwise for the viewer has a negative area here.
			const area =
				(p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) -
				(p[2 * b + 1] - p[2 * a + 1]) * (p[2 * c] - p[2 * a]);
			if (material.doubleSided || area < 0 !== mirrored) fill(mask, value, p, a, b, c);
		}
	}
	return mask;
}

// True if the pose turns a primitive inside out.
export function isMirrored(matrices, influences) {
	const pivot = [...(influences?.[0] ?? [])].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
	return determinant(matrices[pivot]) < 0;
}

// {iou, pixels, optional}: pixels that may or may not be covered agree either way.
export function compareMasks(mask, alpha) {
	let both = 0;
	let either = 0;
	let optional = 0;
	for (let i = 0; i < mask.length; i++) {
		const got = alpha[i] > 0;
		optional += mask[i] === MAY;
		const want = mask[i] === MUST || (mask[i] === MAY && got);
		both += got && want;
		either += got || want;
	}
	return { iou: either ? both / either : 1, pixels: either, optional };
}

// --- PNG ---

const CHANNELS = { 4: 2, 6: 4 };

function paeth(a, b, c) {
	const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
	return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// The numbers of an 8-bit PNG with alpha that is not interlaced: {width, height, step, pixels}, step
// numbers a pixel.
export function pngPixels(bytes) {
	const data = [];
	let header;
	for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
		const kind = bytes.toString('latin1', at + 4, at + 8);
		const body = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
		if (kind === 'IHDR') header = body;
		if (kind === 'IDAT') data.push(body);
	}
	const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
	const step = CHANNELS[header[9]];
	if (!step || header[8] !== 8 || header[12] !== 0) throw new Error('an unexpected kind of PNG');
	const raw = inflateSync(Buffer.concat(data));
	const size = width * step;
	const pixels = new Uint8Array(size * height);
	let above = new Uint8Array(size);
	for (let y = 0; y < height; y++) {
		const filter = raw[y * (size + 1)];
		const row = Uint8Array.from(raw.subarray(y * (size + 1) + 1, (y + 1) * (size + 1)));
		for (let i = 0; i < size; i++) {
			const [a, b, c] = [i < step ? 0 : row[i - step], above[i], i < step ? 0 : above[i - step]];
			row[i] += [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
		}
		pixels.set(row, y * size);
		above = row;
	}
	return { width, height, step, pixels };
}

export function pngAlpha(bytes) {
	const { step, pixels } = pngPixels(bytes);
	return pixels.filter((_, i) => i % step === step - 1);
}
