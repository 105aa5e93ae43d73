"""Several roots of one shoe, of which the call of its first mix picks one: what they are, and
whether the others, once they are opened, are shuffles of the whole deck (certs/FORMAT.md,
section 7, "Candidates"; shuffle/MAPPING.md)."""
import base64, hmac, re

from talla_log import need, H, u32, field, domain

FRENCH, SPANISH = "A23456789TJQK", "123456789SCR"


def deck_bytes(text):
    """The card bytes of a deck in its order before the shuffle."""
    if text == "balls90x1":
        return list(range(128, 218))
    found = re.fullmatch(r"(french52|spanish40|spanish48)(?:-([A-Za-z0-9]+))?(?:\+([1-4])j)?"
                         r"x([1-8])", text)
    need(found, "a deck that nobody knows")
    family, removed, jokers, decks = found.groups()
    left_out = (removed or "") + ("89" if family == "spanish40" else "")
    ranks, first, size = (FRENCH, 0, 13) if family == "french52" else (SPANISH, 64, 12)
    one = [first + size * suit + rank for suit in range(4) for rank in range(size)
           if ranks[rank] not in left_out]
    return (one + [52] * int(jokers or 0)) * int(decks)


def words_of(tape):
    return iter(int.from_bytes(tape[at:at + 8], "big") for at in range(0, len(tape) - 7, 8))


def digits_from(words, bounds):
    """One uniform integer below each bound; how many words that took, the refused ones too, and
    how many of them were refused."""
    found, used, refused = [], 0, 0
    while bounds:
        product, count = bounds[0], 1
        while count < len(bounds) and product * bounds[count] < 2**56:
            product, count = product * bounds[count], count + 1
        while True:
            rest, batch, used = next(words), [], used + 1
            for bound in bounds[:count]:
                batch.append(rest * bound >> 64)
                rest = rest * bound & (2**64 - 1)
            if rest >= 2**64 % product:
                break
            refused += 1
        found, bounds = found + batch, bounds[count:]
    return found, used, refused


def swapped(cards, digits):
    for i, j in enumerate(digits, start=1):
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def tree_root(leaves):
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return H(b"\1", tree_root(leaves[:split]), tree_root(leaves[split:]))


def count_of(body):
    """Roots that the next mix picks from; one where there is nothing to pick."""
    return len(body.get("candidates", [])) or 1


def check_candidates(body, wanted):
    """Whether a SHOE_COMMIT is what a table with this policy.candidates asks for."""
    roots = [one["root"] for one in body.get("candidates", [])]
    need(count_of(body) == wanted and (wanted == 1) == (not roots),
         "candidate_wrong: another number of roots than the table asks for")
    need(len(set(roots)) == len(roots), "candidate_wrong: two candidates are one root")
    need(not roots or body["root"] ==
         H(domain("shoe-roots"), *[bytes.fromhex(one) for one in roots]).hex(),
         "candidate_wrong: the root is not the digest of the candidates")


def check_opened(shoe, body, picked, opened):
    """All candidates but the one picked, each a shuffle of the whole deck that gives its root,
    none like another."""
    others = [one for i, one in enumerate(body["candidates"]) if i != picked]
    need(len(opened) == len(others), "candidate_wrong: not all other candidates are opened")
    for member in ("key", "tape"):
        need(len({one[member] for one in opened}) == len(opened),
             f"candidate_wrong: two candidates have one {member}")
    for committed, secrets in zip(others, opened):
        check_one(shoe, body, committed, secrets)


def check_one(shoe, body, committed, secrets):
    key, tape = bytes.fromhex(secrets["key"]), base64.b64decode(secrets["tape"], validate=True)
    keyed = lambda *parts: hmac.digest(key, b"".join(parts), "sha256")
    need(keyed(domain("shoe-tape"), field(shoe), tape).hex() == committed["tape_mac"] and
         H(tape).hex() == secrets["tape_digest"], "candidate_wrong: other secrets")
    deck = deck_bytes(body["deck"])
    try:
        swaps, used, refused = digits_from(words_of(tape), list(range(2, len(deck) + 1)))
    except StopIteration:
        need(False, "candidate_wrong: the tape is too short")
    need(8 * used == len(tape) and used == secrets["words_used"] and
         refused == secrets["words_rejected"], "candidate_wrong: another account of the tape")
    count, leaves = len(deck), []
    for i, card in enumerate(swapped(deck, swaps)):
        salt = keyed(domain("shoe-salt"), field(shoe), u32(i))
        leaves.append(H(b"\0", domain("shoe-leaf"), field(shoe), u32(count), u32(i), bytes([card]),
                        salt))
    need(tree_root(leaves).hex() == committed["root"], "candidate_wrong: another composition")
