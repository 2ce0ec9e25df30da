// Links to the page: the fragment #rig=humanoid&clip=Walk&show=pictures&skinning=dqs, followed by
// all other settings that are not the defaults, as JSON.

/** The value that stands for the rest pose instead of a clip. */
export const REST = '';

/** @typedef {{rig?: ?string, clip?: ?string, show?: ?string, skinning?: ?string, state?: any}} Address */

const MEMBERS = ['rig', 'clip', 'show', 'skinning'];

/** @param {Address} address */
export function addressOf(address) {
	const given = MEMBERS.filter((name) => (address[name] ?? null) !== null).map((name) => [
		name,
		address[name],
	]);
	if (address.state) given.push(['state', JSON.stringify(address.state)]);
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

/** @returns {Address} */
export function readAddress() {
	const given = new URLSearchParams(location.hash.slice(1));
	const members = MEMBERS.map((name) => [name, given.get(name)]);
	return { ...Object.fromEntries(members), state: parsed(given.get('state')) };
}
