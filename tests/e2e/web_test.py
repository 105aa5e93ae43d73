#!/usr/bin/env python3
# Goal: the web page is there for who is enrolled, byte for byte as in the source and bound to its
#   own server; who has no certificate gets the verify page, the checkpoint and the bundles whose
#   links he was given, and nothing else.
# Method: one appliance with the public listener, asked with a client's certificate and without any;
#   the bundle of a link goes through `talla verify` and, where there is node, through the page's
#   own verifier. usage: web_test.py FOLDER_OF_PROGRAMS
import http.client
import json
import os
import shutil
import ssl
import subprocess
import sys

from calls import draw_body
from appliance import Appliance, free_ports
from facts import WHEEL, hold, new_batch, open_table

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEB = f"{ROOT}/rngd/web"
PUBLIC_PORT = free_ports(1)[0]
ELSEWHERE = ("http:", "https:", "*", "unsafe-inline", "unsafe-eval")


def without_certificate(appliance, path, method="GET"):
    context = ssl.create_default_context(cafile=f"{appliance.folder}/ca.pem")
    connection = http.client.HTTPSConnection("localhost", PUBLIC_PORT, context=context, timeout=30)
    connection.request(method, path, "{}" if method == "POST" else None)
    reply = connection.getresponse()
    text = reply.read()
    connection.close()
    return reply.status, reply.headers, text


def page_files():
    for folder, _, names in os.walk(WEB):
        for name in sorted(names):
            if name.endswith((".html", ".js", ".css")):
                path = os.path.join(folder, name)
                if path == f"{WEB}/settle/digest.js":
                    continue  # written anew where the engines are built in
                yield "/web/" + os.path.relpath(path, WEB), open(path, "rb").read()


def guarded(headers, path):
    policy = headers["Content-Security-Policy"]
    # they run the engines
    if path in ("/web/verify.html", "/web/play.html", "/web/play/odds_worker.js"):
        policy = policy.replace(" 'wasm-unsafe-eval'", "")
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy, policy
    assert not [word for word in ELSEWHERE if word in policy], policy
    assert (headers["X-Content-Type-Options"] == "nosniff"
            and headers["Referrer-Policy"] == "no-referrer")


def draw(appliance):
    """Claim and link of a fresh draw."""
    client = appliance.client()
    table = open_table(client, WHEEL)
    reply = client.post("/v1/draws", draw_body(client, table, new_batch(client, table), 0))
    seq = reply["draw"]["seq"]
    status, text = client.send("GET", f"/v1/bundles/{seq}")
    assert status == 200, text
    link = client.headers["Link"]
    assert link.startswith(f"</bundles/{seq}-") and link.endswith('>; rel="alternate"'), link
    return seq, link[1:link.index(">")], text


def whoever_is_enrolled_gets_the_page_as_it_is_in_the_source(appliance):
    client = appliance.client("talla:auditor-1")
    count = 0
    for path, content in page_files():
        status, text = client.send("GET", path)
        assert (status, text) == (200, content), path
        kind = {"html": "text/html", "js": "text/javascript",
                "css": "text/css"}[path.rsplit(".", 1)[1]]
        assert client.headers["Content-Type"].startswith(kind), path
        guarded(client.headers, path)
        count += 1
    assert count >= 10
    assert client.send("GET", "/web/index.html?lang=es")[0] == 200
    for path in ("/", "/web/"):
        status, _ = client.send("GET", path)
        assert status == 303 and client.headers["Location"] == "/web/index.html", path
    for path in ("/web", "/web/../openapi.json", "/web/index.htm", "/web/%69ndex.html"):
        assert client.send("GET", path)[0] == 404, path
    assert client.send("POST", "/web/index.html", {}, "a-key-of-mine")[0] in (404, 405)


def everybody_gets_the_pages_of_players_and_nothing_else(appliance):
    public = ("/web/verify", "/web/contribute", "/web/settle/", "/web/play",
              "/web/style.css")
    for path, content in page_files():
        status, headers, text = without_certificate(appliance, path)
        if path.startswith(public):
            assert (status, text) == (200, content), path
            guarded(headers, path)
        else:
            assert status == 404, path
    for path in ("/", "/web/"):
        status, headers, _ = without_certificate(appliance, path)
        assert status == 303 and headers["Location"] == "/web/verify.html", path
    operations = json.load(open(f"{ROOT}/rngd/openapi.json"))["paths"]
    others = ["/livez", "/readyz", "/metrics", "/openapi.json", "/bundles/", "/bundles/0",
              "/v1/bundles/0", "/v1/checkpoint/"]
    for path in others + [one.replace("{", "").replace("}", "") for one in operations]:
        if path != "/v1/checkpoint":
            status, _, text = without_certificate(appliance, path)
            assert status == 404 and json.loads(text)["code"] == "not_found", f"{path}: {status}"
    for method in ("POST", "PUT", "DELETE", "HEAD"):
        status, _, _ = without_certificate(appliance, "/v1/draws", method)
        assert status == 405, f"{method}: {status}"


