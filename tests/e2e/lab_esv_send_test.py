#!/usr/bin/env python3
# Goal: `talla-lab esv send` carries a submission through at a server of NIST's protocol: login,
#   registration of source and RBG3(XOR), data files, documents, request for a certificate; it goes
#   on at the next file where a connection was cut, says a refusal in the server's own words, and
#   believes no answer about anything else than what was asked.
# Method: the server of esv_server.py, written from the protocol's text, with real certificates; the
#   folder that a step of `talla-lab submit` examined; each lie is one member of one true answer.
#   usage: lab_esv_send_test.py FOLDER_OF_PROGRAMS
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from esv_server import Server, keys, password_at
from facts import hold

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
VECTORS = f"{ROOT}/tests/vectors/esv"
LAB = os.path.join(os.path.abspath(sys.argv[1]), "talla-lab")
PAPERS = ("EntropyAssessmentReport", "PublicUseDocument", "RandomBitGeneratorReport")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def store(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


class House:
    """A submission: one environment, a source and an RBG3(XOR) over it."""

    def __init__(self, folder):
        self.folder, self.made = folder, 0
        keys(folder)
        draw = random.Random(3)
        self.files = {name: bytes(draw.getrandbits(8) & 1 for _ in range(1_000_000))
                      for name in ("raw.bin", "rows.bin")}
        self.source = load(f"{VECTORS}/made-register-entropy-source.json")[1]
        self.rbg = load(f"{VECTORS}/made-register-rbg3xor.json")[1]["rbg"]

    def submission(self, change=lambda run: run):
        """A new folder with run.json and all its files."""
        self.made += 1
        folder = f"{self.folder}/run-{self.made}"
        os.makedirs(folder)
        for name, content in self.files.items():
            with open(f"{folder}/{name}", "wb") as file:
                file.write(content)
        for name in PAPERS:
            with open(f"{folder}/{name}.pdf", "wb") as file:
                file.write(b"%PDF-1.4\n" + name.encode())
        store(f"{folder}/run.json", change({
            "entropyAssessment": self.source,
            "dataFiles": [{"oeId": 1, "rawNoise": {"filePath": "raw.bin", "bitsPerSample": 1},
                           "restart": {"filePath": "rows.bin", "bitsPerSample": 1}}],
            "randomBitGenerators": self.rbg,
            "supportingDocumentation": [{"filePath": f"{name}.pdf", "sdType": name,
                                         "comment": "first"} for name in PAPERS],
            "certify": {"moduleId": 7, "entropyId": f"T{self.made:03}",
                        "limitEntropyAssessmentToSingleModule": False}}))
        return folder

    def send(self, server, run, *more, code=0, client="client"):
        done = subprocess.run(
            [LAB, "--json", "esv", "send", run, "--server", server.url, "--certificate",
             f"{self.folder}/{client}.pem", "--key", f"{self.folder}/{client}.key", "--root",
             f"{self.folder}/root.pem", "--totp", server.totp, "--poll", "0", *more],
            capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        return json.loads(done.stdout)


def uploads(server):
    return [path for method, path in server.requests if method == "POST" and "dataFiles" in path]


def passwords_are_those_of_rfc_6238(_house):
    secret = b"12345678901234567890123456789012"  # its appendix B, SHA-256
    for moment, code in ((59, "46119246"), (1111111109, "68084774"), (20000000000, "77737706")):
        assert password_at(secret, moment) == code


def a_submission_goes_through_from_the_folder_that_was_examined(house):
    run = house.submission()
    with open(f"{house.folder}/plan.toml", "w", encoding="utf-8") as file:
        file.write(f'title = "ESV"\ntree = "{ROOT}"\ntests = []\nseed = "{"01" * 32}"\n'
                   '[laboratory]\nname = "Example Laboratory"\n[evidence]\n'
                   f'esv = "{run}/run.json"\n[[game]]\ncatalogue = "es-1977"\n'
                   'game = "craps"\nresults = 100\n')
    subprocess.run([LAB, "submit", "--plan", f"{house.folder}/plan.toml", f"{house.folder}/out",
                    "--only", "submission/esv"], capture_output=True, timeout=200, check=False)
    step = load(f"{house.folder}/out/submission/esv/step.json")
    assert step["verdict"] == "passed", step
    with Server(house.folder) as server:
        told = house.send(server, run)
        assert told["certify"]["status"] == "received", told
        assert [one["sdType"] for one in told["documents"]] == list(PAPERS)
        (assessment,) = told["assessments"]
        assert [(one["what"], one["status"], one["sha256"]) for one in assessment["files"]] == [
            (what, "RunSuccessful", hashlib.sha256(house.files[name]).hexdigest())
            for what, name in (("rawNoise", "raw.bin"), ("restart", "rows.bin"))]
        assert server.rbgs[told["rbg"]["rbgId"]] == house.rbg
        assert server.assessments[assessment["eaId"]]["certified"]
        assert "accessToken" not in json.dumps(told)
        state = f"{run}/esv-state.json"
        assert os.stat(state).st_mode & 0o777 == 0o600
        # The same line again asks for nothing anew.
        count = len(server.requests)
        assert house.send(server, run) == told
        assert {path for _, path in server.requests[count:]} == {"/login"}, server.requests[count:]


def a_source_alone_and_an_rbg_alone_have_their_own_ways(house):
    with Server(house.folder) as server:
        run = house.submission(lambda run: {
            name: value for name, value in run.items() if name != "randomBitGenerators"} | {
                "supportingDocumentation": run["supportingDocumentation"][:2]})
        assert house.send(server, run)["certify"]["status"] == "received"
        assert ("POST", "/entropyAssessments") in server.requests
        assert ("POST", "/certify") in server.requests
        run = house.submission(lambda run: {
            name: run[name] for name in ("randomBitGenerators", "certify")} | {
                "supportingDocumentation": run["supportingDocumentation"][2:]})
        assert house.send(server, run)["certify"]["status"] == "received"
        assert ("POST", "/rbgs") in server.requests and ("POST", "/certify/rbg") in server.requests


def nothing_is_sent_that_breaks_a_rule(house):
    with Server(house.folder) as server:
        for change, words in (
                (lambda run: run | {"entropyAssessment": house.source | {"hminEstimate": 1.5}},
                 "hminEstimate"),
                (lambda run: run | {"certify": run["certify"] | {"entropyId": 118}}, "entropyId"),
                (lambda run: run | {"certify": run["certify"] | {"entropyCertificate": "E1"}},
                 "entropyCertificate")):
            said = house.send(server, house.submission(change), code=1)
            assert words in said["error"], said
        run = house.submission()
        os.truncate(f"{run}/raw.bin", 999_999)
        assert "1000000 bytes" in house.send(server, run, code=1)["error"]
        assert server.requests == []


def a_cut_connection_goes_on_at_the_next_file(house):
    run = house.submission()
    with Server(house.folder) as server:
        seen = []

        def cut_once(kind, when):
            def cut(method, path):
                if method == "POST" and kind in path and (kind, when) not in seen:
                    seen.append((kind, when))
                    return when
                return ""
            return cut

        for kind, when in (("/combined", "before"), ("dataFiles", "before"), ("dataFiles", "after"),
                           ("supporting", "before"), ("certify", "before")):
            server.cut = cut_once(kind, when)
            said = house.send(server, run, code=1)["error"]
            assert "goes on where this one ended" in said and kind in said, said
        server.cut = lambda *_: ""
        assert house.send(server, run)["certify"]["status"] == "received"
        assert len(server.assessments) == 1 and len(server.documents) == 3
        # One that the server had, although its answer was lost, was not sent again.
        assert sorted(uploads(server).count(path) for path in set(uploads(server))) == [1, 2]


def a_state_that_is_damaged_is_refused_before_anything_is_sent(house):
    run = house.submission()
    with Server(house.folder) as server:
        house.send(server, run)
        state = load(f"{run}/esv-state.json")
        first = state["assessments"][0]
        file = first["files"][0]
        for word, change in (
                ("registered", {"registered": None}), ("assessments", {"assessments": None}),
                ("assessments", {"assessments": [first, first]}),
                ("assessments", {"assessments": [first | {"eaId": "7"}]}),
                ("assessments", {"assessments": [first | {"files": [file]}]}),
                ("assessments", {"assessments": [first | {"files": [file, file]}]}),
                ("assessments", {"assessments": [first | {"files": [
                    file | {"dfId": "x"}, first["files"][1]]}]}),
                ("documents", {"documents": {}}), ("documents", {"documents": [{}]}),
                ("documents", {"documents": state["documents"] * 2}), ("rbg", {"rbg": None})):
            changed = {name: value for name, value in (state | change).items() if value is not None}
            with open(f"{run}/esv-state.json", "w", encoding="utf-8") as out:
                json.dump(changed, out)
            count = len(server.requests)
            said = house.send(server, run, code=1)["error"]
            assert f"the state file is damaged ({word})" in said, (change, said)
            assert len(server.requests) == count, server.requests[count:]


def a_refusal_is_said_in_the_servers_own_words(house):
    with Server(house.folder) as server:
        run = house.submission(lambda run: run | {"certify": run["certify"] | {"moduleId": 8}})
        said = house.send(server, run, code=1)["error"]
        assert "/certify/combined: the server says 400: moduleId: 8 does not exist." in said, said
        other = house.submission()
        shutil.copy(f"{run}/esv-state.json", other)
        assert "state of another submission" in house.send(server, other, code=1)["error"]
        with open(f"{house.folder}/wrong.txt", "w", encoding="ascii") as file:
            file.write("AAAA")
        right, server.totp = server.totp, f"{house.folder}/wrong.txt"
        said = house.send(server, house.submission(), code=1)["error"]
        assert "/login: the server says 403: The TOTP has failed." in said, said
        server.totp = right
        # Who shows no certificate of the server's root gets nowhere.
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout",
                        "stranger.key", "-out", "stranger.pem", "-subj", "/CN=x", "-days", "3"],
                       cwd=house.folder, check=True, capture_output=True)
        count = len(server.requests)
        house.send(server, house.submission(), code=1, client="stranger")
        assert len(server.requests) == count


