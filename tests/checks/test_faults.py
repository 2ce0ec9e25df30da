"""Each rule finds the fault that is seeded for it, at its place, and finds nothing in the sound rig; and the
example that `pose check --explain` gives is what it says about that fault."""
import re
import unittest

import checking
import checks_page
from faults import FAULTS, NOT_SHOWN

# Numbers of rules of these depend on the driver that draws.
DRAWN = "picture/"


def without_numbers(text):
    return re.sub(r"\d+(\.\d+)?", "0", text)


class Faults(unittest.TestCase):
    maxDiff = None

    def test_each_is_found_where_it_is(self):
        for fault, result in checking.results().items():
            with self.subTest(rule=fault.rule, fault=fault.seed.__name__):
                self.assertTrue(checking.expected(fault, result),
                                f"wanted {fault.clip}, {fault.joint}, {result.time}: {result.findings}")

    def test_sound_rigs_have_none(self):
        for fault, result in checking.results().items():
            with self.subTest(rule=fault.rule):
                self.assertEqual(result.sound, [])

    def test_each_rule_has_one_or_a_reason(self):
        seeded = [fault.rule for fault in FAULTS]
        self.assertEqual(len(seeded), len(set(seeded)), "one fault for each rule")
        self.assertEqual(sorted(seeded + list(NOT_SHOWN)), sorted(checks_page.rules()))

    def test_examples_are_what_posed_says(self):
        for fault, result in checking.results().items():
            with self.subTest(rule=fault.rule):
                says = checking.expected(fault, result)[0]["message"]
                example = checks_page.explained(fault.rule, "For example")
                if fault.rule.startswith(DRAWN):
                    says, example = without_numbers(says), without_numbers(example)
                self.assertEqual(example, says)

    def test_rules_without_findings_have_no_example(self):
        for rule in NOT_SHOWN:
            self.assertEqual(checks_page.explained(rule, "For example"), "", rule)


if __name__ == "__main__":
    unittest.main()
