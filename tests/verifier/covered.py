"""A covered card read with the seat's own key (FORMAT section 7, "Covered cards")."""
import hmac
import hashlib

from .libcrypto import Key, PrivateKey, gcm_open
from .text import D, H, field, need, parse, u32

P256_SPKI_HEAD = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")


def spki_of(key_path):
    return PrivateKey(key_path).spki


def agree(key_path, point):
    """The x coordinate of the shared point."""
    return PrivateKey(key_path).agree(Key.of_spki(P256_SPKI_HEAD + point))


def hkdf(secret, info):
    extracted = hmac.new(b"\0" * 32, secret, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\1", hashlib.sha256).digest()


def open_copy(key_path, origin, shoe, position, seat, copy, recommits=0):
    """The opening (card, leaf, path, salt) that this seat's copy holds; `recommits`: shuffles
    before the card was dealt."""
    need(len(copy) > 65 + 16 and copy[0] == 4, "no copy of a covered card")
    point = copy[:65]
    domain, root = (D("covered-card-again"),
                    u32(recommits)) if recommits else (D("covered-card"), b"")
    info = domain + field(origin) + field(shoe) + root + u32(position) + u32(seat) + H(
        spki_of(key_path)) + point
    return parse(gcm_open(hkdf(agree(key_path, point), info), info, copy[65:]).decode())
