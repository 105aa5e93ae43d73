"""Bytes, hashes, spellings and canonical JSON (FORMAT section 1); `need` refuses."""
import base64, hashlib, hmac, json, re, struct


LARGEST = 2**53 - 1
TEXT_BYTES_MAX = 2**23


class Refused(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Refused(why)


def H(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def HMAC(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()

def D(name):
    return b"talla/v2/" + name.encode() + b"\0"

def u32(value):
    return struct.pack(">I", value)

def field(value):
    data = value.encode() if isinstance(value, str) else value
    return u32(len(data)) + data

def unhex(text, size=32):
    need(isinstance(text, str) and re.fullmatch(r"([0-9a-f]{2})*", text), "malformed hex")
    data = bytes.fromhex(text)
    need(size is None or len(data) == size, "hex of another length")
    return data

def unbase64(text):
    need(isinstance(text, str), "malformed base64")
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refused("malformed base64")
    need(base64.b64encode(data).decode() == text, "base64 in another spelling")
    return data

def ordered(value):
    """Members by their UTF-16 units, as RFC 8785 has them; Python alone would go by code points."""
    if isinstance(value, dict):
        return {key: ordered(value[key])
                for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
    return [ordered(one) for one in value] if isinstance(value, list) else value

def canonical(value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if text.isascii():  # one order by code points and by UTF-16 units
        return text
    return json.dumps(ordered(value), separators=(",", ":"), ensure_ascii=False)

def parse(text):
    """Canonical JSON of the house: integers, strings, booleans, arrays, objects."""
    def members(pairs):
        need(len({key for key, _ in pairs}) == len(pairs), "duplicate member")
        return dict(pairs)
    def never(_):
        raise Refused("no such number in this format")
    def integer(digits):
        value = int(digits)
        need(abs(value) <= LARGEST, "integer out of range")
        return value
    def no_null(value):
        need(value is not None, "null is not part of this format")
        for inner in value if isinstance(value,
                                         list) else value.values() if isinstance(
                                             value, dict) else []:
            no_null(inner)
    need(len(text.encode()) <= TEXT_BYTES_MAX, "text is longer than 8 MiB")
    try:
        value = json.loads(text, object_pairs_hook=members, parse_float=never, parse_constant=never,
                           parse_int=integer)
    except (ValueError, RecursionError):
        raise Refused("malformed JSON")
    if "null" in text:
        no_null(value)
    need(canonical(value) == text, "not canonical")
    return value
