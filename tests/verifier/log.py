"""Who signed the log: its key's certificates and its checkpoint (FORMAT sections 3 and 5)."""
import re

from .certificate import units_if_formed
from .libcrypto import Certificate, certificates_of, chain_holds, ed25519
from .records import LOG_KEY, parse_record
from .shapes import Is, log_statement, shape
from .text import D, H, Refused, need, parse, unbase64
from .tree import consistent, leaf_hash, root_from_path


def check_certificates(signed, roots, time_us, uri, message, fault=None):
    """The chain at that time, the name in its first certificate, what its key is for, the
    signature. `spki` of it, and whether it, or any with the roots, is a development certificate.
    `fault`: exception that is raised with the name of the check; its signatures are r || s."""
    def need_for(code, condition, why):
        if not condition:
            raise fault(code) if fault else Refused(why)
    own_roots = [units_if_formed(der) for der in certificates_of(roots)]
    try:
        certificates, formed = check_path(signed, roots, time_us)
    except Refused as why:
        need_for("untrusted", False, str(why))
    signer = certificates[0]
    need_for("name", uri.encode() in signer.uris,
             "the certificate names another log, or is for something else")
    need_for("usage", signer.signs_alone, "the first certificate's key is not for signatures alone")
    key = signer.key
    need_for("usage", key is not None and key.curve == "prime256v1",
             "the certificate's key is not P-256")
    signature = unbase64(signed["signature"])
    need_for("signature", key.signed(message, pair_der(signature) if fault else signature),
             "the statement's signature is wrong")
    marks = ["development" in units for units in [*formed, *own_roots]]
    return {"spki": H(key.spki).hex(), "development": marks[0], "any_development": any(marks)}


def integer_der(raw):
    raw = raw.lstrip(b"\0") or b"\0"
    raw = b"\0" + raw if raw[0] & 0x80 else raw
    return b"\2" + bytes([len(raw)]) + raw


def pair_der(pair):
    """A signature r || s as DER."""
    inner = integer_der(pair[:32]) + integer_der(pair[32:])
    return b"\x30" + bytes([len(inner)]) + inner


def check_path(signed, roots, time_us):
    """The certificates and their units, a valid chain to a trusted root at that time."""
    need(1 <= len(signed["chain"]) <= 8, "chain")
    chain = [Certificate(unbase64(der)) for der in signed["chain"]]
    try:
        formed = [units_if_formed(unbase64(der)) for der in signed["chain"]]
    except Refused as why:
        need(False, f"certificate_form: {why}")
    need(all(one.issues for one in chain[1:]),
         "an issuer in the chain is no certificate authority")
    need(chain_holds(chain, roots, time_us // 1000000),
         "certificates: no valid chain to a trusted root at the recorded time")
    return chain, formed


def check_log_key(log_key, roots, time_us):
    need(LOG_KEY(log_key), "log key")
    statement = log_statement(log_key["statement"])
    public = unbase64(statement["public"])
    signer = check_certificates(log_key, roots, time_us, "talla:log:" + statement["origin"],
                                D("log-key") + log_key["statement"].encode())
    need(signer["development"] == statement["development"], "development mark")
    # from here on it says whether any certificate that it rests on is one
    return {**statement, "development": signer["any_development"]}, public


def parse_checkpoint(note):
    """The log's own signature comes first; behind it at most 64 lines of others, whose names are
    not the log's."""
    match = re.fullmatch("([!-*,-~]{1,200})\n(0|[1-9][0-9]{0,19})\n([A-Za-z0-9+/=]+)\n\n((?:\u2014 "
                         "[^ +\\x00-\\x20]+ [A-Za-z0-9+/=]+\n){1,65})", note)
    need(match, "malformed checkpoint")
    origin, size, root, lines = match.groups()
    signatures = []
    for line in lines.splitlines():
        _, name, data = line.split(" ")
        data = unbase64(data)
        need(len(data) > 4, "malformed checkpoint")
        signatures.append((name, data[:4], data[4:]))
    root, own = unbase64(root), signatures[0]
    need([one[0] for one in signatures].count(origin) == 1 and own[0] == origin and len(root) == 32
         and len(own[2]) == 64, "malformed checkpoint")
    return origin, int(size), root, note[:note.index("\n\n") + 1], signatures


def check_checkpoint(note, statement, public):
    origin, size, root, text, signatures = parse_checkpoint(note)
    _, key_id, signature = signatures[0]
    need(origin == statement["origin"], "wrong_origin: checkpoint and log key name different logs")
    need(key_id == H(origin.encode() + b"\n\x01" + public)[:4],
         "wrong_signature: checkpoint: another key")
    need(ed25519(public, text.encode(), signature), "wrong_signature: checkpoint")
    return origin, size, root, text, signatures


def check_key_chain(changes, log_key, note, roots, time_us):
    """From the log's first key each announces the next in the log: (statement, public key, last
    size or None) of each, the present one last."""
    before, announced, since, keys = None, None, 0, []
    for at, change in enumerate(changes):
        shape(change, {"log_key": Is.obj, "checkpoint": Is.text, "record": Is.filled,
                       "path": Is.each(Is.base64), "consistency": Is.each(Is.base64)})
        record = parse_record(change["record"])
        statement, public = check_log_key(change["log_key"], roots, record["time"])
        need(statement.get("previous") == before and announced in (None, statement["public"]),
             "log keys in another order")
        origin, size, root, _, _ = check_checkpoint(change["checkpoint"], statement, public)
        following = parse_checkpoint(changes[at + 1]["checkpoint"] if at + 1 < len(changes)
                                     else note)
        need(record["kind"] == "KEY" and record["body"]["purpose"] == "log"
             and record["origin"] == origin == following[0], "announces no log key")
        need(size == record["seq"] + 1 and following[1] > size,
             "key_change: not the last record under the old key")
        path = [unbase64(h) for h in change["path"]]
        need(root_from_path(record["seq"], size, leaf_hash(change["record"].encode()),
                            path) == root, "an announcement that is not there")
        need(consistent(size, root, following[1], following[2],
                        [unbase64(h) for h in change["consistency"]]),
             "key_change: the log does not go on from the announcement")
        need(record["time"] >= since, "time_back: key change: time goes back")
        before, since = statement["public"], record["time"]
        keys.append((statement, public, size))
        announced = parse(record["body"]["log_key"]["statement"])["public"]
    statement, public = check_log_key(log_key, roots, max(time_us, since))
    need(statement.get("previous") == before and announced in (None, statement["public"]),
         "the log key follows another one")
    return keys + [(statement, public, None)]


def check_known(known, keys):
    """A key that is known already (text of its statement, or of all keys of a log) is one of
    these."""
    known = parse(known)
    mine = parse((known["log_key"] if "type" in known else known)["statement"])
    need(any(one["public"] == mine["public"] and one["origin"] == mine["origin"] for one, _,
             _ in keys),
         "none of the log's keys is the one that is known")
