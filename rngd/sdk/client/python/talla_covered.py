"""Covered cards: what the copy for one seat says, by its own key (certs/FORMAT.md section 7).

Standard library and the `openssl` command, which knows AES but not GCM: the tag is computed here,
as SP 800-38D has it."""
import base64, hmac, json

from talla_log import H, canonical, domain, field, need, ssl_pem, u32

SPKI_FRONT = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
EPHEMERAL, TAG = 65, 16


def times(x, y):
    """Product in GF(2^128); the first bit of a block is its highest."""
    product = 0
    for bit in range(127, -1, -1):
        product ^= x if y >> bit & 1 else 0
        x = x >> 1 ^ (0xE1 << 120 if x & 1 else 0)
    return product


def gcm_open(files, key, data, sealed):
    """AES-256-GCM with a nonce of 12 zero bytes. `files`: a LogKey, for the command and its
    files."""
    def aes(mode, value, *more):
        found = files.openssl("enc", f"-aes-256-{mode}", "-K", key.hex(), *more, "-in",
                              files.file("block", value))
        need(found is not None, "openssl has no AES")
        return found
    text, tag = sealed[:-TAG], sealed[-TAG:]
    subkey = int.from_bytes(aes("ecb", bytes(16), "-nopad"), "big")
    padded = b"".join(part + bytes(-len(part) % 16) for part in (data, text))
    padded += (8 * len(data)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
    mac = 0
    for at in range(0, len(padded), 16):
        mac = times(mac ^ int.from_bytes(padded[at:at + 16], "big"), subkey)
    mac ^= int.from_bytes(aes("ecb", bytes(15) + b"\1", "-nopad"), "big")
    need(hmac.compare_digest(mac.to_bytes(16, "big"), tag),
         "the copy is not for this card, seat and key")
    return aes("ctr", text, "-iv", "00" * 15 + "02")


def open_copy(key, place, copy):
    """Opening (`card`, `leaf`, `path`, `salt`) of a copy. `key`: CallKey of the seat. `place`:
    origin, shoe, position, seat, and how often the shoe was shuffled again before."""
    files, (origin, shoe, position, seat, recommits) = key.log_key, place
    need(len(copy) > EPHEMERAL + TAG and copy[0] == 4, "no copy of a covered card")
    point = copy[:EPHEMERAL]
    spki = base64.b64encode(SPKI_FRONT + point).decode()
    secret = files.openssl("pkeyutl", "-derive", "-inkey", key.key_file, "-peerkey",
                           files.file("peer.pem", ssl_pem(spki, "PUBLIC KEY")))
    need(secret is not None, "a copy that begins with no point of P-256")
    front = domain("covered-card-again") if recommits else domain("covered-card")
    info = front + field(origin) + field(shoe) + (u32(recommits) if recommits else b"") + \
        u32(position) + u32(seat) + H(key.spki) + point
    extracted = hmac.digest(bytes(32), secret, "sha256")
    opened = gcm_open(files, hmac.digest(extracted, info + b"\1", "sha256"), info,
                      copy[EPHEMERAL:])
    opening = json.loads(opened)
    need(canonical(opening).encode() == opened and
         set(opening) == {"card", "leaf", "path", "salt"}, "an opening of another form")
    return opening


def look(key, shoes, origin, shoe, given, recommits=None):
    """What the copies of a covered card (`given`: of GET .../cards/{position}) say to this key:
    one opening for each seat, with `seat` and `place`, each the committed card of its
    position."""
    roots = shoes.of(shoe)
    again = len(roots) - 1 if recommits is None else recommits
    need(again < len(roots) and given["shoe"] == shoe, "the copies are of another card")
    dealt = roots[again]["dealt"].get(given["position"])
    need(dealt is not None and dealt["face"] == "covered" and dealt["place"] == given["place"],
         "the copies are of another card")
    found = []
    for one in given["copies"]:
        copy = base64.b64decode(one["ciphertext"])
        named = {"seat": one["seat"], "key": H(key.spki).hex(), "ciphertext": H(copy).hex()}
        need(named in dealt["copies"], f"seat {one['seat']}: not the copy that the log names")
        opening = open_copy(key, (origin, shoe, given["position"], one["seat"], again), copy)
        shoes.card(shoe, roots[again], {"position": given["position"]} | opening)
        found.append({"seat": one["seat"], "place": dealt["place"]} | opening)
    need(found, "no copy is for this key")
    return found