def a_file_that_did_not_pass_ends_before_the_request(house):
    with Server(house.folder) as server:
        server.lie = lambda method, path, part: part | {"status": "Error: min-entropy"} if (
            method == "GET" and "dataFiles" in path) else part
        told = house.send(server, house.submission(), code=3)
        assert {one["status"] for one in told["assessments"][0]["files"]} == {"Error: min-entropy"}
        assert "certify" not in told and not server.documents


def lies(server_base="/esv/v1"):
    def at(place, change):
        return lambda _, path, part: change(part) if path.startswith(place) else part

    def assessments(part, **changed):
        first = part["entropyAssessments"][0]
        return part | {"entropyAssessments": [first | changed]}

    def places(part, number):
        found = part["entropyAssessments"][0]["dataFileUrls"]
        return assessments(part, dataFileUrls=number(found))

    yield "other assessment", at("/combined", lambda part: assessments(
        part, url=f"{server_base}/entropyAssessments/1")), "is no data file of assessment 1"
    yield "a place elsewhere", at("/combined", lambda part: assessments(
        part, url="/other/entropyAssessments/1")), "without url"
    yield "two assessments", at("/combined", lambda part: part | {
        "entropyAssessments": part["entropyAssessments"] * 2}), "2 assessments for 1"
    yield "one file", at("/combined", lambda part: places(part, lambda all: all[:1])), \
        "other data files"
    yield "one place twice", at("/combined", lambda part: places(part, lambda all: [
        all[0], {"restartTestBits": all[0]["rawNoiseBits"]}])), "given twice"
    yield "no token", at("/combined", lambda part: assessments(part, accessToken="")), "without url"
    yield "no RBG", at("/combined", lambda part: {
        "entropyAssessments": part["entropyAssessments"]}), "no url and accessToken of an RBG"
    yield "another digest", at("/entropyAssessments/", lambda part: part | {"sha256": "0" * 64}), \
        "another file: sha256"
    yield "another size", at("/entropyAssessments/", lambda part: part | {"size": 5}), \
        "another file: size"
    yield "another file", at("/entropyAssessments/", lambda part: part | {"id": 5}), \
        "another file: id"
    yield "no status", lambda method, path, part: {"id": part["id"]} if method == "GET" else part, \
        "has no status"
    yield "a document that was not taken", at("/supporting", lambda part: part | {
        "status": "failed"}), "was not taken"
    yield "one document twice", at("/supporting", lambda part: part | {"sdId": 9}), "given twice"
    yield "another assessment certified", at("/certify", lambda part: part | {
        "entropyAssessments": [{"eaId": 9}]}), "about other entropyAssessments"
    yield "other documents certified", at("/certify", lambda part: part | {
        "supportingDocumentation": [{"sdId": 9}]}), "about other supportingDocumentation"


