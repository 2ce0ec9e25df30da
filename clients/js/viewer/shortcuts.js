// The keyboard shortcuts of the page.
import { byId } from './dom.js';

const click = (id) => () => byId(id).click();

/** @param {(text: string) => void} say */
function nextMethod(say) {
	const select = byId('method');
	select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
	select.dispatchEvent(new Event('change'));
	say(`Skinning: ${select.selectedOptions[0].textContent}`);
}

/** @param {import('./tabs.js').Tabs} tabs */
function findRig(tabs) {
	tabs.open('rigs');
	byId('filter').focus();
}

/**
 * @param {any} parts of the page, as main.js has them
 * @returns {import('./keys.js').Row[]}
 */
export function shortcuts({ player, transport, views, tabs, theme, checks, mode, setMode, say }) {
	const other = () => (mode() === 'vertices' ? 'pictures' : 'vertices');
	const panel = (name) => () => tabs.open(tabs.current === name ? 'pose' : name);
	return [
		{ keys: [' '], text: 'play, pause', act: click('play') },
		{ keys: [','], text: 'one frame back', act: () => transport.step(-1) },
		{ keys: ['.'], text: 'one frame on', act: () => transport.step(1) },
		{ keys: ['['], text: 'begin here', act: click('range-start') },
		{ keys: [']'], text: 'end here', act: click('range-end') },
		{ keys: ['\\'], text: 'play the whole clip', act: click('range-clear') },
		{ keys: ['v'], text: 'switch between vertices and pictures', act: () => setMode(other()) },
		{ keys: ['s'], text: 'skeleton', act: click('overlay-skeleton') },
		{ keys: ['j'], text: 'joints: choose and turn them', act: panel('joints') },
		{ keys: ['k'], text: 'checks', act: panel('checks') },
		{ keys: ['z'], text: 'compress the clip', act: panel('compress') },
		{ keys: ['n'], text: 'next finding', act: () => checks.step(1) },
		{ keys: ['p'], text: 'previous finding', act: () => checks.step(-1) },
		{ keys: ['m'], text: 'next skinning method', act: () => nextMethod(say) },
		{ keys: ['f'], text: 'fit the rig into the view', act: () => player.fit() },
		{ keys: ['o'], text: 'orthographic view', act: click('orthographic') },
		{ keys: ['1'], text: 'from the front', act: () => views.lookFrom('front') },
		{ keys: ['2'], text: 'from the left', act: () => views.lookFrom('left') },
		{ keys: ['3'], text: 'from the top', act: () => views.lookFrom('top') },
		{ keys: ['4'], text: 'three-quarter view', act: () => views.lookFrom('three_quarter') },
		{ keys: ['c'], text: 'copy as …', act: click('copy') },
		{ keys: ['t'], text: 'switch between light and dark', act: () => theme.next() },
		{ keys: ['/'], text: 'find a rig', act: () => findRig(tabs) },
		{ keys: ['?'], text: 'these keys', act: click('help-open') },
	];
}
