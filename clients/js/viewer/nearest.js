// Distances of points to the nearest ones of others.

const MOST_CELLS = 64; // along an axis
const POINTS_PER_CELL = 4;

/** Points in the cells of a box. */
class Grid {
	#points;
	#low;
	#size;
	#cells;
	/** Where the points of each cell begin in #order. @type {Uint32Array} */
	#starts;
	/** @type {Uint32Array} */
	#order;

	/** @param {Float32Array} points three numbers each, at least one */
	constructor(points) {
		const count = points.length / 3;
		const side = Math.ceil(Math.cbrt(count / POINTS_PER_CELL));
		this.#points = points;
		this.#cells = Math.min(Math.max(side, 1), MOST_CELLS);
		const low = [Infinity, Infinity, Infinity];
		const high = [-Infinity, -Infinity, -Infinity];
		points.forEach((x, i) => {
			low[i % 3] = Math.min(low[i % 3], x);
			high[i % 3] = Math.max(high[i % 3], x);
		});
		this.#low = low;
		const extent = Math.max(...high.map((x, k) => x - low[k]));
		this.#size = extent > 0 ? extent / this.#cells : 1;
		this.#sort(count);
	}

	/** @param {number} count */
	#sort(count) {
		const cells = Uint32Array.from({ length: count }, (_, i) =>
			this.#index(this.#cellOf(this.#points, 3 * i)),
		);
		this.#starts = new Uint32Array(this.#cells ** 3 + 1);
		for (const cell of cells) this.#starts[cell + 1]++;
		for (let i = 1; i < this.#starts.length; i++) this.#starts[i] += this.#starts[i - 1];
		const next = this.#starts.slice();
		this.#order = new Uint32Array(count);
		cells.forEach((cell, i) => (this.#order[next[cell]++] = i));
	}

	/** @param {ArrayLike<number>} points @param {number} at */
	#cellOf(points, at) {
		return [0, 1, 2].map((k) => {
			const cell = Math.floor((points[at + k] - this.#low[k]) / this.#size);
			return Math.min(Math.max(cell, 0), this.#cells - 1);
		});
	}

	#index([x, y, z]) {
		return (z * this.#cells + y) * this.#cells + x;
	}

	/** The distance of a point to the nearest one here. @param {Float32Array} points @param {number} at */
	nearest(points, at) {
		const middle = this.#cellOf(points, at);
		let best = Infinity;
		// Cells farther out than those of a ring are at least that many away.
		for (let ring = 0; ring < this.#cells && best > ((ring - 1) * this.#size) ** 2; ring++) {
			best = Math.min(best, this.#nearestInRing(points, at, middle, ring));
		}
		return Math.sqrt(best);
	}

	#nearestInRing(points, at, [x, y, z], ring) {
		const range = (middle) => [Math.max(middle - ring, 0), Math.min(middle + ring, this.#cells - 1)];
		const [[x0, x1], [y0, y1], [z0, z1]] = [range(x), range(y), range(z)];
		let best = Infinity;
		for (let k = z0; k <= z1; k++) {
			for (let j = y0; j <= y1; j++) {
				const isSide = Math.abs(k - z) === ring || Math.abs(j - y) === ring;
				for (let i = x0; i <= x1; i++) {
					if (!isSide && Math.abs(i - x) !== ring) continue;
					best = Math.min(best, this.#nearestInCell(points, at, this.#index([i, j, k])));
				}
			}
		}
		return best;
	}

	#nearestInCell(points, at, cell) {
		const own = this.#points;
		let best = Infinity;
		for (let i = this.#starts[cell]; i < this.#starts[cell + 1]; i++) {
			const p = 3 * this.#order[i];
			const apart = [0, 1, 2].map((k) => own[p + k] - points[at + k]);
			best = Math.min(best, apart[0] ** 2 + apart[1] ** 2 + apart[2] ** 2);
		}
		return best;
	}
}

/**
 * The distance of each point to the nearest of others.
 * @param {Float32Array} points @param {Float32Array} others three numbers each
 */
export function nearestDistances(points, others) {
	const out = new Float32Array(points.length / 3);
	if (others.length === 0) return out;
	const grid = new Grid(others);
	for (let i = 0; i < out.length; i++) out[i] = grid.nearest(points, 3 * i);
	return out;
}
