// The daemon's picture of what a link names: it is there long before the page's modules have vertices to draw,
// which take its place. A script and no module, so that it runs before them. There is none where the daemon wants
// a token, or where the link says more than such a picture can show.
{
	const SHARE = 0.07; // of the width or height that stays free, as around a rig that the page shows
	const MOST_PIXELS = 2048;

	/** The picture's address; null = there is none. @param {number} side pixels */
	async function addressOf(side) {
		const given = new URLSearchParams(location.hash.slice(1));
		const rig = given.get('rig');
		const saysMore = ['state', 'time', 'camera', 'link'].some((name) => given.has(name));
		if (!rig || saysMore || sessionStorage.getItem('posed-token')) return null;
		const home = new URL(`v1/rigs/${encodeURIComponent(rig)}`, document.baseURI).href;
		let clip = given.get('clip');
		if (clip === null) {
			const answer = await fetch(home);
			if (!answer.ok) return null;
			clip = (await answer.json()).clips[0]?.name;
		}
		const skinning = given.get('skinning');
		const query = new URLSearchParams({
			...(clip && { clip }),
			...(skinning && { skinning }),
			...{ yaw: '30', pitch: '15', fit: 'clip', margin: String(SHARE) },
			...{ width: String(side), height: String(side) },
		});
		return `${home}/frame.webp?${query}`;
	}

	const picture = /** @type {HTMLImageElement} */ (document.getElementById('first-picture'));
	const height = picture.parentElement?.clientHeight || innerHeight;
	const side = Math.min(Math.round(height * devicePixelRatio), MOST_PIXELS);
	picture.addEventListener('load', () => (picture.hidden = false));
	picture.addEventListener('error', () => picture.remove());
	addEventListener('hashchange', () => picture.remove());
	addressOf(side).then(
		(address) => {
			if (address) picture.src = address;
		},
		() => picture.remove(),
	);
}
