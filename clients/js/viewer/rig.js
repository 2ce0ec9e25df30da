// Descriptions of rigs in the form that the page uses.

/**
 * Joints by position in the list, which is that of their matrices: `index` and `parent` (-1 = none) are
 * positions, and `key` names a joint in requests: its name, or its number in the file if the name is not unique.
 * @param {any[]} joints of the API
 */
function byPlace(joints) {
	const places = new Map(joints.map(({ index }, place) => [index, place]));
	const times = new Map();
	for (const { name } of joints) times.set(name, (times.get(name) ?? 0) + 1);
	return joints.map(({ index, parent, ...joint }, place) => ({
		...joint,
		index: place,
		parent: places.get(parent) ?? -1,
		key: times.get(joint.name) === 1 ? joint.name : String(index),
	}));
}

/** The facts of a rig's file and clips, as text. @param {any} rig */
export function contentOf({ content, clips }) {
	return JSON.stringify([content, clips.map(({ name, duration }) => [name, duration])]);
}

/**
 * @param {import('../client/posed.js').Client} client @param {string} name
 * @param {{bounds?: 'clips'}} [options]
 */
export async function describe(client, name, options) {
	const rig = await client.describe(name, options);
	return { ...rig, joints: byPlace(rig.joints) };
}