def no_answer_about_anything_else_is_believed(house):
    for name, lie, words in lies():
        with Server(house.folder) as server:
            server.lie = lie
            said = house.send(server, house.submission(), code=1)["error"]
            assert words in said, (name, said)


def an_answer_in_another_envelope_is_refused(house):
    with Server(house.folder) as server:
        server.lie = lambda _, path, part: [part] if path == "/login" else part
        assert "no accessToken" in house.send(server, house.submission(), code=1)["error"]
        server.version = "2.0"
        said = house.send(server, house.submission(), code=1)["error"]
        assert 'is not [{"esvVersion":"1.0"}, ...]' in said, said


def a_window_of_passwords_and_a_token_that_ends_are_waited_for(house):
    run = house.submission()
    with Server(house.folder) as server:
        server.once, server.first_life = True, 100
        assert house.send(server, run)["certify"]["status"] == "received"
        logins = [path for _, path in server.requests if path == "/login"]
        assert len(logins) >= 2 and len(server.used) == 2, (logins, server.used)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        sys.exit(1 if hold([passwords_are_those_of_rfc_6238,
                            a_submission_goes_through_from_the_folder_that_was_examined,
                            a_source_alone_and_an_rbg_alone_have_their_own_ways,
                            nothing_is_sent_that_breaks_a_rule,
                            a_cut_connection_goes_on_at_the_next_file,
                            a_state_that_is_damaged_is_refused_before_anything_is_sent,
                            a_refusal_is_said_in_the_servers_own_words,
                            a_file_that_did_not_pass_ends_before_the_request,
                            no_answer_about_anything_else_is_believed,
                            an_answer_in_another_envelope_is_refused,
                            a_window_of_passwords_and_a_token_that_ends_are_waited_for],
                           House(place)) else 0)
