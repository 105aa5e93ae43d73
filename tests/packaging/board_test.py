#!/usr/bin/env python3
# Goal: alert rules and board ask for metrics that the daemon exports, with labels it gives; every
#   exported metric is explained; an alert names a section of the handbook.
# Method: a running appliance that has drawn and refused something; names in rules, board and pages
#   against what it exports. promtool (where present) reads the rules and fires them on made-up
#   series. usage: board_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from calls import draw_body  # noqa: E402
from appliance import Appliance  # noqa: E402
from facts import WHEEL, hold, new_batch, open_table, refused  # noqa: E402

SOURCE, PROGRAMS = sys.argv[1], sys.argv[2]
MONITORING = f"{SOURCE}/rngd/packaging/monitoring"


def read(path):
    with open(path) as file:
        return file.read()


ALERTS, BOARD = read(f"{MONITORING}/alerts.yaml"), json.loads(read(f"{MONITORING}/board.json"))
EXPRESSIONS = re.findall(r"^        expr: '(.*)'$", ALERTS, re.M)
PANELS = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]


def exported(appliance):
    """Metric to the set of its labels."""
    found = {}
    for line in appliance.health("/metrics")[1].splitlines():
        matched = re.match(r"([a-z0-9_]+)(?:\{(.*)\})? ", line)
        if matched and not line.startswith("#"):
            found.setdefault(matched[1], set()).update(re.findall(r"(\w+)=\"", matched[2] or ""))
    return found


def explained():
    """Names in the pages, `talla_a`, `_b` taken as written: `talla_monitor_process_log`,
    `_log_threshold`."""
    names, last = set(), ""
    pages = read(f"{SOURCE}/rngd/docs/monitors.md") + read(f"{SOURCE}/rngd/docs/metrics.md")
    for word in re.findall(r"`([a-z0-9_.]+)(?:\{\w+\})?`", pages):
        if word.startswith("talla_"):
            names.add(word)
            last = word
        elif word.startswith("_") and last:
            parts = last.split("_")
            names |= {"_".join(parts[:cut]) + word for cut in range(2, len(parts) + 1)}
    return names | {name.replace("process", "detector") for name in names}


def names_in(expression):
    return set(re.findall(r"\b(talla_[a-z0-9_]+)\b", expression))


def every_exported_metric_is_explained(appliance):
    missing = set(exported(appliance)) - explained()
    assert not missing, f"not in rngd/docs/metrics.md: {sorted(missing)}"


def rules_and_board_ask_for_what_there_is(appliance):
    there = exported(appliance)
    assert len(EXPRESSIONS) >= 15 and len(PANELS) >= 30, (len(EXPRESSIONS), len(PANELS))
    for expression in EXPRESSIONS + PANELS:
        names = names_in(expression)
        unknown = names - set(there) - explained()
        assert not unknown, f"{expression}: nobody exports {unknown}"
        for name, labels in re.findall(r"(talla_[a-z0-9_]+)\{([^}]*)\}", expression):
            given = set(re.findall(r"(\w+)=", labels)) - {"instance", "job"}
            assert name not in there or given <= there[name], (
                f"{expression}: {name} has the labels {there[name]}")
    used = set().union(*(names_in(expression) for expression in EXPRESSIONS + PANELS))
    assert len(used & set(there)) > 30, "the running daemon exports nearly all of them"


def the_rules_name_sections_that_there_are(_):
    sections = re.findall(r'handbook: "([0-9.]+)"', ALERTS)
    assert len(sections) == len(EXPRESSIONS)
    for book in ("en", "es"):
        headings = set(re.findall(r"^#+ ([0-9.]+?)\.? ",
                                  read(f"{SOURCE}/rngd/docs/operator-{book}.md"), re.M))
        assert set(sections) <= headings, set(sections) - headings


def the_board_is_whole(_):
    ids = [panel["id"] for panel in BOARD["panels"]]
    assert len(set(ids)) == len(ids)
    taken = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}
        assert place["x"] + place["w"] <= 24 and not cells & taken, panel["title"]
        taken |= cells
        assert panel["datasource"]["uid"] == "${datasource}" and panel["title"]
    assert {item["name"] for item in BOARD["templating"]["list"]} == {"datasource", "instance"}


UNIT_TEST = """
rule_files: [alerts.yaml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'talla_generator_state{state="latched",instance="a"}', values: '0 0 1 1'}
      - {series: 'talla_entropy_health_level1_total{source="0",instance="a"}', values: '0 0 1 1'}
      - series: 'talla_monitor_process_alarm{class="noise",monitor="x",instance="a"}'
        values: '0 0 1 1'
      - {series: 'up{job="rngd",instance="b"}', values: '1 0 0 0'}
    alert_rule_test:
      - {eval_time: 1m, alertname: TallaLatched, exp_alerts: []}
      - {eval_time: 1m, alertname: TallaHealthAlarm, exp_alerts: []}
      - eval_time: 3m
        alertname: TallaLatched
        exp_alerts:
          - exp_labels: {severity: critical, state: latched, instance: a}
            exp_annotations:
              summary: "The generator is latched: two persons decide"
              resumen: "El generador está enclavado: deciden dos personas"
              handbook: "6.2"
"""


def prometheus_reads_and_fires_the_rules(appliance):
    if not shutil.which("promtool"):
        print("not tried: promtool is not here")
        return
    shutil.copy(f"{MONITORING}/alerts.yaml", f"{appliance.folder}/alerts.yaml")
    with open(f"{appliance.folder}/rules_test.yaml", "w") as file:
        file.write(UNIT_TEST)
    for command in (["check", "rules", "alerts.yaml"], ["test", "rules", "rules_test.yaml"]):
        done = subprocess.run(["promtool", *command], capture_output=True, text=True,
                              cwd=appliance.folder)
        assert done.returncode == 0, done.stdout + done.stderr
    page = subprocess.run(["promtool", "check", "metrics"], input=appliance.health("/metrics")[1],
                          capture_output=True, text=True)
    assert page.returncode in (0, 3) and "error" not in page.stderr.lower(), page.stderr


if __name__ == "__main__":
    with Appliance(PROGRAMS) as own:
        own.start()
        client = own.client()
        table = open_table(client, WHEEL)
        client.post("/v1/draws", draw_body(client, table, new_batch(client, table)))
        refused(client, "POST", "/v1/tables/table-999999/close", 404, "not_found")
        time.sleep(1.5)  # the monitors have read the log
        failures = hold([every_exported_metric_is_explained, rules_and_board_ask_for_what_there_is,
                         the_rules_name_sections_that_there_are, the_board_is_whole,
                         prometheus_reads_and_fires_the_rules], own)
    sys.exit(1 if failures else 0)
