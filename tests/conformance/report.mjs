// Counts and reports the comparison: a check passes, fails, or is skipped with its reason.
export const count = { passed: 0, failed: 0, skipped: 0 };

export async function check(title, body) {
	try {
		const skip = await body();
		count[skip ? 'skipped' : 'passed']++;
		if (skip) console.log(`SKIPPED ${title}: ${skip}`);
		return !skip;
	} catch (error) {
		count.failed++;
		console.log(`FAILED  ${title}: ${error.message}`);
		return false;
	}
}

export function expect(holds, text) {
	if (!holds) throw new Error(text);
}

// The number of comparisons of each kind, and the largest (for pictures: least) value met.
const totals = new Map();

export function tally(kind, value, where, isWorse = (a, b) => a > b) {
	const total = totals.get(kind) ?? { count: 0, worst: value, where };
	total.count++;
	if (isWorse(value, total.worst)) Object.assign(total, { worst: value, where });
	totals.set(kind, total);
}

export function* lines() {
	for (const [kind, { count: n, worst, where }] of totals)
		yield `${n} ${kind}, worst ${worst.toPrecision(3)} (${where})`;
}

// The worst difference as a share of the size; a NaN counts as infinitely wrong.
export function relativeError(got, want, size) {
	let worst = 0;
	for (let i = 0; i < want.length; i++) {
		const delta = Math.abs(got[i] - want[i]);
		if (!(delta <= worst)) worst = Number.isNaN(delta) ? Infinity : delta;
	}
	return worst === 0 ? 0 : worst / size;
}
