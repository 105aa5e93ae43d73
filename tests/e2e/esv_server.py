"""A small server of NIST's entropy source validation protocol (ESVP 1.0), from its text: TLS with
client certificates, one-time passwords (RFC 6238), tokens with claims, registration of sources and
RBGs, data files, documents, certify. It refuses what the protocol and the rules of
tests/vectors/esv/rules.csv refuse, and can be told to lie or to cut a connection.

Numbers of modules and environments that exist are MODULES and ENVIRONMENTS. Nothing of a source is
assessed: a file that has the right form is successful.
"""
import base64
import hashlib
import hmac
import http.server
import json
import os
import re
import ssl
import subprocess
import threading
import time

BASE = "/esv/v1"
MODULES, ENVIRONMENTS = (7,), (1, 2)
SAMPLES = 1_000_000
TYPES = ("EntropyAssessmentReport", "PublicUseDocument", "RandomBitGeneratorReport",
         "DataCollectionAttestation", "Other")
SOURCE = {"primaryNoiseSource": str, "iidClaim": bool, "bitsPerSample": int, "hminEstimate": float,
          "physical": bool, "numberOfRestarts": int, "samplesPerRestart": int,
          "additionalNoiseSources": bool}


class Refused(Exception):
    def __init__(self, status, *words):
        super().__init__(*words)
        self.status, self.words = status, list(words)


def need(holds, *words, status=400):
    if not holds:
        raise Refused(status, *words)