def the_catalogues_speak_the_pages_languages(appliance):
    client = appliance.client("talla:auditor-1")
    spanish, english = (client.get(f"/v1/catalogues?language={one}") for one in ("es", "en"))
    assert client.get("/v1/catalogues") == english
    texts = [[game["text"] for game in every["catalogues"][0]["games"]]
             for every in (spanish, english)]
    assert texts[0] != texts[1] and "Ruleta" in " ".join(texts[0]), texts
    assert client.send("GET", "/v1/catalogues?language=fr")[0] == 400


def the_verify_page_calls_every_game_as_the_catalogues_do(appliance):
    node = shutil.which("node")
    if node is None:
        print("no node here: the page's names are not compared")
        return
    client = appliance.client("talla:auditor-1")
    names = {}
    for language in ("es", "en"):
        for catalogue in client.get(f"/v1/catalogues?language={language}")["catalogues"]:
            for game in catalogue["games"]:
                names.setdefault((language, game["id"]), set()).add(game["text"])
    script = f"""
const {{ gameName }} = await import({json.dumps(WEB + '/verify_games.js')});
for (const [language, id] of {json.dumps(sorted(names))}) console.log(gameName(language, id));
"""
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True,
                          text=True, check=True, timeout=60)
    said = done.stdout.splitlines()
    assert len(said) == len(names) >= 60, done.stderr
    for key, name in zip(sorted(names), said):
        assert name in names[key], f"{key}: {name}, not {names[key]}"


def odds_come_with_the_page_and_only_to_who_is_enrolled(appliance):
    path = "/web/odds/es-1977/french-roulette.json"
    client = appliance.client("talla:auditor-1")
    odds = client.get(path)
    red = next(one for one in odds["bets"] if one["bet"] == "rojo")
    assert (red["win"], red["house_edge"]) == ("18/37", "1/74"), red
    said = appliance.talla("--json", "odds", "es-1977", "french-roulette",
                           check=True).stdout.splitlines()
    assert [json.loads(line) for line in said] == odds["bets"] + odds["others"]
    for other in ("/web/odds/es-euskadi-2010/circle-omaha.json", "/web/odds/es-1977/nothing.json"):
        assert client.send("GET", other)[0] == 404, other
    assert without_certificate(appliance, path)[0] == 404


def the_checkpoint_is_the_logs(appliance):
    status, _, text = without_certificate(appliance, "/v1/checkpoint")
    assert status == 200
    assert text == appliance.client("talla:auditor-1").send("GET", "/v1/checkpoint")[1]


def a_link_gives_its_bundle_and_no_other(appliance):
    seq, link, bundle = draw(appliance)
    status, _, text = without_certificate(appliance, link)
    assert status == 200
    path = f"{appliance.folder}/linked.talla"
    for content in (bundle, text):
        open(path, "wb").write(content)
        code, words = appliance.verify(path)
        assert code == 3 and "verified" in words, words
    other = link.replace(f"/{seq}-", f"/{seq - 1}-")
    last = link[:-1] + ("0" if link[-1] != "0" else "1")
    for changed in (other, last, link[:-1], link + "0", link.upper(), f"/bundles/{seq}"):
        assert without_certificate(appliance, changed)[0] == 404, changed


def the_page_verifies_what_a_link_gives(appliance):
    node = shutil.which("node")
    if node is None:
        print("no node here: the page's verifier is not run")
        return
    _, link, _ = draw(appliance)
    path = f"{appliance.folder}/page.talla"
    script = f"""
import {{ readFileSync }} from 'node:fs';
import {{ webcrypto }} from 'node:crypto';
globalThis.crypto ??= webcrypto;
const {{ verifyBundle }} = await import({json.dumps(WEB + '/verify/verify.js')});
const roots = readFileSync({json.dumps(appliance.folder + '/ca.pem')}, 'utf8');
const result = await verifyBundle(readFileSync({json.dumps(path)}, 'utf8'), {{ roots }});
console.log(result.code, result.claim.kind);
"""
    text = without_certificate(appliance, link)[2]
    open(path, "wb").write(text)
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True,
                          text=True, timeout=60)
    assert done.stdout.split() == ["3", "DRAW"], done.stdout + done.stderr
    open(path, "wb").write(text.replace(b'"outcome', b'"outcom3', 1) if b'"outcome' in text
                           else text[:-40])
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode != 0 or done.stdout.startswith("1"), done.stdout


