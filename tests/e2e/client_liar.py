"""An HTTPS server with the appliance's own certificate that asks the real one and changes what it
answers: what a client must not believe (client_lies.py, client_forgeries.py).

It has the log's key too, where a lie uses it. Each lie is told of one request, the first whose
reply has room for it, and again when the client, who may not have waited long enough, asks for the
same once more. A lie `of_ends` (client_ends.py) is told to who asks how its call ended.
"""
import http.server
import json
import ssl
import threading

from appliance import Client
from client_forgeries import Forger


class Liar:
    def __init__(self, appliance, client_id, lie):
        self.lied, self.before = None, []  # `lied`: the key of the request that was lied about
        self.upstream = Client(appliance.folder, appliance.port, client_id)
        forger = Forger(appliance.folder)
        more = (forger,) if hasattr(lie, "forges") else ()
        outer = self

        def tell(answered, key):
            """What is told in the place of a true answer; None: itself."""
            if outer.lied not in (None, key):
                return None
            told = lie(answered, outer.before, *more)
            if told is None:
                outer.before.append(answered)
            else:
                outer.lied = key
            return told

        def tell_end(view, path):
            end = tell(view["ended"], path) if "ended" in view else None
            return None if end is None else view | {"ended": end}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
                key = self.headers.get("Idempotency-Key")
                status, text = outer.upstream.send(self.command, self.path, raw=raw, key=key)
                told = None
                if hasattr(lie, "of_ends"):
                    if self.path.startswith("/v1/calls/") and status < 300:
                        told = tell_end(json.loads(text), self.path)
                elif self.command == "POST" and status < 300:
                    told = tell(json.loads(text), key)
                if told is not None:
                    text = json.dumps(told, sort_keys=True, separators=(",", ":"),
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
