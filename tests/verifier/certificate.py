"""What form a certificate has (FORMAT section 5), read from its DER; whether its signatures hold
libcrypto.py says."""
from .text import need

CURVES = {bytes.fromhex("06082a8648ce3d030107"): 32, bytes.fromhex("06052b81040022"): 48,
          bytes.fromhex("06052b81040023"): 66}  # P-256, P-384, P-521: bytes of a coordinate
EC_PUBLIC_KEY = bytes.fromhex("06072a8648ce3d0201")
# ecdsa-with-SHA256, -SHA384, -SHA512
SIGNATURES = {bytes.fromhex("06082a8648ce3d04030" + digit) for digit in "234"}
ORGANIZATIONAL_UNIT = bytes.fromhex("060355040b")
# key usage, alternative names, basic constraints, extended key usage
MAY_BE_CRITICAL = {bytes.fromhex("0603551d" + last) for last in ("0f", "11", "13", "25")}
NAME_CONSTRAINTS = bytes.fromhex("0603551d1e")
SEQUENCE, SET, BITS, OCTETS, BOOLEAN = 0x30, 0x31, 0x03, 0x04, 0x01


class Der:
    """Elements one behind the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    @property
    def empty(self):
        return self.at == len(self.data)

    def next(self, tag=None):
        """(tag, content, whole) of the next element."""
        data, begin = self.data, self.at
        need(len(data) - begin >= 2 and tag in (None, data[begin]), "DER: another element")
        size, at = data[begin + 1], begin + 2
        if size >= 0x80:
            count = size - 0x80
            need(1 <= count <= 3, "DER: no length of this format")
            size, at = int.from_bytes(data[at:at + count], "big"), at + count
        need(at + size <= len(data), "DER: cut short")
        self.at = at + size
        return data[begin], data[at:at + size], data[begin:at + size]

    def open(self, tag):
        return Der(self.next(tag)[1])

    def end(self):
        need(self.empty, "DER: more than is known here")


def single(data, tag):
    der = Der(data)
    inside = der.open(tag)
    der.end()
    return inside


def words(tag, content):
    """Text of a name's value."""
    if tag == 0x1e:
        return content.decode("utf-16-be", errors="replace")
    return content.decode("utf-8" if tag == 0x0c else "latin-1", errors="replace")


def units_of(subject):
    """Organizational units, of every RDN."""
    units = []
    while not subject.empty:
        rdn = subject.open(SET)
        while not rdn.empty:
            pair = rdn.open(SEQUENCE)
            kind, value = pair.next()[2], pair.next()
            pair.end()
            if kind == ORGANIZATIONAL_UNIT:
                units.append(words(value[0], value[1]))
    return units


def check_key(info):
    algorithm = info.open(SEQUENCE)
    need(algorithm.next()[2] == EC_PUBLIC_KEY, "a certificate's key that is of no curve")
    curve = algorithm.next()[2]
    algorithm.end()
    need(curve in CURVES, "a certificate's key that is none on P-256, P-384 or P-521")
    point = info.next(BITS)[1]
    info.end()
    need(len(point) == 2 + 2 * CURVES[curve] and point[:2] == b"\0\4",
         "a certificate's key in another form")


def check_extensions(extensions):
    seen = set()
    while not extensions.empty:
        one = extensions.open(SEQUENCE)
        kind = one.next()[2]
        value = one.next()
        critical = value[0] == BOOLEAN
        value = one.next() if critical else value
        one.end()
        need(value[0] == OCTETS and kind not in seen, "an extension twice, or in another form")
        seen.add(kind)
        need(kind != NAME_CONSTRAINTS, "a certificate with name constraints")
        need(not critical or kind in MAY_BE_CRITICAL, "a critical extension that is not known")


def units_if_formed(data):
    """The organizational units of one certificate (DER), whose form is checked."""
    try:
        outer = single(data, SEQUENCE)
        body = outer.open(SEQUENCE)
        algorithm = outer.next(SEQUENCE)
        outer.next(BITS)
        outer.end()
        need(body.next(0xa0)[1] == b"\2\1\2", "a certificate of another version than 3")
        body.next(2)
        need(body.next(SEQUENCE)[2] == algorithm[2], "two different signature algorithms")
        signed = Der(algorithm[1])
        need(signed.next()[2] in SIGNATURES and signed.empty,
             "a signature that is not ECDSA with SHA-256, SHA-384 or SHA-512")
        body.next(SEQUENCE)
        body.next(SEQUENCE)
        subject = body.open(SEQUENCE)
        check_key(body.open(SEQUENCE))
        check_extensions(single(body.next(0xa3)[1], SEQUENCE))
        body.end()
        return units_of(subject)
    except IndexError:
        need(False, "DER: cut short")