def password_at(secret, moment):
    mac = hmac.new(secret, int(moment // 30).to_bytes(8, "big"), hashlib.sha256).digest()
    at = mac[-1] & 15
    return f"{(int.from_bytes(mac[at:at + 4], 'big') & 0x7FFFFFFF) % 10**8:08d}"


def url64(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def keys(folder):
    """A root, a server and a client with a 2,048-bit RSA key, as the demonstration server asks."""
    def run(*words):
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)
    run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "root.key", "-out", "root.pem",
        "-subj", "/CN=ESV root", "-days", "30")
    for name in ("server", "client"):
        run("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr",
            "-subj", f"/CN={name}")
        with open(f"{folder}/{name}.ext", "w", encoding="ascii") as file:
            file.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        run("x509", "-req", "-in", f"{name}.csr", "-CA", "root.pem", "-CAkey", "root.key",
            "-CAcreateserial", "-out", f"{name}.pem", "-days", "30", "-sha256", "-extfile",
            f"{name}.ext")


class Server:
    def __init__(self, folder):
        self.secret, self.signing = os.urandom(32), os.urandom(32)
        self.totp = f"{folder}/totp.txt"
        with open(self.totp, "w", encoding="ascii") as file:
            file.write(base64.b64encode(self.secret).decode() + "\n")
        self.version = "1.0"
        self.once = False      # a window of passwords opens one door
        self.first_life = 1800  # seconds that a registration's own tokens live
        self.used, self.next = set(), 100
        self.assessments, self.files, self.documents, self.rbgs = {}, {}, {}, {}
        self.entropy_ids, self.requests = set(), []
        self.lie = lambda method, path, part: part
        self.cut = lambda method, path: ""  # "before" or "after" the request is worked on
        handler = type("Handler", (Handler,), {"outer": self})
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
        context.load_verify_locations(f"{folder}/root.pem")
        context.verify_mode = ssl.CERT_REQUIRED
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://localhost:{self.server.server_port}{BASE}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def number(self):
        self.next += 1
        return self.next

    # Tokens: claims, signed; who has one may touch what it names.

    def token(self, life=1800, **claims):
        parts = [url64(json.dumps(one).encode()) for one in
                 ({"alg": "HS256", "typ": "JWT"}, {"exp": int(time.time()) + life, **claims})]
        mac = hmac.new(self.signing, ".".join(parts).encode(), hashlib.sha256).digest()
        return ".".join([*parts, url64(mac)])

    def claims(self, token, late=False):
        try:
            head, body, mac = token.split(".")
            good = hmac.new(self.signing, f"{head}.{body}".encode(), hashlib.sha256).digest()
            assert hmac.compare_digest(url64(good), mac)
            said = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        except (AssertionError, ValueError, AttributeError):
            raise Refused(401, "The token is not one of this server.") from None
        need(late or said["exp"] > time.time(), "The token has expired.", status=401)
        return said

    def login(self, body):
        now = time.time()
        window = next((int(moment // 30) for moment in (now, now - 30)
                       if body.get("password") == password_at(self.secret, moment)), None)
        need(window is not None, "The TOTP has failed.", status=403)
        need(not self.once or window not in self.used, "This TOTP window has already been used.",
             status=403)
        self.used.add(window)
        claims = self.claims(body["accessToken"], True) if "accessToken" in body else {}
        claims.pop("exp", None)
        return {"accessToken": self.token(**claims)}

    # Registration.

    def register(self, body):
        need(isinstance(body, dict), "The registration is to be an object.")
        for name, kind in SOURCE.items():
            value = body.get(name)
            good = isinstance(value, (int, float)) and not isinstance(value, bool) \
                if kind is float else type(value) is kind
            need(good, f"{name}: {kind.__name__} was expected.")
        need(0 < len(body["primaryNoiseSource"]) <= 64, "primaryNoiseSource: up to 64 characters.")
        need(0 < body["hminEstimate"] <= body["bitsPerSample"],
             "hminEstimate: above 0, at most bitsPerSample.")
        need(body["numberOfRestarts"] == body["samplesPerRestart"] == 1000,
             "numberOfRestarts and samplesPerRestart are 1000.")
        positions = []
        for one in body.get("conditioningComponent", []):
            positions.append(one["sequencePosition"])
            need(one["vetted"] == ("validationNumber" in one),
                 "validationNumber: of vetted components alone.")
        need(positions == list(range(1, len(positions) + 1)), "sequencePosition: 1, 2, ...")
        answers = []
        for _ in range(body.get("numberOfOEs", 1)):
            number = self.number()
            path, places = f"{BASE}/entropyAssessments/{number}", []
            kinds = [("rawNoiseBits", None), ("restartTestBits", None)] + [
                ("conditionedBits", one["sequencePosition"])
                for one in body.get("conditioningComponent", [])
                if not one["vetted"] and not one.get("bijectiveClaim", False)]
            for kind, position in kinds:
                place = self.number()
                self.files[place] = {"ea": number, "kind": kind, "status": "NotUploaded",
                                     "bits": min(body["bitsPerSample"], 8)}
                places.append({kind: f"{path}/dataFiles/{place}"}
                              | ({} if position is None else {"sequencePosition": position}))
            self.assessments[number] = {"certified": False}
            answers.append({"url": path, "dataFileUrls": places, "publishable": False,
                            "passed": False, "isSample": False,
                            "createdOn": "2026-11-28T00:00:00.0000000-05:00",
                            "accessToken": self.token(self.first_life, eaId=number)})
        return answers

    def register_rbg(self, body):
        need(isinstance(body.get("rbg"), list) and 1 <= len(body["rbg"]) <= 3, "rbg: 1 to 3.")
        for one in body["rbg"]:
            need(one.get("construction") in ("RBG1", "RBG2", "RBG3(XOR)", "RBG3(RS)"),
                 "construction: unknown.")
            seed = one["drbg"]["seed"]
            need(not one["construction"].startswith("RBG3") or
                 [entry["securityStrength"] for entry in seed] == [256] and
                 seed[0]["minHIn"] >= 384, "drbg.seed: one of strength 256, minHIn 384 or more.")
        number = self.number()
        self.rbgs[number] = body["rbg"]
        return {"url": f"{BASE}/rbgs/{number}", "status": "passed",
                "accessToken": self.token(rbgId=number)}

    # Files.

    def upload(self, assessment, place, form):
        file = self.file_of(assessment, place)
        need(file["status"] == "NotUploaded", "This data file has been uploaded already.")
        content = form.get("dataFile", (None, b""))[1]
        size = form.get("dataFileSampleSize") or form.get("DataFileSampleSize")
        bits = int(size[1]) if size else file["bits"]
        need(1 <= bits <= file["bits"], "dataFileSampleSize: 1 to bitsPerSample, at most 8.")
        need(len(content) == SAMPLES, f"dataFile: {len(content)} bytes, not {SAMPLES}.")
        need(max(content) < 1 << bits, "dataFile: a sample is wider than the sample size.")
        file.update(status="Uploaded", sha256=hashlib.sha256(content).hexdigest(),
                    size=len(content))
        return self.shown(place)

    def file_of(self, assessment, place):
        file = self.files.get(place)
        need(file and file["ea"] == assessment, "There is no such data file.", status=404)
        return file

    def shown(self, place):
        file = self.files[place]
        return {"id": place, "status": file["status"]} | (
            {"sha256": file["sha256"], "size": file["size"],
             "results": {"hMin": 0.6123456789012345, "passed": None}} if "sha256" in file else {})

    def look(self, assessment, place):
        file = self.file_of(assessment, place)
        said = self.shown(place)
        steps = {"Uploaded": "RunStarted", "RunStarted": "RunSuccessful"}
        file["status"] = steps.get(file["status"], file["status"])
        return said

    def document(self, form):
        kind = form.get("sdType", (None, b""))[1].decode()
        name, content = form.get("sdFile", ("", b""))
        need(kind in TYPES, f"sdType: {kind} is unknown.")
        need(name.endswith(".pdf") and content.startswith(b"%PDF-"), f"sdFile: {name} is no PDF.")
        number = self.number()
        self.documents[number] = kind
        return {"sdId": number, "status": "success", "accessToken": self.token(sdId=number)}

    # Certify.

    def certify(self, kind, body):
        words, elements = [], []
        if not re.fullmatch(r"[0-9A-Za-z]{4}", str(body.get("entropyId"))) or \
                body["entropyId"] in self.entropy_ids:
            words.append("entropyId: exactly 4 letters or digits, once within the laboratory.")
        if body.get("moduleId") not in MODULES:
            words.append(f"moduleId: {body.get('moduleId')} does not exist.")
        if not isinstance(body.get("limitEntropyAssessmentToSingleModule"), bool) and \
                kind != "/rbg":
            words.append("limitEntropyAssessmentToSingleModule is required.")
        kinds = []
        for one in body.get("supportingDocumentation", []):
            need(self.claims(one.get("accessToken")).get("sdId") == one.get("sdId"),
                 "supportingDocumentation: the token is of another document.", status=403)
            kinds.append(self.documents[one["sdId"]])
        for asked, needed in (("EntropyAssessmentReport", kind != "/rbg"),
                              ("PublicUseDocument", kind != "/rbg"),
                              ("RandomBitGeneratorReport", kind != "")):
            if needed and kinds.count(asked) != 1:
                words.append(f"supportingDocumentation: exactly one {asked}.")
        for one in body.get("entropyAssessments", []) if kind != "/rbg" else []:
            need(self.claims(one.get("accessToken")).get("eaId") == one.get("eaId"),
                 "entropyAssessments: the token is of another assessment.", status=403)
            mine = [file for file in self.files.values() if file["ea"] == one["eaId"]]
            if any(file["status"] != "RunSuccessful" for file in mine) or \
                    self.assessments[one["eaId"]]["certified"]:
                elements.append(f"eaId {one['eaId']}: not passed, or requested already.")
            if one.get("oeId") not in ENVIRONMENTS:
                elements.append(f"oeId {one.get('oeId')} does not exist.")
        if kind != "/rbg" and not body.get("entropyAssessments"):
            words.append("entropyAssessments: not empty.")
        if kind:
            rbg = body.get("rbg", {})
            need(self.claims(rbg.get("accessToken")).get("rbgId") == rbg.get("rbgId"),
                 "rbg: the token is of another RBG.", status=403)
        if words or elements:
            raise Refused(400, *words, *elements)
        self.entropy_ids.add(body["entropyId"])
        for one in body.get("entropyAssessments", []):
            self.assessments[one["eaId"]]["certified"] = True
        return {"status": "received", "module": "Module 7", "entropyId": body["entropyId"],
                "information": {"messageList": [],
                                "entropyAssessmentsReferences": {"elementList": []}},
                "entropyAssessments": [{"eaId": one["eaId"], "oeId": one["oeId"]}
                                       for one in body.get("entropyAssessments", [])],
                "supportingDocumentation": [{"sdId": one["sdId"]} for one in
                                            body.get("supportingDocumentation", [])]}


def form_of(kind, raw):
    """Fields of a multipart form: file name and content."""
    found = re.fullmatch(r"multipart/form-data; *boundary=\"?([^\"]+)\"?", kind or "")
    need(found, "A multipart form was expected.", status=415)
    fields = {}
    for part in raw.split(b"--" + found[1].encode())[1:-1]:
        head, _, content = part[2:-2].partition(b"\r\n\r\n")
        name = re.search(r'[; ]name="([^"]*)"', head.decode())
        file = re.search(r'filename="([^"]*)"', head.decode())
        need(name, "A field has no name.")
        fields[name[1]] = (file[1] if file else "", content)
    return fields


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    outer = None

    def log_message(self, *_):
        pass

    def body(self, raw):
        try:
            whole = json.loads(raw)
            need(len(whole) == 2 and whole[0] == {"esvVersion": "1.0"}, "esvVersion: 1.0 alone.")
            return whole[1]
        except (ValueError, TypeError, KeyError):
            raise Refused(400, "Invalid JSON provided.") from None

    def worked_on(self, path, raw):
        server = self.outer
        if (self.command, path) == ("POST", "/login"):
            return server.login(self.body(raw))
        bearer = (self.headers.get("Authorization") or "").partition("Bearer ")[2]
        claims = server.claims(bearer)
        file = re.fullmatch(r"/entropyAssessments/(\d+)/dataFiles/(\d+)", path)
        if file:
            number, place = int(file[1]), int(file[2])
            need(claims.get("eaId") == number, "The token is of another assessment.", status=403)
            if self.command == "GET":
                return server.look(number, place)
            return server.upload(number, place, form_of(self.headers.get("Content-Type"), raw))
        need(self.command == "POST", "There is nothing of this kind.", status=404)
        if path == "/supportingDocumentation":
            return server.document(form_of(self.headers.get("Content-Type"), raw))
        body = self.body(raw)
        if path == "/entropyAssessments":
            answers = server.register(body)
            return answers if len(answers) > 1 else answers[0]
        if path == "/rbgs":
            return server.register_rbg(body)
        if path == "/combined":
            return {"entropyAssessments": server.register(body["90B"]),
                    "randomBitGenerator": server.register_rbg(body["90C"])}
        need(path in ("/certify", "/certify/rbg", "/certify/combined"), "Not found.", status=404)
        return server.certify(path[len("/certify"):], body)

    def answer(self):
        server = self.outer
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.removeprefix(BASE)
        server.requests.append((self.command, path))
        cut = server.cut(self.command, path)
        if cut == "before":
            self.close_connection = True
            return
        try:
            part, status = self.worked_on(path, raw), 200
            part = server.lie(self.command, path, part)
        except Refused as refused:
            part = {"error": refused.words[0], "errors": {"errorList": refused.words}}
            status = refused.status
        if cut == "after":
            self.close_connection = True
            return
        text = json.dumps([{"esvVersion": server.version}, part]).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer
