// Links to the page: the fragment #rig=humanoid&clip=Walk&show=pictures&skinning=dqs, followed by
// all other settings that are not the defaults, as JSON. Links of other programs, such as reports of checks,
// may instead give a moment and a camera: &time=1.33&camera=YAW,PITCH,DISTANCE,X,Y,Z. A link may have a signature
// that shows its rig to those without a token: &link=SIGNATURE/view/expires:SECONDS/RIG.

/** The value that stands for the rest pose instead of a clip. */
export const REST = '';

/**
 * @typedef {{yaw: number, pitch: number, distance: number, target: number[]}} Place of the camera
 *
 * @typedef {{rig?: ?string, clip?: ?string, show?: ?string, skinning?: ?string, state?: any,
 *   time?: ?number, camera?: ?Place, unread?: string[]}} Address
 *   time: where it stands still; unread: the names of members that cannot be read
 */

const MEMBERS = ['rig', 'clip', 'show', 'skinning'];

/** @param {Address} address */
export function addressOf(address) {
	const link = readLink();
	const given = MEMBERS.filter((name) => (address[name] ?? null) !== null).map((name) => [
		name,
		address[name],
	]);
	if (address.state) given.push(['state', JSON.stringify(address.state)]);
	if (link) given.push(['link', link]);
	return '#' + new URLSearchParams(given);
}

/** @param {?string} text */
function parsed(text) {
	try {
		return JSON.parse(text ?? 'null');
	} catch {
		return null; // a truncated link shows the rest of it
	}
}

/** Numbers between commas; null = they are not as many numbers. @param {?string} text @param {number} count */
function numbersOf(text, count) {
	const numbers = (text ?? '').split(',').map((part) => (part.trim() ? Number(part) : NaN));
	return numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
}

/** @param {?string} text @returns {?Place} */
function placeOf(text) {
	const [yaw, pitch, distance, ...target] = numbersOf(text, 6) ?? [];
	return distance > 0 && Math.abs(pitch) <= 90 ? { yaw, pitch, distance, target } : null;
}

/** The signature of the page's link, which shows its rig; null = it has none. @returns {?string} */
export function readLink() {
	return new URLSearchParams(location.hash.slice(1)).get('link');
}

/** @returns {Address} */
export function readAddress() {
	const given = new URLSearchParams(location.hash.slice(1));
	const members = MEMBERS.map((name) => [name, given.get(name)]);
	const time = numbersOf(given.get('time'), 1)?.[0] ?? null;
	const moment = { time, camera: placeOf(given.get('camera')) };
	const unread = Object.keys(moment).filter((name) => given.has(name) && moment[name] === null);
	const state = parsed(given.get('state'));
	return { ...Object.fromEntries(members), state, ...moment, unread };
}

/**
 * The parts of an address that are not shown, each in words.
 * @param {Address} wanted @param {Address} shown
 */
export function missingOf(wanted, { clip, skinning }) {
	return [
		...(wanted.clip && wanted.clip !== clip
			? [`no clip “${wanted.clip}”; showing ${clip || 'the rest pose'}`]
			: []),
		...(wanted.skinning && wanted.skinning !== skinning
			? [`no skinning “${wanted.skinning}” here; showing ${skinning}`]
			: []),
		...(wanted.unread ?? []).map((name) => `the link’s ${name} cannot be read`),
	];
}
