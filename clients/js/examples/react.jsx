// A React component that shows a posed figure, and a page that uses it. For React 18 and 19.
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'posed/element';

/**
 * The attributes of <posed-viewer> are its properties; `src` is the daemon's address.
 * onFrame gets the clip's time in seconds, onError a sentence.
 */
export function Figure({ onFrame, onError, ...attributes }) {
	const element = useRef(null);
	useEffect(() => {
		const viewer = element.current;
		const frame = () => onFrame?.(viewer.currentTime);
		const error = (event) => onError?.(event.detail.message);
		viewer.addEventListener('frame', frame);
		viewer.addEventListener('error', error);
		return () => {
			viewer.removeEventListener('frame', frame);
			viewer.removeEventListener('error', error);
		};
	}, [onFrame, onError]);
	return <posed-viewer ref={element} {...attributes} />;
}

function Page({ daemon }) {
	const [clip, setClip] = useState('Walk');
	const [problem, setProblem] = useState('');
	return (
		<>
			<Figure src={daemon} rig="humanoid" clip={clip} onError={setProblem} style={{ display: 'block', height: '20em' }} />
			{['Walk', 'Run'].map((name) => <button key={name} onClick={() => setClip(name)}>{name}</button>)}
			<p role="alert">{problem}</p>
		</>
	);
}

createRoot(document.getElementById('page')).render(<Page daemon="http://127.0.0.1:8600" />);
