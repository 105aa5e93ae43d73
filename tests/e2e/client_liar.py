"""An HTTPS server with the appliance's own certificate that asks the real one and changes what it
answers: what a client must not believe.

It has everything but the log's key. Each lie is told of one request, the first whose reply has room
for it, and again when the client, who may not have waited long enough, asks for the same once more.
"""
import http.server
import json
import re
import ssl
import threading

from appliance import Client


def changed(receipt, what, to):
    return {"proof": receipt["proof"], "record": re.sub(what, to, receipt["record"], count=1)}


def another_outcome_in_words(reply, before):
    if "draw" in reply:
        reply["draw"]["outcome"]["pocket"] = (reply["draw"]["outcome"]["pocket"] + 1) % 37
        return reply
    return None


def another_outcome_in_the_record(reply, before):
    if "draw" in reply:
        pocket = (reply["draw"]["outcome"]["pocket"] + 1) % 37
        reply["draw"]["outcome"]["pocket"] = pocket
        reply["receipts"][-1] = changed(reply["receipts"][-1], '"pocket":[0-9]+',
                                        f'"pocket":{pocket}')
        return reply
    return None


def no_receipts(reply, before):
    if "draw" in reply:
        del reply["receipts"]
        return reply
    return None


def the_reply_before_again(reply, before):
    drawn = [one for one in before if "draw" in one]
    return drawn[-1] if "draw" in reply and drawn else None


def a_signature_that_is_none(reply, before):
    receipt = reply.get("receipts", [None])[-1]
    if receipt is None:
        return None
    at = receipt["proof"].rindex("=\n") - 8 if receipt["proof"].endswith("=\n") else len(
        receipt["proof"]) - 9
    letter = "A" if receipt["proof"][at] != "A" else "B"
    receipt["proof"] = receipt["proof"][:at] + letter + receipt["proof"][at + 1:]
    return reply


def without_its_call(reply, kind):
    kinds = [json.loads(one["record"])["kind"] for one in reply.get("receipts", [])]
    if kind not in kinds:
        return None
    del reply["receipts"][kinds.index("CALL")]
    return reply


def a_draw_without_its_call(reply, before):
    return without_its_call(reply, "DRAW")


def a_mix_without_its_call(reply, before):
    return without_its_call(reply, "SHOE_MIX")


def the_call_alone(reply, before):
    if "draw" in reply:
        del reply["receipts"][1:]
        return reply
    return None


def a_draw_told_as_lapsed(reply, before):
    if "draw" in reply:
        reply["lapsed"] = {"seq": reply["draw"]["seq"], "table": "table-1", "turn": 1,
                           "code": "head_wrong", "detail": "not the newest record"}
        return reply
    return None


def another_card(reply, before):
    if reply.get("cards"):
        for card in reply["cards"]:
            if "card" in card:
                card["card"] = "AS" if card["card"] != "AS" else "KS"
                return reply
    return None


def a_card_without_its_record(reply, before):
    kinds = [json.loads(one["record"])["kind"] for one in reply.get("receipts", [])]
    if "CARD_DEAL" not in kinds:
        return None
    del reply["receipts"][kinds.index("CARD_DEAL")]
    return reply


def another_payment(reply, before):
    if reply.get("round", {}).get("results"):
        reply["round"]["results"][0]["returned"] += 1
        return reply
    return None


# What either client says of it.
LIES = {another_outcome_in_words: "another outcome",
        another_outcome_in_the_record: "not in the log|not_included",
        no_receipts: "without receipts", the_reply_before_again: "not about this request",
        a_draw_without_its_call: "a result of", a_mix_without_its_call: "a result of",
        the_call_alone: "no result",
        a_draw_told_as_lapsed: "do not agree on whether the call lapsed",
        a_signature_that_is_none: "wrong signature|wrong_signature", another_card: "shows a card",
        a_card_without_its_record: "shows a card",
        another_payment: "pays what the log does not say"}


class Liar:
    def __init__(self, appliance, client_id, lie):
        self.lied, self.before = None, []  # `lied`: the key of the request that was lied about
        self.upstream = Client(appliance.folder, appliance.port, client_id)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
                key = self.headers.get("Idempotency-Key")
                status, text = outer.upstream.send(self.command, self.path, raw=raw, key=key)
                if self.command == "POST" and status < 300:
                    told = lie(json.loads(text),
                               outer.before) if outer.lied in (None, key) else None
                    if told is None:
                        outer.before.append(json.loads(text))
                    else:
                        outer.lied, text = key, json.dumps(
                            told, sort_keys=True, separators=(",", ":"),
                            ensure_ascii=False).encode()
                self.send_response(status)
                self.send_header("Content-Type", outer.upstream.headers["Content-Type"])
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{appliance.folder}/server.pem", f"{appliance.folder}/server.key")
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
