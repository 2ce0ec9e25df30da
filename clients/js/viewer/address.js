// What a link to the page says: the fragment #rig=humanoid&clip=Walk&show=pictures&skinning=dqs.

/** @typedef {{rig?: ?string, clip?: ?string, show?: ?string, skinning?: ?string}} Address */

const MEMBERS = ['rig', 'clip', 'show', 'skinning'];

/** @param {Address} address */
export function addressOf(address) {
	const given = MEMBERS.filter((name) => address[name]).map((name) => [name, address[name]]);
	return '#' + new URLSearchParams(given);
}

/** @returns {Address} */
export function readAddress() {
	const given = new URLSearchParams(location.hash.slice(1));
	return Object.fromEntries(MEMBERS.map((name) => [name, given.get(name)]));
}
