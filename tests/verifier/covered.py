"""A covered card read with the seat's own key (FORMAT section 7, "Covered cards"): the `openssl`
command and the standard library."""
import hmac
import hashlib
import os
import subprocess
import tempfile

from .text import D, H, field, need, parse, u32

P256_SPKI_HEAD = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")


def openssl(*arguments, data=b""):
    done = subprocess.run(["openssl", *arguments], input=data, capture_output=True)
    need(done.returncode == 0, "openssl " + arguments[0])
    return done.stdout


def spki_of(key_path):
    return openssl("pkey", "-in", key_path, "-pubout", "-outform", "DER")


def agree(key_path, point):
    """The x coordinate of the shared point."""
    with tempfile.TemporaryDirectory() as folder:
        peer = os.path.join(folder, "peer.pem")
        with open(peer, "wb") as out:
            out.write(openssl("pkey", "-pubin", "-inform", "DER", data=P256_SPKI_HEAD + point))
        return openssl("pkeyutl", "-derive", "-inkey", key_path, "-peerkey", peer)


def hkdf(secret, info):
    extracted = hmac.new(b"\0" * 32, secret, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\1", hashlib.sha256).digest()


def multiply(x, y):
    """In GF(2^128) as SP 800-38D has it."""
    product = 0
    for bit in range(127, -1, -1):
        if y >> bit & 1:
            product ^= x
        x = x >> 1 ^ (0xE1 << 120 if x & 1 else 0)
    return product


def gcm_open(key, data, sealed):
    """AES-256-GCM with a nonce of 12 zero bytes."""
    text, tag = sealed[:-16], sealed[-16:]
    block = lambda value: openssl("enc", "-aes-256-ecb", "-nopad", "-K", key.hex(), data=value)
    subkey = int.from_bytes(block(b"\0" * 16), "big")
    pad = lambda value: value + b"\0" * (-len(value) % 16)
    lengths = (8 * len(data)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
    hashed, blocks = 0, pad(data) + pad(text) + lengths
    for at in range(0, len(blocks), 16):
        hashed = multiply(hashed ^ int.from_bytes(blocks[at:at + 16], "big"), subkey)
    mask = int.from_bytes(block(b"\0" * 15 + b"\1"), "big")
    need(hashed ^ mask == int.from_bytes(tag, "big"), "the copy is not for this card, seat and key")
    return openssl("enc", "-aes-256-ctr", "-K", key.hex(), "-iv", "00" * 15 + "02", data=text)


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