def links_outlive_a_restart_and_the_key_is_private(appliance):
    _, link, _ = draw(appliance)
    assert os.stat(f"{appliance.folder}/data/public-links.key").st_mode & 0o777 == 0o600
    assert appliance.stop() == 0
    appliance.start()
    assert without_certificate(appliance, link)[0] == 200


def without_the_listener_there_are_no_links(appliance):
    assert appliance.stop() == 0
    text = open(appliance.config).read()
    open(appliance.config, "w").write(text.replace("enabled = true # public", "enabled = false"))
    appliance.start()
    client = appliance.client()
    table = open_table(client, WHEEL)
    reply = client.post("/v1/draws", draw_body(client, table, new_batch(client, table), 0))
    assert client.send("GET", f"/v1/bundles/{reply['draw']['seq']}")[0] == 200
    assert "Link" not in client.headers
    try:
        without_certificate(appliance, "/")
        raise AssertionError("it still listens")
    except OSError:
        pass


def all_who_have_no_certificate_share_one_limit_and_take_nobody_elses(_):
    few = lambda text: with_public(text).replace("burst = 1000000", "burst = 20").replace(
        "requests_per_second = 1000000", "requests_per_second = 1")
    with Appliance(sys.argv[1], edit_config=few) as appliance:
        appliance.start()
        answers = [without_certificate(appliance, "/v1/checkpoint")[0] for _ in range(40)]
        assert answers[:20] == [200] * 20 and 429 in answers[20:], answers
        assert appliance.client("talla:auditor-1").send("GET", "/v1/checkpoint")[0] == 200
        assert without_certificate(appliance, "/web/verify.html")[0] == 200, (
            "the page itself asks nothing of the service")


def the_public_page_may_have_a_certificate_that_phones_trust(_):
    with Appliance(sys.argv[1], edit_config=with_public) as house, \
            Appliance(sys.argv[1], edit_config=lambda text: with_public(text).replace(
                "enabled = true # public", 'enabled = true\ncertificate = "own.pem"\n'
                'key = "own.key"')) as appliance:
        for source, name in (("server.pem", "own.pem"), ("server.key", "own.key")):
            shutil.copy(f"{house.folder}/{source}", f"{appliance.folder}/{name}")
        config = open(appliance.config).read()
        for line, words in (('key = "own.key"', "both or none"),
                            ('certificate = "own.pem"', "both or none")):
            open(appliance.config, "w").write(config.replace(line, ""))
            done = subprocess.run([f"{appliance.binaries}/rngd", "--check", "--config",
                                   appliance.config], capture_output=True, text=True)
            assert done.returncode == 1 and words in done.stderr, done
        open(appliance.config, "w").write(config)
        os.chmod(f"{appliance.folder}/own.key", 0o644)
        assert "own.key" in appliance.start_refused()
        os.chmod(f"{appliance.folder}/own.key", 0o600)
        appliance.start()
        trusted = ssl.create_default_context(cafile=f"{house.folder}/ca.pem")
        connection = http.client.HTTPSConnection("localhost", PUBLIC_PORT, context=trusted)
        connection.request("GET", "/web/verify.html")
        assert connection.getresponse().status == 200
        connection.close()
        try:  # the casino's own root is not what stands behind it
            without_certificate(appliance, "/web/verify.html")
            raise AssertionError("the certificate of the API was shown")
        except ssl.SSLCertVerificationError:
            pass
        assert appliance.client().get("/v1/status")["origin"], "the API has its own"


def with_public(text):
    return text + f'\n[public]\nenabled = true # public\nport = {PUBLIC_PORT}\n'


if __name__ == "__main__":
    with Appliance(sys.argv[1], edit_config=with_public) as one:
        one.start()
        sys.exit(1 if hold([whoever_is_enrolled_gets_the_page_as_it_is_in_the_source,
                            everybody_gets_the_pages_of_players_and_nothing_else,
                            the_catalogues_speak_the_pages_languages,
                            the_verify_page_calls_every_game_as_the_catalogues_do,
                            odds_come_with_the_page_and_only_to_who_is_enrolled,
                            the_checkpoint_is_the_logs,
                            a_link_gives_its_bundle_and_no_other,
                            the_page_verifies_what_a_link_gives,
                            links_outlive_a_restart_and_the_key_is_private,
                            without_the_listener_there_are_no_links,
                            all_who_have_no_certificate_share_one_limit_and_take_nobody_elses,
                            the_public_page_may_have_a_certificate_that_phones_trust],
                            one) else 0)
