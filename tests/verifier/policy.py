"""Cosignatures of witnesses under a trust policy: C2SP tlog-policy, tlog-cosignature and
signed-note."""
import time

from .libcrypto import ed25519
from .text import H, need, unbase64

LOG, WITNESS = 1, 4


def parse_key(text, kind):
    name, key_id, material = (text.split("+", 2) + ["", ""])[:3]
    material = unbase64(material)
    need(name and len(material) == 33 and material[0] == kind, "policy: a key of another kind")
    need(H(name.encode() + b"\n" + material)[:4].hex() == key_id,
         "policy: the key id is not that of name and key")
    return name, bytes.fromhex(key_id), material[1:]


class Policy:
    def __init__(self, data):
        need(data.endswith(b"\n"), "policy: the last line does not end")
        need(not any((byte < 0x20 and byte not in (9, 10)) or byte == 0x7F for byte in data),
             "policy: a control character")
        self.logs, self.witnesses, self.groups, self.quorum = [], {}, {}, None
        names, members = set(), set()
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            words = line.replace("\t", " ").split(" ")
            words = [word for word in words if word]
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "log" and len(words) in (2, 3):
                key = parse_key(words[1], LOG)
                need(key[2] not in [other[2] for other in self.logs], "policy: a log twice")
                self.logs.append(key)
            elif words[0] == "witness" and len(words) in (3, 4):
                key = parse_key(words[2], WITNESS)
                need(words[1] not in names and words[1] != "none", "policy: a name twice")
                need(key[2] not in [other[2] for other in self.witnesses.values()],
                     "policy: a witness twice")
                names.add(words[1])
                self.witnesses[words[1]] = key
            elif words[0] == "group" and len(words) > 3:
                listed = words[3:]
                need(all(one in names for one in listed) and len(set(listed)) == len(listed)
                     and not members & set(listed),
                     "policy: members that are not defined, or count twice")
                need(words[1] not in names and words[1] != "none", "policy: a name twice")
                least = {"all": len(listed), "any": 1}.get(words[2], words[2])
                need(isinstance(least, int) or least.isascii() and least.isdigit(),
                     "policy: the threshold")
                need(1 <= int(least) <= len(listed), "policy: the threshold")
                names.add(words[1])
                members |= set(listed)
                self.groups[words[1]] = (int(least), listed)
            elif words[0] == "quorum" and len(words) == 2:
                need(self.quorum is None and (words[1] in names or words[1] == "none"),
                     "policy: the quorum")
                self.quorum = words[1]
            else:
                need(False, "policy: an unknown line")
        need(self.quorum is not None, "policy: no quorum")

    def judge(self, origin, text, signatures):
        """What was checked; nothing when the quorum is `none`. `signatures`: name, key id, bytes of
        each line."""
        known = not self.logs
        for name, key_id, public in self.logs:
            for line in signatures:
                if name == origin and line[:2] == (name, key_id):
                    need(ed25519(public, text.encode(), line[2]),
                         "policy: a wrong signature of the log")
                    known = True
        need(known, "policy: the checkpoint is signed by no log that it lists")
        met, times = set(), []
        for label, (name, key_id, public) in self.witnesses.items():
            for line in signatures:
                if line[:2] != (name, key_id):
                    continue
                at = int.from_bytes(line[2][:8], "big")
                message = f"cosignature/v1\ntime {at}\n{text}".encode()
                need(len(line[2]) == 72 and 0 < at < 2**63
                     and ed25519(public, message, line[2][8:]), "policy: a wrong cosignature")
                met.add(label)
                times.append(at)
        cosigned = [label for label in self.witnesses if label in met]
        for name, (least, listed) in self.groups.items():
            if sum(one in met for one in listed) >= least:
                met.add(name)
        if self.quorum == "none":
            return None
        need(self.quorum in met, f"policy: the quorum {self.quorum} is not met; cosigned by "
                                 f"{', '.join(cosigned) or 'nobody'}")
        first = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(min(times)))
        return (f"witnessed: the policy's quorum {self.quorum} is met by {', '.join(cosigned)}, "
                f"from {first} on")
