// The poses in which every file is compared.
const SHARES = [0, 1 / 3, 0.61, 1]; // of a clip's duration: both ends, a third, nowhere special
const PICTURE_SHARE = 0.61;

// Every clip at every share of its duration, and the rest pose last.
export function* groupsOf(reference) {
	for (const [clip, { duration }] of reference.clips.entries()) {
		const times = SHARES.map((share) => share * duration);
		yield { name: `clip ${clip}`, poses: times.map((time) => ({ clip, time })) };
	}
	yield { name: 'rest', poses: ['rest'] };
}

// The rest pose, and the middle of one clip.
export function picturePoses(reference) {
	const clip = Math.floor(reference.clips.length / 2);
	const moved = reference.clips.slice(clip, clip + 1);
	return ['rest', ...moved.map(({ duration }) => ({ clip, time: PICTURE_SHARE * duration }))];
}

export function setPose(reference, pose) {
	if (pose === 'rest') reference.rest();
	else reference.pose(pose.clip, pose.time);
}

export const nameOf = (pose) =>
	pose === 'rest' ? 'rest' : `clip ${pose.clip} at ${pose.time.toFixed(3)} s`;
