"""Sequences as browsers take them: each animated picture decoded frame by frame, videos played, and
a plain <img> of a multipart stream, against the daemon's single pictures."""
import base64
import json
import urllib.parse

from host import serve
from page_case import PageCase
from picture import Picture

PAGE = """<!doctype html><title>a page</title>
<script>
const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
const context = canvas.getContext('2d', { willReadFrequently: true });

function pixelsOf(image) {
	context.drawImage(image, 0, 0, WIDTH, HEIGHT);
	const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
	return btoa(String.fromCharCode(...data));
}

window.decoded = async (url, type) => {
	const reply = await fetch(url);
	const decoder = new ImageDecoder({ data: reply.body, type });
	await decoder.completed;
	const frames = [];
	for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
		const { image } = await decoder.decode({ frameIndex });
		frames.push({ pixels: pixelsOf(image), seconds: image.duration / 1e6 });
	}
	return frames;
};

window.played = async (url, times) => {
	const video = document.createElement('video');
	const until = (name) => new Promise((done, failed) => {
		video.addEventListener(name, done, { once: true });
		video.addEventListener('error', () => failed(new Error(video.error.message)), { once: true });
	});
	const ready = until('canplaythrough');
	Object.assign(video, { crossOrigin: 'anonymous', muted: true, preload: 'auto' });
	video.src = URL.createObjectURL(await (await fetch(url)).blob());
	await ready;
	const pictures = [];
	for (const time of times) {
		// The event may come before its frame; and where the frame is on the screen, none comes.
		const there = until('seeked');
		const shown = new Promise((done) => video.requestVideoFrameCallback(done));
		video.currentTime = time;
		await there;
		await Promise.race([shown, new Promise((done) => setTimeout(done, 500))]);
		pictures.push(pixelsOf(video));
	}
	return { pictures, width: video.videoWidth, seconds: video.duration };
};

window.watched = async (url, count, seconds) => {
	const image = new Image();
	image.crossOrigin = 'anonymous';
	document.body.append(image);
	const seen = new Set();
	const begun = performance.now();
	image.src = url;
	await new Promise((done) => { image.onload = done; });
	while (seen.size < count && performance.now() - begun < seconds * 1000) {
		seen.add(pixelsOf(image));
		await new Promise((done) => setTimeout(done, 20));
	}
	image.src = '';
	return [...seen];
};
</script>
"""

WIDTH, HEIGHT = 64, 48
TIMES = [0, 0.2, 0.4, 0.6]
FPS = 5
QUERY = {"clip": "Run", "width": WIDTH, "height": HEIGHT, "background": "#406080", "fit": "rest"}


class Sequences(PageCase):
    @classmethod
    def prepare(cls):
        cls.singles = [cls.single(time) for time in TIMES]

    @classmethod
    def single(cls, time):
        query = urllib.parse.urlencode({**QUERY, "time": time})
        reply = cls.client.get(f"/v1/rigs/humanoid/frame.png?{query}")
        assert reply.status == 200, reply
        return [pixel[:3] for row in Picture(reply.body).rows for pixel in row]

    def setUp(self):
        page = PAGE.replace("WIDTH", str(WIDTH)).replace("HEIGHT", str(HEIGHT))
        self.tab = self.browser.open(400, 300)
        self.addCleanup(self.tab.close)
        self.tab.go(serve(self, page).address)
        self.tab.wait("typeof window.watched === 'function'")

    def link(self, ending, **more):
        query = urllib.parse.urlencode({**QUERY, "start": 0, "end": 0.8, "count": len(TIMES), **more})
        return f"{self.address}v1/rigs/humanoid/frames.{ending}?{query}"

    def call(self, name, *arguments):
        return self.tab.evaluate(f"{name}(...{json.dumps(arguments)})")

    def pixels(self, text):
        data = base64.b64decode(text)
        return [tuple(data[i:i + 3]) for i in range(0, len(data), 4)]

    def farthest(self, text, single):
        return max(abs(a - b) for p, q in zip(self.pixels(text), single) for a, b in zip(p, q))

    def mean(self, text, single):
        return sum(abs(a - b) for p, q in zip(self.pixels(text), single)
                   for a, b in zip(p, q)) / (3 * len(single))

    def test_animated_pictures_are_the_single_ones(self):
        for ending, kind, mean in (("apng", "image/png", 0), ("webp", "image/webp", 0),
                                   ("gif", "image/gif", 4)):
            with self.subTest(ending):
                frames = self.call("decoded", self.link(ending), kind)
                self.assertEqual(len(frames), len(TIMES))
                for frame, single in zip(frames, self.singles):
                    self.assertAlmostEqual(frame["seconds"], 1 / FPS, delta=1e-6)
                    self.assertLessEqual(self.mean(frame["pixels"], single), mean)

    def test_videos_play(self):
        for ending in ("mp4", "webm"):
            with self.subTest(ending):
                if self.client.get(self.link(ending).removeprefix(self.address[:-1])).status == 406:
                    self.skipTest("no FFmpeg here: there are no videos to play")
                middles = [(i + 0.5) / FPS for i in range(len(TIMES))]
                played = self.call("played", self.link(ending), middles)
                self.assertEqual(played["width"], WIDTH)
                self.assertAlmostEqual(played["seconds"], len(TIMES) / FPS, delta=0.05)
                for i, picture in enumerate(played["pictures"]):
                    means = [self.mean(picture, single) for single in self.singles]
                    self.assertEqual(means.index(min(means)), i)
                    self.assertLess(means[i], 4)

    def test_a_plain_img_shows_a_multipart_stream(self):
        seen = self.call("watched", self.link("multipart", loops=0), len(TIMES), 15)
        shown = set()
        for picture in seen:
            apart = [self.farthest(picture, single) for single in self.singles]
            self.assertEqual(min(apart), 0)
            shown.add(apart.index(0))
        self.assertEqual(shown, set(range(len(TIMES))))
