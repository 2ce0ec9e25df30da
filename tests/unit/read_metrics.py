#!/usr/bin/env python3
"""Prints each sample of Prometheus' text (standard input) as "TYPE NAME {labels as JSON} VALUE".

It is read by the parser of Prometheus' own Python client. Exit status 77 when that is not there.
"""
import json
import sys

try:
    from prometheus_client.parser import text_string_to_metric_families
except ImportError:
    sys.exit(77)

seen = set()
for family in text_string_to_metric_families(sys.stdin.read()):
    if family.name in seen or not family.documentation or family.type == "unknown":
        sys.exit(f"{family.name}: twice, or without a help or type")
    seen.add(family.name)
    for sample in family.samples:
        print(family.type, sample.name, json.dumps(sample.labels, sort_keys=True),
              f"{sample.value:.12g}")
