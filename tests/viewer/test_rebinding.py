"""A page whose name has been moved to the daemon's address (DNS rebinding), in a real browser."""
import unittest

import browser
import rigs
from case import DaemonCase
from client import rig_path

ATTEMPTS = """(async () => {
    const said = {};
    const attempt = async (name, method, path, body) => {
        try {
            const reply = await fetch(path, { method, body });
            said[name] = [reply.status, await reply.text()];
        } catch (error) {
            said[name] = [0, String(error)];
        }
    };
    await attempt('list', 'GET', '/v1/rigs');
    await attempt('source', 'GET', '/v1/rigs/mine/source');
    await attempt('metrics', 'GET', '/metrics');
    await attempt('put', 'PUT', '/v1/rigs/theirs', new Uint8Array(%s));
    await attempt('delete', 'DELETE', '/v1/rigs/mine');
    return said;
})()"""


class Rebinding(DaemonCase):
    @classmethod
    def setUpClass(cls):
        if browser.program() is None:
            raise unittest.SkipTest("there is no chromium")
        super().setUpClass()

    @classmethod
    def prepare(cls):
        cls.asset = rigs.triangle().glb()
        cls.put_rig("mine", cls.asset)

    def attempts(self, host):
        """The responses to a page whose host name Chromium resolves to this machine."""
        rules = "--host-resolver-rules=MAP evil.test 127.0.0.1"
        other = browser.Browser((rules, "--disable-gpu"))
        self.addCleanup(other.close)
        page = other.open()
        page.go(f"http://{host}:{self.daemon.port}/")
        self.assertEqual(page.evaluate("location.hostname"), host)
        return page.evaluate(ATTEMPTS % list(self.asset))

    def test_the_moved_page_gets_nothing_and_changes_nothing(self):
        said = self.attempts("evil.test")
        self.assertEqual(set(said), {"list", "source", "metrics", "put", "delete"})
        for name, (status, text) in said.items():
            with self.subTest(attempt=name):
                self.assertEqual(status, 421, text[:200])
                self.assertIn("urn:posed:misdirected", text)
        self.assertStatus(self.client.get(rig_path("theirs")), 404)
        source = self.client.get(rig_path("mine", "/source"))
        self.assertEqual(self.assertStatus(source, 200).body, self.asset)

    def test_the_daemon_s_own_page_may_all_of_it(self):
        said = self.attempts("localhost")
        self.assertEqual({name: status for name, (status, _) in said.items()},
                         {"list": 200, "source": 200, "metrics": 200, "put": 201, "delete": 204})
        self.put_rig("mine", self.asset)
        self.assertStatus(self.client.delete("theirs"), 204)
